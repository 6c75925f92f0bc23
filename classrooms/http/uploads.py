"""Refuses a body larger than anything its page sends, before reading it."""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import ResolverMatch

from games.play.posted_values import whole

LARGEST_BODY: Final = 3_000_000
"""Bytes: enough for a file of 1 MB, and for the page that shows its contents."""
LARGEST_FORM: Final = 200_000
"""Bytes: enough for one choice for each of 500 children."""
LARGEST_OF_A_CHILD: Final = 20_000
"""Bytes: choosing all cards and rows of a game takes less than half."""

WITH_A_LIST: Final = frozenset(
    {
        "classrooms:children",
        "classrooms:upload_children",
        "classrooms:add_shown_children",
        "classrooms:classes_from_file",
    }
)
"""Pages where a list of children is pasted, uploaded, or posted back after a preview."""
OF_A_CHILD: Final = frozenset(
    {
        "set_language",
        *(
            f"classrooms:{name}"
            for name in (
                "card",
                "check",
                "code",
                "language",
                "learn",
                "leave",
                "names",
                "pictures",
                "sounds",
                "speed",
                "start",
                "typed_name",
            )
        ),
    }
)


class LargestBodyMiddleware:
    """Comes before everything that reads the body. A body without a length is empty for Django."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _is_longer(request, LARGEST_BODY):
            return _refused(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if request.resolver_match and _is_longer(request, largest(request.resolver_match)):
            return _refused(request)
        return None


def largest(page: ResolverMatch) -> int:
    """How many bytes may be posted to a page."""
    if page.view_name in WITH_A_LIST:
        return LARGEST_BODY
    if "games" in page.namespaces or page.view_name in OF_A_CHILD:
        return LARGEST_OF_A_CHILD
    return LARGEST_FORM


def _is_longer(request: HttpRequest, most: int) -> bool:
    """A length that is not a number counts as too long."""
    return whole(request.META.get("CONTENT_LENGTH") or "0", most=most) is None


def _refused(request: HttpRequest) -> HttpResponse:
    return render(request, "413.html", status=413)
