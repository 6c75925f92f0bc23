"""The pages of check-ups: those of a class for the teacher, and the one on which a child does
it."""

from contextlib import AbstractContextManager
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms import bounds
from classrooms.access import AdultRequest, ChildRequest, class_for
from classrooms.audit import Page, log_view
from classrooms.checkups import services, words
from classrooms.checkups.forms import CheckUpForm
from classrooms.checkups.models import CheckUp, ChildCheckUp
from classrooms.checkups.results import FEWEST_CHILDREN, check_ups_of, growth_tables, results_of
from classrooms.checkups.services import check_up_for, check_up_for_child
from classrooms.signin.children_only import for_children
from classrooms.ui.sortable_table import PAGE
from classrooms.undo import keep_rows, success_with_undo
from games.coach.questions.check_up_questions import LIMIT_MS, PAUSE_MS, QUESTIONS, asks_all_facts
from games.play.posted_values import MOST_MS, parse_int, parse_typed
from games.screen.words import product, spoken


@login_required
@require_GET
def index(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    check_ups = check_ups_of(school_class)
    tables, page = growth_tables(school_class, check_ups, request.GET.get(PAGE))
    if tables:
        log_view(request.user, Page.CHECK_UP, school_class=school_class)
    today = school_class.today()
    context = {
        "school_class": school_class,
        "current": [check_up for check_up in check_ups if not check_up.is_over(today)],
        "past": [check_up for check_up in check_ups if check_up.is_over(today)],
        "tables": tables,
        "page": page,
        "fewest_children": FEWEST_CHILDREN,
        "today": today,
    }
    return render(request, "checkups/check_ups.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: AdultRequest, class_id: UUID) -> HttpResponse:
    school_class = class_for(request.user, class_id)
    form = CheckUpForm(school_class, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            check_up = services.give(school_class, **form.cleaned_data)
        except bounds.LimitReached as full:
            messages.error(request, full.message)
        else:
            text = _("Given to the class: %(title)s.") % {"title": words.title(check_up)}
            success_with_undo(request, text, _url("withdraw_check_up", check_up))
            return redirect("classrooms:check_ups", school_class.pk)
    context = {"school_class": school_class, "form": form}
    return render(request, "checkups/new_check_up.html", context)


@login_required
@require_GET
def results(request: AdultRequest, class_id: UUID, check_up_id: UUID) -> HttpResponse:
    """Show who has done a check-up, and which answers are right, by child and by fact."""
    check_up = check_up_for(request.user, class_id, check_up_id)
    log_view(request.user, Page.CHECK_UP, school_class=check_up.school_class)
    context = {
        "school_class": check_up.school_class,
        "check_up": check_up,
        "results": results_of(check_up),
        "is_begun": services.is_begun(check_up),
        "asks_all": asks_all_facts(check_up.tables),
        "today": check_up.school_class.today(),
    }
    return render(request, "checkups/check_up.html", context)


@login_required
@require_POST
def close(request: AdultRequest, class_id: UUID, check_up_id: UUID) -> HttpResponse:
    check_up = check_up_for(request.user, class_id, check_up_id)
    url = _url("check_up", check_up)
    with _keep_check_up(request, check_up, url) as undo_url:
        services.close(check_up)
    text = _("Closed. The children no longer see it; their answers are kept.")
    success_with_undo(request, text, undo_url)
    return redirect(url)


@login_required
@require_POST
def reopen(request: AdultRequest, class_id: UUID, check_up_id: UUID) -> HttpResponse:
    check_up = check_up_for(request.user, class_id, check_up_id)
    with _keep_check_up(request, check_up, _url("check_up", check_up)) as undo_url:
        services.reopen(check_up)
    success_with_undo(request, _("The children can see it again."), undo_url)
    return redirect("classrooms:check_up", class_id, check_up_id)


@login_required
@require_POST
def withdraw(request: AdultRequest, class_id: UUID, check_up_id: UUID) -> HttpResponse:
    """Take a check-up back, or close it if a child has begun it."""
    check_up = check_up_for(request.user, class_id, check_up_id)
    url = reverse("classrooms:check_ups", args=[class_id])
    with _keep_check_up(request, check_up, url) as undo_url:
        is_gone = services.withdraw(check_up)
    text = _("No longer given to the class: %(title)s.") % {"title": words.title(check_up)}
    if not is_gone:
        text = _("A child had already started it, so it has been closed; the answers are kept.")
    success_with_undo(request, text, undo_url)
    return redirect(url)


def _keep_check_up(
    request: AdultRequest, check_up: CheckUp, url: str
) -> AbstractContextManager[str]:
    return keep_rows(request, check_up.school_class, url, CheckUp.objects.filter(pk=check_up.pk))


def _url(name: str, check_up: CheckUp) -> str:
    return reverse(f"classrooms:{name}", args=[check_up.school_class_id, check_up.pk])


# A child's pages of a check-up: the beginning, one question at a time, and the end.

GO: Final = "go"
"""A parameter of the address, with which the page shows the question. Without it the page is the
first one, on which no time runs."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@for_children
def take(request: ChildRequest, check_up_id: UUID) -> HttpResponse:
    child = request.child
    check_up = check_up_for_child(child, check_up_id)
    child_check_up = ChildCheckUp.objects.filter(child=child, check_up=check_up).first()
    if child_check_up is not None and child_check_up.finished_at is not None:
        return render(request, "checkups/done.html", {"n": len(child_check_up.questions)})
    if not check_up.is_open(child.school_class.today()):
        return _redirect_from_closed(request)
    if request.method != "POST":
        if child_check_up and GO in request.GET:
            return _question(request, child_check_up)
        return _begin_page(request, check_up, child_check_up)
    try:
        child_check_up = child_check_up or services.begin(
            child, check_up, has_script="script" in request.POST
        )
    except IntegrityError:  # The teacher has just taken the check-up back.
        return _redirect_from_closed(request)
    return _carry_out(request, child_check_up)


def _redirect_from_closed(request: HttpRequest) -> HttpResponse:
    messages.info(request, _("These questions are closed now. Your answers are saved."))
    return redirect("classrooms:me")


def _begin_page(
    request: ChildRequest, check_up: CheckUp, child_check_up: ChildCheckUp | None
) -> HttpResponse:
    is_timed = (
        child_check_up.timed if child_check_up else check_up.timed and not request.child.is_untimed
    )
    context = {"child_check_up": child_check_up, "n": QUESTIONS, "is_timed": is_timed}
    return render(request, "checkups/begin.html", context | _time_limits())


def _question(
    request: ChildRequest, child_check_up: ChildCheckUp, *, lacks_number: bool = False
) -> HttpResponse:
    services.start_clock(child_check_up)
    first, second = child_check_up.questions[child_check_up.done]
    context = {
        "child_check_up": child_check_up,
        "check_up_id": child_check_up.check_up_id,
        "question": f"{product(first, second)} = ?",
        "spoken_question": spoken(first, second),
        "n": child_check_up.done + 1,
        "of": len(child_check_up.questions),
        "lacks_number": lacks_number,
    }
    return render(request, "checkups/question.html", context | _time_limits())


def _time_limits() -> dict[str, Any]:
    return {"limit_ms": LIMIT_MS, "pause_ms": PAUSE_MS, "seconds": LIMIT_MS // 1000}


def _carry_out(request: ChildRequest, child_check_up: ChildCheckUp) -> HttpResponse:
    action = request.POST.get("do", "")
    if action == "untimed":
        services.drop_time_limit(child_check_up)
    number = parse_int(request.POST.get("number"), most=QUESTIONS)
    if action == "pass" and number is not None:
        services.pass_question(child_check_up, number)
    if action == "answer":
        answer = parse_typed(request.POST.get("answer"))
        ms = parse_int(request.POST.get("ms"), most=MOST_MS)
        services.answer(child_check_up, -1 if number is None else number, answer, ms)
        child_check_up.refresh_from_db()
        if answer is None and number == child_check_up.done and not child_check_up.timed:
            return _question(request, child_check_up, lacks_number=True)
    return redirect(
        f"{reverse('classrooms:take_check_up', args=[child_check_up.check_up_id])}?{GO}"
    )
