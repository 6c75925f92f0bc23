"""The report of a class, from counts and stored levels. The number of queries is fixed, and the
report is as fast after forty weeks as after four."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import (
    Aggregate,
    Case,
    Count,
    DateField,
    F,
    IntegerField,
    Max,
    Q,
    QuerySet,
    Sum,
    UUIDField,
    Value,
    When,
)
from django.utils import timezone

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress import evidence
from classrooms.progress.class_figures import ClassFigures
from classrooms.progress.models import (
    CHANCE_COUNTS,
    IN_SHARES,
    Chance,
    ChildDay,
    TableDay,
    TableMastery,
)
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.progress.rows import OTHER_TABLES, ROWS_LAID, RowCounts, TableCell, column_of
from games.coach.times_tables import TABLES_TO_12

MOST_MOVES: Final = 200
MOST_COUNTS: Final = len(CHANCE_COUNTS) + 1
NO_CHILD: Final = Value(None, output_field=UUIDField())
NO_TABLE: Final = Value(None, output_field=IntegerField())
NO_DAY: Final = Value(None, output_field=DateField())
PLAY_COUNTS: Final = ("rounds", "hints")
RECENT_SPAN: Final = timedelta(days=28)
"""The freshness of a report considers only matches begun within this time."""


@dataclass(frozen=True, slots=True)
class ChildLine:
    child: Child
    cells: Sequence[TableCell]
    total: RowCounts
    rounds: int
    hints: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class DayPlayed:
    """What a child did on a day. `refused` counts tries that made no row."""

    day: date
    turns: int
    refused: int
    hint_turns: int


@dataclass(frozen=True, slots=True)
class Freshness:
    last_move_at: datetime | None = None  # the time of the last move counted
    waiting_matches: int = 0  # matches that should be counted, but are not yet
    unreadable: int = 0  # matches whose log could not be read
    is_rebuilding: bool = False  # whether the logs of some children must still be read again


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a class on a period. Habits are always compared over the usual period."""

    tables: Sequence[int]  # the assigned ones, and those with enough evidence of a child
    lines: Sequence[ChildLine]
    totals: Sequence[TableCell]  # of each column
    total: RowCounts  # of all tables, with a column or without
    usual_days: Mapping[UUID, Sequence[DayPlayed]]  # by child, with turns in the usual period
    usual_rows_laid: Mapping[UUID, int]  # by child, in the usual period
    freshness: Freshness

    def for_children(self, children: Container[UUID]) -> "Report":
        """The part of the report about these children."""
        lines = [line for line in self.lines if line.child.pk in children]
        totals, total = _totals(self.tables, lines)
        return replace(self, lines=lines, totals=totals, total=total)

    @property
    def rows(self) -> Mapping[tuple[UUID, int], RowCounts]:
        """The rows of each child and column."""
        return {
            (line.child.pk, cell.table): cell.rows for line in self.lines for cell in line.cells
        }

    @property
    def rounds(self) -> int:
        return sum(line.rounds for line in self.lines)

    @property
    def has_been_played(self) -> bool:
        return any(line.last_at for line in self.lines)


@dataclass(frozen=True, slots=True)
class Moves:
    """The chances behind a cell of the map, newest first, at most `MOST_MOVES`."""

    rows: RowCounts
    chances: Sequence[Chance]
    last_at: datetime | None = None


def class_report(figures: ClassFigures, since: date | None = None) -> Report:
    """The report of a class. It counts the rows and rounds of its children in all their classes,
    from the day `since` on or on all days."""
    lately = first_day(figures.today, USUAL_PERIOD)
    assert lately
    activity = _activity_of(figures, since, lately)
    tables = _columns(figures)
    lines = []
    for child in figures.children:
        cells, played = figures.tables.get(child.pk, {}), activity.played[child.pk]
        rows: Mapping[int, RowCounts] = activity.rows.get(child.pk, {})
        if since is None:
            rows = {table: cell.rows for table, cell in cells.items()}
        cells_shown = [
            replace(
                cells.get(table, TableCell(child.pk, table, RowCounts())),
                rows=rows.get(table, RowCounts()),
            )
            for table in tables
        ]
        total = RowCounts.sum(rows.values())
        last_at = activity.last_at.get(child.pk)
        lines.append(
            ChildLine(child, cells_shown, total, played["rounds"], played["hints"], last_at)
        )
    totals, total = _totals(tables, lines)
    return Report(tables, lines, totals, total, activity.days, activity.laid, activity.freshness)


def last_days(report: Report, school_class: SchoolClass) -> dict[UUID, date]:
    """The day on which each child last played, in the time zone of the class."""
    days = ((line.child.pk, line.last_at) for line in report.lines)
    return {child: school_class.day_of(last) for child, last in days if last}


def cell_moves(child: Child, table: int, since: date | None = None) -> Moves:
    """The rows behind a cell, and its newest chances, at most `MOST_MOVES`. They are of all classes
    of the child, from the day `since` on or of all days."""
    condition = Q(child=child) & _in_column(table)
    counts: QuerySet[TableDay] | QuerySet[TableMastery]
    if since:
        condition &= Q(day__gte=since)
        counts = TableDay.objects.filter(condition)
    else:
        counts = TableMastery.objects.filter(condition)
    days: list[TableDay | TableMastery] = list(counts.order_by("last_at"))
    last_at = days[-1].last_at if days else None
    chances = list(_cell_chances(child, table, since)[:MOST_MOVES])
    return Moves(RowCounts.sum(days), chances, last_at)


def counted_chances(child: Child, table: int, since: date | None) -> QuerySet[Chance]:
    """The chances that a cell counts, newest first. Chances that belong to no share are left
    out."""
    return _cell_chances(child, table, since).filter(outcome__in=IN_SHARES)


def _cell_chances(child: Child, table: int, since: date | None) -> QuerySet[Chance]:
    condition = Q(child=child) & _in_column(table)
    if since:
        condition &= Q(day__gte=since)
    return Chance.objects.filter(condition).order_by("-at", "-entry", "-pk")


def _in_column(table: int) -> Q:
    if table in TABLES_TO_12:
        return Q(table=table)
    return Q(table__lt=TABLES_TO_12.start) | Q(table__gte=TABLES_TO_12.stop)


def rows_of_classes(classes: Iterable[SchoolClass], period: str) -> Mapping[UUID, RowCounts]:
    """The rows of each class, as in the `total` of its report. One query for all classes."""
    first_days: dict[date | None, list[UUID]] = defaultdict(list)
    for school_class in classes:
        first_days[first_day(school_class.today(), period)].append(school_class.pk)
    condition = Q(pk=None)
    for since, keys in first_days.items():
        condition |= _from(since) & Q(child__school_class__in=keys)
    days = TableDay.objects.filter(condition, child__removed_at=None).values("child__school_class")
    rows: dict[UUID, RowCounts] = defaultdict(RowCounts)
    for row in days.annotate(**{name: Sum(name) for name in CHANCE_COUNTS}):
        rows[row["child__school_class"]].add(row)
    return rows


@dataclass(slots=True)
class _Activity:
    rows: dict[UUID, dict[int, RowCounts]]  # by table of the map, from the report's first day
    laid: Counter[UUID]  # the rows laid in the usual period
    played: dict[UUID, Counter[str]]  # `PLAY_COUNTS` from the first day of the report on
    last_at: dict[UUID, datetime]
    days: dict[UUID, list[DayPlayed]]  # the days with turns in the usual period
    freshness: Freshness = Freshness()


def _activity_of(figures: ClassFigures, since: date | None, lately: date) -> _Activity:
    """What each child did from the day `since` on and from the day `lately` on, and how up to date
    this is. One query of three parts, because the page of a class has no room for three queries."""
    children = [child.pk for child in figures.children]
    activity = _Activity(
        defaultdict(lambda: defaultdict(RowCounts)), Counter(), defaultdict(Counter), {}, {}
    )
    parts = (_play_by_day(children, since, lately), _uncounted_matches(figures.school_class))
    for child, table, day, last_at, *counts in _rows_by_table(children, since, lately).union(
        *parts, all=True
    ):
        if child is None:
            waits, unreadable, *_ = counts
            activity.freshness = Freshness(last_at, waits, unreadable, figures.is_rebuilding)
        elif table is not None:
            *rows, row_count = counts
            activity.rows[child][column_of(table)].add(RowCounts(*rows))
            activity.laid[child] += row_count
        else:
            rounds, hints, all_turns, tries, hint_turns, *_ = counts
            activity.played[child].update(rounds=rounds, hints=hints)
            activity.last_at[child] = max(activity.last_at.get(child, last_at), last_at)
            if day and all_turns:
                day_played = DayPlayed(day, all_turns, tries, hint_turns)
                activity.days.setdefault(child, []).append(day_played)
    return activity


def _rows_by_table(
    children: Collection[UUID], since: date | None, lately: date
) -> QuerySet[Any, Any]:
    """By child and table, the rows from `since` on by outcome, and the rows laid from `lately`
    on."""
    days = TableDay.objects.filter(child__in=children, day__gte=min(since or lately, lately))
    rows = {f"{name}_since": Sum(name, filter=_from(since), default=0) for name in CHANCE_COUNTS}
    rows_laid = Sum(ROWS_LAID, filter=_from(lately), default=0)
    return _part(days, ("child", "table", NO_DAY), "last_at", **rows, laid=rows_laid)


def _play_by_day(
    children: Collection[UUID], since: date | None, lately: date
) -> QuerySet[Any, Any]:
    """By child and day, what was played from `since` on, and what was played at any time. The days
    before `lately` are added up."""
    day = Case(When(_from(lately), then=F("day")))
    return _part(
        ChildDay.objects.filter(child__in=children),
        ("child", NO_TABLE, day),
        "last_at",
        **{f"{name}_since": Sum(name, filter=_from(since), default=0) for name in PLAY_COUNTS},
        **{f"all_{name}": Sum(name) for name in ("turns", "tries", "hint_turns")},
    )


def _uncounted_matches(school_class: SchoolClass) -> QuerySet[Any, Any]:
    """The numbers of recent matches of the class that wait to be counted, and that cannot be
    read."""
    matches = Attempt.objects.filter(
        assignment__school_class=school_class, created_at__gte=timezone.now() - RECENT_SPAN
    )
    return _part(
        matches,
        (NO_CHILD, NO_TABLE, NO_DAY),
        "game__evidence_mark__upto_at",
        waiting=Count("pk", filter=evidence.due_condition()),
        unreadable=Count("pk", filter=Q(game__evidence_mark__problem__gt="")),
    )


def _part(
    rows: QuerySet[Any], keys: Sequence[Any], last_at: str, **counts: Aggregate
) -> QuerySet[Any, Any]:
    """A part of a union: by child, table and day, the latest `last_at` and `MOST_COUNTS` counts.
    Counts that are not given are 0."""
    zeros = {f"zero_{n}": Value(0) for n in range(MOST_COUNTS - len(counts))}
    grouped = rows.order_by().values_list(*keys)
    return grouped.annotate(last=Max(last_at), **counts, **zeros)


def _from(day: date | None) -> Q:
    return Q(day__gte=day) if day else Q()


def _columns(figures: ClassFigures) -> list[int]:
    """The tables of the map by number, then the column of other rows."""
    assigned = figures.assigned_tables & set(TABLES_TO_12)
    tables = {
        cell.table for cells in figures.tables.values() for cell in cells.values() if cell.is_shown
    }
    return [*sorted((assigned | tables) - {OTHER_TABLES}), *({OTHER_TABLES} & tables)]


def _totals(
    tables: Sequence[int], lines: Sequence[ChildLine]
) -> tuple[Sequence[TableCell], RowCounts]:
    """The totals of these lines, for each table and for all rows."""
    totals = [
        TableCell(None, table, RowCounts.sum(line.cells[column].rows for line in lines))
        for column, table in enumerate(tables)
    ]
    return totals, RowCounts.sum(line.total for line in lines)
