"""Which guided rounds a child is offered."""

from collections.abc import Sequence
from dataclasses import dataclass

from classrooms.assignments.status import Assigned
from games.screen.words import EDITION_NAMES


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided round that a child may play, and play again."""

    edition: str
    name: str


def lessons_for(assigned: Sequence[Assigned]) -> list[Lesson]:
    """A guided round for each edition that the child is asked to play."""
    editions = dict.fromkeys(item.assignment.edition for item in assigned)
    return [Lesson(name, str(EDITION_NAMES[name])) for name in editions]


def is_new(assigned: Sequence[Assigned]) -> bool:
    """Whether the child has not played a round of anything yet."""
    return not any(item.rounds_done or item.is_done for item in assigned)
