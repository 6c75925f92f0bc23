"""Keeps archived classes as they are: one check for all pages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from classrooms.access import classes_of

ALLOWED: Final = "allow_archived"


def allow_archived(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Mark a view that may change an archived class, such as the one that restores it."""
    setattr(view, ALLOWED, True)
    return view


class ArchivedMiddleware:
    """Redirects a POST about an archived class of the user to the page where they can restore it.

    POSTs about other people's classes pass: the views answer those with 404.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> HttpResponse | None:
        class_id = kwargs.get("class_id")
        if class_id is None or request.method != "POST" or getattr(view, ALLOWED, False):
            return None
        mine = classes_of(request.user)
        if not mine.filter(pk=class_id).exclude(archived_at=None).exists():
            return None
        messages.error(request, _("This class is archived. Restore it to make changes."))
        return redirect("classrooms:class", class_id)
