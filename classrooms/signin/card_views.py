"""Login cards and letters to parents, as pages to print and as PDF. With `?child=…`, only those of
one child."""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_GET

from classrooms.access import AdultRequest, class_for
from classrooms.audit import Page, What, audit
from classrooms.credentials import with_labels
from classrooms.downloads.kinds import KINDS
from classrooms.downloads.limits import WorkKind, limited
from classrooms.downloads.views import redirect_to_downloads
from classrooms.models import AuditEntry, Child, SchoolClass
from classrooms.signin import cards as login_cards
from classrooms.ui import typesetting
from classrooms.ui.sortable_table import PAGE
from classrooms.ui.typesetting import pdf_response
from games.play.posted_values import parse_uuid


@login_required
@require_GET
def cards(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _page(request, class_id, Page.CARDS, "signin/cards.html")


@login_required
@require_GET
def letters(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _page(request, class_id, Page.LETTERS, "signin/letters.html")


@login_required
@require_GET
@limited(WorkKind.PAPER, "GET")
def cards_pdf(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _pdf(request, class_id, Page.CARDS)


@login_required
@require_GET
@limited(WorkKind.PAPER, "GET")
def letters_pdf(request: AdultRequest, class_id: UUID) -> HttpResponse:
    return _pdf(request, class_id, Page.LETTERS)


def _requested_children(request: HttpRequest, school_class: SchoolClass) -> list[Child]:
    """All children of the class, or the one whom the URL names. 404 if that child is not in it."""
    children = school_class.children.all()
    if "child" not in request.GET:
        return list(children)
    child_id = parse_uuid(request.GET["child"])
    matches = list(children.filter(pk=child_id)) if child_id else []
    if not matches:
        raise Http404
    return matches


def _look_up_cards(
    request: AdultRequest,
    page: AuditEntry.Page,
    children: Sequence[Child],
    language: str,
) -> list[login_cards.PrintedCard]:
    cards = login_cards.view_cards(request.user, children, page)
    with translation.override(language):
        return [
            login_cards.PrintedCard(
                child=card.child,
                pictures=with_labels(card.pictures),
                address=request.build_absolute_uri(reverse("classrooms:card", args=[card.token])),
            )
            for card in cards
        ]


def _page(
    request: AdultRequest, class_id: UUID, page: AuditEntry.Page, template: str
) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    children = _requested_children(request, school_class)
    sheet = Paginator(children, login_cards.MOST_CARDS_AT_ONCE).get_page(request.GET.get(PAGE))
    language = login_cards.language_of(request.GET, school_class)
    context = {
        "school_class": school_class,
        "page": sheet,
        "cards": _look_up_cards(request, page, sheet, language),
        "language": language,
        "languages": settings.LANGUAGES,
        "kind": KINDS[page.value] if len(children) > login_cards.MOST_CARDS_AT_ONCE else None,
        "site": request.get_host(),
        "only": request.GET.get("child"),
    }
    return render(request, template, context)


def _pdf(request: AdultRequest, class_id: UUID, page: AuditEntry.Page) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    children = _requested_children(request, school_class)
    if len(children) > login_cards.MOST_CARDS_AT_ONCE:
        return redirect_to_downloads(request, class_id)
    language = login_cards.language_of(request.GET, school_class)
    with typesetting.TURNS.turn(request.user.pk), translation.override(language):
        printed = _look_up_cards(request, page, children, language)
        pdf = login_cards.pdf(page.value, school_class, printed, site=request.get_host())
    only_child = printed[0].child if "child" in request.GET else None
    audit(request.user, What.EXPORTED, school_class=school_class, child=only_child, file=page.value)
    name = only_child.name if only_child else school_class.name
    return pdf_response(request, school_class, pdf, owner=name, kind=page.value)
