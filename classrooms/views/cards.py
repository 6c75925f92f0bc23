"""Login cards and letters to parents: pages to print, and the same as PDF.

`?child=…` asks for those of one child alone.
"""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.reading import key

from .. import cards as services
from .. import printing
from ..access import class_for
from ..audit import Page, looked
from ..models import Child, LookedUp, SchoolClass, User
from ..pictures import labelled

Where = LookedUp.Where


@login_required
@require_GET
def cards(request: HttpRequest, class_id: UUID) -> HttpResponse:
    return _page(request, class_id, Where.CARDS)


@login_required
@require_GET
def letters(request: HttpRequest, class_id: UUID) -> HttpResponse:
    return _page(request, class_id, Where.LETTERS)


@login_required
@require_GET
def cards_pdf(request: HttpRequest, class_id: UUID) -> HttpResponse:
    return _pdf(request, class_id, Where.CARDS)


@login_required
@require_GET
def letters_pdf(request: HttpRequest, class_id: UUID) -> HttpResponse:
    return _pdf(request, class_id, Where.LETTERS)


def _asked_for(request: HttpRequest, school_class: SchoolClass) -> list[Child]:
    """All children, or the one that the address names."""
    children = school_class.children.all()
    if "child" not in request.GET:
        return list(children)
    one = key(request.GET["child"])
    found = list(children.filter(pk=one)) if one else []
    if not found:
        raise Http404
    return found


def _printed(request: HttpRequest, school_class: SchoolClass, where: Where) -> list[printing.Card]:
    children = _asked_for(request, school_class)
    found = services.look_up(cast(User, request.user), children, where)
    about = children[0] if request.GET.get("child") else None
    looked(request.user, Page(where.value), school_class=school_class, child=about)
    with translation.override(school_class.language):
        return [
            printing.Card(
                child=card.child,
                pictures=labelled(card.pictures),
                address=request.build_absolute_uri(reverse("classrooms:card", args=[card.token])),
            )
            for card in found
        ]


def _page(request: HttpRequest, class_id: UUID, where: Where) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    context = {
        "school_class": school_class,
        "cards": _printed(request, school_class, where),
        "site": request.get_host(),
        "only": request.GET.get("child"),
    }
    return render(request, f"classrooms/{where.value}.html", context)


def _pdf(request: HttpRequest, class_id: UUID, where: Where) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    found = _printed(request, school_class, where)
    try:
        with translation.override(school_class.language):
            pdf = printing.pdf(where.value, school_class, found, site=request.get_host())
    except printing.LettersMissing:
        messages.warning(
            request,
            _("The PDF has no letters for some of these names. Print this page instead."),
        )
        return redirect(_with_child(request, f"classrooms:{where.value}", class_id))
    # Shown in the browser, from where it is printed or kept; no name of a child in its name.
    return HttpResponse(
        pdf,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="nmbrs-{where.value}.pdf"'},
    )


def _with_child(request: HttpRequest, name: str, class_id: UUID) -> str:
    """The address of this page, for the one child that was asked for or for all."""
    page = reverse(name, args=[class_id])
    return f"{page}?{request.GET.urlencode()}" if request.GET else page
