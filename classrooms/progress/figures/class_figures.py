"""All that is known of the children of a class, read once for everything that shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import F

from classrooms.models import Child, SchoolClass
from classrooms.progress.figures.known_facts import ClassFacts, facts_of_class
from classrooms.progress.figures.table_rows import TableCell, table_cells


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """What the children can do on `today`. `tables`: by child. `assigned_tables`: those of all
    assignments of the class; `has_games`: whether one of these has not ended; `is_rebuilding`:
    whether the logs of some children are still to be read again."""

    school_class: SchoolClass
    children: Sequence[Child]
    today: date
    tables: Mapping[UUID, Mapping[int, TableCell]]
    facts: ClassFacts
    assigned_tables: frozenset[int]
    has_games: bool
    is_rebuilding: bool = False


def figures_of(school_class: SchoolClass) -> ClassFigures:
    """The figures of a class, in five queries."""
    marked = F("progress_lock__to_rebuild")
    children = list(school_class.children.annotate(to_rebuild=marked))
    today = school_class.today()
    assigned = list(school_class.assignments.values_list("options", "ended_at"))
    return ClassFigures(
        school_class,
        children,
        today,
        table_cells(children, today),
        facts_of_class(children, today),
        frozenset(table for options, _ in assigned for table in options.get("tables") or ()),
        has_games=any(ended_at is None for _, ended_at in assigned),
        is_rebuilding=any(child.to_rebuild for child in children),
    )
