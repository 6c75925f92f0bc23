"""Who needs what next: groups that a teacher can act on, each with the figures that say why."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Max

from classrooms.models import Child
from games.coach.facts import Fact
from games.coach.mastery import FACTS, Ability, Known, chance, difficulty

from .facts import FactCell
from .figures import Figures
from .models import ChildAbility, ChildDay
from .rows import OTHER, Cell, Rows

TEACHING_ORDER: Final = (2, 10, 5, 4, 3, 6, 9, 8, 7, 11, 12)
"""The tables as they are mostly taught (learning.md, The child)."""
NEXT_FACTS: Final = 4
"""No more new facts than this at a time (learning.md)."""
STUCK_ROWS: Final = 12
STUCK_BELOW: Final = 0.5
"""Stuck: of so many rows of a table less than half were found, early and late."""
AWAY_DAYS: Final = 7
MOST_GROUPS: Final = 6


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Children whose next table this is: the first that they are still learning. `cells` by
    child, `rows` of all of them."""

    table: int
    children: Sequence[Child]
    cells: Mapping[UUID, Cell]
    rows: Rows


@dataclass(frozen=True, slots=True)
class FactGroup:
    """Children who have this fact among the next ones to learn."""

    fact: Fact
    children: Sequence[Child]


@dataclass(frozen=True, slots=True)
class Stuck:
    """A child that does not get on with a table: the one where it finds least."""

    child: Child
    cell: Cell


@dataclass(frozen=True, slots=True)
class Fading:
    """A child and what it could do, but has not been seen to do for long."""

    child: Child
    tables: Sequence[Cell]
    facts: Sequence[FactCell]


@dataclass(frozen=True, slots=True)
class Away:
    """A child that has not played for a week; `since` None: never."""

    child: Child
    since: date | None


@dataclass(frozen=True, slots=True)
class Needs:
    """`next_facts`: of each child, those likeliest to come right first."""

    tables: Sequence[TableGroup]
    facts: Sequence[FactGroup]
    next_facts: Mapping[UUID, Sequence[FactCell]]
    stuck: Sequence[Stuck]
    fading: Sequence[Fading]
    away: Sequence[Away]


def who_needs_what(figures: Figures, last: Mapping[UUID, date] | None = None) -> Needs:
    """The groups of the class as of today. `last`: the days on which children last played, where
    they are known already."""
    children, today = figures.children, figures.today
    tables, facts = figures.tables, figures.facts
    next_facts = _next_facts(children, facts, today)
    return Needs(
        tables=_by_table(children, tables),
        facts=_by_fact(children, next_facts),
        next_facts=next_facts,
        stuck=_stuck(children, tables),
        fading=_fading(children, tables, facts),
        away=_away(children, _last_days(children) if last is None else last, today),
    )


def _by_table(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, Cell]]
) -> Sequence[TableGroup]:
    """Each child is in one group at most; the largest group comes first."""
    groups: dict[int, list[Child]] = defaultdict(list)
    for child in children:
        own = tables.get(child.pk, {})
        learning = [table for table in TEACHING_ORDER if _is_learning(own.get(table))]
        if learning:
            groups[learning[0]].append(child)
    found = []
    for table, members in groups.items():
        cells = {child.pk: tables[child.pk][table] for child in members}
        rows = Rows()
        for cell in cells.values():
            rows.add(cell.rows)
        found.append(TableGroup(table, members, cells, rows))
    found.sort(key=lambda group: (-len(group.children), group.rows.share, group.table))
    return found[:MOST_GROUPS]


def _is_learning(cell: Cell | None) -> bool:
    return cell is not None and cell.is_told and cell.level == "learning"


def _next_facts(
    children: Iterable[Child], facts: Mapping[UUID, Mapping[Fact, FactCell]], today: date
) -> Mapping[UUID, Sequence[FactCell]]:
    able = {
        row.child_id: Ability(**row.ability)
        for row in ChildAbility.objects.filter(
            child__in=[child.pk for child in children], kind=ChildAbility.Kind.FACTS
        )
    }

    def likely(cell: FactCell) -> float:
        known: Known = cell.known
        hard = difficulty(cell.fact, FACTS)
        return chance(known, able.get(cell.child, Ability()), hard, FACTS, today.toordinal())

    chosen = {}
    for child, own in facts.items():
        learning = [cell for cell in own.values() if cell.level == "learning"]
        learning.sort(key=lambda cell: (-likely(cell), cell.fact))
        chosen[child] = learning[:NEXT_FACTS]
    return chosen


def _by_fact(
    children: Sequence[Child], next_facts: Mapping[UUID, Sequence[FactCell]]
) -> Sequence[FactGroup]:
    groups: dict[Fact, list[Child]] = defaultdict(list)
    for child in children:
        for cell in next_facts.get(child.pk, ()):
            groups[cell.fact].append(child)
    shared = [FactGroup(fact, members) for fact, members in groups.items() if len(members) > 1]
    shared.sort(key=lambda group: (-len(group.children), group.fact))
    return shared[:MOST_GROUPS]


def _stuck(children: Iterable[Child], tables: Mapping[UUID, Mapping[int, Cell]]) -> Sequence[Stuck]:
    stuck = []
    for child in children:
        cells = [cell for cell in tables.get(child.pk, {}).values() if _is_stuck(cell)]
        if cells:
            stuck.append(Stuck(child, min(cells, key=lambda cell: (cell.rows.share, cell.table))))
    return sorted(stuck, key=lambda one: one.cell.rows.share)


def _is_stuck(cell: Cell) -> bool:
    return (
        cell.table != OTHER
        and cell.level == "learning"
        and cell.evidence >= STUCK_ROWS
        and cell.rows.share < STUCK_BELOW
        and cell.late_share < STUCK_BELOW
    )


def _fading(
    children: Iterable[Child],
    tables: Mapping[UUID, Mapping[int, Cell]],
    facts: Mapping[UUID, Mapping[Fact, FactCell]],
) -> Sequence[Fading]:
    fading = []
    for child in children:
        own = tables.get(child.pk, {}).values()
        of_tables = [cell for cell in own if cell.is_told and cell.level == "fading"]
        known = facts.get(child.pk, {}).values()
        of_facts = [cell for cell in known if cell.is_told and cell.level == "fading"]
        if of_tables or of_facts:
            of_tables.sort(key=lambda cell: cell.table)
            fading.append(Fading(child, of_tables, sorted(of_facts, key=lambda cell: cell.fact)))
    fading.sort(key=lambda one: -len(one.tables) - len(one.facts))
    return fading


def _last_days(children: Iterable[Child]) -> Mapping[UUID, date]:
    played = ChildDay.objects.filter(child__in=[child.pk for child in children])
    return dict(played.values_list("child").annotate(last=Max("day")))


def _away(children: Iterable[Child], last: Mapping[UUID, date], today: date) -> Sequence[Away]:
    limit = today - timedelta(days=AWAY_DAYS)
    away = [Away(child, last.get(child.pk)) for child in children]
    return [one for one in away if one.since is None or one.since <= limit]
