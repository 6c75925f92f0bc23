"""Who is playing (`request.child` and `request.player`, from the children's session cookie), the
pass of a signed-in person, and the answer where two people act at once."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import structlog
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect
from psycopg.errors import (
    DeadlockDetected,
    ForeignKeyViolation,
    SerializationFailure,
    UniqueViolation,
)

from classrooms import http
from classrooms.access import Adult, SchoolRequest, classes_of
from classrooms.locks import Changed, Refused
from classrooms.models import Membership, User
from classrooms.signin import children_only, services
from classrooms.signin.children_only import SESSION_COOKIE, redirect_to_door

log = structlog.get_logger(__name__)
_REFUSALS: Final = (UniqueViolation, ForeignKeyViolation, DeadlockDetected, SerializationFailure)
_SAID: Final = ("did not affect any rows", "UNIQUE constraint failed", "FOREIGN KEY constraint")
"""What Django says of a row that is gone, and SQLite, which has no codes."""
_POSTS_ALONE: Final = ("code", "move_children", "school_move")
"""Addresses that are above others and cannot be opened."""


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
        child = services.child_of(token) if token else None
        request.child = child
        request.player = child.player if child else None
        if child:
            children_only.speak(request, children_only.of_child(request, child))
        elif (language := children_only.of_device(request)) and not request.user.is_authenticated:
            children_only.speak(request, language)
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    def process_view(
        self, request: SchoolRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Redirect someone who opens a game page and is not a player to the door."""
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
        if request.child is None or services.child_of(request.COOKIES[SESSION_COOKIE]):
            return None
        return redirect_to_door(request)


class PassMiddleware:
    """Gives a signed-in person a pass (`http.passes`), which stays on the device."""

    def __init__(self, get_response: Callable[[SchoolRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        response = self.get_response(request)
        person = _person(request, response)
        if type(getattr(request, "user", None)) is AnonymousUser:  # Who has just signed out.
            response.delete_cookie(http.COOKIE)
        elif person and not http.is_of(request.COOKIES.get(http.COOKIE, ""), person):
            response.set_cookie(
                http.COOKIE,
                http.pass_for(person),
                max_age=http.LASTS,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response


def _person(request: SchoolRequest, response: HttpResponse) -> str:
    """Names who is signed in: the same on every device, but new with every new secret, so that a
    former holder of the secret cannot use up what they need. A child who signs out leaves the
    device another name, the same each time, so signing in and out gains nothing."""
    if child := getattr(request, "child", None):
        person = f"child {child.pk} {child.pictures_encrypted}"
        leaves = SESSION_COOKIE in response.cookies and not response.cookies[SESSION_COOKIE].value
        return f"left {person}" if leaves else person
    # Not yet looked up, it is a lazy object, and stays one; who has just signed in is none.
    user = getattr(request, "user", None)
    user = user if type(user) is User else getattr(request, "_cached_user", None)
    return f"adult {user.pk} {user.password}" if user and user.is_authenticated else ""


class RefusedMiddleware:
    """Answers an act that was not possible as things are with the page again, as it is now, and a
    sentence. So too where the database has refused a post, because somebody else was faster: that
    is logged, since it may be a fault of ours."""

    def __init__(self, get_response: Callable[[SchoolRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: SchoolRequest, problem: Exception) -> HttpResponse | None:
        if request.method == "POST" and not _is_of_game(request) and _is_of_two_at_once(problem):
            where = getattr(getattr(problem.__cause__, "diag", None), "constraint_name", None)
            kind = type(problem).__name__
            log.warning("two at once", kind=kind, constraint=where, exc_info=problem)
            problem = Changed()
        if not isinstance(problem, Refused):
            return None
        messages.error(request, problem.message)
        back = page_again(request)
        return HttpResponseClientRedirect(back) if request.htmx else redirect(back)


def _is_of_game(request: SchoolRequest) -> bool:
    """A move that the database refused is sent again by its page, with the same key."""
    match = request.resolver_match
    return match is not None and "games" in match.namespaces


def _is_of_two_at_once(problem: Exception) -> bool:
    """Whether a row was taken, changed or deleted by another while this request was at work."""
    return (
        isinstance(problem, ObjectDoesNotExist)
        or isinstance(problem.__cause__, _REFUSALS)
        or (isinstance(problem, DatabaseError) and any(each in str(problem) for each in _SAID))
    )


def page_again(request: SchoolRequest) -> str:
    """The nearest page above the request's address that this visitor can open."""
    above = request.path.rstrip("/")
    while above := above.rpartition("/")[0]:
        with suppress(Resolver404):
            page = resolve(f"{above}/")
            if page.url_name not in _POSTS_ALONE and _opens(request.user, page.kwargs):
                return f"{above}/"
    return reverse("classrooms:me") if request.child else "/"


def _opens(user: Adult, names: Mapping[str, Any]) -> bool:
    """Whether this adult can open a page whose address has these names, of a class or a school at
    most."""
    if names.keys() == {"class_id"}:
        return classes_of(user).filter(pk=names["class_id"]).exists()
    if names.keys() == {"school_id"} and user.is_authenticated:
        admins = Membership.objects.filter(school=names["school_id"], role=Membership.Role.ADMIN)
        return admins.filter(user=user).exists()
    return not names
