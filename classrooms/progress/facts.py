"""Which facts of the times tables the children of a class know, by their quick checks."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, cast
from uuid import UUID

from django.db.models import Q, QuerySet

from classrooms.checks.models import Check
from classrooms.models import Child
from games.coach.facts import Fact
from games.coach.mastery import FEWEST, Known, Level, Reached, level

from .mastering import known_from
from .models import FactMastery

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


def cells_of(
    children: Iterable[Child], today: date, of: Fact | None = None
) -> Mapping[UUID, Mapping[Fact, FactCell]]:
    """What these children know of the facts that they were asked, or of one of them."""
    cells: dict[UUID, dict[Fact, FactCell]] = defaultdict(dict)
    stored = FactMastery.objects.filter(child__in=[child.pk for child in children])
    if of:
        stored = stored.filter(low=of[0], high=of[1])
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
    return list(answers_to([child], fact)[:MOST_ANSWERS])


def answers_to(children: Iterable[Child], fact: Fact) -> QuerySet[Check]:
    """What these children answered to a fact in either order, the newest first."""
    low, high = fact
    turned = Q(first=low, second=high) | Q(first=high, second=low)
    asked = Check.objects.filter(turned, child__in=[child.pk for child in children])
    return asked.filter(kind=Check.Kind.FACT).order_by("-answered_at", "-pk")
