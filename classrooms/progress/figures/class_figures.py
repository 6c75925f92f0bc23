"""All that is known of the children of a class, read once for everything that shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, F, OuterRef

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress.figures.known_facts import (
    ClassFacts,
    FactCell,
    facts_of_class,
    learning_of,
)
from classrooms.progress.figures.table_rows import TableCell, table_cells
from games.coach.facts import Fact


class OpenDeal(NamedTuple):
    """One deal for the class that is not closed, and the day it was begun."""

    assignment: UUID
    begun_on: date


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """What the children can do on `today`. `tables`: by child. `assigned_tables`: those of all
    assignments of the class; `has_games`: whether one of these has not ended; `is_rebuilding`:
    whether the logs of some children are still to be read again; `deals`: newest first;
    `begun`: the children who have ever begun a game, counted or not."""

    school_class: SchoolClass
    children: Sequence[Child]
    today: date
    tables: Mapping[UUID, Mapping[int, TableCell]]
    facts: ClassFacts
    assigned_tables: frozenset[int]
    has_games: bool
    is_rebuilding: bool = False
    deals: Sequence[OpenDeal] = ()
    begun: frozenset[UUID] = frozenset()


def figures_of(school_class: SchoolClass) -> ClassFigures:
    """The figures of a class, in four queries."""
    children = children_of(school_class)
    today = school_class.today()
    assigned = list(
        school_class.assignments.values_list("options", "ended_at", "deal_seed", "pk", "created_at")
    )
    return ClassFigures(
        school_class,
        children,
        today,
        table_cells(children, today),
        facts_of_class(children, today),
        frozenset(table for options, *_ in assigned for table in options.get("tables") or ()),
        has_games=any(ended_at is None for _, ended_at, *_ in assigned),
        is_rebuilding=any(child.to_rebuild for child in children),
        deals=[
            OpenDeal(pk, school_class.day_of(made_at))
            for _, ended_at, seed, pk, made_at in assigned
            if seed is not None and ended_at is None
        ],
        begun=frozenset(child.pk for child in children if child.has_begun),
    )


def children_of(school_class: SchoolClass) -> list[Any]:
    """The children of a class; `to_rebuild`: whether its logs are to be read again, or None;
    `has_begun`: whether it has ever begun a game, counted or not."""
    marked = F("progress_lock__to_rebuild")
    begun = Exists(Attempt.objects.filter(child=OuterRef("pk")))
    return list(school_class.children.annotate(to_rebuild=marked, has_begun=begun))


def figures_about(
    child: Child, children: Sequence[Any], facts: Mapping[Fact, FactCell]
) -> ClassFigures:
    """The figures of a class as far as a child's needs follow from them, in one query: the tables
    of all `children` of its class, for what is certain of one hangs on how many are looked at; and
    the child's own `facts`."""
    today = child.school_class.today()
    return ClassFigures(
        child.school_class,
        children,
        today,
        table_cells(children, today),
        ClassFacts({}, {child.pk: learning_of(facts)}),
        frozenset(),
        has_games=False,
        is_rebuilding=any(one.to_rebuild for one in children if one.pk == child.pk),
    )
