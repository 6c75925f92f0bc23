"""One fact in a class: how well each child knows it, and the answers."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from classrooms.checks.models import Check
from classrooms.models import Child, SchoolClass
from classrooms.progress.figures.known_facts import FactCell, answers_to, cells_of
from games.coach.facts import Fact
from games.coach.times_tables import TABLES_TO_12

MOST_EACH: Final = 9


@dataclass(frozen=True, slots=True)
class Answers:
    """A child's answers, newest first, at most `MOST_EACH`; `cell` is None if it was never
    asked."""

    child: Child
    cell: FactCell | None
    checks: Sequence[Check]


@dataclass(frozen=True, slots=True)
class FactPage:
    fact: Fact
    asked: Sequence[Answers]
    not_asked: Sequence[Child]


def fact_page(school_class: SchoolClass, fact: Fact) -> FactPage | None:
    """The page of a fact; None for a fact that no map shows."""
    low, high = fact
    if low < TABLES_TO_12.start or high >= TABLES_TO_12.stop:
        return None
    children = list(school_class.children.all())
    cells = cells_of(children, school_class.today(), fact)
    checks: dict[UUID, list[Check]] = defaultdict(list)
    for check in answers_to(children, fact):
        if len(checks[check.child_id]) < MOST_EACH:
            checks[check.child_id].append(check)
    each = [Answers(c, cells.get(c.pk, {}).get(fact), checks.get(c.pk, [])) for c in children]
    return FactPage(
        fact,
        [answers for answers in each if answers.cell],
        [answers.child for answers in each if not answers.cell],
    )
