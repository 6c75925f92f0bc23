"""Pages for children: whoever is not signed in as one goes to the door."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from classrooms.models import (
    SchoolClass,
)
from classrooms.signin import child_sign_in, languages
from classrooms.signin.child_cookies import SESSION_COOKIE, forget_child


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


def for_children(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page for children: whoever is not signed in as one goes to the door."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if getattr(request, "child", None) is None:
            return to_the_door(request)
        return view(request, *args, **kwargs)

    return page
