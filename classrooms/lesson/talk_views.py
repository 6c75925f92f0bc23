"""The views of the riddle of the day and of positions from its games, which a class discusses on
the big screen."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.access import AdultRequest, class_for, riddles_of
from classrooms.assignments import riddles
from classrooms.assignments.tasks import publisher as riddle_publisher
from classrooms.downloads.limits import WorkKind, limited
from classrooms.lesson import one_deal, talks
from classrooms.lesson.big_screen import is_big, join_context
from classrooms.progress import words
from classrooms.progress.rebuild import class_is_rebuilding
from games.play.posted_values import parse_int, parse_uuid
from games.screen.card_drawing import face
from games.screen.replay import scene_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited(WorkKind.JOB, "POST")
def riddle(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show today's riddle or that of another day, with how many children have solved it. At the
    second step, show some of their solutions, without names. A post asks a worker to make today's
    riddle."""
    school_class = class_for(request.user, class_id)
    if request.method == "POST":
        riddle_publisher.enqueue(school_class.pk)
        messages.info(request, _("The riddle will be here in a moment."))
        return redirect("classrooms:class_riddle", class_id)
    all_of_class = riddles_of(school_class)
    today = school_class.today()
    key = parse_uuid(request.GET.get("riddle"))
    chosen = all_of_class.filter(Q(pk=key) if key else Q(riddle_on=today)).first()
    day = chosen.riddle_on if chosen else today
    context: dict[str, Any] = {
        "school_class": school_class,
        "day": day,
        "is_today": day == today,
        "earlier": all_of_class.filter(riddle_on__lt=day).first(),
        **join_context(request, school_class),
    }
    if chosen:
        ruleset = chosen.ruleset
        result = riddles.class_result(chosen)
        context |= {
            "riddle": chosen,
            "result": result,
            "shows": request.GET.get("step") == "2",
            "scene": scene_of(chosen.turn.begun),
            "solutions": [
                [[face(number, ruleset) for number in row] for row in rows]
                for rows in result.solutions
            ],
        }
    return render(request, "lesson/riddle.html", context)


@login_required
@require_GET
def talk(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show positions from the games of the class on the big screen, and reveal them step by
    step."""
    school_class = class_for(request.user, class_id)
    rows = talks.rows_to_discuss(school_class)
    context: dict[str, Any] = {
        "school_class": school_class,
        "count": len(rows),
        "weeks": talks.WEEKS,
        "found": one_deal.last_closed_deal(school_class),
        "rebuilding": words.rebuilding() if class_is_rebuilding(school_class) else "",
    }
    if is_big(request):
        context |= {"big": True, "screen": "&screen=big"}
    if rows:
        number = parse_int(request.GET.get("position"), least=1, most=len(rows)) or 1
        step = parse_int(request.GET.get("step"), least=1, most=talks.STEPS) or 1
        context |= {
            "position": talks.position(rows, number, step),
            "numbers": range(1, len(rows) + 1),
            "next_step": step + 1,
            "next_position": number + 1 if number < len(rows) else None,
        }
    else:
        context["has_played"] = talks.has_played(school_class)
    return render(request, "lesson/talk.html", context)
