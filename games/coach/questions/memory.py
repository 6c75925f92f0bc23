"""How long a child remembers a fact, by FSRS with its published weights (docs/mastery.md).

FSRS gets the day of each answer, so that it reads no clock, and one of four ratings. Its random
shift of intervals is off, so that the same answers always give the same memory.
"""

from enum import IntEnum
from typing import Final

from fsrs import Card, Rating, Scheduler, State
from msgspec import Struct

WANTED_RECALL: Final = 0.95
"""A fact is due when the chance that the child remembers it falls to this. The default of FSRS is
.90. Here it is higher, because sets are short and children should soon meet a new fact again."""
MOST_DAYS: Final = 21
"""A fact is due after this many days at the latest, because a level lasts only a week longer
(`LEVEL_LASTS` in recall.py)."""
_SCHEDULER: Final = Scheduler(
    desired_retention=WANTED_RECALL,
    learning_steps=(),
    relearning_steps=(),
    maximum_interval=MOST_DAYS,
    enable_fuzzing=False,
)
_DECAY: Final = -_SCHEDULER.parameters[20]
_FACTOR: Final = 0.9 ** (1 / _DECAY) - 1
"""The chance falls as a power of the days. After `stability` days it is 90 %."""


def _never_asked(date: str) -> Card:
    """The FSRS card of a fact before its first answer. FSRS needs days as datetimes. Their module
    has a clock and so may not be imported here, but FSRS makes them itself from text."""
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

    stability: float  # the days after which the child remembers it with a chance of 90 %
    difficulty: float  # 1–10
    last: int  # the day of the last answer
    due: int  # the day on which it should be asked next

    def recall(self, today: int) -> float:
        """The chance (0–1) that the child still remembers the fact. This is the formula of FSRS:
        making a card for the package would take ten times as long, and a class has a thousand
        facts."""
        days = max(today - self.last, 0)
        return float((1 + _FACTOR * days / self.stability) ** _DECAY)


def after_answer(memory: Memory | None, grade: Grade, day: int) -> Memory:
    """The memory after one more answer. Answers come in order; days are counted from any fixed
    day."""
    card, _ = _SCHEDULER.review_card(_fsrs_card(memory), Rating(grade), _FIRST_DAY + day * _ONE_DAY)
    assert card.stability is not None
    assert card.difficulty is not None
    return Memory(card.stability, card.difficulty, day, (card.due - _FIRST_DAY).days)


def _fsrs_card(memory: Memory | None) -> Card:
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
