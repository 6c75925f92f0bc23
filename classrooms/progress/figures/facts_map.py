"""The facts of the times tables in a class: how many children know each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classrooms.models import Child
from classrooms.progress.figures.class_figures import ClassFigures
from classrooms.progress.figures.known_facts import FactSum
from games.coach.facts import Fact, facts_of
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12


@dataclass(frozen=True, slots=True)
class FactsMap:
    """The facts of a class. `assigned`: those of the assigned tables; `facts`: all on the map, up
    to 10 × 10, or to 12 × 12 if such a fact was asked or assigned."""

    children: Sequence[Child]
    facts: Sequence[Fact]
    assigned: frozenset[Fact]
    sums: Mapping[Fact, FactSum]

    @property
    def highest(self) -> int:
        return max(high for _, high in self.facts)

    @property
    def is_shown(self) -> bool:
        return any(sum_.children for sum_ in self.sums.values())

    @property
    def factors(self) -> range:
        """The columns: the higher factor of each fact."""
        return range(TABLES_TO_10.start, self.highest + 1)

    @property
    def lines(self) -> list[tuple[int, list[FactSum | None]]]:
        """By the lower factor: a sum for each column; None where the fact is on another line."""
        return [
            (low, [self.sums.get((low, high)) for high in self.factors])
            for low in sorted({low for low, _ in self.facts})
        ]


def facts_map(figures: ClassFigures) -> FactsMap:
    """The map of the class, with answers given in other classes too."""
    assigned = frozenset(facts_of(figures.assigned_tables & set(TABLES_TO_12)))
    levels = figures.facts.levels
    further = any(high > TABLES_TO_10[-1] for _, high in {*levels, *assigned})
    facts = facts_of(TABLES_TO_12 if further else TABLES_TO_10)
    sums = {fact: FactSum(fact, levels.get(fact, {}), fact in assigned) for fact in facts}
    return FactsMap(figures.children, facts, assigned, sums)
