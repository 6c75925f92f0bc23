"""What lies behind the numbers of a class, and the page of a child."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from classrooms.access import attempt_for_child, child_for, class_for
from classrooms.audit import Page, looked
from classrooms.downloads.kinds import made_of
from classrooms.progress.figures.class_counts import MOST_MOVES, moves_behind
from classrooms.progress.figures.table_rows import NAMED_TABLES, OTHER
from classrooms.progress.pages.child_page import child_page
from classrooms.progress.pages.class_page import PERIODS, first_day, period_of
from classrooms.progress.pages.fact_page import fact_page
from classrooms.progress.pages.replayed_turns import replay
from games.coach.facts import fact as fact_of
from games.play.posted_values import whole
from games.play.services import NotFound


@login_required
@require_GET
def moves(request: HttpRequest, class_id: UUID, child_id: UUID, table: int) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    if table not in NAMED_TABLES and table != OTHER:
        raise Http404
    looked(request.user, Page.MOVES, school_class=child.school_class, child=child)
    period = period_of(request.GET, default="all")
    context = {
        "school_class": child.school_class,
        "child": child,
        "table": table,
        "period": PERIODS[period][1],
        "moves": moves_behind(child, table, first_day(child.school_class.today(), period)),
        "most": MOST_MOVES,
    }
    return render(request, "progress/moves.html", context)


@login_required
@require_GET
def replayed(
    request: HttpRequest, class_id: UUID, child_id: UUID, game_id: UUID, entry: int
) -> HttpResponse:
    """The turn that an entry of a match's log ended: `row` is looked at, `at` the scene shown."""
    child = child_for(request.user, class_id, child_id)
    attempt = attempt_for_child(child, game_id)
    try:
        found = replay(attempt, entry, request.GET.get("row", ""))
    except NotFound as problem:
        raise Http404 from problem
    looked(request.user, Page.REPLAY, school_class=child.school_class, child=child)
    number = whole(request.GET.get("at"), least=1, most=len(found.scenes)) or found.at
    context = {
        "school_class": child.school_class,
        "child": child,
        "replay": found,
        "scene": found.scenes[number - 1],
    }
    return render(request, "progress/replay.html", context)


@login_required
@require_GET
def progress(request: HttpRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    looked(request.user, Page.CHILD, school_class=child.school_class, child=child)
    context = {
        "school_class": child.school_class,
        "child": child,
        "page": child_page(child),
        "kinds": made_of(child),
        "languages": settings.LANGUAGES,
    }
    return render(request, "progress/progress.html", context)


@login_required
@require_GET
def fact(request: HttpRequest, class_id: UUID, low: int, high: int) -> HttpResponse:
    """What each child of the class answered to a fact."""
    school_class = class_for(request.user, class_id)
    found = fact_page(school_class, fact_of(low, high))
    if found is None:
        raise Http404
    looked(request.user, Page.FACT, school_class=school_class)
    return render(request, "progress/fact.html", {"school_class": school_class, "page": found})
