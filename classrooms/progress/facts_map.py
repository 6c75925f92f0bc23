"""The facts of the times tables in a class: how many children know each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from classrooms.models import Child
from games.coach.facts import Fact, facts_of
from games.coach.mastery import Level

from .facts import FactCell
from .figures import Figures
from .rows import STEPS

TABLES: Final = range(2, 11)
FURTHER_TABLES: Final = range(2, 13)


@dataclass(frozen=True, slots=True)
class FactSum:
    """A fact in the class: how many children have it at each level, of those of whom it is told."""

    fact: Fact
    levels: Mapping[Level, int]
    is_assigned: bool = False

    @property
    def children(self) -> int:
        return sum(self.levels.values())

    @property
    def knowing(self) -> int:
        """Children who are secure in it, or better, and still are."""
        return self.levels.get("secure", 0) + self.levels.get("fluent", 0)

    @property
    def step(self) -> int:
        """How far from sand to green, 0 to `len(STEPS)`."""
        return sum(self.knowing >= step * self.children for step in STEPS)


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

    @property
    def is_told(self) -> bool:
        return any(sum_.children for sum_ in self.sums.values())

    @property
    def factors(self) -> range:
        """The columns: the higher factor of each fact."""
        return range(TABLES.start, self.highest + 1)

    @property
    def lines(self) -> list[tuple[int, list[FactSum | None]]]:
        """By the lower factor, a sum for each column; None where another line has the fact."""
        return [
            (low, [self.sums.get((low, high)) for high in self.factors])
            for low in sorted({low for low, _ in self.facts})
        ]

    def cell(self, child: Child, fact: Fact) -> FactCell | None:
        """None for a fact that the child was never asked."""
        return self.cells.get(child.pk, {}).get(fact)


def facts_map(figures: Figures) -> FactsMap:
    """The children of the class and the facts that they were asked, in whichever class."""
    children, cells = figures.children, figures.facts
    assigned = frozenset(facts_of(figures.assigned_tables & set(FURTHER_TABLES)))
    asked = {fact for own in cells.values() for fact in own}
    further = any(high > TABLES[-1] for _, high in asked | assigned)
    facts = facts_of(FURTHER_TABLES if further else TABLES)
    return FactsMap(children, facts, assigned, cells, _sums(facts, cells, assigned))


def _sums(
    facts: Sequence[Fact],
    cells: Mapping[UUID, Mapping[Fact, FactCell]],
    assigned: frozenset[Fact],
) -> Mapping[Fact, FactSum]:
    levels: dict[Fact, Counter[Level]] = {fact: Counter() for fact in facts}
    for own in cells.values():
        for fact, cell in own.items():
            if cell.is_told and fact in levels:
                levels[fact][cell.level] += 1
    return {fact: FactSum(fact, counts, fact in assigned) for fact, counts in levels.items()}
