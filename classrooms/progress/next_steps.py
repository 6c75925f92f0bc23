"""Everyone's next step: suggests a step for each child, and gives the steps to all. The teacher can
change them first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from classrooms.assignments.services import ONE_WEEK, GivenAlready, give, withdraw
from classrooms.bounds import LimitReached
from classrooms.locks import Changed, lock
from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.class_figures import figures_of
from classrooms.progress.findings import Findings, SuggestedStep, usual_findings
from classrooms.progress.given_steps import CoveredSteps, GivenStep, NextStep, recent_steps
from classrooms.ui.sortable_table import MOST_ROWS
from games.coach.times_tables import TABLES_TO_10

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StepLine:
    """The steps that a child could be given. A child who still has a given step to finish gets no
    other."""

    child: Child
    suggestions: Sequence[SuggestedStep]  # the most urgent first
    given_step: GivenStep | None  # the step to finish
    has_first_game: bool = False  # whether the child has never begun a game, but the class has one

    @property
    def first(self) -> SuggestedStep | None:
        waits = self.given_step or self.has_first_game
        return None if waits else next(iter(self.suggestions), None)

    @property
    def urgency(self) -> tuple[bool, Sequence[float]]:
        """The sort key of the children. Those who have a step to finish come last."""
        return self.first is None, self.first.urgency if self.first else ()

    @property
    def reason(self) -> str:
        if self.given_step:
            state = f"{self.given_step.title} · {self.given_step.state}"
            return " · ".join(filter(None, (state, self.given_step.reason)))
        if self.has_first_game:
            return gettext("has not begun a game yet")
        if not self.first:
            return gettext("Nothing to practise stands out.")
        return self.first.reason

    @property
    def others(self) -> list[NextStep]:
        """The tables that are not suggested."""
        tables = {suggestion.step.table for suggestion in self.suggestions}
        return [NextStep(table) for table in TABLES_TO_10 if table not in tables]


@dataclass(frozen=True, slots=True)
class EveryonesSteps:
    lines: Sequence[StepLine]
    is_rebuilding: bool

    @property
    def offers_all(self) -> bool:
        """Whether the page offers every table for each child, not only those suggested. The class
        must be small enough for one list."""
        return len(self.lines) <= MOST_ROWS

    @property
    def default_steps(self) -> Mapping[NextStep, Sequence[Child]]:
        """The steps that are given unless the teacher changes them."""
        children_of: dict[NextStep, list[Child]] = defaultdict(list)
        for line in self.lines:
            if line.first:
                children_of[line.first.step].append(line.child)
        return children_of


def everyones_steps(school_class: SchoolClass) -> EveryonesSteps:
    """Everyone's next steps. Ten queries."""
    figures = figures_of(school_class)
    steps = recent_steps(school_class, figures.children)
    return EveryonesSteps(step_lines(usual_findings(figures), steps), figures.is_rebuilding)


def step_lines(findings: Findings, steps: Iterable[GivenStep]) -> list[StepLine]:
    """A line for each child of the class: their next steps, and which of `steps` they have to
    finish. The child who needs a step most comes first."""
    steps = [step for step in steps if step.is_open]
    covered_steps = CoveredSteps.from_steps(steps)
    lines = []
    for child in findings.figures.children:
        unfinished = [step for step in steps if step.stages.get(child, "done") != "done"]
        step = None
        if unfinished:
            step = findings.with_reason(unfinished[0].of(child))
        suggestions = findings.suggestions(child, covered_steps)
        lines.append(StepLine(child, suggestions, step, findings.has_first_game(child)))
    return sorted(lines, key=lambda line: (line.urgency, line.child.name_order))


def give_steps(
    school_class: SchoolClass, steps: Mapping[NextStep, Collection[Child]], *, to_all: bool = False
) -> list[tuple[Assignment, list[Child]]]:
    """Give each of these steps to its children. With `to_all`, they are everyone's next step of
    this week. Raises what `give` raises."""
    with lock(school_class) as (school_class,):
        rows = give(school_class, {step.choice: children for step, children in steps.items()})
        if to_all:
            _settle_week(school_class, steps_given_at=rows[0][0].created_at)
    return rows


def take_steps_back(
    school_class: SchoolClass, assignments: Collection[str], before: str | None, *, to_all: bool
) -> tuple[int, bool]:
    """Undo `give_steps`. An assignment that a child has begun is only ended. Returns how many
    children had the assignments, and whether all were deleted. Raises `Changed` if none is left."""
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
        n = school_class.children.filter(assignments__in=running).distinct().count()
        deleted = [withdraw(assignment) for assignment in running]
    return n, all(deleted)


def current_plan(school_class: SchoolClass) -> QuerySet[Assignment]:
    """The assignments with which everyone's next step was last given, if they have not ended."""
    return school_class.assignments.filter(
        created_at=F("school_class__steps_given_at"), is_for_everyone=False, ended_at=None
    )


def take_plan_back(school_class: SchoolClass) -> tuple[int, bool]:
    """Take back everyone's next step that was last given, and return what `take_steps_back`
    returns. The next one is given next Monday. Raises `Changed` if none is left."""
    with lock(school_class) as (school_class,):
        keys = [str(key) for key in current_plan(school_class).values_list("pk", flat=True)]
        return take_steps_back(school_class, keys, None, to_all=False)


def can_take_plan_back(school_class: SchoolClass) -> bool:
    """Whether everyone's next step was given within the last week, and not all of it has ended."""
    at = school_class.steps_given_at
    if at is None or school_class.archived_at:
        return False
    is_new = school_class.today() < school_class.day_of(at) + ONE_WEEK
    return is_new and current_plan(school_class).exists()


def _settle_week(school_class: SchoolClass, **fields: Any) -> None:
    """Store that everyone's next step of this week is settled, and these fields."""
    today = school_class.today()
    SchoolClass.objects.filter(pk=school_class.pk).update(steps_given_on=today, **fields)


def repeat_steps(school_class: SchoolClass, setting: SchoolClass.WeeklySteps) -> None:
    """Choose what the site does about everyone's next step on Mondays, from next Monday on."""
    with lock(school_class) as (school_class,):
        _settle_week(school_class, weekly_steps=setting)


def are_steps_due(school_class: SchoolClass) -> bool:
    """Whether the class gets steps each week, and those of this week are not settled yet."""
    today = school_class.today()
    monday = today - timedelta(days=today.weekday())
    given_on = school_class.steps_given_on
    return bool(school_class.weekly_steps) and (given_on is None or given_on < monday)


def give_due_steps() -> None:
    """Give everyone's next step, once a week, in the classes whose teachers chose not to be asked.
    May run twice or late. An error in one class is logged and does not stop the others."""
    classes = SchoolClass.objects.filter(weekly_steps=SchoolClass.WeeklySteps.GIVE)
    for school_class in classes.filter(archived_at=None):
        try:
            with suppress(LimitReached, Changed):
                _give_week(school_class)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            log.exception("no steps given", key=str(school_class.pk))


def _give_week(school_class: SchoolClass) -> None:
    if not are_steps_due(school_class):
        return
    with lock(school_class) as (locked,):
        steps = everyones_steps(locked)
        is_wanted = locked.weekly_steps == SchoolClass.WeeklySteps.GIVE
        if not is_wanted or not are_steps_due(locked) or steps.is_rebuilding:
            return
        try:
            give_steps(locked, steps.default_steps, to_all=True)
        except GivenAlready:
            _settle_week(locked)
