"""Parts of adults' pages that htmx polls."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from classrooms.access import AdultRequest, SchoolRequest
from classrooms.accounts.sessions import end_if_over
from games.marks import marked

TAG: Final = "HX-PTag"
"""The header with the tag of the content that the page shows, from the htmx extension `ptag`."""

_P = ParamSpec("_P")


def part_for_adults(
    view: Callable[Concatenate[AdultRequest, _P], HttpResponse],
) -> Callable[Concatenate[SchoolRequest, _P], HttpResponse]:
    """Make a view of a part of a page. When the session has ended, it redirects the whole page to
    sign-in, not only the part."""
    adults_view: Callable[..., HttpResponse] = login_required(view)

    @marked(asks_by_itself=True)
    @wraps(view)
    def part(request: SchoolRequest, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponse:
        end_if_over(request)
        if not request.user.is_authenticated and request.headers.get("HX-Request"):
            return HttpResponseClientRedirect(reverse(settings.LOGIN_URL))
        return adults_view(request, *args, **kwargs)

    return part


def tagged_part(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A part of a page; 304 if the page already shows the content with the `tag` of the context."""
    tag = context["tag"]
    if request.headers.get(TAG) == tag:
        return HttpResponseNotModified(headers={TAG: tag})
    response = render(request, template, context)
    response.headers[TAG] = tag
    return response
