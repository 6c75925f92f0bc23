"""All that is known of the children of a class, read once for everything that tells of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from classrooms.models import Child, SchoolClass
from games.coach.facts import Fact

from .facts import FactCell, cells_of
from .rows import Cell, table_cells


@dataclass(frozen=True, slots=True)
class Figures:
    """What the children can do as of `today`, by child: of tables, and of facts. `assigned_tables`:
    those of any game that the class was assigned; `has_games`: whether one is not ended."""

    school_class: SchoolClass
    children: Sequence[Child]
    today: date
    tables: Mapping[UUID, Mapping[int, Cell]]
    facts: Mapping[UUID, Mapping[Fact, FactCell]]
    assigned_tables: frozenset[int]
    has_games: bool


def figures_of(school_class: SchoolClass) -> Figures:
    """In four queries."""
    children, today = list(school_class.children.all()), school_class.today()
    assigned = list(school_class.assignments.values_list("options", "ended_at"))
    return Figures(
        school_class,
        children,
        today,
        table_cells(children, today),
        cells_of(children, today),
        frozenset(table for options, _ in assigned for table in options.get("tables") or ()),
        has_games=any(ended_at is None for _, ended_at in assigned),
    )
