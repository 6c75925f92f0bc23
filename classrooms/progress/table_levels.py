"""Stage 3 for tables: computes a child's level in each times table from their days. The state
before the last day is stored too, so counting one more game costs as much after a year as after a
week. The number of queries does not depend on the number of children."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

from django.db.models import Max, Model, Q, Sum
from msgspec import to_builtins

from classrooms.progress.models import (
    CHANCE_COUNTS,
    TableDay,
    TableMastery,
)
from games.coach.mastery import ReachedLevel, changes_mastery
from games.coach.statements.table_levels import KnownTable, TableChances, known_table_after
from games.engine.json_values import read_as


def upsert(rows: Iterable[Model], unique: Sequence[str]) -> None:
    """Insert these rows, overwriting rows with the same key."""
    objects = list(rows)
    if not objects:
        return
    model = type(objects[0])
    other_fields = [
        field.name for field in model._meta.concrete_fields if field.name not in {"id", *unique}
    ]
    model._default_manager.bulk_create(
        objects, update_conflicts=True, unique_fields=list(unique), update_fields=other_fields
    )


@dataclass(frozen=True, slots=True)
class DayCount:
    """The counts of one table on one day, over all classes."""

    figures: Mapping[str, int]
    last_at: datetime

    def chances(self, day: date) -> TableChances:
        counts = self.figures
        helped_or_missed = counts["hinted"] + counts["tried"] + counts["missed"]
        return TableChances(day.toordinal(), counts["at_once"], counts["later"], helped_or_missed)


CountsByDay = Mapping[date, Mapping[int, DayCount]]
"""The counts by day, in order, and by table."""


@dataclass(frozen=True, slots=True)
class FoldedDays:
    """What is known of a table after some days."""

    known: KnownTable
    reached: ReachedLevel
    reached_on: date  # since this day most rows are found, or are not
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TableState:
    """A child's times table while its days are folded."""

    day: date  # the last day
    last_at: datetime
    with_last_day: FoldedDays
    without_last_day: FoldedDays


TableStates = Mapping[int, TableState]


def update_table_levels(days: Mapping[UUID, Collection[date]]) -> None:
    """Bring the table levels of these children up to date with their counts, which changed on these
    days.

    Runs in the transaction and under the locks of the caller, which has counted. Usually only the
    days that changed are folded. All days of a child are folded if nothing is stored, if a table
    has a later day, or if a table lost the counts of its last day.
    """
    days_of = {child: set(changed_days) for child, changed_days in days.items() if changed_days}
    if not days_of:
        return
    stored: dict[UUID, dict[int, TableState]] = defaultdict(dict)
    for row in TableMastery.objects.filter(child__in=days_of):
        stored[row.child_id][row.table] = _table_state(row)
    any_day = set().union(*days_of.values())
    day_counts = {
        child: {day: tables for day, tables in by_day.items() if day in days_of[child]}
        for child, by_day in _counts_by_child(Q(child__in=days_of, day__in=any_day)).items()
    }
    rows: list[TableMastery] = []
    children_to_refold: list[UUID] = []
    for child, changed_days in days_of.items():
        by_day, states = day_counts.get(child, {}), None
        if child in stored:
            states = _states_before(stored[child], min(changed_days), by_day)
        if states is None:
            children_to_refold.append(child)
        else:
            rows.extend(_fold_days(child, by_day, states))
    upsert(rows, unique=("child", "table"))
    if children_to_refold:
        fold_all_tables(children_to_refold)


def fold_all_tables(children: Collection[UUID]) -> None:
    of_children = Q(child__in=children)
    TableMastery.objects.filter(of_children).delete()
    rows = [
        row
        for child, by_day in _counts_by_child(of_children).items()
        for row in _fold_days(child, by_day, {})
    ]
    upsert(rows, unique=("child", "table"))


def _counts_by_child(condition: Q) -> Mapping[UUID, CountsByDay]:
    """The counts that the condition selects, by child and added up over classes."""
    rows = (
        TableDay.objects.filter(condition)
        .values("child", "day", "table")
        .annotate(latest=Max("last_at"), **{f"all_{name}": Sum(name) for name in CHANCE_COUNTS})
        .order_by("child", "day", "table")
    )
    counts: dict[UUID, dict[date, dict[int, DayCount]]] = defaultdict(lambda: defaultdict(dict))
    for row in cast("Iterable[dict[str, Any]]", rows):
        figures = {name: row[f"all_{name}"] for name in CHANCE_COUNTS}
        counts[row["child"]][row["day"]][row["table"]] = DayCount(figures, row["latest"])
    return counts


def _states_before(
    states: TableStates, first: date, counts: CountsByDay
) -> dict[int, TableState] | None:
    """The state of each table before the day `first`; None if it is not stored."""
    of_first = counts.get(first, {})
    if any(
        state.day > first or (state.day == first and table not in of_first)
        for table, state in states.items()
    ):
        return None
    return {
        table: TableState(state.day, state.last_at, state.without_last_day, state.without_last_day)
        if state.day == first
        else state
        for table, state in states.items()
    }


def _fold_days(child: UUID, counts: CountsByDay, before: TableStates) -> list[TableMastery]:
    """The rows to store for the tables that have counts on these days."""
    after = dict(before)
    for day, cells in counts.items():
        for table, cell in cells.items():
            after[table] = _fold_day(after.get(table), day, cell)
    changed = {table for cells in counts.values() for table in cells}
    return [_table_row(child, table, after[table]) for table in sorted(changed)]


def _fold_day(state: TableState | None, day: date, cell: DayCount) -> TableState:
    before = (
        state.with_last_day if state else FoldedDays(KnownTable(), "learning", day, _NO_CHANCES)
    )
    after = known_table_after(before.known, cell.chances(day))
    now = FoldedDays(
        after,
        after.reached,
        reached_on=day if changes_mastery(after.reached, before.reached) else before.reached_on,
        totals={name: before.totals[name] + cell.figures[name] for name in CHANCE_COUNTS},
    )
    return TableState(day, cell.last_at, now, before)


_NO_CHANCES = dict.fromkeys(CHANCE_COUNTS, 0)


def _table_row(child: UUID, table: int, state: TableState) -> TableMastery:
    now = state.with_last_day
    return TableMastery(
        child_id=child,
        table=table,
        **now.totals,
        day=state.day,
        known=to_builtins(now.known),
        before=to_builtins(state.without_last_day),
        reached=now.reached,
        reached_on=now.reached_on,
        last_at=state.last_at,
    )


def _table_state(row: TableMastery) -> TableState:
    # An earlier release did not store the days of the last weeks.
    data = {"lately": (), **row.known}
    now = FoldedDays(
        read_as(KnownTable, data, partly=True),
        cast(ReachedLevel, row.reached),
        row.reached_on,
        {name: getattr(row, name) for name in CHANCE_COUNTS},
    )
    return TableState(row.day, row.last_at, now, read_as(FoldedDays, row.before))
