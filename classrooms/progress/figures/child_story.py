"""A child's story: the last weeks, and the child's own bests."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from classrooms.models import Child
from classrooms.progress.figures.known_facts import FactCell, cells_of
from classrooms.progress.figures.own_bests import BestRound, best_rounds
from classrooms.progress.figures.periods import USUAL, first_day
from classrooms.progress.figures.table_rows import (
    OTHER,
    ROWS_LAID,
    Rows,
    TableCell,
    column_of,
    table_cells,
)
from classrooms.progress.models import ChildDay, TableDay
from games.coach.facts import Fact

WEEKS: Final = 6


@dataclass(slots=True)
class Week:
    """A child's week from Monday: the days it played, what it played and the rows it found."""

    monday: date
    days: int = 0
    rounds: int = 0
    turns: int = 0
    hints: int = 0
    checks: int = 0
    checks_right: int = 0
    rows: Rows = field(default_factory=Rows)


@dataclass(frozen=True, slots=True)
class Bests:
    """A child's own bests, in rows laid, each with the day on which it was first reached; None
    where there is none yet."""

    round: BestRound | None
    rows_on_a_day: int | None
    day: date | None


@dataclass(frozen=True, slots=True)
class ChildStory:
    """A child's last weeks, oldest first, with those in which it did not play. `tables` and
    `facts`: those where a level was reached within these weeks, latest first; `lately`: by column
    of the map, the rows of the usual period; `every_table` and `every_fact`: all that the child has
    practised."""

    weeks: Sequence[Week]
    lately: Mapping[int, Rows]
    tables: Sequence[TableCell]
    facts: Sequence[FactCell]
    bests: Bests
    every_table: Mapping[int, TableCell]
    every_fact: Mapping[Fact, FactCell]


def child_story(
    child: Child,
    tables: Mapping[int, TableCell] | None = None,
    facts: Mapping[Fact, FactCell] | None = None,
    weeks: int = WEEKS,
) -> ChildStory:
    """The story of the last weeks, with this one, in four queries; in one more each for the
    `tables` and the `facts` of the child where they are not known."""
    today = child.school_class.today()
    if tables is None:
        tables = table_cells([child], today).get(child.pk, {})
    if facts is None:
        facts = cells_of([child], today).get(child.pk, {})
    first = today - timedelta(days=today.weekday(), weeks=weeks - 1)
    lately = first_day(today, USUAL)
    assert lately
    days = list(TableDay.objects.filter(child=child, day__gte=min(first, lately)))
    return ChildStory(
        _weeks(child, days, first, weeks),
        _rows_since(days, lately),
        sorted(
            (cell for cell in tables.values() if cell.table != OTHER and _reached(cell, first)),
            key=lambda cell: (cell.since or first, cell.table),
            reverse=True,
        ),
        sorted(
            (cell for cell in facts.values() if _reached(cell, first)),
            key=lambda cell: (cell.since or first, cell.fact),
            reverse=True,
        ),
        _bests(child),
        tables,
        facts,
    )


def _reached(cell: TableCell | FactCell, first: date) -> bool:
    """Whether the level may be shown, and was reached within these weeks."""
    reached = cell.level not in ("learning", "not yet seen")
    return cell.is_shown and reached and cell.since is not None and cell.since >= first


def _rows_since(days: Iterable[TableDay], since: date) -> Mapping[int, Rows]:
    rows: dict[int, Rows] = defaultdict(Rows)
    for one in days:
        if one.day >= since:
            rows[column_of(one.table)].add(one)
    return rows


def _weeks(child: Child, days: Iterable[TableDay], first: date, number: int) -> Sequence[Week]:
    weeks = [Week(first + timedelta(weeks=week)) for week in range(number)]
    for day in ChildDay.objects.filter(child=child, day__gte=first):
        week = weeks[(day.day - first).days // 7]
        week.days += 1
        for name in ("rounds", "turns", "hints", "checks", "checks_right"):
            setattr(week, name, getattr(week, name) + getattr(day, name))
    for rows in days:
        if rows.day >= first:
            weeks[(rows.day - first).days // 7].rows.add(rows)
    return weeks


def _bests(child: Child) -> Bests:
    of_days = TableDay.objects.filter(child=child).values("day").annotate(rows=ROWS_LAID)
    best_day = of_days.filter(rows__gt=0).order_by("-rows", "day").first()
    return Bests(
        round=best_rounds([child]).get(child.pk),
        rows_on_a_day=best_day["rows"] if best_day else None,
        day=best_day["day"] if best_day else None,
    )
