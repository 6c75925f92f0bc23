"""The floor: a request through all middleware with a session, a user, one SELECT and one UPDATE on
PostgreSQL. No page that knows its reader can be faster."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from time import perf_counter
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.test import Client
from django.test.utils import override_settings

from scripts.load.machine import databases

EMAIL: Final = "floor@example.org"
ITEMS: Final = 48
LIST: Final = "<ul>{% for item in items %}{% include item_page %}{% endfor %}</ul>"
ITEM: Final = """
  <li class="item c{{ item.place }}{% if item.chosen %} chosen{% endif %}">
    <label><input type="checkbox" name="item" value="{{ item.value }}" id="i-{{ forloop.counter }}"
      aria-label="{{ item.name }}"{% if item.chosen %} checked{% endif %}><b>{{ item.name }}</b>
    </label>
  </li>"""
"""A list as Django renders one: a part of the page for each item."""


def floor_view(request: HttpRequest) -> HttpResponse:
    from classrooms.models import SchoolClass

    name = SchoolClass.objects.filter(name=request.user.get_username()).values_list("name").first()
    SchoolClass.objects.filter(name=name or "none").update(name="floor")
    return HttpResponse("floor")


def drawn_floor_view(request: HttpRequest) -> HttpResponse:
    """The floor that also renders 48 items of HTML."""
    floor_view(request)
    items = [
        {"value": f"{n}-{n + 1}", "name": f"item {n}", "place": n % 12, "chosen": n % 5 == 0}
        for n in range(ITEMS)
    ]
    page, item_page = _pages()
    return HttpResponse(page.render({"items": items, "item_page": item_page}, request))


@cache
def _pages() -> tuple[Any, Any]:
    django_engine = engines["django"]
    return django_engine.from_string(LIST), django_engine.from_string(ITEM)


SETTINGS: Final = {
    "ROOT_URLCONF": "scripts.bench.urls",
    "DEBUG": False,
    "STORAGES": {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    },
}


@contextmanager
def site(*, on_sqlite: bool = False) -> Iterator[None]:
    with databases(on_sqlite=on_sqlite):
        import_module("nmbrs_edu.wsgi")
        with override_settings(**SETTINGS):
            yield


def client_of_a_teacher() -> Client:
    """A client that is signed in as the teacher, the only adult of the benchmarks."""
    from classrooms.models import User

    user = User.objects.filter(email=EMAIL).first() or User.objects.create_user(EMAIL, "floor")
    client = Client()
    client.force_login(user)
    return client


def timed_request(client: Client, url: str = "/floor") -> float:
    """Request the floor or another page, and return the milliseconds that it took."""
    start = perf_counter()
    response = client.get(url)
    spent = (perf_counter() - start) * 1e3
    assert response.status_code == 200
    return spent
