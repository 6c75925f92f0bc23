"""Children choose their name and tap their three pictures.

Each tap is a separate post, so that it works by touch, by keyboard and without JavaScript. The taps
so far are kept in an encrypted cookie, not in the page, so going back shows nobody's pictures.
"""

import uuid
from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.access import child_at_the_door, children_at_the_door, class_by_code
from classrooms.credentials.pictures import PICTURES, PICTURES_PER_CHILD, labelled
from classrooms.credentials.secrets import open_picks, seal_picks
from classrooms.models import Child
from classrooms.signin import child_sign_in, class_code, languages, names_shown
from classrooms.signin.child_cookies import (
    DEVICE_LASTS,
    NAME_COOKIE,
    PICKS_COOKIE,
    SESSION_COOKIE,
    set_session_cookie,
)

DEVICE_COOKIE: Final = "device"
PICKS_LAST: Final = 5 * 60


@require_GET
def names(request: HttpRequest, code: str) -> HttpResponse:
    door = class_code.knock(code, device_of(request), class_code.network_of(request))
    if door.state in ("careful", "shut"):
        return _to_type_a_name(door.code)
    school_class = class_by_code(code)
    device = device_of(request)
    if not names_shown.names_are_listed(school_class, request, device):
        return _to_type_a_name(school_class.code)
    children = _links(children_at_the_door(school_class, device))
    context = {"school_class": school_class, "children": children}
    with translation.override(languages.at_the_door(request, school_class)):
        response = render(request, "signin/names.html", context)
    languages.remember(response, school_class)
    return response


def _links(children: QuerySet[Child]) -> SafeString:
    """The names to tap. Anyone with the code may ask for them, and a template takes ten times as
    long for five hundred."""
    links = (
        f'<li><a class="btn btn-name" href="{key}/">{escape(name)}</a></li>'
        for key, name in children.values_list("pk", "name")
    )
    return mark_safe("".join(links))  # nosec B308 B703


@require_http_methods(["GET", "POST"])
def pictures(request: HttpRequest, code: str, child_id: UUID) -> HttpResponse:
    device = device_of(request)
    child = child_at_the_door(code, child_id, device)
    # Only now: without a child's id the answer must not show whether there is such a class.
    if not names_shown.names_are_listed(child.school_class, request, device):
        return _to_type_a_name(child.school_class.code)
    with translation.override(languages.at_the_door(request, child.school_class)):
        if request.method == "POST":
            return _tapped(request, child)
        picked = _picked(request, child)
        context = {
            "child": child,
            "school_class": child.school_class,
            "picked": picked,
            "step": len(picked) + 1,
            "slots": [*labelled(picked), *[("", "")] * (PICTURES_PER_CHILD - len(picked))],
            "pictures": labelled(PICTURES),
        }
        return render(request, "signin/pictures.html", context)


def _to_type_a_name(code: str) -> HttpResponse:
    """Redirect to typing a name, and drop what was typed and tapped before."""
    response = redirect("classrooms:typed_name", code)
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    response.delete_cookie(NAME_COOKIE, samesite="Lax")
    return response


def _tapped(request: HttpRequest, child: Child) -> HttpResponse:
    before, tapped = _picked(request, child), request.POST.get("picture", "")
    if tapped not in PICTURES:
        return _back_to_pictures(child, ())
    if request.POST.get("step", str(len(before) + 1)) != str(len(before) + 1):
        return _back_to_pictures(child, before)  # a double tap: the page was one picture behind
    picked = [*before, tapped]
    if len(picked) < PICTURES_PER_CHILD:
        return _back_to_pictures(child, picked)
    device = device_of(request) or str(uuid.uuid4())
    answer = child_sign_in.sign_in(child, picked, device)
    if isinstance(answer, child_sign_in.SignedIn):
        return enter(request, answer.token, device)
    if answer == "too many":
        messages.error(
            request,
            _(
                "There have been too many wrong tries today. Use your usual device, or ask your "
                "teacher."
            ),
        )
    else:
        messages.error(request, _("That name and those pictures do not match. Try again."))
    return _back_to_pictures(child, ())


def enter(request: HttpRequest, token: str, device: str) -> HttpResponse:
    if request.user.is_authenticated:
        logout(request)
    if old := request.COOKIES.get(SESSION_COOKIE):
        child_sign_in.sign_out(old)
    response = redirect("classrooms:me")
    set_session_cookie(response, token)
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    response.delete_cookie(NAME_COOKIE, samesite="Lax")
    response.set_signed_cookie(
        DEVICE_COOKIE,
        device,
        max_age=DEVICE_LASTS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def _back_to_pictures(child: Child, picked: list[str] | tuple[str, ...]) -> HttpResponse:
    """Redirect to the pictures, with these already tapped."""
    response = redirect("classrooms:pictures", child.school_class.code, child.pk)
    if not picked:
        response.delete_cookie(PICKS_COOKIE, samesite="Lax")
        return response
    response.set_cookie(
        PICKS_COOKIE,
        seal_picks(str(child.pk), picked),
        max_age=PICKS_LAST,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def _picked(request: HttpRequest, child: Child) -> tuple[str, ...]:
    sealed = request.COOKIES.get(PICKS_COOKIE, "")
    return open_picks(sealed, str(child.pk), seconds=PICKS_LAST)[: PICTURES_PER_CHILD - 1]


def device_of(request: HttpRequest) -> str:
    """The random id that this device got when a child last signed in here."""
    return str(request.get_signed_cookie(DEVICE_COOKIE, default="", max_age=DEVICE_LASTS))
