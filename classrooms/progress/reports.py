"""What a teacher reads about a class: from the counts alone, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Max, Q, Sum

from classrooms.models import Attempt, Child, SchoolClass

from .evidence import IS_BEHIND
from .models import ChildDay, Counted, Evidence, TableDay

FEWEST: Final = 3
"""No figure is told of fewer rows than this (learning.md)."""
NAMED_TABLES: Final = range(2, 13)
OTHER: Final = 0
"""The column of rows that are in no table, or in one that has no column of its own."""
STEPS: Final = (0.4, 0.6, 0.85)
"""The shares at which a cell of the map goes one step on from sand to green."""
NEEDS_HELP_BELOW: Final = 0.5
MOST_NEEDS: Final = 3
MOST_MOVES: Final = 200


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
    """A child's rows of one table, as the map shows them."""

    child: UUID | None
    table: int
    rows: Rows


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


def class_report(school_class: SchoolClass) -> Report:
    """What each child of the class can do; only what was played in this class counts."""
    children = list(school_class.children.all())
    counted = _rows_by_table(school_class)
    played = _played(school_class)
    assigned, others = _columns(school_class, counted)
    tables = [*assigned, *others]
    lines = [_line(child, tables, counted, played) for child in children]
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
    found = Attempt.objects.filter(assignment__school_class=school_class).aggregate(
        upto=Max(f"{mark}__upto_at"),
        waiting=Count("pk", filter=IS_BEHIND),
        unreadable=Count("pk", filter=Q(**{f"{mark}__problem__gt": ""})),
    )
    return Freshness(**found)


def moves_behind(child: Child, table: int) -> Moves:
    """The rows behind a cell of the child's class."""
    which = Q(child=child, school_class=child.school_class_id) & _in_column(table)
    rows, tried, last_at = Rows(), 0, None
    for day in TableDay.objects.filter(which).order_by("day"):
        rows.add(day)
        tried += day.tried
        last_at = day.last_at
    pieces = Evidence.objects.filter(which).order_by("-at", "-entry", "-pk")[:MOST_MOVES]
    return Moves(rows, list(pieces), tried, last_at)


def _in_column(table: int) -> Q:
    if table in NAMED_TABLES:
        return Q(table=table)
    return Q(table__lt=NAMED_TABLES.start) | Q(table__gte=NAMED_TABLES.stop)


def _rows_by_table(school_class: SchoolClass) -> Mapping[UUID, Mapping[int, Rows]]:
    sums = (
        TableDay.objects.filter(school_class=school_class)
        .values("child", "table")
        .annotate(found=Sum("found"), hinted=Sum("hinted"), missed=Sum("missed"))
    )
    counted: dict[UUID, dict[int, Rows]] = defaultdict(lambda: defaultdict(Rows))
    for row in sums:
        column = row["table"] if row["table"] in NAMED_TABLES else OTHER
        counted[row["child"]][column].add(row)
    return counted


def _played(school_class: SchoolClass) -> Mapping[UUID, Mapping[str, Any]]:
    days = (
        ChildDay.objects.filter(school_class=school_class)
        .values("child")
        .annotate(all_rounds=Sum("rounds"), all_hints=Sum("hints"), last=Max("last_at"))
    )
    return {row["child"]: row for row in days}


def _columns(
    school_class: SchoolClass, counted: Mapping[UUID, Mapping[int, Rows]]
) -> tuple[list[int], list[int]]:
    """The tables of the map: those that the class was assigned, then what else was there."""
    options = school_class.assignments.values_list("options", flat=True)
    assigned = {table for option in options for table in option.get("tables") or ()}
    assigned &= set(NAMED_TABLES)
    seen = {table for tables in counted.values() for table, rows in tables.items() if rows.there}
    others = sorted(seen - assigned - {OTHER})
    return sorted(assigned), [*others, *({OTHER} & seen)]


def _line(
    child: Child,
    tables: Sequence[int],
    counted: Mapping[UUID, Mapping[int, Rows]],
    played: Mapping[UUID, Mapping[str, Any]],
) -> Line:
    rows, days = counted.get(child.pk, {}), played.get(child.pk)
    cells = [Cell(child.pk, table, rows.get(table, Rows())) for table in tables]
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
