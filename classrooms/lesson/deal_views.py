"""The views of one deal for the whole class: its start, its board, and the discussion."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, assignment_for, class_for
from classrooms.accounts.services import part_for_adults, tagged_part
from classrooms.assignments import services as assignments
from classrooms.assignments.audience import WHOLE_CLASS
from classrooms.assignments.presets import PRESETS
from classrooms.assignments.views import say_assigned
from classrooms.audit import Page, log_view
from classrooms.lesson import live, one_deal
from classrooms.lesson.big_screen import join_context
from classrooms.lesson.forms import DealForm
from classrooms.models import Assignment
from classrooms.undo import success_with_undo
from games.play.posted_values import parse_int

NAMES_SHOWN: Final = "shown"
"""The value of `names` in the address of a board with the children's names."""

CLOSE_ASK: Final = "ask"
"""The value of `close` in the address of a board that asks before it closes the deal."""

DEAL_STEPS: Final = 2
"""The number of steps in the discussion of a turn: the cards, then the rows that were found."""


@login_required
@require_http_methods(["GET", "POST"])
def new_deal(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    presets = [PRESETS[name] for name in one_deal.DEAL_PRESETS]
    form = DealForm(school_class, request.POST or None)
    preset_name = request.POST.get("preset", "")
    if preset_name in one_deal.DEAL_PRESETS and form.is_valid():
        due_on = form.cleaned_data["due_on"]
        try:
            assignment = one_deal.start(school_class, PRESETS[preset_name].choice, due_on)
        except bounds.LimitReached as full:
            messages.error(request, full.message)
        else:
            if due_on:
                say_assigned(request, assignment, WHOLE_CLASS)
                return redirect("classrooms:assignments", class_id)
            return redirect("classrooms:deal", class_id, assignment.pk)
    context = {"school_class": school_class, "presets": presets, "form": form}
    return render(request, "lesson/new_deal.html", context)


@login_required
@require_GET
def deal(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assignment = _deal(request, class_id, assignment_id)
    school_class = assignment.school_class
    log_view(request.user, Page.LIVE, school_class=school_class)
    context = {**_board(request, assignment), **join_context(request, school_class)}
    return render(request, "lesson/deal.html", context)


@part_for_adults
@require_GET
def deal_part(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Return the part of the board that changes; 304 if it has not changed. The page polls it every
    few seconds."""
    assignment = _deal(request, class_id, assignment_id)
    return tagged_part(request, "lesson/deal.html#part", _board(request, assignment))


def _board(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    deal_board = one_deal.board(assignment, timezone.now())
    shows_names = request.GET.get("names") == NAMES_SHOWN
    asks_to_close = request.GET.get("close") == CLOSE_ASK
    states = " ".join(
        f"{player.child.pk} {player.child.name} {player.state}" for player in deal_board.players
    )
    reader = f"{assignment.pk} {shows_names} {asks_to_close} {translation.get_language()}"
    return {
        "school_class": assignment.school_class,
        "assignment": assignment,
        "board": deal_board,
        "shows_names": shows_names,
        "asks": asks_to_close,
        "query": request.GET.urlencode(),
        "tag": live.tag_of(f"{states} {assignment.ended_at} {deal_board.is_open}", reader=reader),
    }


@login_required
@require_POST
def close_deal(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Close the deal and begin the discussion."""
    assignment = _deal(request, class_id, assignment_id)
    assignments.end(assignment)
    undo_url = reverse("classrooms:resume_assignment", args=[class_id, assignment_id])
    success_with_undo(request, _("Closed. Everything that was played is saved."), undo_url)
    return redirect("classrooms:deal_talk", class_id, assignment_id)


@login_required
@require_GET
def deal_talk(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Show which rows were found in which turn, without names, once the deal is closed."""
    assignment = _deal(request, class_id, assignment_id)
    if assignment.ended_at is None:
        return redirect("classrooms:deal", class_id, assignment_id)
    comparison = one_deal.comparison(assignment)
    context: dict[str, Any] = {
        "school_class": assignment.school_class,
        "assignment": assignment,
        "children": len(comparison.attempts),
        "turns": comparison.turns,
    }
    if comparison.turns:
        by_number = {turn.number: turn for turn in comparison.turns}
        asked = parse_int(request.GET.get("turn"), least=1, most=max(by_number)) or 1
        turn = by_number.get(asked, comparison.turns[0])
        after = [number for number in by_number if number > turn.number]
        context |= {
            "turn": turn,
            "step": parse_int(request.GET.get("step"), least=1, most=DEAL_STEPS) or 1,
            "scene": one_deal.scene_of_turn(comparison, turn),
            "rows": one_deal.found_rows(assignment, turn),
            "next_turn": min(after, default=None),
        }
    return render(request, "lesson/deal_talk.html", context)


def _deal(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> Assignment:
    assignment = assignment_for(request.user, class_id, assignment_id)
    if not assignment.is_one_deal:
        raise Http404
    return assignment
