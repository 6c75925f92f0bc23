"""A page that asks before something is lost."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

SURE = "sure"


def is_sure(request: HttpRequest) -> bool:
    """Whether this POST comes from the page of `ask_first`."""
    return SURE in request.POST


def ask_first(
    request: HttpRequest, *, heading: str, lost: str, button: str, back: str, **context: object
) -> HttpResponse:
    """A page that says what will be lost. Its button posts to the same address again, with the
    fields in `posted` of the context, if there are any. Its link, which loses nothing, leads to
    `back`."""
    context.update(heading=heading, lost=lost, button=button, back=back, sure=SURE)
    return render(request, "ui/confirm.html", context)
