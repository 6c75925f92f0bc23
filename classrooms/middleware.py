"""Who is playing: `request.child` and `request.player`, from a cookie of the children's own."""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from classrooms.assignments import trial_game
from classrooms.signin import child_sign_in, languages

from .models import SchoolClass

SESSION_COOKIE: Final = "child"
PICKS_COOKIE: Final = "picks"
NAME_COOKIE: Final = "name"


class ChildMiddleware:
    """Sets `request.child` and `request.player`; `request.user` stays as it is. At a game's address
    an adult is a player too, of the games that it tries out.

    A child reads its pages in its own language. No page is kept by a browser, for the next one at
    a shared computer is someone else.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = request.COOKIES.get(SESSION_COOKIE)
        child = child_sign_in.child_of(token) if token else None
        request.child = child  # type: ignore[attr-defined]
        request.player = child.player if child else None  # type: ignore[attr-defined]
        if child:
            languages.speak(request, languages.of_child(request, child))
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Whoever plays nothing finds no game; one who did play is shown the way back in."""
        match = request.resolver_match
        if match is None or "games" not in match.namespaces:
            return None
        if request.player is None and request.user.is_authenticated:  # type: ignore[attr-defined]
            request.player = trial_game.player_of(request.user)  # type: ignore[attr-defined]
        return to_the_door(request) if request.player is None else None  # type: ignore[attr-defined]


def to_the_door(request: HttpRequest) -> HttpResponse:
    """To the names of the class whose child was signed in here, else to the first page."""
    token = request.COOKIES.get(SESSION_COOKIE)
    if not token:
        return _go(request, reverse("classrooms:home"))
    school_class = child_sign_in.class_left(token)
    language = languages.at_the_door(request, school_class) if school_class else None
    with translation.override(language or translation.get_language()):
        messages.info(
            request, _("You were away for a while, so you are signed out. Your game is kept.")
        )
    response = _go(request, door_of(school_class))
    forget_child(response)
    return response


def door_of(school_class: SchoolClass | None) -> str:
    if school_class is None:
        return reverse("classrooms:home")
    return reverse("classrooms:names", args=[school_class.code])


def _go(request: HttpRequest, url: str) -> HttpResponse:
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(url)
    return redirect(url)


def set_session_cookie(response: HttpResponse, token: str) -> None:
    """A cookie that goes when the browser is closed; how long it is good for, the server says."""
    response.set_cookie(
        SESSION_COOKIE,
        token,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def delete_session_cookie(response: HttpResponse) -> None:
    response.delete_cookie(SESSION_COOKIE, samesite="Lax")


def forget_child(response: HttpResponse) -> None:
    """Nothing of a child stays on the device. Its random number does, for it is nobody's name,
    and so do pictures and styles of the site, for no page is ever kept with them."""
    delete_session_cookie(response)
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    response.delete_cookie(NAME_COOKIE, samesite="Lax")
    languages.forget(response)
    response["Clear-Site-Data"] = '"storage"'
