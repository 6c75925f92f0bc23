"""Who is playing: `request.child` and `request.player`, from a cookie of the children's own."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import add_never_cache_headers

from . import signing_in

SESSION_COOKIE: Final = "child"


class ChildMiddleware:
    """Sets `request.child` and `request.player`; never touches `request.user`.

    A child reads its pages in its class's language. No page is kept by a browser, for the next
    one at a shared computer is someone else.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = request.COOKIES.get(SESSION_COOKIE)
        child = signing_in.child_of(token) if token else None
        request.child = child  # type: ignore[attr-defined]
        request.player = child.player if child else None  # type: ignore[attr-defined]
        if child:
            translation.activate(child.school_class.language)
            request.LANGUAGE_CODE = translation.get_language()
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response


def set_session_cookie(response: HttpResponse, token: str) -> None:
    response.set_cookie(
        SESSION_COOKIE,
        token,
        max_age=int(signing_in.SESSION_LASTS.total_seconds()),
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def delete_session_cookie(response: HttpResponse) -> None:
    response.delete_cookie(SESSION_COOKIE, samesite="Lax")
