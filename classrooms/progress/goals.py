"""The weekly goal of a class: how many rows its children lay together."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db.models import Exists, Q
from django.utils.translation import gettext, ngettext

from classrooms.models import SchoolClass
from classrooms.progress.models import TableDay
from classrooms.progress.rebuild import children_to_rebuild
from classrooms.progress.rows import SUM_OF_ROWS_LAID

GOAL_STEP: Final = 50
"""The goal of a week is the next multiple of this number above the rows of the week before."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal that a class reaches together, with the rows laid so far and a sentence."""

    reached: int
    target: int
    text: str

    @property
    def bar_length(self) -> int:
        """The filled part of the goal's bar: `reached`, but at most `target`."""
        return min(self.reached, self.target)


def goal_of(school_class: SchoolClass) -> Goal | None:
    """The rows of the class this week, and its goal. None before the first row is counted, and
    while figures of children are being counted again. One query."""
    rows = _rows_by_week(school_class, 1, Q(~Exists(children_to_rebuild(school_class))))
    this_week = rows[_monday_of(school_class.today())]
    if not this_week:
        return None
    target = _next_target(rows.total() - this_week)
    text = ngettext(
        "Together %(n)d new or longer row this week. The goal is %(wanted)d.",
        "Together %(n)d new or longer rows this week. The goal is %(wanted)d.",
        this_week,
    )
    if this_week >= target:
        text = gettext(
            "Together %(n)d new or longer rows this week: the goal of %(wanted)d is reached!"
        )
    return Goal(this_week, target, text % {"n": this_week, "wanted": target})


def _next_target(rows: int) -> int:
    """The goal of the week that follows a week with this many rows."""
    return (rows // GOAL_STEP + 1) * GOAL_STEP


@dataclass(frozen=True, slots=True)
class GoalReached:
    """The goal of the week from `monday`, and the rows laid up to `last`: Sunday, or today."""

    monday: date
    last: date
    rows: int
    target: int


def goals_reached(school_class: SchoolClass, weeks: int) -> list[GoalReached]:
    """The goals reached in the last `weeks` weeks, this one included, latest first. One query."""
    today = school_class.today()
    rows = _rows_by_week(school_class, weeks)
    reached = []
    for week in range(weeks):
        monday = _monday_of(today) - timedelta(weeks=week)
        target = _next_target(rows[monday - timedelta(weeks=1)])
        if rows[monday] >= target:
            last = min(monday + timedelta(days=6), today)
            reached.append(GoalReached(monday, last, rows[monday], target))
    return reached


def _rows_by_week(
    school_class: SchoolClass, weeks: int, condition: Q | None = None
) -> Counter[date]:
    """The rows laid in this week and in the `weeks` before it, by the Monday of the week."""
    today = school_class.today()
    first = _monday_of(today) - timedelta(weeks=weeks)
    days = TableDay.objects.filter(
        condition or Q(), school_class=school_class, day__gte=first, day__lte=today
    )
    laid = days.values("day").annotate(rows=SUM_OF_ROWS_LAID).values_list("day", "rows")
    rows = Counter[date]()
    for day, count in laid:
        rows[_monday_of(day)] += count
    return rows


def _monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())
