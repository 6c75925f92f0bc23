"""Finds the signed-in child, hands out passes, protects archived classes, and answers refused
acts."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import structlog
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect
from psycopg.errors import (
    DeadlockDetected,
    ForeignKeyViolation,
    SerializationFailure,
    UniqueViolation,
)

from classrooms import passes
from classrooms.access import Adult, SchoolRequest, classes_of, open_demo_class
from classrooms.http import Middleware
from classrooms.lesson import hands, pause
from classrooms.locks import ActRefused, Changed
from classrooms.models import Membership, User, Visitor
from classrooms.signin import children_only, sessions
from classrooms.signin.children_only import SESSION_COOKIE, redirect_to_door
from games.play.stored_game import NotFound
from games.shown_once import cookie_flags

log = structlog.get_logger(__name__)
_REFUSALS: Final = (UniqueViolation, ForeignKeyViolation, DeadlockDetected, SerializationFailure)
_CONFLICT_PHRASES: Final = (
    "did not affect any rows",
    "UNIQUE constraint failed",
    "FOREIGN KEY constraint",
)
"""Phrases of Django's and SQLite's messages about a row that is gone or taken. SQLite has no error
codes."""
_NAMES_WITHOUT_PAGE: Final = ("code", "move_children", "move_school_class")
"""Names of addresses that show no page but have other addresses below them."""


class ChildMiddleware(Middleware):
    """Sets `request.child` and `request.player` from the children's session cookie; `request.user`
    stays as it is. On game pages an adult who tries out a game is a player too.

    Activates the language of the child, or of the class that was opened on this device. Forbids
    browsers to cache pages, because the next user of a shared computer may be someone else.
    """

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        token = request.COOKIES.get(SESSION_COOKIE)
        child = sessions.child_of(token) if token else None
        request.child = child
        request.player = child.player if child else None
        if child:
            children_only.activate_language(request, children_only.child_language(request, child))
        elif (
            language := children_only.device_language(request)
        ) and not request.user.is_authenticated:
            children_only.activate_language(request, language)
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    def process_view(
        self, request: SchoolRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Redirect visitors of game pages who are no players to the door. Answer children whose
        class is paused."""
        if request.child and request.child.is_paused and not getattr(view, "during_pause", False):
            return pause.answer(request)
        if not _is_game_request(request):
            return None
        if request.player is None and request.user.is_authenticated:
            request.player = request.user.player
        return redirect_to_door(request) if request.player is None else None

    def process_exception(
        self, request: SchoolRequest, exception: Exception
    ) -> HttpResponse | None:
        """If the child was erased, removed, merged or moved during the request, redirect to the
        door, whatever the exception is. If their game of a hand was deleted, redirect to where the
        class has gone on."""
        if request.child is None:
            return None
        if not sessions.child_of(request.COOKIES[SESSION_COOKIE]):
            return redirect_to_door(request)
        until = request.child.school_class.hand_until
        if not isinstance(exception, NotFound) or not until:
            return None
        if until < timezone.now() - hands.HANDS_DURATION:
            return None
        url = reverse("classrooms:childs_hand")
        return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


class PassMiddleware(Middleware):
    """Gives each signed-in person a pass (`passes.pass_for`), which stays on the device."""

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        response = self.get_response(request)
        if "public" in response.headers.get("Cache-Control", ""):
            return response  # A shared cache would give the pass to others.
        person = _person(request, response)
        if type(getattr(request, "user", None)) is AnonymousUser:  # Signed out in this request.
            response.delete_cookie(passes.PASS_COOKIE)
        elif person and not passes.is_pass_of(request.COOKIES.get(passes.PASS_COOKIE, ""), person):
            response.set_cookie(
                passes.PASS_COOKIE,
                passes.pass_for(person),
                max_age=passes.PASS_LASTS,
                **cookie_flags(),
            )
        return response


def _person(request: SchoolRequest, response: HttpResponse) -> str:
    """A text that identifies the signed-in person; "" if nobody is. It is the same on all devices
    and changes with each new secret, so that nobody with an old one can use up their limits.

    When a child signs out, it is another text, but always the same one, so that signing in and out
    gains nothing.
    """
    if child := getattr(request, "child", None):
        person = f"child {child.pk} {child.pictures_encrypted}"
        leaves = SESSION_COOKIE in response.cookies and not response.cookies[SESSION_COOKIE].value
        return f"left {person}" if leaves else person
    # request.user is lazy; not reading it saves a query. After signing in it is a `User`.
    user = getattr(request, "user", None)
    user = user if type(user) is User else getattr(request, "_cached_user", None)
    return f"adult {user.pk} {user.password}" if user and user.is_authenticated else ""


class ArchivedMiddleware(Middleware):
    """Redirects an adult who posts to their own archived class to the page that restores it. Posts
    to other people's classes pass, because the views answer them with 404."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        class_id = kwargs.get("class_id")
        if class_id is None or request.method != "POST" or getattr(view, "allow_archived", False):
            return None
        mine = classes_of(request.user)
        if not mine.filter(pk=class_id).exclude(archived_at=None).exists():
            return None
        messages.error(request, _("This class is archived. Restore it to make changes."))
        return redirect("classrooms:class", class_id)


class RefusedMiddleware(Middleware):
    """Answers a refused act (`ActRefused`) with a message on the current page. Does the same, and
    logs it, when the database refuses a POST because somebody else was faster."""

    def process_exception(self, request: SchoolRequest, problem: Exception) -> HttpResponse | None:
        if request.method == "POST" and not _is_game_request(request) and _may_be_conflict(problem):
            constraint = getattr(getattr(problem.__cause__, "diag", None), "constraint_name", None)
            kind = type(problem).__name__
            log.warning("two at once", kind=kind, constraint=constraint, exc_info=problem)
            problem = Changed()
        if not isinstance(problem, ActRefused):
            return None
        messages.error(request, problem.message)
        url = nearest_page(request)
        return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _is_game_request(request: SchoolRequest) -> bool:
    """Whether this is a request of a game, whose page itself repeats a refused move with the same
    key."""
    match = request.resolver_match
    return match is not None and "games" in match.namespaces


def _may_be_conflict(problem: Exception) -> bool:
    """Whether the cause may be that somebody else has added, changed or deleted a row during this
    request."""
    return (
        isinstance(problem, ObjectDoesNotExist)
        or isinstance(problem.__cause__, _REFUSALS)
        or (
            isinstance(problem, DatabaseError)
            and any(phrase in str(problem) for phrase in _CONFLICT_PHRASES)
        )
    )


class LookAroundMiddleware(Middleware):
    """Shows visitors without an account some pages of the demo class, as its teacher sees them.
    They can change nothing and leave no trace."""

    PAGES: Final = (
        "class",
        "next_steps",
        "before_lesson",
        "talk",
        "assignments",
        "check_ups",
        "check_up",
        "progress",
        "moves",
        "replay",
        "fact",
    )

    def process_view(
        self, request: SchoolRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if "class_id" not in kwargs or getattr(view, "asks_by_itself", False):
            return None  # A poll identifies its sender itself, and should do so only once.
        if request.child or request.user.is_authenticated:
            return None
        demo = open_demo_class()
        if demo is None or demo.pk != kwargs["class_id"]:
            return None
        match = request.resolver_match
        if request.method not in ("GET", "HEAD") or (match and match.url_name not in self.PAGES):
            messages.info(request, _("You are only looking around: only its teacher can do that."))
            return redirect("classrooms:class", demo.pk)
        request.user = Visitor(demo.pk)
        return None


def nearest_page(request: SchoolRequest) -> str:
    """The nearest page above this address that the visitor can open."""
    above = request.path.rstrip("/")
    while above := above.rpartition("/")[0]:
        with suppress(Resolver404):
            page = resolve(f"{above}/")
            if page.url_name not in _NAMES_WITHOUT_PAGE and _can_open(request.user, page.kwargs):
                return f"{above}/"
    return reverse("classrooms:me") if request.child else "/"


def _can_open(user: Adult, names: Mapping[str, Any]) -> bool:
    """Whether this adult can open a page that has only these parameters in its address. The known
    parameters are those of a class and of a school."""
    if names.keys() == {"class_id"}:
        return classes_of(user).filter(pk=names["class_id"]).exists()
    if names.keys() == {"school_id"} and user.is_authenticated:
        admins = Membership.objects.filter(school=names["school_id"], role=Membership.Role.ADMIN)
        return admins.filter(user=user).exists()
    return not names
