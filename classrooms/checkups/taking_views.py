"""A child's page of a check-up: the beginning, a question at a time, and the end."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from classrooms.access import ChildRequest
from classrooms.checkups import services
from classrooms.checkups.check_up_gate import check_up_for_child
from classrooms.checkups.models import CheckUp, ChildCheckUp
from classrooms.signin.children_only import for_children
from games.coach.questions.check_up_questions import LIMIT_MS, PAUSE_MS, QUESTIONS
from games.play.posted_values import whole
from games.screen.products import product, spoken

HIGHEST_ANSWER: Final = 9_999
LONGEST_MS: Final = 9_999_999
GO: Final = "go"
"""Asks for the question. Without it the beginning page is shown, so that no time runs at once."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@for_children
def take(request: ChildRequest, check_up_id: UUID) -> HttpResponse:
    child = request.child
    check_up = check_up_for_child(child, check_up_id)
    own = services.own_of(child, check_up)
    if own is not None and own.finished_at is not None:
        return render(request, "checkups/done.html", {"n": len(own.questions)})
    if not check_up.is_open(child.school_class.today()):
        return _closed(request)
    if request.method != "POST":
        if own and GO in request.GET:
            return _question(request, own)
        return _beginning(request, check_up, own)
    try:
        own = own or services.begin(child, check_up, has_script="script" in request.POST)
    except IntegrityError:  # Its teacher took it back this very moment.
        return _closed(request)
    return _answered(request, own)


def _closed(request: HttpRequest) -> HttpResponse:
    messages.info(request, _("These questions are closed now. Your answers are saved."))
    return redirect("classrooms:me")


def _beginning(request: ChildRequest, check_up: CheckUp, own: ChildCheckUp | None) -> HttpResponse:
    is_timed = own.timed if own else check_up.timed and not request.child.untimed
    context = {"own": own, "n": QUESTIONS, "is_timed": is_timed}
    return render(request, "checkups/begin.html", context | _times())


def _question(
    request: ChildRequest, own: ChildCheckUp, *, lacks_number: bool = False
) -> HttpResponse:
    services.show(own)
    first, second = own.questions[own.done]
    context = {
        "own": own,
        "check_up_id": own.check_up_id,
        "question": f"{product(first, second)} = ?",
        "read_aloud": spoken(first, second),
        "n": own.done + 1,
        "of": len(own.questions),
        "lacks_number": lacks_number,
    }
    return render(request, "checkups/question.html", context | _times())


def _times() -> dict[str, Any]:
    return {"limit_ms": LIMIT_MS, "pause_ms": PAUSE_MS, "seconds": LIMIT_MS // 1000}


def _answered(request: ChildRequest, own: ChildCheckUp) -> HttpResponse:
    action = request.POST.get("do", "")
    if action == "untimed":
        services.go_on_without_time(own)
    number = whole(request.POST.get("number"), most=QUESTIONS)
    if action == "pass" and number is not None:
        services.pass_question(own, number)
    if action == "answer":
        answer = whole(request.POST.get("answer"), most=HIGHEST_ANSWER)
        ms = whole(request.POST.get("ms"), most=LONGEST_MS)
        services.answer(own, -1 if number is None else number, answer, ms)
        own.refresh_from_db()
        if answer is None and number == own.done and not own.timed:
            return _question(request, own, lacks_number=True)
    return redirect(f"{reverse('classrooms:take_check_up', args=[own.check_up_id])}?{GO}")
