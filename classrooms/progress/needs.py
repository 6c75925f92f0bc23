"""Who needs what next: groups that a teacher can help, with the figures behind them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, Self
from uuid import UUID

from classrooms.models import Child
from classrooms.progress.class_figures import ClassFigures
from classrooms.progress.facts import FactCell
from classrooms.progress.rows import OTHER_TABLES, RowCounts, TableCell
from games.coach.questions.short_questions import MOST_NEW
from games.coach.statements.certainty import (
    FALSE_NEEDS,
    STUCK_BELOW,
    which_are_below,
    which_are_stuck,
)
from games.coach.statements.contrasts import Share
from games.coach.statements.table_levels import SECURE_FROM
from games.coach.times_tables import TEACHING_ORDER, Fact

NEXT_FACTS: Final = MOST_NEW
"""The most facts that a child should learn next."""
AWAY_DAYS: Final = 7


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Children who should learn this table next: the first table of which they certainly do not
    find enough rows."""

    table: int
    children: Sequence[Child]
    cells: Mapping[UUID, TableCell]  # by child
    rows: RowCounts  # the sum of all cells


@dataclass(frozen=True, slots=True)
class StuckChild:
    """A child who is stuck, and the table of which they find the smallest share of rows."""

    child: Child
    cell: TableCell


@dataclass(frozen=True, slots=True)
class AbsentChild:
    child: Child
    last_day: date


@dataclass(frozen=True, slots=True)
class Needs:
    tables: Sequence[TableGroup]
    facts: Mapping[Child, Sequence[FactCell]]  # the facts to learn next, the weakest first
    stuck_children: Sequence[StuckChild]
    absent_children: Sequence[AbsentChild]
    never_begun: Sequence[Child]  # the children who have never begun a game

    def of(self, child: Child) -> Self:
        """The needs of one child."""
        tables = []
        for group in self.tables:
            if cell := group.cells.get(child.pk):
                tables.append(TableGroup(group.table, [child], {child.pk: cell}, cell.rows))
        return replace(
            self,
            tables=tables,
            facts={child: self.facts[child]} if child in self.facts else {},
            stuck_children=[stuck for stuck in self.stuck_children if stuck.child == child],
            absent_children=[absent for absent in self.absent_children if absent.child == child],
            never_begun=[child] if child in self.never_begun else [],
        )


def who_needs_what(figures: ClassFigures, last_days: Mapping[UUID, date]) -> Needs:
    """The needs of the children today, without a query. `last_days` has the day on which a child
    last played."""
    children, tables = figures.children, figures.tables
    begun = {*last_days, *figures.children_begun}
    return Needs(
        tables=_by_table(children, tables),
        facts={
            child: _next_facts(figures.facts.learning[child.pk])
            for child in children
            if figures.facts.learning.get(child.pk)
        },
        stuck_children=_stuck_children(children, tables),
        absent_children=_absent_children(children, last_days, figures.today),
        never_begun=[child for child in children if child.pk not in begun],
    )


def _by_table(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, TableCell]]
) -> Sequence[TableGroup]:
    """The children by the table that they should learn next, the largest group first. Each child is
    in one group at most."""
    groups: dict[int, list[Child]] = defaultdict(list)
    to_learn = _tables_to_learn(tables)
    for child in children:
        candidates = to_learn.get(child.pk, ())
        if next_table := next((table for table in TEACHING_ORDER if table in candidates), None):
            groups[next_table].append(child)
    table_groups = []
    for table, members in groups.items():
        cells = {child.pk: tables[child.pk][table] for child in members}
        rows = RowCounts.sum(cell.rows for cell in cells.values())
        table_groups.append(TableGroup(table, members, cells, rows))
    table_groups.sort(key=lambda group: (-len(group.children), group.rows.share, group.table))
    return table_groups


def _tables_to_learn(tables: Mapping[UUID, Mapping[int, TableCell]]) -> Mapping[UUID, set[int]]:
    """The tables of which a child certainly finds a smaller share of rows than a secure child does,
    by child."""
    cells = [
        (child, cell)
        for child, by_table in tables.items()
        for cell in by_table.values()
        if cell.is_shown and cell.level == "learning"
    ]
    certain = which_are_below([_share(cell) for _child, cell in cells], SECURE_FROM, FALSE_NEEDS)
    to_learn: dict[UUID, set[int]] = defaultdict(set)
    for (child, cell), is_certain in zip(cells, certain, strict=True):
        if is_certain:
            to_learn[child].add(cell.table)
    return to_learn


def _share(cell: TableCell) -> tuple[int, int]:
    return cell.rows.found, cell.rows.chances


def _next_facts(learning: Mapping[Fact, FactCell]) -> Sequence[FactCell]:
    """The facts that a child should practise first: those missed in a check-up, then those nearest
    to being known, the weakest of them first. Facts that were merely slow come only if there are no
    others."""
    wrong = [item for item in learning.values() if item.is_missed or item.right < item.evidence]
    facts = sorted(
        wrong or learning.values(), key=lambda item: (not item.is_missed, -item.chance, item.fact)
    )
    return sorted(
        facts[:NEXT_FACTS],
        key=lambda item: (not item.is_missed, Share(item.right, item.evidence).with_a_few_right),
    )


def _stuck_children(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, TableCell]]
) -> Sequence[StuckChild]:
    """The stuck children, each with their worst table. Over all days they surely find fewer than
    half of its rows, and recently they found fewer than half."""
    cells = [
        (child, cell)
        for child in children
        for cell in tables.get(child.pk, {}).values()
        if cell.table != OTHER_TABLES
    ]
    certain = which_are_stuck([_share(cell) for _child, cell in cells])
    by_child: dict[Child, list[TableCell]] = defaultdict(list)
    for (child, cell), is_certain in zip(cells, certain, strict=True):
        if is_certain and cell.level == "learning" and cell.recent_share < STUCK_BELOW:
            by_child[child].append(cell)
    worst = [
        StuckChild(child, min(cells, key=lambda cell: (cell.rows.share, cell.table)))
        for child, cells in by_child.items()
    ]
    return sorted(worst, key=lambda stuck: stuck.cell.rows.share)


def _absent_children(
    children: Iterable[Child], last_days: Mapping[UUID, date], today: date
) -> Sequence[AbsentChild]:
    limit = today - timedelta(days=AWAY_DAYS)
    return [
        AbsentChild(child, last_days[child.pk])
        for child in children
        if child.pk in last_days and last_days[child.pk] <= limit
    ]
