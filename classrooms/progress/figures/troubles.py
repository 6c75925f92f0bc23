"""The rows whose facts a child is asked on a later day."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from classrooms.progress.models import Evidence
from games.coach.quiz import Trouble

LATELY: Final = timedelta(weeks=2)
MOST: Final = 30


def troubles_of(player: UUID) -> list[Trouble]:
    """The last rows of times tables that a child missed or found with a hint, in one query."""
    hard = Q(kind=Evidence.Kind.MISSED) | Q(kind=Evidence.Kind.FOUND, hint_step__gt=0)
    rows = Evidence.objects.filter(
        hard, child__player=player, table__gt=0, at__gte=timezone.now() - LATELY
    ).order_by("-at", "-pk")
    return [
        Trouble(numbers, day.toordinal())
        for numbers, day in rows.values_list("numbers", "day")[:MOST]
    ]
