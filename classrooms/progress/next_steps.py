"""Everyone's next step: what each child would get, and giving it to all. The teacher can change it
first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from classrooms.assignments.given_once import GivenAlready
from classrooms.assignments.series import ONE_WEEK
from classrooms.assignments.services import give, withdraw
from classrooms.bounds import LimitReached
from classrooms.locks import Changed, lock
from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.class_figures import figures_of
from classrooms.progress.findings import Findings, Need, SuggestedStep, usual_findings
from classrooms.progress.given_steps import CoveredSteps, GivenStep, NextStep, given_lately
from classrooms.ui.sortable_table import MOST_ROWS
from games.coach.times_tables import TABLES_TO_10

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StepLine:
    """The steps that a child could be given. They get none before they have finished what they were
    given."""

    child: Child
    suggested: Sequence[SuggestedStep]  # the most urgent first
    given_step: GivenStep | None  # the step to finish

    @property
    def first(self) -> SuggestedStep | None:
        return None if self.given_step else next(iter(self.suggested), None)

    @property
    def urgency(self) -> tuple[bool, Sequence[float]]:
        """The sort key of the children; those who have something to finish come last."""
        return self.first is None, self.first.urgency if self.first else ()

    @property
    def reason(self) -> str:
        if self.given_step:
            state = f"{self.given_step.step.title}: {self.given_step.state}"
            return " · ".join(filter(None, (state, self.given_step.reason)))
        return self.first.reason if self.first else gettext("Nothing to practise stands out.")

    @property
    def others(self) -> list[NextStep]:
        """The tables that are not suggested."""
        suggested = {suggestion.step.table for suggestion in self.suggested}
        return [NextStep(table) for table in TABLES_TO_10 if table not in suggested]


@dataclass(frozen=True, slots=True)
class EveryonesSteps:
    lines: Sequence[StepLine]
    is_rebuilding: bool

    @property
    def offers_all(self) -> bool:
        """Whether each child can be given any table, not only those suggested. The class must be
        small enough for one list."""
        return len(self.lines) <= MOST_ROWS

    @property
    def chosen_by_default(self) -> Mapping[NextStep, Sequence[Child]]:
        """The steps that are given unless the teacher changes them."""
        children_of: dict[NextStep, list[Child]] = defaultdict(list)
        for line in self.lines:
            if line.first:
                children_of[line.first.step].append(line.child)
        return children_of


def everyones_steps(school_class: SchoolClass) -> EveryonesSteps:
    """Everyone's next steps. Ten queries."""
    figures = figures_of(school_class)
    steps = given_lately(school_class, figures.children)
    return EveryonesSteps(step_lines(usual_findings(figures), steps), figures.is_rebuilding)


def tables_needed(school_class: SchoolClass) -> list[int]:
    """The times tables that children of the class need, the most urgent first, whatever they were
    given. Tables that only come next in the usual order are left out."""
    lines = step_lines(usual_findings(figures_of(school_class)), ())
    suggestions = [
        suggested
        for line in lines
        for suggested in line.suggested
        if suggested.step.table and suggested.need != Need.IN_ORDER
    ]
    suggestions.sort(key=lambda suggested: suggested.urgency)
    return list(dict.fromkeys(one.step.table for one in suggestions if one.step.table))


def step_lines(findings: Findings, steps: Iterable[GivenStep]) -> list[StepLine]:
    """The children of the class and their next steps, beside the `steps` that they were given. The
    child who needs a step most comes first."""
    steps = [step for step in steps if step.is_open]
    covered_steps = CoveredSteps.by(steps)
    lines = []
    for child in findings.figures.children:
        unfinished = [step for step in steps if step.stages.get(child, "done") != "done"]
        step = None
        if unfinished:
            own_step = replace(unfinished[0], stages={child: unfinished[0].stages[child]})
            step = findings.with_reason(own_step)
        lines.append(StepLine(child, findings.suggested(child, covered_steps), step))
    return sorted(lines, key=lambda line: (line.urgency, line.child.name_order))


def give_steps(
    school_class: SchoolClass, chosen: Mapping[NextStep, Collection[Child]], *, to_all: bool = False
) -> list[tuple[Assignment, list[Child]]]:
    """Give these steps; with `to_all`, as everyone's next step of this week. Raises what `give`
    raises."""
    with lock(school_class) as (school_class,):
        rows = give(school_class, {step.choice: children for step, children in chosen.items()})
        if to_all:
            _mark_given(school_class, steps_given_at=rows[0][0].created_at)
    return rows


def take_back(
    school_class: SchoolClass, assignments: Collection[str], before: str | None, *, to_all: bool
) -> bool:
    """Undo `give_steps`; an assignment that a child has begun is only ended. Returns whether all
    were deleted. Raises `Changed` if none is left."""
    with lock(school_class) as (school_class,):
        running = list(school_class.assignments.filter(pk__in=assignments, ended_at=None))
        if not running:
            raise Changed
        for assignment in running:
            assignment.school_class = school_class
        if to_all:
            SchoolClass.objects.filter(pk=school_class.pk).update(
                steps_given_on=before, steps_given_at=None
            )
        deleted = [withdraw(assignment) for assignment in running]
    return all(deleted)


def plan_given(school_class: SchoolClass) -> QuerySet[Assignment]:
    """The assignments by which everyone's next step was given last, if they have not ended."""
    return school_class.assignments.filter(
        created_at=F("school_class__steps_given_at"), everyone=False, ended_at=None
    )


def take_plan_back(school_class: SchoolClass) -> bool:
    """Take back everyone's next step that was given last; the next one is given next Monday.
    Returns whether all assignments were deleted. Raises `Changed` if none is left."""
    with lock(school_class) as (school_class,):
        keys = [str(key) for key in plan_given(school_class).values_list("pk", flat=True)]
        return take_back(school_class, keys, None, to_all=False)


def can_take_plan_back(school_class: SchoolClass) -> bool:
    """Whether everyone's next step was given and can still be played."""
    at = school_class.steps_given_at
    if at is None or school_class.archived_at:
        return False
    is_new = school_class.today() < school_class.day_of(at) + ONE_WEEK
    return is_new and plan_given(school_class).exists()


def _mark_given(school_class: SchoolClass, **marks: datetime) -> None:
    today = school_class.today()
    SchoolClass.objects.filter(pk=school_class.pk).update(steps_given_on=today, **marks)


def repeat_steps(school_class: SchoolClass, setting: SchoolClass.WeeklySteps) -> None:
    """Choose what the site does about everyone's next step on Mondays, from the coming Monday
    on."""
    with lock(school_class) as (school_class,):
        SchoolClass.objects.filter(pk=school_class.pk).update(weekly_steps=setting)
        _mark_given(school_class)


def are_due(school_class: SchoolClass) -> bool:
    """Whether this week's next steps have not been given or proposed yet."""
    today = school_class.today()
    monday = today - timedelta(days=today.weekday())
    given_on = school_class.steps_given_on
    return bool(school_class.weekly_steps) and (given_on is None or given_on < monday)


def give_due() -> None:
    """Give everyone's next step, once a week, in the classes that want it without being asked. May
    run twice or late. An error in one class is logged and does not stop the others."""
    by_itself = SchoolClass.WeeklySteps.GIVE
    for school_class in SchoolClass.objects.filter(weekly_steps=by_itself, archived_at=None):
        try:
            with suppress(LimitReached, Changed):
                _give_week(school_class)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            log.exception("no steps given", key=str(school_class.pk))


def _give_week(school_class: SchoolClass) -> None:
    if not are_due(school_class):
        return
    with lock(school_class) as (locked,):
        steps = everyones_steps(locked)
        by_itself = locked.weekly_steps == SchoolClass.WeeklySteps.GIVE
        if not by_itself or not are_due(locked) or steps.is_rebuilding:
            return
        try:
            give_steps(locked, steps.chosen_by_default, to_all=True)
        except GivenAlready:
            _mark_given(locked)
