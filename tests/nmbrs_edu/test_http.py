"""Requests and answers of all pages: addresses in nginx and in the site, late requests, room on
Python's stack, compression, and pages that search engines may index."""

import gzip
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from resource import RUSAGE_THREAD, getrusage
from typing import Final
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import resolve, reverse
from django.utils.module_loading import import_string

from classrooms import passes
from classrooms.http import LARGEST_CHILD_FORM, PAGES_WITH_A_LIST, largest_body
from classrooms.models import Child, SchoolClass
from nmbrs_edu.addresses import kinds
from nmbrs_edu.middleware import LONGEST_WAIT, PROXY_TIMEOUT, SheddingMiddleware
from nmbrs_edu.static import minified
from scripts.proxy import maps, sizes
from tests.classrooms.people import client_of, text_on
from tests.clock import at
from tests.counts import for_each
from tests.factories import AssignmentFactory, SchoolClassFactory
from tests.pages import OTHERS, PAGES, address, names_in
from tests.repository import text_of

KINDS_OF_PEOPLE: Final = {
    "open": {"other", "door", "child", "health"},
    "door": {"door"},
    "child": {"child"},
    "game": {"game", "child"},
    "poll": {"game", "child"},
    "link": {"adult", "door"},
    "admin": {"operator"},
}
"""The kinds of address, by the people who may open it. All others are for adults."""
FILES: Final = frozenset(
    {name for name, page in PAGES.items() if page.is_export}
    | {f"classrooms:school_{name}" for name in ("csv", "class_csv", "zip")}
)
"""Answers that are files made for the user."""
SIZES: Final = {"4m": 4 * 1024**2, "200k": 200 * 1024}
NAMES: Final = {name for page in PAGES for name in names_in(page)} | {"ended_id", "played_id"}
NOBODY: Final = {name: uuid4() for name in NAMES - OTHERS.keys()} | {
    "user_id": 7,
    "entry": 7,
    "course_id": 7,
}
CHECKED_OTHERWISE: Final = frozenset({"platform_id", "launch_id"})
"""Ids that let nobody in without a signed message or a cookie."""


def values_of(map_of: str, request: str) -> list[str]:
    """All values of this map of nginx whose expression matches. "" stands for none."""
    return [value for expression, value in entries_of(map_of) if re.search(expression, request)]


@cache
def entries_of(map_of: str) -> list[tuple[str, str]]:
    lines = "\n".join(maps()).partition(f"${map_of} {{")[2].partition("}\n")[0]
    return re.findall(r'^ *"~(.+)" (\w+);$', lines, re.MULTILINE)


@pytest.mark.django_db
@for_each(sorted(PAGES))
def test_an_address_has_the_kind_of_its_users(name: str) -> None:
    who, methods = PAGES[name].kind, PAGES[name].methods
    path = address(name, NOBODY)
    (kind,) = values_of("kind", path) or ["door" if path == "/" else "other"]
    assert kind in KINDS_OF_PEOPLE.get(who, {"adult"})
    assert kind == kinds()[path.split("/")[1]]
    page = resolve(path)
    assert page.view_name == name or name.startswith(("account_", "mfa_"))
    if name in FILES:
        assert values_of("work", f"{methods[-1].replace('HEAD', 'GET')} {path}") == ["heavy"]
    if who in ("link", "invitation") and not names_in(name) <= CHECKED_OTHERWISE:
        assert values_of("work", f"GET {path}") == ["guess"]
    if name in PAGES_WITH_A_LIST:
        assert values_of("work", f"POST {path}") == ["heavy"]


@cache
def sized_paths() -> list[tuple[str, str]]:
    text = "\n".join(sizes())
    return re.findall(r'location ~ "(.+)" {\n +client_max_body_size (\w+);', text)


@pytest.mark.django_db
@for_each(sorted(PAGES))
def test_nginx_accepts_a_body_that_the_site_accepts(name: str) -> None:
    page = resolve(address(name, NOBODY))
    sized = (SIZES[size] for path, size in sized_paths() if re.search(path, address(name, NOBODY)))
    assert next(sized, 64 * 1024) >= (
        largest_body(page) if kinds()[page.route.split("/")[0]] == "adult" else LARGEST_CHILD_FORM
    )


def test_a_class_code_a_name_and_a_card_are_guesses() -> None:
    names = "/play/BCDFGHJK/"
    for request in ("POST /play/", f"GET {names}", f"POST {names}name/", "GET /q/x", "POST /q/x"):
        assert values_of("work", request) == ["guess"]
    assert values_of("work", f"GET {names}name/") == []


NOW = datetime(2026, 11, 25, 9, 0, tzinfo=UTC)
MOVE = "/games/00000000-0000-0000-0000-000000000000/act"


@pytest.fixture
def stopped_time() -> Iterator[None]:
    with at(NOW):
        yield


def answer(handed_on: str) -> HttpResponse:
    def served(request: HttpRequest) -> HttpResponse:
        return HttpResponse("served")

    headers = {"X-Request-Start": handed_on} if handed_on else {}
    return SheddingMiddleware(served)(RequestFactory().get("/play/", headers=headers))


def ago(seconds: float) -> str:
    return f"{NOW.timestamp() - seconds:.3f}"


@pytest.mark.usefixtures("stopped_time")
def test_a_request_that_has_waited_too_long_is_told_to_come_again() -> None:
    response = answer(ago(LONGEST_WAIT + 0.1))
    assert (response.status_code, response.content) == (503, b"")
    assert response["Retry-After"] == "5"
    assert response["HX-Reswap"] == "none"
    assert response["X-Accel-Redirect"] == "@busy"  # The proxy's own page.
    assert response["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("stopped_time")
@pytest.mark.parametrize(
    "handed_on",
    [
        "",
        "yesterday",
        "nan",
        "inf",
        "-inf",
        ago(0),
        ago(LONGEST_WAIT - 0.1),
        ago(-3600),
        ago(PROXY_TIMEOUT + 0.1),
    ],
)
def test_a_recent_request_or_one_with_a_wrong_clock_is_served(handed_on: str) -> None:
    assert answer(handed_on).content == b"served"


@pytest.mark.usefixtures("stopped_time")
@pytest.mark.django_db
def test_a_rejection_costs_no_statement(django_assert_num_queries: object) -> None:
    layers = ["nmbrs_edu.middleware.SheddingMiddleware", *settings.MIDDLEWARE]
    with override_settings(MIDDLEWARE=layers), django_assert_num_queries(0):  # type: ignore[operator]
        response = Client(headers={"X-Request-Start": ago(20), "Cookie": "child=x"}).post(MOVE)
    assert response.status_code == 503
    assert not response.cookies


LAYER: Final = "nmbrs_edu.middleware.RoomOnStackMiddleware"
CALLS: Final = 300
DEPTHS: Final = range(250)
"""The frames of all these depths together are larger than one piece of the stack."""
FEW: Final = CALLS // 4


def leaf(a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0) -> None:
    """The frame of this function is larger than that of `deeper`, so that at some depth only it has
    no room."""


def deeper(depth: int, call: Callable[[], int]) -> int:
    return deeper(depth - 1, call) if depth else call()


def pages_taken(request: HttpRequest) -> HttpResponse:
    """The number of memory pages that a loop of calls takes from the operating system."""
    before = getrusage(RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        leaf()
    return HttpResponse(str(getrusage(RUSAGE_THREAD).ru_minflt - before))


def test_at_no_depth_does_each_call_take_memory_from_the_system() -> None:
    layer, request = import_string(LAYER)(pages_taken), RequestFactory().get("/")
    times = [
        # The system may have swapped pages out meanwhile.
        min(deeper(depth, lambda: int(layer(request).content)) for _ in range(3))
        for depth in DEPTHS
    ]
    assert max(times) < FEW, times


def test_every_request_is_served_with_room_on_the_stack() -> None:
    layers = settings.MIDDLEWARE
    assert layers.index(LAYER) < layers.index("nmbrs_edu.middleware.NoIndexMiddleware")


REPEATED = "a-text-from-the-address"
ACCEPTS = {"accept-encoding": "gzip"}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["live", "deal", "cards", "letters", "names", "children"])
def test_only_a_page_without_a_query_is_compressed(
    school_class: SchoolClass, dora: Child, name: str
) -> None:
    client = client_of(school_class.teachers.get())
    args: list[object] = [school_class.pk]
    if name == "names":
        client, args = Client(), [school_class.code]
    if name == "deal":
        args.append(AssignmentFactory.create(school_class=school_class, deal_seed=7).pk)
    url = reverse(f"classrooms:{name}", args=args)
    answer = client.get(url, {"screen": "big", "x": REPEATED}, headers=ACCEPTS)
    assert answer["Content-Encoding"] == "identity"
    assert REPEATED in text_on(answer)
    assert client.get(url, headers=ACCEPTS)["Content-Encoding"] == "gzip"


META = '<meta name="robots" content="noindex, nofollow">'


@pytest.mark.django_db
def test_the_first_page_and_the_rules_may_be_indexed(client: Client) -> None:
    for path in ("/", "/rules/simplified/"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "X-Robots-Tag" not in answer.headers
        assert META not in text_on(answer)


@pytest.mark.django_db
def test_the_names_of_a_class_may_not_be_indexed(client: Client) -> None:
    answer = client.get(reverse("classrooms:names", args=[SchoolClassFactory.create().code]))
    assert answer.status_code == 200
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert META in text_on(answer)


OURS = "nmbrs_edu.static.SmallStaticFilesStorage"


def test_collected_files_are_small_hashed_and_compressed(tmp_path: Path) -> None:
    storages = {**settings.STORAGES, "staticfiles": {"BACKEND": OURS}}
    with override_settings(STORAGES=storages, STATIC_ROOT=tmp_path):
        for _ in range(2):
            call_command("collectstatic", interactive=False, verbosity=0)
    (script,) = tmp_path.glob("js/page.*.js")
    source = text_of("static/js/page.js")
    assert script.read_text() == minified("js/page.js", source)
    packed = script.with_suffix(".js.gz").read_bytes()
    assert gzip.decompress(packed) == script.read_bytes()


def test_the_proxys_files_are_complete_and_earlier_ones_stay(tmp_path: Path) -> None:
    collected, folder = tmp_path / "collected", tmp_path / "served"
    (collected / "js").mkdir(parents=True)
    (collected / "js" / "new.js").write_text("new")
    (folder / "js").mkdir(parents=True)
    (folder / "js" / "old.js").write_text("old")
    with override_settings(STATIC_ROOT=collected):
        for _ in range(2):
            call_command("lay_out_static", str(folder))
    files = {path.name: path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert files == {"new.js": "new", "old.js": "old"}


def test_the_proxy_learns_the_names_and_only_it_the_key(tmp_path: Path) -> None:
    (tmp_path / "collected").mkdir()
    with override_settings(
        STATIC_ROOT=tmp_path / "collected", ALLOWED_HOSTS=["school.example", ".schools.example"]
    ):
        call_command("lay_out_static", str(tmp_path / "served"), school=tmp_path / "school")
    config = tmp_path / "school" / "school.conf"
    assert config.stat().st_mode & 0o777 == 0o600
    assert 'hostnames; default 0; "school.example" 1; ".schools.example" 1;' in config.read_text()
    assert passes.pass_key() in config.read_text()
    assert passes.pass_key() not in passes.pass_for("adult 1")
