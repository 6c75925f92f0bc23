"""Counts each answer by kind of page and by status."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponseBase

from nmbrs_edu.http import kinds
from nmbrs_edu.metrics.counting import REQUESTS, counts

MOVE: Final = "/act"


class CountingMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        counts.count(REQUESTS, kind_of(request), str(response.status_code))
        return response


def kind_of(request: HttpRequest) -> str:
    """The kind of a request, from the first part of the path alone: the rest may be a secret."""
    kind = kinds().get(request.path_info.removeprefix("/").partition("/")[0])
    if kind == "game" and request.method == "POST" and request.path_info.endswith(MOVE):
        return "move"
    return kind or "other"
