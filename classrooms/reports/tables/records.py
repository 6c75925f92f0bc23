"""The finished matches, each as a text file (docs/notation.md)."""

from collections.abc import Iterable, Iterator
from typing import Final
from uuid import UUID

from django.db.models import Count, QuerySet

from classrooms.access import finished_matches
from classrooms.models import Attempt, Child, SchoolClass
from games.play.explained_file import explained
from games.play.log import record_of

FOLDER: Final = "matches"


def file_of(game_id: UUID) -> str:
    """The path in the export of a finished match."""
    return f"{FOLDER}/{game_id}.txt"


def ended(school_class: SchoolClass, children: Iterable[Child]) -> QuerySet[Attempt]:
    """The finished matches of these children in this class, without those in which something is
    hidden."""
    return finished_matches().filter(child__in=children, assignment__school_class=school_class)


def records_of(school_class: SchoolClass, child: Child) -> Iterator[tuple[str, str]]:
    """Each finished match of the child in this class: its file and the text."""
    games = ended(school_class, [child]).select_related("game")
    games = games.annotate(seat_count=Count("game__seats"))
    for attempt in games.order_by("created_at", "pk").iterator(chunk_size=100):
        yield file_of(attempt.game_id), explained(record_of(attempt.game, attempt.seat_count))
