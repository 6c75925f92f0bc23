"""The moves behind the figures of a class, and the page of a child."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from classrooms.access import (
    AdultRequest,
    attempt_for_child,
    child_for,
    class_for,
    finished_match_of,
    finished_matches,
)
from classrooms.audit import Page, log_view
from classrooms.downloads.services import kinds_for_child
from classrooms.progress import words
from classrooms.progress.child_figures import OTHER, first_day, label_of, table_cells
from classrooms.progress.child_page import MOST_EACH, child_page, fact_page, replay
from classrooms.progress.class_figures import MOST_MOVES, moves_behind
from classrooms.progress.class_page import period_of, periods_offered
from classrooms.progress.rebuild import child_is_rebuilding, class_is_rebuilding
from games.coach.facts import fact as fact_of
from games.coach.times_tables import TABLES_TO_12
from games.play.posted_values import parse_int
from games.play.services import NotFound
from games.play.services import record as game_record


@login_required
@require_GET
def moves(request: AdultRequest, class_id: UUID, child_id: UUID, table: int) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    if table not in TABLES_TO_12 and table != OTHER:
        raise Http404
    log_view(request.user, Page.MOVES, school_class=child.school_class, child=child)
    period = period_of(request.GET)
    context = {
        "school_class": child.school_class,
        "child": child,
        "table": table,
        "period_name": period,
        "period": label_of(period),
        "periods": periods_offered(request.GET, period),
        "cell": table_cells([child], child.school_class.today()).get(child.pk, {}).get(table),
        "moves": moves_behind(child, table, first_day(child.school_class.today(), period)),
        "most": MOST_MOVES,
        "rebuilding": words.rebuilding() if child_is_rebuilding(child) else "",
    }
    return render(request, "progress/moves.html", context)


@login_required
@require_GET
def replayed(
    request: AdultRequest, class_id: UUID, child_id: UUID, game_id: UUID, entry: int
) -> HttpResponse:
    """Show the turn that contains an entry of a match's log. The query may name a `row` to look at,
    the number `at` of the first scene, and the `period` of the page to return to."""
    child = child_for(request.user, class_id, child_id)
    attempt = attempt_for_child(child, game_id)
    try:
        turn = replay(attempt, entry, request.GET.get("row", ""))
    except NotFound as problem:
        raise Http404 from problem
    log_view(request.user, Page.REPLAY, school_class=child.school_class, child=child)
    number = parse_int(request.GET.get("at"), least=1, most=len(turn.scenes)) or turn.at
    context = {
        "school_class": child.school_class,
        "child": child,
        "replay": turn,
        "scene": turn.scenes[number - 1],
        "period_name": period_of(request.GET),
        "finished": finished_matches().filter(pk=attempt.pk).first(),
    }
    return render(request, "progress/replay.html", context)


@login_required
@require_GET
@never_cache
def record(request: AdultRequest, class_id: UUID, child_id: UUID, game_id: UUID) -> HttpResponse:
    """Send a finished match, with all moves, as a text file (docs/notation.md)."""
    child = child_for(request.user, class_id, child_id)
    game = finished_match_of(child, game_id).game
    log_view(request.user, Page.REPLAY, school_class=child.school_class, child=child)
    with timezone.override(child.school_class.time_zone):
        file = game_record(game)
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return HttpResponse(file.text, content_type="text/plain; charset=utf-8", headers=headers)


@login_required
@require_GET
def progress(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    log_view(request.user, Page.CHILD, school_class=child.school_class, child=child)
    context = {
        "school_class": child.school_class,
        "child": child,
        "page": child_page(child),
        "kinds": kinds_for_child(child),
        "languages": settings.LANGUAGES,
    }
    return render(request, "progress/progress.html", context)


@login_required
@require_GET
def fact(request: AdultRequest, class_id: UUID, low: int, high: int) -> HttpResponse:
    """Show what each child of the class answered to a fact."""
    school_class = class_for(request.user, class_id)
    shown = fact_page(school_class, fact_of(low, high))
    if shown is None:
        raise Http404
    log_view(request.user, Page.FACT, school_class=school_class)
    context = {
        "school_class": school_class,
        "page": shown,
        "most": MOST_EACH,
        "rebuilding": words.rebuilding() if class_is_rebuilding(school_class) else "",
    }
    return render(request, "progress/fact.html", context)
