"""Parts of adults' pages that htmx polls."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from classrooms.accounts.sessions import asks_by_itself, end_if_over


def part_for_adults(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """When the session has ended, redirect the whole page to sign-in instead of only the part."""
    signed_in = login_required(view)

    @asks_by_itself
    @wraps(view)
    def part(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        end_if_over(request)
        if not request.user.is_authenticated and request.headers.get("HX-Request"):
            return HttpResponseClientRedirect(reverse(settings.LOGIN_URL))
        return signed_in(request, *args, **kwargs)

    return part
