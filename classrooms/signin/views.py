"""The children's door: a class code, then a name and three pictures, or a QR code."""

import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from classrooms import child_names
from classrooms.access import (
    SchoolRequest,
    child_at_the_door,
    child_by_card,
    child_by_name,
    children_at_the_door,
    class_by_code,
    open_demo_class,
)
from classrooms.credentials import (
    PICKS_LAST,
    PICTURES,
    PICTURES_PER_CHILD,
    open_picks,
    seal_picks,
    with_labels,
)
from classrooms.models import Child, SchoolClass
from classrooms.signin import children_only, forms, listed_names, services
from classrooms.signin.children_only import NAME_COOKIE, PICKS_COOKIE, device_of, redirect_signed_in
from classrooms.signin.door import network_at_door, sign_in_typed, try_code
from classrooms.signin.forms import CodeForm, TypedNameForm
from classrooms.signin.services import SignedIn
from games.marks import marked
from games.shown_once import cookie_flags


@require_GET
@marked(guess=("GET",))
def names(request: HttpRequest, code: str) -> HttpResponse:
    door = try_code(code, device_of(request), network_at_door(request))
    if door.state in ("careful", "shut"):
        return _redirect_to_typed_name(door.code)
    school_class = class_by_code(code)
    device = device_of(request)
    if not listed_names.names_are_listed(school_class, request, device):
        return _redirect_to_typed_name(school_class.code)
    children = _name_links(children_at_the_door(school_class, device))
    context = {"school_class": school_class, "children": children}
    with translation.override(children_only.class_language(request, school_class)):
        response = render(request, "signin/names.html", context)
    children_only.remember_language(response, school_class)
    return response


def _name_links(children: QuerySet[Child]) -> SafeString:
    """The names to tap, as HTML. Anyone with the code may request them, and a template would take
    ten times as long for five hundred names."""
    links = (
        f'<li><a class="btn btn-name" href="{key}/">{escape(name)}</a></li>'
        for key, name in children.values_list("pk", "name")
    )
    return mark_safe("".join(links))  # nosec B308 B703


@require_http_methods(["GET", "POST"])
def pictures(request: HttpRequest, code: str, child_id: UUID) -> HttpResponse:
    device = device_of(request)
    child = child_at_the_door(code, child_id, device)
    # Asked only when the child is found; otherwise the answer would tell whether the class exists.
    if not listed_names.names_are_listed(child.school_class, request, device):
        return _redirect_to_typed_name(child.school_class.code)
    with translation.override(children_only.class_language(request, child.school_class)):
        if request.method == "POST":
            back = redirect("classrooms:pictures", child.school_class.code, child.pk)
            return _take_tap(request, str(child.pk), back, partial(_sign_in, child))
        context = {"child": child, "school_class": child.school_class}
        return _pictures_page(request, str(child.pk), context)


def _sign_in(child: Child, taps: Sequence[str], device: str) -> SignedIn | str:
    """Try these pictures. Returns the message to show if they do not sign the child in."""
    answer = services.sign_in(child, taps, device)
    if isinstance(answer, SignedIn):
        return answer
    if answer == "wrong":
        return _("They do not match. Try again, or ask your teacher.")
    return _(
        "There have been too many wrong tries today. Use your usual device, or ask your teacher."
    )


def _pictures_page(request: HttpRequest, owner: str, context: dict[str, Any]) -> HttpResponse:
    taps = _pictures_so_far(request, owner)
    context |= {
        "picked": taps,
        "step": len(taps) + 1,
        "slots": [*with_labels(taps), *[("", "")] * (PICTURES_PER_CHILD - len(taps))],
        "pictures": with_labels(PICTURES),
    }
    return render(request, "signin/pictures.html", context)


def _redirect_to_typed_name(code: str) -> HttpResponse:
    """Redirect to the page where a name is typed, and forget what was typed and tapped before."""
    response = redirect("classrooms:typed_name", code)
    children_only.forget_picks(response)
    return response


def _take_tap(
    request: HttpRequest,
    owner: str,
    back: HttpResponse,
    sign_in: Callable[[Sequence[str], str], SignedIn | str],
) -> HttpResponse:
    """Take the tapped picture, and sign in with the last one. `back` redirects to the page of
    pictures. `sign_in` takes the pictures and the device."""
    taps = [*_pictures_so_far(request, owner), request.POST.get("picture", "")]
    is_picture = taps[-1] in PICTURES
    if is_picture and request.POST.get("step", str(len(taps))) != str(len(taps)):
        return back  # A double tap: the page was one picture behind.
    back.delete_cookie(PICKS_COOKIE, samesite="Lax")
    if not is_picture:
        return back
    if len(taps) < PICTURES_PER_CHILD:
        _keep_picks(back, PICKS_COOKIE, seal_picks(owner, taps))
        return back
    device = device_of(request) or str(uuid.uuid4())
    answer = sign_in(taps, device)
    if isinstance(answer, SignedIn):
        return redirect_signed_in(request, answer.token, device)
    messages.error(request, answer)
    return back


def _pictures_so_far(request: HttpRequest, owner: str) -> tuple[str, ...]:
    """The pictures tapped so far, if they were sealed for this owner."""
    sealed = request.COOKIES.get(PICKS_COOKIE, "")
    return open_picks(sealed, owner)[: PICTURES_PER_CHILD - 1]


# On the home page children type the code of their class, and teachers find where to sign in.


@require_GET
def home(request: SchoolRequest) -> HttpResponse:
    if request.child:
        return redirect("classrooms:me")
    context = {"form": CodeForm(), "demo": open_demo_class()}
    return render(request, "signin/home.html", context)


@require_http_methods(["GET", "POST"])
@marked(guess=("POST",))
def code(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return redirect("classrooms:home")
    form = CodeForm(request.POST)
    if form.is_valid():
        network = network_at_door(request)
        door = try_code(form.cleaned_data["code"], device_of(request), network)
        match door.state:
            case "open":
                return redirect("classrooms:names", door.code)
            case "careful":
                return redirect("classrooms:typed_name", door.code)
            case "wrong":
                form.add_error(
                    "code", _("There is no class with this code. Look at your card and try again.")
                )
            case "shut":
                form.add_error("code", str(forms.DOOR_SHUT))
    return render(request, "signin/home.html", {"form": form, "demo": open_demo_class()})


# Where names are not listed, children type their name. Away from school (`names_are_listed`) the
# code is known to be right, and the page tells only whether name and pictures are right together.
# While many codes are being guessed (`try_code`), not even the code is confirmed.


@require_http_methods(["GET", "POST"])
@marked(guess=("POST",))
def typed_name(request: HttpRequest, code: str) -> HttpResponse:
    door = try_code(code, device_of(request), network_at_door(request))
    match door.state:
        case "wrong":
            raise Http404
        case "shut":
            messages.error(request, str(forms.DOOR_SHUT))
            return redirect("classrooms:home")
        case "careful":
            return _name_then_pictures(request, door.code, None)
    school_class = class_by_code(door.code)
    if listed_names.names_are_listed(school_class, request, device_of(request)):
        return redirect("classrooms:names", door.code)
    with translation.override(children_only.class_language(request, school_class)):
        return _name_then_pictures(request, door.code, school_class)


def _name_then_pictures(
    request: HttpRequest, code: str, school_class: SchoolClass | None
) -> HttpResponse:
    """Ask for the name, then for the pictures. `school_class` is None if the code is not
    confirmed."""
    if request.method == "POST" and "name" in request.POST:
        return _keep_name(request, code)
    name = _name(request, code)
    if not name:
        return render(request, "signin/typed_name.html", {"form": TypedNameForm()})
    owner = f"{code} {name}"
    if request.method == "POST":
        network = network_at_door(request)
        sign_in = partial(_sign_in_typed, code, name, school_class, network)
        return _take_tap(request, owner, redirect("classrooms:typed_name", code), sign_in)
    context = {"child": {"name": name}, "typed": True, "school_class": {"code": code}}
    return _pictures_page(request, owner, context)


def _keep_name(request: HttpRequest, code: str) -> HttpResponse:
    form = TypedNameForm(request.POST)
    if not form.is_valid():
        return render(request, "signin/typed_name.html", {"form": form})
    response = redirect("classrooms:typed_name", code)
    _keep_picks(response, NAME_COOKIE, seal_picks(code, [form.cleaned_data["name"]]))
    response.delete_cookie(PICKS_COOKIE, samesite="Lax")
    return response


def _sign_in_typed(
    code: str,
    name: str,
    school_class: SchoolClass | None,
    network: str,
    taps: Sequence[str],
    device: str,
) -> SignedIn | str:
    """Like `_sign_in`, for a typed name."""
    child = child_by_name(code, name, device)
    answer = sign_in_typed(code, school_class, child, taps, device, network)
    if isinstance(answer, SignedIn):
        return answer
    if answer == "too many":
        return str(forms.DOOR_SHUT)
    if school_class:
        return _("This name and these pictures do not match. Look at your card. Try again.")
    return _(
        "This code, this name and these pictures do not match. Try again, or point a camera at the "
        "QR code on your card."
    )


def _keep_picks(response: HttpResponse, name: str, sealed: str) -> None:
    response.set_cookie(name, sealed, max_age=PICKS_LAST, **cookie_flags())


def _name(request: HttpRequest, code: str) -> str:
    sealed = open_picks(request.COOKIES.get(NAME_COOKIE, ""), code)
    return child_names.tidy("".join(sealed))


# The page behind a child's QR code, where one tap signs the child in. Opening it signs nobody in,
# because link previews and scanners open links too.


@require_http_methods(["GET", "POST"])
def card(request: HttpRequest, token: str) -> HttpResponse:
    child = child_by_card(token)
    if child is None:
        return render(request, "signin/old_card.html", status=404)
    with translation.override(children_only.class_language(request, child.school_class)):
        if request.method == "POST":
            device = device_of(request) or str(uuid.uuid4())
            answer = services.sign_in_by_card(child, token, device)
            if answer is None:
                return render(request, "signin/old_card.html", status=404)
            return redirect_signed_in(request, answer.token, device)
        context = {"child": child, "school_class": child.school_class}
        response = render(request, "signin/card.html", context)
    children_only.remember_language(response, child.school_class)
    return response
