"""How long a fact is remembered, by FSRS with its published weights (docs/mastery.md).

FSRS is given the day of each answer, so that it reads no clock, and one of four ratings. Its random
shift of intervals is off, so that the same answers always give the same memory.
"""

from enum import IntEnum
from typing import Final

from fsrs import Card, Rating, Scheduler, State
from msgspec import Struct

WANTED_RECALL: Final = 0.95
"""A fact is due when the chance that it is remembered falls to this. FSRS's own default is .90; a
short set can ask so little that children should meet a new fact again sooner."""
_SCHEDULER: Final = Scheduler(
    desired_retention=WANTED_RECALL, learning_steps=(), relearning_steps=(), enable_fuzzing=False
)
_DECAY: Final = -_SCHEDULER.parameters[20]
_FACTOR: Final = 0.9 ** (1 / _DECAY) - 1
"""The chance falls by a power of the days; after as many as the stability it is 90 %."""


def _never_asked(date: str) -> Card:
    """A fact before its first answer. FSRS takes days as datetimes, whose module has a clock and
    may not be imported here; it makes them itself from text."""
    return Card.from_dict(
        {
            "card_id": 0,
            "state": State.Learning,
            "step": 0,
            "stability": None,
            "difficulty": None,
            "due": f"{date}T00:00:00+00:00",
            "last_review": None,
        }
    )


_NEVER_ASKED: Final = _never_asked("0001-01-01")
_FIRST_DAY: Final = _NEVER_ASKED.due
_ONE_DAY: Final = _never_asked("0001-01-02").due - _FIRST_DAY


class Grade(IntEnum):
    """An answer as one of the four ratings of FSRS."""

    WRONG = Rating.Again
    HELPED = Rating.Hard
    RIGHT = Rating.Good
    FAST = Rating.Easy


class Memory(Struct, frozen=True):
    """What FSRS knows of one fact of one child."""

    stability: float  # after how many days the chance that it is remembered is 90 %
    difficulty: float  # 1–10
    last: int  # the day of the last answer
    due: int  # the day on which it should be asked next

    def recall(self, today: int) -> float:
        """The chance (0–1) that the fact is still remembered: the formula of FSRS, since making a
        card for the package takes ten times as long, and a class has a thousand facts."""
        days = max(today - self.last, 0)
        return float((1 + _FACTOR * days / self.stability) ** _DECAY)


def after_answer(memory: Memory | None, grade: Grade, day: int) -> Memory:
    """The memory after an answer. Answers come in order; days are counted from any fixed day."""
    card, _ = _SCHEDULER.review_card(_card(memory), Rating(grade), _FIRST_DAY + day * _ONE_DAY)
    assert card.stability is not None
    assert card.difficulty is not None
    return Memory(card.stability, card.difficulty, day, (card.due - _FIRST_DAY).days)


def _card(memory: Memory | None) -> Card:
    if memory is None:
        return _NEVER_ASKED
    return Card(
        card_id=0,
        state=State.Review,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=_FIRST_DAY,
        last_review=_FIRST_DAY + memory.last * _ONE_DAY,
    )
