"""The pages of a child and of a fact, the moves behind figures, and giving next steps."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import (
    AdultRequest,
    attempt_for_child,
    child_for,
    class_for,
    finished_match_of,
    finished_matches,
)
from classrooms.assignments.audience import requested_audience
from classrooms.assignments.editing import names_of
from classrooms.assignments.presets import title_of
from classrooms.audit import Page, log_view
from classrooms.downloads.kinds import kinds_for_child
from classrooms.locks import ActRefused
from classrooms.models import Child, KeptAct, SchoolClass
from classrooms.progress import words
from classrooms.progress.child_page import MOST_ANSWERS, child_page, fact_page, replay
from classrooms.progress.class_map import period_of, periods_offered
from classrooms.progress.class_page import table_card
from classrooms.progress.class_report import MOST_MOVES, cell_moves
from classrooms.progress.given_steps import CoveredSteps, NextStep, recent_steps
from classrooms.progress.next_steps import (
    current_plan,
    everyones_steps,
    give_steps,
    repeat_steps,
    take_plan_back,
    take_steps_back,
)
from classrooms.progress.periods import first_day, label_of
from classrooms.progress.rebuild import child_is_rebuilding, class_is_rebuilding
from classrooms.progress.rows import OTHER_TABLES, table_cells
from classrooms.ui.dates import written
from classrooms.undo import class_of, keep_act, keep_rows, success_with_undo, undoes_act
from games.coach.times_tables import TABLES_TO_12, TEACHING_ORDER, fact_of
from games.play.posted_values import parse_int
from games.play.services import game_file


@login_required
@require_GET
def moves(request: AdultRequest, class_id: UUID, child_id: UUID, table: int) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    if table not in TABLES_TO_12 and table != OTHER_TABLES:
        raise Http404
    log_view(request.user, Page.MOVES, school_class=child.school_class, child=child)
    period = period_of(request.GET)
    steps = recent_steps(child.school_class, [child])
    context = {
        "school_class": child.school_class,
        "child": child,
        "table": table,
        "card": table_card(child, table, steps),
        "period_name": period,
        "period": label_of(period),
        "periods": periods_offered(request.GET, period),
        "cell": table_cells([child], child.school_class.today()).get(child.pk, {}).get(table),
        "moves": cell_moves(child, table, first_day(child.school_class.today(), period)),
        "most": MOST_MOVES,
        "rebuilding": words.rebuilding() if child_is_rebuilding(child) else "",
    }
    return render(request, "progress/moves.html", context)


@login_required
@require_GET
def replay_page(
    request: AdultRequest, class_id: UUID, child_id: UUID, game_id: UUID, entry: int
) -> HttpResponse:
    """Show the turn that contains an entry of a match's log. The query may name a `row` to look at,
    the number `at` of a scene, and the `period` of the page to return to."""
    child = child_for(request.user, class_id, child_id)
    attempt = attempt_for_child(child, game_id)
    turn = replay(attempt, entry, request.GET.get("row", ""))
    log_view(request.user, Page.REPLAY, school_class=child.school_class, child=child)
    number = parse_int(request.GET.get("at"), least=1, most=len(turn.scenes))
    context = {
        "school_class": child.school_class,
        "child": child,
        "replay": turn,
        "scene": turn.scenes[(number or turn.row_scene) - 1],
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
        name, text = game_file(game)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


@login_required
@require_GET
def child(request: AdultRequest, class_id: UUID, child_id: UUID) -> HttpResponse:
    child = child_for(request.user, class_id, child_id)
    log_view(request.user, Page.CHILD, school_class=child.school_class, child=child)
    context = {
        "school_class": child.school_class,
        "child": child,
        "page": child_page(child),
        "kinds": kinds_for_child(child),
        "languages": settings.LANGUAGES,
    }
    return render(request, "progress/child.html", context)


@login_required
@require_GET
def fact(request: AdultRequest, class_id: UUID, low: int, high: int) -> HttpResponse:
    """Show what each child of the class answered to a fact."""
    school_class = class_for(request.user, class_id)
    page = fact_page(school_class, fact_of(low, high))
    if page is None:
        raise Http404
    log_view(request.user, Page.FACT, school_class=school_class)
    context = {
        "school_class": school_class,
        "page": page,
        "most": MOST_ANSWERS,
        "rebuilding": words.rebuilding() if class_is_rebuilding(school_class) else "",
    }
    return render(request, "progress/fact.html", context)


# Giving children a next step: one suggestion with a tap, or everyone's next step.

MOST_NAMED = 12
"""The most children that a notice names as given nothing."""


@login_required
@require_POST
def give(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Give a `step` to some `children`, then return to the page of the class or of the child."""
    school_class = class_for(request.user, class_id)
    children = requested_audience(school_class, request.POST).children
    step = NextStep.from_key(request.POST.get("step", ""))
    back = reverse("classrooms:class", args=[class_id])
    if "on-child" in request.POST and len(children) == 1:
        back = reverse("classrooms:progress", args=[class_id, *(child.pk for child in children)])
    if step is None or not children:
        messages.error(request, _("Nothing was given."))
        return redirect(back)
    return _give(request, school_class, {step: children}, back)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def next_steps(request: AdultRequest, class_id: UUID) -> HttpResponse:
    """Show everyone's next step, which the teacher can change. The posted `do` says whether to give
    it to all, to take back what the site gave, or to repeat it on Mondays."""
    school_class = class_for(request.user, class_id)
    match request.POST.get("do"):
        case "give":
            children_of: dict[NextStep, list[Child]] = defaultdict(list)
            children = {f"step-{child.pk}": child for child in school_class.children.all()}
            # The children who need their step most come first on the page.
            for name, value in request.POST.items():
                if name in children and (step := NextStep.from_key(str(value))):
                    children_of[step].append(children[name])
            if children_of:
                return_url = reverse("classrooms:class", args=[class_id])
                return _give(request, school_class, children_of, return_url, to_all=True)
            messages.error(request, _("Nothing was given."))
        case "take back":
            return_url = reverse("classrooms:class", args=[class_id])
            plan = current_plan(school_class)
            with keep_rows(request, school_class, return_url, plan) as undo_url:
                text = _take_back_text(*take_plan_back(school_class))
            success_with_undo(request, text, undo_url)
            return redirect(return_url)
        case "repeat":
            setting = request.POST.get("weekly")
            if setting in SchoolClass.WeeklySteps.values:
                repeat_steps(school_class, SchoolClass.WeeklySteps(setting))
                messages.success(request, _("Saved."))
    if request.method == "POST":
        return redirect("classrooms:next_steps", class_id)
    log_view(request.user, Page.CLASS, school_class=school_class)
    steps = everyones_steps(school_class)
    context = {
        "school_class": school_class,
        "steps": steps,
        "order": ", ".join(map(str, TEACHING_ORDER)),
        "ways": SchoolClass.WeeklySteps.choices,
        "rebuilding": words.rebuilding() if steps.is_rebuilding else "",
    }
    return render(request, "progress/next_steps.html", context)


def _give(
    request: AdultRequest,
    school_class: SchoolClass,
    children_of: Mapping[NextStep, Collection[Child]],
    return_url: str,
    *,
    to_all: bool = False,
) -> HttpResponse:
    """Give these steps, say who got what, offer the undo, and return to a page."""
    before = school_class.steps_given_on
    try:
        assignments = give_steps(school_class, children_of, to_all=to_all)
    except ActRefused as refused:
        messages.error(request, refused.message)
        return redirect(return_url)
    receivers = [child for _assignment, children in assignments for child in children]
    values = {
        "names": names_of(receivers),
        "what": title_of(assignments[0][0]),
        "day": written(assignments[0][0].due_on or school_class.today(), "j F"),
    }
    text = _("Given to %(names)s, until %(day)s: %(what)s.") % values
    if len(children_of) > 1:
        text = _("Everyone’s next step was given to %(names)s, until %(day)s.") % values
    elif easier := next(iter(children_of)).easier:
        text = f"{text} {easier}"
    undo_url = keep_act(
        request,
        _take_back,
        return_url,
        school_class,
        assignments=[str(assignment.pk) for assignment, _children in assignments],
        to_all=to_all,
        before=before and before.isoformat(),
    )
    success_with_undo(request, text, undo_url)
    if to_all:
        _say_who_got_nothing(request, school_class, children_of)
    left_out = sum(map(len, children_of.values())) - len(receivers)
    if left_out:
        text = ngettext(
            "%(n)d child had this game already.", "%(n)d children had their game already.", left_out
        )
        messages.info(request, text % {"n": left_out})
    return redirect(return_url)


def _say_who_got_nothing(
    request: AdultRequest,
    school_class: SchoolClass,
    children_of: Mapping[NextStep, Collection[Child]],
) -> None:
    receivers = {child for children in children_of.values() for child in children}
    others = [child for child in school_class.children.all() if child not in receivers]
    unfinished = CoveredSteps.from_steps(recent_steps(school_class, others)).unfinished
    texts = []
    if busy_children := [child for child in others if child.pk in unfinished]:
        names = names_of(busy_children, MOST_NAMED)
        text = _("Nothing new for %(names)s: a step that you gave earlier is not finished.")
        texts.append(text % {"names": names})
    if idle_children := [child for child in others if child.pk not in unfinished]:
        names = names_of(idle_children, MOST_NAMED)
        texts.append(_("Nothing was given to %(names)s.") % {"names": names})
    if texts:
        messages.info(request, " ".join(texts))


@undoes_act
def _take_back(request: AdultRequest, act: KeptAct) -> str:
    assignments, before, to_all = (act.data[part] for part in ("assignments", "before", "to_all"))
    result = take_steps_back(class_of(act), assignments, before, to_all=to_all)
    return _take_back_text(*result)


def _take_back_text(n: int, is_gone: bool) -> str:
    text = ngettext("Taken back from %(n)d child.", "Taken back from %(n)d children.", n) % {"n": n}
    if is_gone:
        return text
    kept = _("What children had already started has ended; what was played is kept.")
    return f"{text} {kept}"
