"""A body that is larger than anything a page sends is refused before it is read."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

LARGEST_BODY: Final = 3_000_000
"""Bytes: a file of 1 MB, and the page that shows what is in it, take less."""


class LargestBodyMiddleware:
    """Stands before whatever reads what is posted."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdigit() and int(length) > LARGEST_BODY:
            return render(request, "413.html", status=413)
        return self.get_response(request)
