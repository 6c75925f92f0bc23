"""What a teacher reads about a class: from the counts and what was folded of them, in a fixed
number of queries, and as quick after forty weeks as after four."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, cast
from uuid import UUID

from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from classrooms.models import Attempt, Child, SchoolClass
from games.coach.mastery import FEWEST, Level, Reached, level

from .evidence import IS_BEHIND
from .mastering import known_from
from .models import ChildDay, Counted, Evidence, GameEvidence, TableDay, TableMastery

NAMED_TABLES: Final = range(2, 13)
OTHER: Final = 0
"""The column of rows that are in no table, or in one that has no column of its own."""
STEPS: Final = (0.4, 0.6, 0.85)
"""The shares at which a cell of the map goes one step on from sand to green."""
NEEDS_HELP_BELOW: Final = 0.5
MOST_NEEDS: Final = 3
MOST_MOVES: Final = 200
RECENT: Final = timedelta(days=28)
"""Matches begun before this are not looked at for moves that still wait to be counted."""
NOT_YET: Final[Level] = "not yet seen"


@dataclass(slots=True)
class Rows:
    """Rows that were there: found without a hint, found after one, or missed."""

    found: int = 0
    hinted: int = 0
    missed: int = 0

    @property
    def there(self) -> int:
        return self.found + self.hinted + self.missed

    @property
    def is_told(self) -> bool:
        """Whether there are enough of them to say something."""
        return self.there >= FEWEST

    @property
    def share(self) -> float:
        return self.found / self.there if self.there else 0.0

    @property
    def step(self) -> int:
        """How far from sand to green, 0 to `len(STEPS)`."""
        return sum(self.share >= step for step in STEPS)

    def add(self, other: "Rows | Counted | Mapping[str, Any]") -> None:
        for name in ("found", "hinted", "missed"):
            more = other[name] if isinstance(other, Mapping) else getattr(other, name)
            setattr(self, name, getattr(self, name) + more)


@dataclass(frozen=True, slots=True)
class Cell:
    """A child's rows of one table, as the map shows them. `rows`: of the time asked for; `level`
    from all days, `evidence` and `last_at`: of how many rows, and when the last was there;
    `late_share`: how much of late was found (0–1); `since`: when the level was reached that
    `level` is or fades from."""

    child: UUID | None
    table: int
    rows: Rows
    level: Level = NOT_YET
    evidence: int = 0
    last_at: datetime | None = None
    late_share: float = 0.0
    since: date | None = None

    @property
    def is_told(self) -> bool:
        """Whether its level may be shown: not of fewer than three rows."""
        return self.evidence >= FEWEST


@dataclass(frozen=True, slots=True)
class Line:
    """A child's line of the report."""

    child: Child
    cells: Sequence[Cell]
    total: Rows
    rounds: int
    hints: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class Need:
    """A table that several children find few rows of, and those rows taken together."""

    table: int
    children: Sequence[Child]
    rows: Rows


@dataclass(frozen=True, slots=True)
class Freshness:
    """Up to which move the report goes; how many matches have moves not counted yet, and how
    many have a log that could not be read."""

    upto: datetime | None
    waiting: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a class. `assigned` and `others` are the tables of the map's columns."""

    assigned: Sequence[int]
    others: Sequence[int]
    lines: Sequence[Line]
    totals: Sequence[Cell]
    total: Rows
    needs: Sequence[Need]
    freshness: Freshness

    @property
    def tables(self) -> Sequence[int]:
        return [*self.assigned, *self.others]

    @property
    def is_grouped(self) -> bool:
        """Whether the map has tables of both kinds to tell apart."""
        return bool(self.assigned and self.others)

    @property
    def rounds(self) -> int:
        return sum(line.rounds for line in self.lines)

    @property
    def hints(self) -> int:
        return sum(line.hints for line in self.lines)

    @property
    def has_been_played(self) -> bool:
        return any(line.last_at for line in self.lines)


@dataclass(frozen=True, slots=True)
class Moves:
    """What a cell of the map is made of, the newest first, at most `MOST_MOVES`."""

    rows: Rows
    pieces: Sequence[Evidence]
    tried: int = 0
    last_at: datetime | None = field(default=None)


def class_report(school_class: SchoolClass, since: date | None = None) -> Report:
    """What each child of the class can do, wherever it was played; the rows and rounds are those
    of the days from `since`, or of all days."""
    children = list(school_class.children.all())
    mastered = table_cells(children, school_class.today())
    counted = _rows_since(children, since) if since else None
    played = _played(children, since)
    assigned, others = _columns(school_class, mastered)
    tables = [*assigned, *others]
    lines = [_line(child, tables, mastered, counted, played) for child in children]
    totals = [
        Cell(None, table, _together(line.cells[column].rows for line in lines))
        for column, table in enumerate(tables)
    ]
    return Report(
        assigned,
        others,
        lines,
        totals,
        total=_together(cell.rows for cell in totals),
        needs=_needs(lines),
        freshness=freshness(school_class),
    )


def freshness(school_class: SchoolClass) -> Freshness:
    """How fresh the report of the class is."""
    mark = "game__evidence_mark"
    recent = Attempt.objects.filter(
        assignment__school_class=school_class, created_at__gte=timezone.now() - RECENT
    )
    found = recent.aggregate(upto=Max(f"{mark}__upto_at"), waiting=Count("pk", filter=IS_BEHIND))
    unreadable = GameEvidence.objects.filter(
        problem__gt="", game__attempt__assignment__school_class=school_class
    )
    return Freshness(**found, unreadable=unreadable.count())


def moves_behind(child: Child, table: int) -> Moves:
    """The rows behind a cell, in whichever class they were played."""
    which = Q(child=child) & _in_column(table)
    rows, tried, last_at = Rows(), 0, None
    for mastery in TableMastery.objects.filter(which).order_by("last_at"):
        rows.add(mastery)
        tried += mastery.tried
        last_at = mastery.last_at
    pieces = Evidence.objects.filter(which).order_by("-at", "-entry", "-pk")[:MOST_MOVES]
    return Moves(rows, list(pieces), tried, last_at)


def _in_column(table: int) -> Q:
    if table in NAMED_TABLES:
        return Q(table=table)
    return Q(table__lt=NAMED_TABLES.start) | Q(table__gte=NAMED_TABLES.stop)


def table_cells(children: Iterable[Child], today: date) -> Mapping[UUID, Mapping[int, Cell]]:
    """All cells of these children; the tables without a column of their own are put together."""
    cells: dict[UUID, dict[int, Cell]] = defaultdict(dict)
    stored = TableMastery.objects.filter(child__in=[child.pk for child in children])
    for row in stored.defer("before").order_by("last_at"):
        column = row.table if row.table in NAMED_TABLES else OTHER
        known, before = known_from(row.known), cells[row.child_id].get(column)
        rows = Rows(before.rows.found, before.rows.hinted, before.rows.missed) if before else Rows()
        rows.add(row)
        cells[row.child_id][column] = Cell(
            child=row.child_id,
            table=column,
            rows=rows,
            level=level(cast(Reached, row.reached), known, today.toordinal())
            if column
            else NOT_YET,
            evidence=rows.there,
            last_at=row.last_at,
            late_share=known.share,
            since=row.reached_on,
        )
    return cells


def _rows_since(children: Iterable[Child], since: date) -> Mapping[UUID, Mapping[int, Rows]]:
    sums = (
        TableDay.objects.filter(child__in=[child.pk for child in children], day__gte=since)
        .values("child", "table")
        .annotate(found=Sum("found"), hinted=Sum("hinted"), missed=Sum("missed"))
    )
    counted: dict[UUID, dict[int, Rows]] = defaultdict(lambda: defaultdict(Rows))
    for row in sums:
        column = row["table"] if row["table"] in NAMED_TABLES else OTHER
        counted[row["child"]][column].add(row)
    return counted


def _played(children: Iterable[Child], since: date | None) -> Mapping[UUID, Mapping[str, Any]]:
    """By child: rounds and hints since then, and when it last played at all."""
    then = Q(day__gte=since) if since else Q()
    days = (
        ChildDay.objects.filter(child__in=[child.pk for child in children])
        .values("child")
        .annotate(
            all_rounds=Sum("rounds", filter=then, default=0),
            all_hints=Sum("hints", filter=then, default=0),
            last=Max("last_at"),
        )
    )
    return {row["child"]: row for row in days}


def _columns(
    school_class: SchoolClass, mastered: Mapping[UUID, Mapping[int, Cell]]
) -> tuple[list[int], list[int]]:
    """The tables of the map: those that the class was assigned, then what else was there."""
    options = school_class.assignments.values_list("options", flat=True)
    assigned = {table for option in options for table in option.get("tables") or ()}
    assigned &= set(NAMED_TABLES)
    seen = {table for own in mastered.values() for table, cell in own.items() if cell.evidence}
    others = sorted(seen - assigned - {OTHER})
    return sorted(assigned), [*others, *({OTHER} & seen)]


def _line(
    child: Child,
    tables: Sequence[int],
    mastered: Mapping[UUID, Mapping[int, Cell]],
    counted: Mapping[UUID, Mapping[int, Rows]] | None,
    played: Mapping[UUID, Mapping[str, Any]],
) -> Line:
    own, days = mastered.get(child.pk, {}), played.get(child.pk)
    cells = [own.get(table, Cell(child.pk, table, Rows())) for table in tables]
    if counted is not None:
        then = counted.get(child.pk, {})
        cells = [replace(cell, rows=then.get(cell.table, Rows())) for cell in cells]
    return Line(
        child,
        cells,
        total=_together(cell.rows for cell in cells),
        rounds=days["all_rounds"] if days else 0,
        hints=days["all_hints"] if days else 0,
        last_at=days["last"] if days else None,
    )


def _together(parts: Iterable[Rows]) -> Rows:
    total = Rows()
    for part in parts:
        total.add(part)
    return total


def _needs(lines: Collection[Line]) -> list[Need]:
    """The tables that most children find few rows of, where enough rows were there to say so."""
    weak: dict[int, list[tuple[Child, Rows]]] = defaultdict(list)
    for line in lines:
        for cell in line.cells:
            if cell.table != OTHER and cell.rows.is_told and cell.rows.share < NEEDS_HELP_BELOW:
                weak[cell.table].append((line.child, cell.rows))
    needs = [
        Need(table, [child for child, _ in found], _together(rows for _, rows in found))
        for table, found in weak.items()
    ]
    needs.sort(key=lambda need: (-len(need.children), need.rows.share, need.table))
    return needs[:MOST_NEEDS]
