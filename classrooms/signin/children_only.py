"""Pages for children only. Everybody else is redirected to the door, the children's sign-in."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeGuard

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from classrooms.access import ChildRequest, SchoolRequest
from classrooms.http.marks import marked
from classrooms.models import SchoolClass
from classrooms.signin import child_sign_in, languages
from classrooms.signin.child_cookies import SESSION_COOKIE, forget_child

_P = ParamSpec("_P")


def redirect_to_door(request: SchoolRequest) -> HttpResponse:
    """Redirect to the names of the class whose child was signed in here, else to the home page."""
    token = request.COOKIES.get(SESSION_COOKIE)
    if not token:
        return _go(request, reverse("classrooms:home"))
    school_class = child_sign_in.class_of_session(token)
    language = languages.at_the_door(request, school_class) if school_class else None
    with translation.override(language or translation.get_language()):
        messages.info(
            request,
            _("You were away for a while, so you have been signed out. Your game is saved."),
        )
    response = _go(request, door_url(school_class))
    forget_child(response)
    return response


def door_url(school_class: SchoolClass | None) -> str:
    if school_class is None:
        return reverse("classrooms:home")
    return reverse("classrooms:names", args=[school_class.code])


def _go(request: SchoolRequest, url: str) -> HttpResponse:
    if request.htmx:
        return HttpResponseClientRedirect(url)
    return redirect(url)


def for_children(
    view: Callable[Concatenate[ChildRequest, _P], HttpResponse],
) -> Callable[Concatenate[SchoolRequest, _P], HttpResponse]:
    """Mark a view as a page for children; everybody else is redirected to the door."""

    @marked(person="child")
    @wraps(view)
    def page(request: SchoolRequest, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponse:
        if not _has_child(request):
            return redirect_to_door(request)
        return view(request, *args, **kwargs)

    return page


def _has_child(request: SchoolRequest) -> TypeGuard[ChildRequest]:
    return request.child is not None
