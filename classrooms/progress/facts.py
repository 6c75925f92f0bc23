"""Which facts of the times tables the children of a class know, by their quick checks."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, cast
from uuid import UUID

from classrooms.checks.models import Check
from classrooms.models import Child, SchoolClass
from games.coach.facts import Fact, facts_of
from games.coach.mastery import FEWEST, Known, Level, Reached, level

from .mastering import known_from
from .models import FactMastery

TABLES: Final = range(2, 11)
FURTHER_TABLES: Final = range(2, 13)
MOST_ANSWERS: Final = 200


@dataclass(frozen=True, slots=True)
class FactCell:
    """What a child knows of a fact. `evidence`: its answers, by how they were got; `since`: when
    the level was reached that `level` is or fades from."""

    child: UUID
    fact: Fact
    level: Level
    known: Known
    recalled: int
    derived: int
    hinted: int
    guessed: int
    since: date
    last_at: datetime

    @property
    def evidence(self) -> int:
        return self.known.evidence

    @property
    def is_told(self) -> bool:
        """Whether its level may be shown: not of fewer than three answers."""
        return self.evidence >= FEWEST

    @property
    def right(self) -> int:
        """Answers right without help."""
        return self.recalled + self.derived


@dataclass(frozen=True, slots=True)
class FactSum:
    """A fact in the class: how many children have it at each level, of those of whom it is told."""

    fact: Fact
    levels: Mapping[Level, int]

    @property
    def children(self) -> int:
        return sum(self.levels.values())


@dataclass(frozen=True, slots=True)
class FactsMap:
    """The facts of a class. `assigned`: those of the tables that the class was assigned; `facts`:
    all that the map shows, up to 10 × 10, or to 12 × 12 where those were asked too."""

    children: Sequence[Child]
    facts: Sequence[Fact]
    assigned: frozenset[Fact]
    cells: Mapping[UUID, Mapping[Fact, FactCell]]
    sums: Mapping[Fact, FactSum]

    @property
    def highest(self) -> int:
        return max(high for _, high in self.facts)

    def cell(self, child: Child, fact: Fact) -> FactCell | None:
        """None for a fact that the child was never asked."""
        return self.cells.get(child.pk, {}).get(fact)


def facts_map(school_class: SchoolClass) -> FactsMap:
    """The children of the class and the facts that they were asked, in whichever class."""
    children = list(school_class.children.all())
    cells = cells_of(children, school_class.today())
    options = school_class.assignments.values_list("options", flat=True)
    tables = {table for option in options for table in option.get("tables") or ()}
    assigned = frozenset(facts_of(tables & set(FURTHER_TABLES)))
    asked = {fact for own in cells.values() for fact in own}
    further = any(high > TABLES[-1] for _, high in asked | assigned)
    facts = facts_of(FURTHER_TABLES if further else TABLES)
    return FactsMap(children, facts, assigned, cells, _sums(facts, cells))


def cells_of(children: Iterable[Child], today: date) -> Mapping[UUID, Mapping[Fact, FactCell]]:
    """What these children know of the facts that they were asked."""
    cells: dict[UUID, dict[Fact, FactCell]] = defaultdict(dict)
    stored = FactMastery.objects.filter(child__in=[child.pk for child in children])
    for row in stored.defer("before"):
        known = known_from(row.known)
        fact = (row.low, row.high)
        cells[row.child_id][fact] = FactCell(
            child=row.child_id,
            fact=fact,
            level=level(cast(Reached, row.reached), known, today.toordinal()),
            known=known,
            recalled=row.recalled,
            derived=row.derived,
            hinted=row.hinted,
            guessed=row.guessed,
            since=row.reached_on,
            last_at=row.last_at,
        )
    return cells


def answers_behind(child: Child, fact: Fact) -> Sequence[Check]:
    """The answers behind a cell, the newest first, at most `MOST_ANSWERS`."""
    low, high = fact
    either = Check.objects.filter(child=child, kind=Check.Kind.FACT)
    turned = either.filter(first=low, second=high) | either.filter(first=high, second=low)
    return list(turned.order_by("-answered_at", "-pk")[:MOST_ANSWERS])


def _sums(
    facts: Sequence[Fact], cells: Mapping[UUID, Mapping[Fact, FactCell]]
) -> Mapping[Fact, FactSum]:
    levels: dict[Fact, Counter[Level]] = {fact: Counter() for fact in facts}
    for own in cells.values():
        for fact, cell in own.items():
            if cell.is_told and fact in levels:
                levels[fact][cell.level] += 1
    return {fact: FactSum(fact, counts) for fact, counts in levels.items()}
