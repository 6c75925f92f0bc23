"""Sign-in cards and letters to parents, as pages to print and as PDF. With `?child=…`, only those
of one child."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_GET

from classrooms.access import AdultRequest, class_for
from classrooms.audit import What, audit
from classrooms.downloads.kinds import KINDS
from classrooms.downloads.limits import WorkKind, limited
from classrooms.downloads.views import redirect_to_downloads
from classrooms.models import AuditEntry, Child, SchoolClass
from classrooms.signin import cards as login_cards
from classrooms.ui import typesetting
from classrooms.ui.sortable_table import PAGE
from classrooms.ui.typesetting import pdf_response
from games.play.posted_values import parse_uuid


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


@login_required
@require_GET
def cards(request: AdultRequest, class_id: UUID, page: AuditEntry.Page) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    children = _requested_children(request, school_class)
    sheet = Paginator(children, login_cards.MOST_CARDS_AT_ONCE).get_page(request.GET.get(PAGE))
    context = {
        "school_class": school_class,
        "page": sheet,
        "cards": login_cards.view_cards(request.user, list(sheet), page),
        "language": login_cards.language_of(request.GET, school_class),
        "languages": settings.LANGUAGES,
        "kind": KINDS[page.value] if len(children) > login_cards.MOST_CARDS_AT_ONCE else None,
        "site": request.get_host(),
        "origin": _origin(request),
        "only": request.GET.get("child"),
    }
    return render(request, f"signin/{page.value}.html", context)


@login_required
@require_GET
@limited(WorkKind.PAPER, "GET")
def cards_pdf(request: AdultRequest, class_id: UUID, page: AuditEntry.Page) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    children = _requested_children(request, school_class)
    if len(children) > login_cards.MOST_CARDS_AT_ONCE:
        return redirect_to_downloads(request, class_id)
    language = login_cards.language_of(request.GET, school_class)
    with typesetting.TURNS.turn(request.user.pk), translation.override(language):
        cards = login_cards.view_cards(request.user, children, page)
        pdf = login_cards.pdf(page.value, school_class, cards, _origin(request))
    only_child = children[0] if "child" in request.GET else None
    audit(request.user, What.EXPORTED, school_class=school_class, child=only_child, file=page.value)
    name = only_child.name if only_child else school_class.name
    return pdf_response(request, school_class, pdf, owner=name, kind=page.value)


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
