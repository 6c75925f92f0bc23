"""The rows whose facts a child is asked on a later day."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.utils import timezone

from classrooms.progress.models import Chance
from games.coach.questions.quiz import Trouble

BRINGS_BACK_FOR: Final = timedelta(weeks=2)
HARD: Final = (Chance.Outcome.MISSED, Chance.Outcome.WITH_HINT)
MOST: Final = 30


def troubles_of(player: UUID) -> list[Trouble]:
    """The last rows of times tables that a child missed or found with a hint, in one query."""
    since = timezone.now() - BRINGS_BACK_FOR
    rows = Chance.objects.filter(
        outcome__in=HARD, child__player=player, table__gt=0, at__gte=since
    ).order_by("-at", "-pk")
    return [
        Trouble(numbers, day.toordinal())
        for numbers, day in rows.values_list("numbers", "day")[:MOST]
    ]
