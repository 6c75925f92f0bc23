"""The rounds in which children laid more rows than ever before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Count, Max

from classrooms.models import Child
from classrooms.progress.models import LAID, Chance


@dataclass(frozen=True, slots=True)
class BestRound:
    """The first round with as many rows laid as this, on `day`. `before`: those of the best round
    before it, 0 if there was none."""

    rows: int
    day: date
    before: int


def best_rounds(children: Iterable[Child]) -> Mapping[UUID, BestRound]:
    """The best round of each child that laid a row, in one query."""
    rounds = (
        Chance.objects.filter(LAID, child__in=children)
        .values_list("child", "game", "round")
        .annotate(rows=Count("pk"), day=Max("day"), ended=Max("at"))
        .order_by("ended")
    )
    bests: dict[UUID, BestRound] = {}
    for child, _game, _round, rows, day, _ended in rounds:
        before = bests[child].rows if child in bests else 0
        if rows > before:
            bests[child] = BestRound(rows, day, before)
    return bests
