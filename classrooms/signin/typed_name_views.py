"""Sign-in where no names are listed: children type their name instead of choosing it.

This applies away from school (`signin.names_shown`): the code is right, and the only answer is
whether name and pictures are right together. It also applies to everyone while many codes are being
guessed (`signin.class_code`): then not even the code is confirmed.
"""

import uuid

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from classrooms import child_names
from classrooms.access import child_by_name, class_by_code
from classrooms.credentials.pictures import PICTURES, PICTURES_PER_CHILD, labelled
from classrooms.credentials.secrets import open_picks, seal_picks
from classrooms.http.marks import marked
from classrooms.models import SchoolClass
from classrooms.signin import class_code, languages, names_shown, words
from classrooms.signin.child_cookies import NAME_COOKIE, PICKS_COOKIE
from classrooms.signin.child_sign_in import SignedIn
from classrooms.signin.forms import TypedNameForm
from classrooms.signin.picture_views import PICKS_LAST, device_of, enter


@require_http_methods(["GET", "POST"])
@marked(guess=("POST",))
def typed_name(request: HttpRequest, code: str) -> HttpResponse:
    door = class_code.knock(code, device_of(request), class_code.network_of(request))
    match door.state:
        case "wrong":
            raise Http404
        case "shut":
            messages.error(request, words.door_is_shut())
            return redirect("classrooms:home")
        case "careful":
            return _name_then_pictures(request, door.code, None)
    school_class = class_by_code(door.code)
    if names_shown.names_are_listed(school_class, request, device_of(request)):
        return redirect("classrooms:names", door.code)
    with translation.override(languages.at_the_door(request, school_class)):
        return _name_then_pictures(request, door.code, school_class)


def _name_then_pictures(
    request: HttpRequest, code: str, school_class: SchoolClass | None
) -> HttpResponse:
    """Ask for the name, then the pictures. `school_class`: None where the code is not confirmed."""
    if request.method == "POST" and "name" in request.POST:
        return _keep_name(request, code)
    name = _name(request, code)
    if not name:
        return render(request, "signin/typed_name.html", {"form": TypedNameForm()})
    if request.method == "POST":
        return _tapped(request, code, name, school_class)
    return _pictures(request, code, name)


def _keep_name(request: HttpRequest, code: str) -> HttpResponse:
    form = TypedNameForm(request.POST)
    if not form.is_valid():
        return render(request, "signin/typed_name.html", {"form": form})
    response = redirect("classrooms:typed_name", code)
    _keep(response, NAME_COOKIE, seal_picks(code, [form.cleaned_data["name"]]))
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    return response


def _pictures(request: HttpRequest, code: str, name: str) -> HttpResponse:
    picked = _picked(request, code, name)
    context = {
        "child": {"name": name},
        "typed": True,
        "school_class": {"code": code},
        "picked": picked,
        "step": len(picked) + 1,
        "slots": [*labelled(picked), *[("", "")] * (PICTURES_PER_CHILD - len(picked))],
        "pictures": labelled(PICTURES),
    }
    return render(request, "signin/pictures.html", context)


def _tapped(
    request: HttpRequest, code: str, name: str, school_class: SchoolClass | None
) -> HttpResponse:
    picked = [*_picked(request, code, name), request.POST.get("picture", "")]
    response = redirect("classrooms:typed_name", code)
    if request.POST.get("step", str(len(picked))) != str(len(picked)) and picked[-1]:
        return response  # a double tap: the page was one picture behind
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    if picked[-1] not in PICTURES:
        return response
    if len(picked) < PICTURES_PER_CHILD:
        _keep(response, PICKS_COOKIE, seal_picks(_pair(code, name), picked))
        return response
    device = device_of(request) or str(uuid.uuid4())
    child = child_by_name(code, name, device)
    network = class_code.network_of(request)
    answer = class_code.sign_in_typed(code, school_class, child, picked, device, network)
    if answer == "too many":
        wrong = words.door_is_shut()
    elif school_class:
        wrong = _("This name and these pictures do not match. Look at your card. Try again.")
    else:
        wrong = _(
            "This code, this name and these pictures do not match. Try again, or point a "
            "camera at the QR code on your card."
        )
    if isinstance(answer, SignedIn):
        return enter(request, answer.token, device)
    messages.error(request, wrong)
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
    return child_names.tidy("".join(sealed))


def _picked(request: HttpRequest, code: str, name: str) -> tuple[str, ...]:
    sealed = request.COOKIES.get(PICKS_COOKIE, "")
    return open_picks(sealed, _pair(code, name), seconds=PICKS_LAST)[: PICTURES_PER_CHILD - 1]


def _pair(code: str, name: str) -> str:
    return f"{code} {name}"
