"""The language and the cookies of children's pages, and the redirect of everybody else to the
door."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from classrooms.access import ChildRequest, SchoolRequest
from classrooms.models import Child, SchoolClass
from classrooms.signin import sessions
from games import shown_once
from games.marks import marked
from games.shown_once import cookie_flags

# Children's pages are in the child's own language, or else in the one that was tapped at the door,
# or else in that of the class. Pages without a class, such as the one for the code, are in the
# language of the class whose names this device last showed.

CLASS_LANGUAGE_COOKIE: Final = "class_language"


def is_offered(code: str) -> bool:
    """Whether the site offers this language. A child may have chosen a trial that has ended."""
    return any(code == language for language, _ in settings.LANGUAGES)


def language_at_the_door(request: HttpRequest) -> str:
    """The language that was tapped at the door since a child last left this device; "" if none
    was."""
    code = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return code if is_offered(code) else ""


def device_language(request: HttpRequest) -> str:
    """The language that was tapped on this device, or else that of the last class on it; "" if
    there is none."""
    code = request.COOKIES.get(CLASS_LANGUAGE_COOKIE, "")
    return language_at_the_door(request) or (code if is_offered(code) else "")


def class_language(request: HttpRequest, school_class: SchoolClass) -> str:
    """The language of a page of this class for which no child is signed in yet."""
    default = school_class.language
    if not is_offered(default):
        default = settings.LANGUAGE_CODE
    return language_at_the_door(request) or default


def child_language(request: HttpRequest, child: Child) -> str:
    language = child.language if is_offered(child.language) else ""
    return language or class_language(request, child.school_class)


def store_language(child: Child, code: str) -> bool:
    if not is_offered(code):
        return False
    Child.objects.filter(pk=child.pk).update(language=code)
    return True


def activate_language(request: HttpRequest, code: str) -> None:
    translation.activate(code)
    request.LANGUAGE_CODE = translation.get_language()


def remember_language(response: HttpResponse, school_class: SchoolClass) -> None:
    """On this device, show pages without a class in the language of this class until the browser
    closes."""
    response.set_cookie(CLASS_LANGUAGE_COOKIE, school_class.language, **cookie_flags())


# The cookies of a child's browser.

SESSION_COOKIE: Final = "child"
PICKS_COOKIE: Final = "picks"
DEVICE_COOKIE: Final = "device"
NAME_COOKIE: Final = "name"
DEVICE_LASTS: Final = timedelta(days=2 * 365)
"""How long a child's device stays known, in the cookie and in the database."""


def forget_picks(response: HttpResponse) -> None:
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    response.delete_cookie(NAME_COOKIE, samesite="Lax")


def forget_child(response: HttpResponse) -> None:
    """Remove everything about a child from the device. Its random id stays, which names nobody, and
    so do cached images and styles; pages are never cached."""
    response.delete_cookie(SESSION_COOKIE, samesite="Lax")
    forget_picks(response)
    # The next child on this device begins in the language of their class.
    response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
    shown_once.forget_post(response)
    response["Clear-Site-Data"] = '"storage"'


_P = ParamSpec("_P")


def redirect_to_door(request: SchoolRequest) -> HttpResponse:
    """Redirect to the names of the class whose child was signed in here, or else to the home
    page."""
    token = request.COOKIES.get(SESSION_COOKIE)
    if not token:
        return _redirect_page(request, reverse("classrooms:home"))
    school_class = sessions.class_of_session(token)
    language = class_language(request, school_class) if school_class else None
    with translation.override(language or translation.get_language()):
        text = _("You were away for a while, so you have been signed out. Your game is saved.")
        if school_class is None:
            # An adult ended the session, for instance by making a new card, or it has expired.
            text = _("Please sign in again. Your game is saved. In a new class, use your new card.")
        messages.info(request, text)
    response = _redirect_page(request, door_url(school_class))
    forget_child(response)
    return response


def door_url(school_class: SchoolClass | None) -> str:
    if school_class is None:
        return reverse("classrooms:home")
    return reverse("classrooms:names", args=[school_class.code])


def _redirect_page(request: SchoolRequest, url: str) -> HttpResponse:
    if request.htmx:
        return HttpResponseClientRedirect(url)
    return redirect(url)


def for_children(
    view: Callable[Concatenate[ChildRequest, _P], HttpResponse],
) -> Callable[Concatenate[SchoolRequest, _P], HttpResponse]:
    """Make a view a page for children, which redirects everybody else to the door."""

    @marked(person="child")
    @wraps(view)
    def page(request: SchoolRequest, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponse:
        if request.child is None:
            return redirect_to_door(request)
        return view(cast(ChildRequest, request), *args, **kwargs)

    return page


def redirect_signed_in(request: HttpRequest, token: str, device: str) -> HttpResponse:
    """The response that signs a child in on this device. From now on, forms in tabs that another
    person left open are refused, so that no answer of theirs counts for this child."""
    if request.user.is_authenticated:
        logout(request)
    if old_token := request.COOKIES.get(SESSION_COOKIE):
        sessions.sign_out(old_token)
    rotate_token(request)
    response = redirect("classrooms:me")
    # It lasts until the browser closes; the server decides how long the session is valid.
    response.set_cookie(SESSION_COOKIE, token, **cookie_flags())
    forget_picks(response)
    response.set_signed_cookie(DEVICE_COOKIE, device, max_age=DEVICE_LASTS, **cookie_flags())
    return response


def device_of(request: HttpRequest) -> str:
    """The random id that this device got when a child signed in on it; "" if it has none."""
    return str(request.get_signed_cookie(DEVICE_COOKIE, default="", max_age=DEVICE_LASTS))


# A device has only one session, so that of a child ends when an adult signs in there.


@receiver(user_logged_in)
def end_childs_session(request: HttpRequest | None, **kwargs: Any) -> None:
    if request is not None and (token := request.COOKIES.get(SESSION_COOKIE)):
        sessions.sign_out(token)
