"""Stage 3 for tables: days → what a child knows of each times table, a fold over its days.

The state before the last day is stored too, so that one more game costs the same after a week and
after a year. Several children take as many queries as one. Facts: `fact_levels`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

from django.db.models import Max, Q, Sum
from msgspec import to_builtins

from classrooms.progress.models import TableDay, TableMastery
from classrooms.progress.pipeline.storing import put
from games.coach.mastery import Reached, is_reached_anew
from games.coach.statements.table_levels import KnownTable, TableChances, after_table_day
from games.engine.json_values import read_as

FIGURES = ("at_once", "later", "hinted", "tried", "missed", "joker")


@dataclass(frozen=True, slots=True)
class DayCount:
    """The counts of one table on a day, in all classes."""

    figures: Mapping[str, int]
    last_at: datetime

    def chances(self, day: date) -> TableChances:
        counts = self.figures
        others = counts["hinted"] + counts["tried"] + counts["missed"]
        return TableChances(day.toordinal(), counts["at_once"], counts["later"], others)


Counted = Mapping[date, Mapping[int, DayCount]]
"""By day, in order, and by table."""


@dataclass(frozen=True, slots=True)
class Folded:
    """The result of folding days: what is known, the level reached, since when it was this good or
    better, and the totals."""

    known: KnownTable
    reached: Reached
    reached_on: date
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TableState:
    """A table while its days are folded: `now` after the last day, `before` without it."""

    day: date
    last_at: datetime
    now: Folded
    before: Folded


Stored = Mapping[int, TableState]


def take_in(days: Mapping[UUID, Collection[date]]) -> None:
    """Bring the levels of these children up to date with their counts, which have changed on these
    days.

    Runs within the transaction and under the locks of the caller, which counted. A child of whom
    nothing is stored is folded from the beginning, and so is one of whom a table has a later day or
    lost the counts of its last one.
    """
    changed = {child: set(own) for child, own in days.items() if own}
    if not changed:
        return
    stored = _stored(changed)
    any_day = set().union(*changed.values())
    counted = {
        child: {day: tables for day, tables in own.items() if day in changed[child]}
        for child, own in _counted(Q(child__in=changed, day__in=any_day)).items()
    }
    rows: list[TableMastery] = []
    late: list[UUID] = []
    for child, own_days in changed.items():
        own = counted.get(child, {})
        standing = _rewound(stored[child], min(own_days), own) if child in stored else None
        if standing is None:
            late.append(child)
        else:
            rows.extend(_folded(child, own, standing))
    put(rows, unique=("child", "table"))
    if late:
        fold_all(late)


def fold_all(children: Collection[UUID]) -> None:
    """Fold all days of these children from the beginning."""
    mine = Q(child__in=children)
    TableMastery.objects.filter(mine).delete()
    rows = [row for child, own in _counted(mine).items() for row in _folded(child, own, {})]
    put(rows, unique=("child", "table"))


def _stored(children: Collection[UUID]) -> Mapping[UUID, Stored]:
    stored: dict[UUID, dict[int, TableState]] = defaultdict(dict)
    for row in TableMastery.objects.filter(child__in=children):
        stored[row.child_id][row.table] = _state(row)
    return stored


def _counted(which: Q) -> Mapping[UUID, Counted]:
    """These counts by child, summed over classes."""
    rows = (
        TableDay.objects.filter(which)
        .values("child", "day", "table")
        .annotate(latest=Max("last_at"), **{f"all_{name}": Sum(name) for name in FIGURES})
        .order_by("child", "day", "table")
    )
    counted: dict[UUID, dict[date, dict[int, DayCount]]] = defaultdict(lambda: defaultdict(dict))
    for row in cast("Iterable[dict[str, Any]]", rows):
        figures = {name: row[f"all_{name}"] for name in FIGURES}
        counted[row["child"]][row["day"]][row["table"]] = DayCount(figures, row["latest"])
    return counted


def _rewound(stored: Stored, first: date, counted: Counted) -> dict[int, TableState] | None:
    """The state of each table before the day `first`; None if it is not stored."""
    of_first = counted.get(first, {})
    if any(
        state.day > first or (state.day == first and table not in of_first)
        for table, state in stored.items()
    ):
        return None
    return {
        table: TableState(state.day, state.last_at, state.before, state.before)
        if state.day == first
        else state
        for table, state in stored.items()
    }


def _folded(child: UUID, counted: Counted, standing: Stored) -> list[TableMastery]:
    """The rows of the tables with counts on these days, after the last of them."""
    after = dict(standing)
    for day, cells in counted.items():
        for table, cell in cells.items():
            after[table] = _after(after.get(table), day, cell)
    touched = {table for cells in counted.values() for table in cells}
    return [_row(child, table, after[table]) for table in sorted(touched)]


def _after(standing: TableState | None, day: date, cell: DayCount) -> TableState:
    before = standing.now if standing else Folded(KnownTable(), "learning", day, _NOTHING)
    known = after_table_day(before.known, cell.chances(day))
    now = Folded(
        known,
        known.reached,
        reached_on=day if is_reached_anew(known.reached, before.reached) else before.reached_on,
        totals={name: before.totals[name] + cell.figures[name] for name in FIGURES},
    )
    return TableState(day, cell.last_at, now, before)


_NOTHING = dict.fromkeys(FIGURES, 0)


def _row(child: UUID, table: int, state: TableState) -> TableMastery:
    now = state.now
    return TableMastery(
        child_id=child,
        table=table,
        **now.totals,
        day=state.day,
        known=to_builtins(now.known),
        before=to_builtins(state.before),
        reached=now.reached,
        reached_on=now.reached_on,
        last_at=state.last_at,
    )


def _state(row: TableMastery) -> TableState:
    now = Folded(
        read_as(KnownTable, row.known),
        cast(Reached, row.reached),
        row.reached_on,
        {name: getattr(row, name) for name in FIGURES},
    )
    return TableState(row.day, row.last_at, now, read_as(Folded, row.before))
