"""Who needs what next: groups that a teacher can act on, with the figures behind them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from classrooms.models import Child
from classrooms.progress.figures.class_figures import ClassFigures
from classrooms.progress.figures.table_rows import OTHER, Rows, TableCell
from games.coach.facts import Fact
from games.coach.quiz import MOST_NEW
from games.coach.times_tables import TEACHING_ORDER

NEXT_FACTS: Final = MOST_NEW
"""The most new facts at a time."""
STUCK_ROWS: Final = 12
STUCK_BELOW: Final = 0.5
"""Stuck: of at least this many rows of a table less than half were found, over all and lately."""
AWAY_DAYS: Final = 7
MOST_GROUPS: Final = 6


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Children whose next table this is: the first that they are still learning. `cells` by child;
    `rows` of all of them."""

    table: int
    children: Sequence[Child]
    cells: Mapping[UUID, TableCell]
    rows: Rows


@dataclass(frozen=True, slots=True)
class FactGroup:
    """Children who share this fact among their next ones to learn."""

    fact: Fact
    children: Sequence[Child]


@dataclass(frozen=True, slots=True)
class Stuck:
    """A child that is stuck at a table: the one where it finds the smallest share."""

    child: Child
    cell: TableCell


@dataclass(frozen=True, slots=True)
class Refreshing:
    """A child and the tables of its that need refreshing."""

    child: Child
    tables: Sequence[TableCell]


@dataclass(frozen=True, slots=True)
class Away:
    """A child that has not played for a week. `since`: its last day, None if it never played."""

    child: Child
    since: date | None


@dataclass(frozen=True, slots=True)
class Needs:
    """`next_facts`: by child, the facts likeliest to be answered right first."""

    tables: Sequence[TableGroup]
    facts: Sequence[FactGroup]
    next_facts: Mapping[UUID, Sequence[Fact]]
    stuck: Sequence[Stuck]
    refreshing: Sequence[Refreshing]
    away: Sequence[Away]


def who_needs_what(figures: ClassFigures, last: Mapping[UUID, date]) -> Needs:
    """The groups of the class as of today; no query. `last`: by child the day it last played,
    without those that never did."""
    children, tables = figures.children, figures.tables
    next_facts = _next_facts(figures)
    return Needs(
        tables=_by_table(children, tables),
        facts=_by_fact(children, next_facts),
        next_facts=next_facts,
        stuck=_stuck(children, tables),
        refreshing=_refreshing(children, tables),
        away=_away(children, last, figures.today),
    )


def _by_table(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, TableCell]]
) -> Sequence[TableGroup]:
    """Each child is in one group at most; the largest group comes first."""
    groups: dict[int, list[Child]] = defaultdict(list)
    for child in children:
        own = tables.get(child.pk, {})
        learning = [table for table in TEACHING_ORDER if _is_learning(own.get(table))]
        if learning:
            groups[learning[0]].append(child)
    table_groups = []
    for table, members in groups.items():
        cells = {child.pk: tables[child.pk][table] for child in members}
        rows = Rows()
        for cell in cells.values():
            rows.add(cell.rows)
        table_groups.append(TableGroup(table, members, cells, rows))
    table_groups.sort(key=lambda group: (-len(group.children), group.rows.share, group.table))
    return table_groups[:MOST_GROUPS]


def _is_learning(cell: TableCell | None) -> bool:
    return cell is not None and cell.is_shown and cell.level == "learning"


def _next_facts(figures: ClassFigures) -> Mapping[UUID, Sequence[Fact]]:
    """By child, of the facts that it is learning those likeliest to be answered right."""
    return {
        child: sorted(learning, key=lambda fact: (-learning[fact], fact))[:NEXT_FACTS]
        for child, learning in figures.facts.learning.items()
    }


def _by_fact(
    children: Sequence[Child], next_facts: Mapping[UUID, Sequence[Fact]]
) -> Sequence[FactGroup]:
    groups: dict[Fact, list[Child]] = defaultdict(list)
    for child in children:
        for fact in next_facts.get(child.pk, ()):
            groups[fact].append(child)
    shared = [FactGroup(fact, members) for fact, members in groups.items() if len(members) > 1]
    shared.sort(key=lambda group: (-len(group.children), group.fact))
    return shared[:MOST_GROUPS]


def _stuck(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, TableCell]]
) -> Sequence[Stuck]:
    stuck = []
    for child in children:
        cells = [cell for cell in tables.get(child.pk, {}).values() if _is_stuck(cell)]
        if cells:
            stuck.append(Stuck(child, min(cells, key=lambda cell: (cell.rows.share, cell.table))))
    return sorted(stuck, key=lambda one: one.cell.rows.share)


def _is_stuck(cell: TableCell) -> bool:
    return (
        cell.table != OTHER
        and cell.level == "learning"
        and cell.evidence >= STUCK_ROWS
        and cell.rows.share < STUCK_BELOW
        and cell.late_share < STUCK_BELOW
    )


def _refreshing(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, TableCell]]
) -> Sequence[Refreshing]:
    refreshing = []
    for child in children:
        own = tables.get(child.pk, {}).values()
        cells = [cell for cell in own if cell.needs_refreshing]
        if cells:
            refreshing.append(Refreshing(child, sorted(cells, key=lambda cell: cell.table)))
    refreshing.sort(key=lambda one: -len(one.tables))
    return refreshing


def _away(children: Iterable[Child], last: Mapping[UUID, date], today: date) -> Sequence[Away]:
    limit = today - timedelta(days=AWAY_DAYS)
    away = [Away(child, last.get(child.pk)) for child in children]
    return [one for one in away if one.since is None or one.since <= limit]
