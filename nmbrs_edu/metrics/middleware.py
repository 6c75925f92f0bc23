"""Counts each answer by the part of the site and its status."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponseBase

from nmbrs_edu.metrics.counting import REQUESTS, counts

KINDS: Final = {
    "": "door", "play": "door", "q": "door",
    "me": "child", "games": "game",
    "accounts": "adult", "account": "adult", "classes": "adult", "invitations": "adult",
    "schools": "adult", "weekly-mail": "adult",
    "admin": "operator", "static": "static", "healthz": "health",
}  # fmt: skip
MOVE: Final = "/act"


class CountingMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        counts.count(REQUESTS, kind_of(request), str(response.status_code))
        return response


def kind_of(request: HttpRequest) -> str:
    """By the beginning of the path alone: what comes after may be a secret."""
    kind = KINDS.get(request.path_info.split("/", 2)[1] if "/" in request.path_info else "")
    if kind == "game" and request.method == "POST" and request.path_info.endswith(MOVE):
        return "move"
    return kind or "other"
