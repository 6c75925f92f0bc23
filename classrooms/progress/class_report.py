"""The report of a class, from counts and stored levels. It needs a fixed number of queries, and is
as fast after forty weeks as after four."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Case, Count, F, Max, Q, QuerySet, Sum, When
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
from classrooms.progress.rows import LAID_OF_ONE, OTHER_TABLES, Rows, TableCell, column_of
from games.coach.times_tables import TABLES_TO_12

MOST_MOVES: Final = 200
RECENT: Final = timedelta(days=28)
"""The freshness of a report counts only matches begun within this time."""


@dataclass(frozen=True, slots=True)
class ChildLine:
    """A child's line of the report."""

    child: Child
    cells: Sequence[TableCell]
    total: Rows
    rounds: int
    turns: int
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
    upto: datetime | None  # the time of the last move counted
    waiting: int  # matches with uncounted moves that nobody plays any more
    unreadable: int  # matches whose log could not be read
    is_rebuilding: bool = False
    """Whether the logs of some children must still be read again, as after an upgrade."""


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a class."""

    tables: Sequence[int]
    """The columns: the tables that are assigned, and those of which a child has enough evidence."""
    lines: Sequence[ChildLine]
    totals: Sequence[TableCell]  # of each column
    total: Rows  # of all rows, also of tables without a column
    days: Mapping[UUID, Sequence[DayPlayed]]
    """By child, the days with turns in the usual period, whatever the period of the report."""
    laid: Mapping[UUID, int] | None
    """By child, the rows laid in the usual period. None in a report of all days."""

    def narrowed(self, children: Container[UUID]) -> "Report":
        """The report of only these children."""
        lines = [line for line in self.lines if line.child.pk in children]
        totals, total = _totals(self.tables, lines)
        return replace(self, lines=lines, totals=totals, total=total)

    @property
    def rows(self) -> Mapping[tuple[UUID, int], Rows]:
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

    rows: Rows
    chances: Sequence[Chance]
    last_at: datetime | None = field(default=None)


def class_report(figures: ClassFigures, since: date | None = None) -> Report:
    """The report of a class. It counts what its children did in all their classes: rows and rounds
    from the day `since` on, or of all days."""
    children, mastered = figures.children, figures.tables
    lately = first_day(figures.today, USUAL_PERIOD)
    assert lately
    rows, laid = _rows_since(children, since, lately) if since else (_rows_ever(mastered), None)
    played, days = _played(children, since, lately)
    tables = _columns(figures)
    lines = [_line(child, tables, mastered, rows, played) for child in children]
    totals, total = _totals(tables, lines)
    return Report(tables, lines, totals, total, days, laid)


def last_days(report: Report, school_class: SchoolClass) -> dict[UUID, date]:
    """The day on which each child last played, in the time zone of the class."""
    played = ((line.child.pk, line.last_at) for line in report.lines)
    return {child: school_class.day_of(last) for child, last in played if last}


def freshness_of(figures: ClassFigures) -> Freshness:
    """How up to date the report of a class is, by its recent matches. One query."""
    mark = "game__evidence_mark"
    recent = Attempt.objects.filter(
        assignment__school_class=figures.school_class, created_at__gte=timezone.now() - RECENT
    )
    counted = recent.aggregate(
        upto=Max(f"{mark}__upto_at"),
        waiting=Count("pk", filter=evidence.is_due()),
        unreadable=Count("pk", filter=Q(**{f"{mark}__problem__gt": ""})),
    )
    return Freshness(**counted, is_rebuilding=figures.is_rebuilding)


def moves_behind(child: Child, table: int, since: date | None = None) -> Moves:
    """The rows behind a cell and its newest chances, at most `MOST_MOVES`: from all classes of the
    child, from the day `since` on or of all days."""
    which = Q(child=child) & _in_column(table)
    counts: QuerySet[TableDay] | QuerySet[TableMastery]
    if since:
        which &= Q(day__gte=since)
        counts = TableDay.objects.filter(which)
    else:
        counts = TableMastery.objects.filter(which)
    rows, last_at = Rows(), None
    for counted in counts.order_by("last_at"):
        rows.add(counted)
        last_at = counted.last_at
    return Moves(rows, list(_chances_behind(child, table, since)[:MOST_MOVES]), last_at)


def counted_behind(child: Child, table: int, since: date | None) -> QuerySet[Chance]:
    """The chances that a cell counts, newest first: without those that are in no share."""
    return _chances_behind(child, table, since).filter(outcome__in=IN_SHARES)


def _chances_behind(child: Child, table: int, since: date | None) -> QuerySet[Chance]:
    which = Q(child=child) & _in_column(table)
    if since:
        which &= Q(day__gte=since)
    return Chance.objects.filter(which).order_by("-at", "-entry", "-pk")


def _in_column(table: int) -> Q:
    if table in TABLES_TO_12:
        return Q(table=table)
    return Q(table__lt=TABLES_TO_12.start) | Q(table__gte=TABLES_TO_12.stop)


def _rows_since(
    children: Iterable[Child], since: date, lately: date
) -> tuple[Mapping[UUID, Mapping[int, Rows]], Mapping[UUID, int]]:
    """The rows of each child and column of the map from the day `since` on, and how many rows each
    child laid from the day `lately` on."""
    then = Q(day__gte=since)
    sums: Iterable[Mapping[str, Any]] = (
        TableDay.objects.filter(
            child__in=[child.pk for child in children], day__gte=min(since, lately)
        )
        .values("child", "table")
        .annotate(
            **{f"then_{name}": Sum(name, filter=then, default=0) for name in CHANCE_COUNTS},
            laid=Sum(LAID_OF_ONE, filter=Q(day__gte=lately), default=0),
        )
    )
    counted: dict[UUID, dict[int, Rows]] = defaultdict(lambda: defaultdict(Rows))
    laid: dict[UUID, int] = defaultdict(int)
    for row in sums:
        of_table = {name: row[f"then_{name}"] for name in CHANCE_COUNTS}
        counted[row["child"]][column_of(row["table"])].add(of_table)
        laid[row["child"]] += row["laid"]
    return counted, laid


def rows_of_classes(classes: Iterable[SchoolClass], period: str) -> Mapping[UUID, Rows]:
    """The rows of each class, as in the `total` of its report. One query for all classes."""
    first_days: dict[date | None, list[UUID]] = defaultdict(list)
    for school_class in classes:
        first_days[first_day(school_class.today(), period)].append(school_class.pk)
    which = Q(pk=None)
    for since, keys in first_days.items():
        then = Q(day__gte=since) if since else Q()
        which |= then & Q(child__school_class__in=keys)
    counted = TableDay.objects.filter(which, child__removed_at=None).values("child__school_class")
    rows: dict[UUID, Rows] = defaultdict(Rows)
    for row in counted.annotate(**{name: Sum(name) for name in CHANCE_COUNTS}):
        rows[row["child__school_class"]].add(row)
    return rows


@dataclass(slots=True)
class _Played:
    """What a child did from a day on, and when they last played."""

    rounds: int = 0
    turns: int = 0
    hints: int = 0
    last_at: datetime | None = None


def _played(
    children: Iterable[Child], since: date | None, lately: date
) -> tuple[Mapping[UUID, _Played], Mapping[UUID, Sequence[DayPlayed]]]:
    """What each child did from `since` on, and their days with turns from `lately` on. In one
    query, which adds up the days before `lately`."""
    then = Q(day__gte=since) if since else Q()
    rows = (
        ChildDay.objects.filter(child__in=[child.pk for child in children])
        .values("child", lately_on=Case(When(day__gte=lately, then=F("day"))))
        .annotate(
            then_rounds=Sum("rounds", filter=then, default=0),
            then_turns=Sum("turns", filter=then, default=0),
            then_hints=Sum("hints", filter=then, default=0),
            last=Max("last_at"),
            all_turns=Sum("turns"),
            all_tries=Sum("tries"),
            all_hint_turns=Sum("hint_turns"),
        )
    )
    played: dict[UUID, _Played] = defaultdict(_Played)
    days: dict[UUID, list[DayPlayed]] = defaultdict(list)
    for row in rows:
        of_child, day = played[row["child"]], row["lately_on"]
        of_child.rounds += row["then_rounds"]
        of_child.turns += row["then_turns"]
        of_child.hints += row["then_hints"]
        of_child.last_at = max(filter(None, (of_child.last_at, row["last"])))
        if day and row["all_turns"]:
            days[row["child"]].append(
                DayPlayed(
                    day=day,
                    turns=row["all_turns"],
                    refused=row["all_tries"],
                    hint_turns=row["all_hint_turns"],
                )
            )
    return played, days


def _rows_ever(
    mastered: Mapping[UUID, Mapping[int, TableCell]],
) -> Mapping[UUID, Mapping[int, Rows]]:
    return {
        child: {table: cell.rows for table, cell in cells.items()}
        for child, cells in mastered.items()
    }


def _columns(figures: ClassFigures) -> list[int]:
    """The tables of the map by their number, then the column of other rows."""
    assigned = figures.assigned_tables & set(TABLES_TO_12)
    shown = {
        cell.table for cells in figures.tables.values() for cell in cells.values() if cell.is_shown
    }
    return [*sorted((assigned | shown) - {OTHER_TABLES}), *({OTHER_TABLES} & shown)]


def _line(
    child: Child,
    tables: Sequence[int],
    mastered: Mapping[UUID, Mapping[int, TableCell]],
    rows: Mapping[UUID, Mapping[int, Rows]],
    played: Mapping[UUID, _Played],
) -> ChildLine:
    cells, by_table = mastered.get(child.pk, {}), rows.get(child.pk, {})
    did = played.get(child.pk, _Played())
    return ChildLine(
        child=child,
        cells=[
            replace(
                cells.get(table, TableCell(child.pk, table, Rows())),
                rows=by_table.get(table, Rows()),
            )
            for table in tables
        ],
        total=_sum_of_rows(by_table.values()),
        rounds=did.rounds,
        turns=did.turns,
        hints=did.hints,
        last_at=did.last_at,
    )


def _totals(tables: Sequence[int], lines: Sequence[ChildLine]) -> tuple[Sequence[TableCell], Rows]:
    """The totals of these lines, for each table and for all rows."""
    totals = [
        TableCell(None, table, _sum_of_rows(line.cells[column].rows for line in lines))
        for column, table in enumerate(tables)
    ]
    return totals, _sum_of_rows(line.total for line in lines)


def _sum_of_rows(several: Iterable[Rows]) -> Rows:
    total = Rows()
    for rows in several:
        total.add(rows)
    return total
