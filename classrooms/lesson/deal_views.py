"""One deal for the class: starting it, its board, and the class discussion afterwards."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, assignment_for, class_for
from classrooms.accounts.polled_parts import TAG, part_for_adults
from classrooms.assignments import services
from classrooms.assignments.audience import WHOLE_CLASS
from classrooms.assignments.presets import PRESETS
from classrooms.assignments.views import say_assigned
from classrooms.audit import Page, looked
from classrooms.lesson import live_board, one_deal
from classrooms.lesson.big_screen import beside
from classrooms.lesson.forms import DealForm
from classrooms.models import Assignment
from classrooms.signin.children_only import door_url
from classrooms.ui.undo import say_done
from games.play.posted_values import whole

SHOWN: Final = "shown"
"""The value of `names` in the address of a board with the children's names."""
ASK: Final = "ask"
"""The value of `close` in the address of a board that asks before it closes."""
STEPS: Final = 2
"""The steps of the discussion of a turn: the cards; what was found."""


@login_required
@require_http_methods(["GET", "POST"])
def new(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    presets = [PRESETS[name] for name in one_deal.OFFERED]
    form = DealForm(school_class, request.POST or None)
    wanted = request.POST.get("preset", "")
    if wanted in one_deal.OFFERED and form.is_valid():
        due_on = form.cleaned_data["due_on"]
        try:
            assignment = one_deal.start(school_class, PRESETS[wanted].choice, due_on)
        except bounds.Full as full:
            messages.error(request, full.words)
        else:
            if due_on:
                say_assigned(request, assignment, WHOLE_CLASS)
                return redirect("classrooms:assignments", class_id)
            return redirect("classrooms:deal", class_id, assignment.pk)
    context = {"school_class": school_class, "presets": presets, "form": form}
    return render(request, "lesson/new_deal.html", context)


@login_required
@require_GET
def board(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    assignment = _deal(request, class_id, assignment_id)
    school_class = assignment.school_class
    looked(request.user, Page.LIVE, school_class=school_class)
    address = request.build_absolute_uri(door_url(school_class))
    site = request.get_host()
    context = {**_board(request, assignment), "address": address, "site": site}
    return render(request, "lesson/deal.html", context)


@part_for_adults
@require_GET
def part(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """The part that changes, polled every few seconds: 304 as long as it has not."""
    assignment = _deal(request, class_id, assignment_id)
    context = _board(request, assignment)
    if request.headers.get(TAG) == context["tag"]:
        return HttpResponseNotModified(headers={TAG: context["tag"]})
    response = render(request, "lesson/deal.html#part", context)
    response.headers[TAG] = context["tag"]
    return response


def _board(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    shown = one_deal.board(assignment, timezone.now())
    shows_names, asks = request.GET.get("names") == SHOWN, request.GET.get("close") == ASK
    states = " ".join(f"{one.child.pk} {one.child.name} {one.state}" for one in shown.players)
    reader = f"{assignment.pk} {shows_names} {asks} {translation.get_language()}"
    return {
        "school_class": assignment.school_class,
        "assignment": assignment,
        "board": shown,
        "shows_names": shows_names,
        "asks": asks,
        "query": request.GET.urlencode(),
        "tag": live_board.tag_of(f"{states} {assignment.ended_at} {shown.is_open}", reader=reader),
    }


@login_required
@require_POST
def close(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Close the deal, and talk about it."""
    assignment = _deal(request, class_id, assignment_id)
    services.end(assignment)
    undo = reverse("classrooms:resume_assignment", args=[class_id, assignment_id])
    say_done(request, _("Closed. Everything that was played is saved."), undo)
    return redirect("classrooms:deal_talk", class_id, assignment_id)


@login_required
@require_GET
def talk(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """What was found where, turn by turn, without names; only once the deal is closed."""
    assignment = _deal(request, class_id, assignment_id)
    if assignment.ended_at is None:
        return redirect("classrooms:deal", class_id, assignment_id)
    found = one_deal.comparison(assignment)
    context: dict[str, Any] = {
        "school_class": assignment.school_class,
        "assignment": assignment,
        "children": len(found.attempts),
        "turns": found.turns,
        **beside(request, assignment.school_class),
    }
    if found.turns:
        by_number = {turn.number: turn for turn in found.turns}
        asked = whole(request.GET.get("turn"), least=1, most=max(by_number)) or 1
        turn = by_number.get(asked, found.turns[0])
        after = [number for number in by_number if number > turn.number]
        context |= {
            "turn": turn,
            "step": whole(request.GET.get("step"), least=1, most=STEPS) or 1,
            "scene": one_deal.scene_before(found, turn),
            "rows": one_deal.found_rows(assignment, turn),
            "next_turn": min(after, default=None),
        }
    return render(request, "lesson/deal_talk.html", context)


def _deal(request: AdultRequest, class_id: UUID, assignment_id: UUID) -> Assignment:
    assignment = assignment_for(request.user, class_id, assignment_id)
    if not assignment.is_one_deal:
        raise Http404
    return assignment
