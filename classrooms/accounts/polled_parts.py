"""Parts of adults' pages that htmx polls."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from classrooms.access import AdultRequest, SchoolRequest
from classrooms.accounts.sessions import asks_by_itself, end_if_over

TAG: Final = "HX-PTag"
"""The header in which htmx's extension `ptag` keeps the tag of what it shows."""

_P = ParamSpec("_P")


def part_for_adults(
    view: Callable[Concatenate[AdultRequest, _P], HttpResponse],
) -> Callable[Concatenate[SchoolRequest, _P], HttpResponse]:
    """When the session has ended, redirect the whole page to sign-in instead of only the part."""
    signed_in: Callable[..., HttpResponse] = login_required(view)

    @asks_by_itself
    @wraps(view)
    def part(request: SchoolRequest, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponse:
        end_if_over(request)
        if not request.user.is_authenticated and request.headers.get("HX-Request"):
            return HttpResponseClientRedirect(reverse(settings.LOGIN_URL))
        return signed_in(request, *args, **kwargs)

    return part
