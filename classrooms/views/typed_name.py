"""The door while many codes are being guessed: a child types its name instead of choosing it.

Nothing here says whether there is such a class or such a child before code, name and pictures are
right together; see `classrooms.door`.
"""

import uuid
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from .. import door, roster, wording
from ..access import child_by_name
from ..forms import TypedNameForm
from ..middleware import PICKS_COOKIE
from ..pictures import HOW_MANY, PICTURES, labelled
from ..secrets import open_picks, read_code, seal_picks
from ..signing_in import SignedIn
from .child_sign_in import PICKS_LAST, device_of, enter

NAME_COOKIE: Final = "name"


@require_http_methods(["GET", "POST"])
def typed_name(request: HttpRequest, code: str) -> HttpResponse:
    read = read_code(code)
    if read is None:
        raise Http404
    state = door.state_for(read, device_of(request))
    if state == "open":
        return redirect("classrooms:names", read)
    if state == "shut":
        messages.error(request, wording.door_is_shut())
        return redirect("classrooms:home")
    name = _name(request, read)
    if request.method == "POST" and "name" in request.POST:
        return _named(request, read)
    if not name:
        return render(request, "classrooms/typed_name.html", {"form": TypedNameForm()})
    if request.method == "POST":
        return _tapped(request, read, name)
    return _pictures(request, read, name)


def _named(request: HttpRequest, code: str) -> HttpResponse:
    form = TypedNameForm(request.POST)
    if not form.is_valid():
        return render(request, "classrooms/typed_name.html", {"form": form})
    response = redirect("classrooms:typed_name", code)
    _keep(response, NAME_COOKIE, seal_picks(code, [form.cleaned_data["name"]]))
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    return response


def _pictures(request: HttpRequest, code: str, name: str) -> HttpResponse:
    picked = _picked(request, code, name)
    context = {
        "child": {"name": name},
        "school_class": {"code": code},
        "picked": picked,
        "step": len(picked) + 1,
        "slots": [*labelled(picked), *[("", "")] * (HOW_MANY - len(picked))],
        "pictures": labelled(PICTURES),
    }
    return render(request, "classrooms/pictures.html", context)


def _tapped(request: HttpRequest, code: str, name: str) -> HttpResponse:
    picked = [*_picked(request, code, name), request.POST.get("picture", "")]
    response = redirect("classrooms:typed_name", code)
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    if picked[-1] not in PICTURES:
        return response
    if len(picked) < HOW_MANY:
        _keep(response, PICKS_COOKIE, seal_picks(_pair(code, name), picked))
        return response
    device = device_of(request) or str(uuid.uuid4())
    child = child_by_name(code, name, device)
    answer = door.sign_in_by_name(child, picked, device)
    if isinstance(answer, SignedIn):
        entered = enter(request, answer.token, device)
        entered.delete_cookie(NAME_COOKIE, samesite="Lax")
        return entered
    messages.error(
        request,
        _(
            "This code, this name and these pictures do not go together. Try again, or point a "
            "camera at the QR code on your card."
        ),
    )
    return response


def _keep(response: HttpResponse, name: str, sealed: str) -> None:
    response.set_cookie(
        name,
        sealed,
        max_age=PICKS_LAST,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _name(request: HttpRequest, code: str) -> str:
    sealed = open_picks(request.COOKIES.get(NAME_COOKIE, ""), code, seconds=PICKS_LAST)
    return roster.tidy("".join(sealed))


def _picked(request: HttpRequest, code: str, name: str) -> tuple[str, ...]:
    sealed = request.COOKIES.get(PICKS_COOKIE, "")
    return open_picks(sealed, _pair(code, name), seconds=PICKS_LAST)[: HOW_MANY - 1]


def _pair(code: str, name: str) -> str:
    return f"{code} {name}"
