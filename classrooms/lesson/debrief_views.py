"""The class discussion, on the big screen."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from classrooms.access import AdultRequest, class_for
from classrooms.lesson import debrief
from classrooms.lesson.big_screen import beside, is_big
from classrooms.progress.figures import words
from classrooms.progress.pipeline.rebuild import class_is_rebuilding
from games.play.posted_values import whole


@login_required
@require_GET
def talk(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Positions from the class's games for the big screen, revealed step by step."""
    school_class = class_for(request.user, class_id)
    rows = debrief.chosen(school_class)
    context: dict[str, Any] = {
        "school_class": school_class,
        "count": len(rows),
        "weeks": debrief.WEEKS,
        "rebuilding": words.rebuilding() if class_is_rebuilding(school_class) else "",
    }
    if is_big(request):
        context |= {"big": True, "screen": "&screen=big", **beside(request, school_class)}
    if rows:
        number = whole(request.GET.get("position"), least=1, most=len(rows)) or 1
        step = whole(request.GET.get("step"), least=1, most=debrief.STEPS) or 1
        context |= {
            "position": debrief.position(rows, number, step),
            "numbers": range(1, len(rows) + 1),
            "next_step": step + 1,
            "next_position": number + 1 if number < len(rows) else None,
        }
    else:
        context["has_played"] = debrief.has_played(school_class)
    return render(request, "lesson/debrief.html", context)
