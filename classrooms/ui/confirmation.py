"""A page that asks before something is lost for good."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

SURE = "sure"


def is_sure(request: HttpRequest) -> bool:
    """Whether this post comes from the page that asks."""
    return SURE in request.POST


def ask_first(
    request: HttpRequest, *, heading: str, lost: str, button: str, back: str, **context: object
) -> HttpResponse:
    """The page that says what will be lost. Its button posts again to the same address, with the
    fields of `posted` if the context has them; `back`: the address that keeps everything."""
    context.update(heading=heading, lost=lost, button=button, back=back, sure=SURE)
    return render(request, "ui/confirm.html", context)
