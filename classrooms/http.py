"""The base class of middleware, and limits on the bodies of requests. Larger bodies are refused
without being read."""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import ResolverMatch

from games.play.posted_values import parse_int

LARGEST_BODY: Final = 3_000_000
"""Bytes: enough for a file of 1 MB, or for the form that shows its content."""
LARGEST_FORM: Final = 200_000
"""Bytes: enough for a field for each of 500 children."""
LARGEST_CHILD_FORM: Final = 20_000
"""Bytes: more than twice what all cards and rows of a game need."""

PAGES_WITH_A_LIST: Final = frozenset(
    {
        "classrooms:children",
        "classrooms:upload_children",
        "classrooms:add_shown_children",
        "classrooms:classes_from_file",
    }
)
"""Pages where a list of children is pasted, uploaded, or posted back after a preview."""
PAGES_OF_A_CHILD: Final = frozenset(
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
                "riddle",
                "riddles",
                "sounds",
                "speed",
                "start",
                "typed_name",
            )
        ),
    }
)


class Middleware:
    def __init__(self, get_response: Callable[[Any], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponseBase:
        return self.get_response(request)


class LargestBodyMiddleware(Middleware):
    """Refuses bodies that are too large. Must come before everything that reads the body. A body
    without a length is empty for Django."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _is_longer(request, LARGEST_BODY):
            return _too_large(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if request.resolver_match and _is_longer(request, largest_body(request.resolver_match)):
            return _too_large(request)
        return None


def largest_body(page: ResolverMatch) -> int:
    """The most bytes that may be posted to this page."""
    if page.view_name in PAGES_WITH_A_LIST:
        return LARGEST_BODY
    if "games" in page.namespaces or page.view_name in PAGES_OF_A_CHILD:
        return LARGEST_CHILD_FORM
    return LARGEST_FORM


def _is_longer(request: HttpRequest, most: int) -> bool:
    """Whether the body is longer than `most` bytes. Without a valid length it counts as longer."""
    return parse_int(request.META.get("CONTENT_LENGTH") or "0", most=most) is None


def _too_large(request: HttpRequest) -> HttpResponse:
    return render(request, "413.html", status=413)
