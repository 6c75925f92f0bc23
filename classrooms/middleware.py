"""Who is playing: `request.child` and `request.player`, from the children's session cookie. And the
pass of whoever is signed in."""

import secrets
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import add_never_cache_headers

from classrooms.access import SchoolRequest
from classrooms.http import passes
from classrooms.models import User
from classrooms.signin import child_sign_in, languages
from classrooms.signin.child_cookies import SESSION_COOKIE
from classrooms.signin.children_only import redirect_to_door


class ChildMiddleware:
    """Sets `request.child` and `request.player`, and leaves `request.user` alone. On game pages an
    adult is a player too, of games being tried out.

    Activates the child's language, or that of the class at this device. Browsers may not cache
    pages, because the next user of a shared computer is someone else.
    """

    def __init__(self, get_response: Callable[[SchoolRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        token = request.COOKIES.get(SESSION_COOKIE)
        child = child_sign_in.child_of(token) if token else None
        request.child = child
        request.player = child.player if child else None
        if child:
            languages.speak(request, languages.of_child(request, child))
        elif (language := languages.of_device(request)) and not request.user.is_authenticated:
            languages.speak(request, language)
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    def process_view(
        self, request: SchoolRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Redirect to the door whoever opens a game page and is not a player."""
        match = request.resolver_match
        if match is None or "games" not in match.namespaces:
            return None
        if request.player is None and request.user.is_authenticated:
            request.player = request.user.player
        return redirect_to_door(request) if request.player is None else None

    def process_exception(
        self, request: SchoolRequest, exception: Exception
    ) -> HttpResponse | None:
        """Redirect to the door a child that was erased, removed, merged or moved during the
        request, whatever that made impossible."""
        if request.child is None or child_sign_in.child_of(request.COOKIES[SESSION_COOKIE]):
            return None
        return redirect_to_door(request)


class PassMiddleware:
    """Gives whoever is signed in a pass (`http.passes`), which stays on the device."""

    def __init__(self, get_response: Callable[[SchoolRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        response = self.get_response(request)
        person = _person(request, response)
        if person and not passes.is_of(request.COOKIES.get(passes.COOKIE, ""), person):
            response.set_cookie(
                passes.COOKIE,
                passes.pass_for(person),
                max_age=passes.LASTS,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response


def _person(request: SchoolRequest, response: HttpResponse) -> str:
    """Who is signed in, the same on every device; of a child who leaves the device something that
    is nobody's."""
    if SESSION_COOKIE in response.cookies and not response.cookies[SESSION_COOKIE].value:
        return secrets.token_urlsafe()
    if child := getattr(request, "child", None):
        return f"child {child.pk}"
    # Not yet looked up, it is a lazy object, and stays one; who has just signed in is none.
    user = getattr(request, "user", None)
    user = user if type(user) is User else getattr(request, "_cached_user", None)
    return f"adult {user.pk}" if user and user.is_authenticated else ""
