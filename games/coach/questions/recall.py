"""Which facts a child knows, by their answers (docs/mastery.md).

FSRS says how fresh each fact is. The child's ability at facts corrects this, because FSRS describes
average learners, and because children also know facts that were never asked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log
from typing import Final, Literal

from games.coach.facts import Fact, fact
from games.coach.mastery import (
    DAYS_CONSIDERED,
    FACTS,
    FEWEST_FOR_A_LEVEL,
    FLUENT,
    FLUENT_MS,
    GOOD_DAYS,
    GOOD_LEVELS,
    HALVES_AFTER,
    MARKS,
    NOT_YET,
    RIGHT,
    SECURE,
    SECURE_MS,
    Ability,
    Level,
    Reached,
    difficulty,
    logistic,
)
from games.coach.questions.memory import Grade, Memory, after_answer

SECURE_FROM: Final = 0.95
"""A fact becomes secure or fluent if the chance of a right answer on the day after the last one is
at least this."""
LEVEL_LASTS: Final = 28
"""A secure fact that was not asked for this many days counts as being learned: nobody knows."""
_EDGE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the chance of a right answer, in logits: of how fresh the fact is (`recall`)
    and of how able the child is at it (`ability`), and a constant (`rest`). One answer moves the
    ability by `first_k` at first and by `least_k` in the end."""

    recall: float
    ability: float
    rest: float
    first_k: float
    least_k: float


WEIGHTS: Final = Weights(recall=0.5, ability=0.65, rest=-0.32, first_k=0.68, least_k=0.01)
"""`recall` and `least_k` were chosen; the others were fitted to model children with both kinds of
memory."""


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """An answer to a question about a fact. Days are counted from any fixed day."""

    shown: Fact
    right: bool  # whether the answer was right, with or without help
    day: int
    helped: bool = False
    net_ms: int | None = None  # the time without typing, None if unknown
    timed: bool = True  # whether time counts for this child

    @property
    def alone(self) -> bool:
        return self.right and not self.helped

    @property
    def mark(self) -> int:
        """How good the answer was, from `NOT_YET` to `FLUENT`. If time does not count, every right
        answer is `FLUENT`."""
        if not self.alone:
            return NOT_YET
        if not self.timed:
            return FLUENT
        if self.net_ms is None or self.net_ms > SECURE_MS:
            return RIGHT
        return FLUENT if self.net_ms <= FLUENT_MS else SECURE

    @property
    def grade(self) -> Grade:
        if not self.right:
            return Grade.WRONG
        if self.helped:
            return Grade.HELPED
        return Grade.FAST if self.timed and self.mark == FLUENT else Grade.RIGHT


@dataclass(frozen=True, slots=True)
class AskedDay:
    """The answers to one fact on one day: how many there were, how many had at least each mark, and
    the mark of the last one."""

    day: int
    asked: int = 0
    secure: int = 0
    fluent: int = 0
    right: int = 0
    last: int = RIGHT
    timed: bool = True  # whether time counted for all of them

    def reaches(self, mark: int) -> bool:
        """Whether more than half of the answers had at least this mark."""
        return 2 * {RIGHT: self.right, SECURE: self.secure, FLUENT: self.fluent}[mark] > self.asked


@dataclass(frozen=True, slots=True)
class KnownFact:
    """What is known about a fact that was asked."""

    shown: Fact  # the factors in the order that was shown last
    memory: Memory
    asked: int  # how often
    lately: tuple[AskedDay, ...]  # the last days on which it was asked
    ability: float  # the child's ability after the last answer to it

    @property
    def reached(self) -> Reached:
        """The level that the last answers reach. It is "learning" if the last answer was not right
        without help, or if the fact was asked on fewer than `DAYS_CONSIDERED` days."""
        if len(self.lately) < DAYS_CONSIDERED or self.lately[-1].last == NOT_YET:
            return "learning"
        for reached, mark in MARKS:
            if days_that_reach(mark, self.lately) >= GOOD_DAYS:
                return reached
        return "learning"


@dataclass(slots=True)
class Recall:
    """What is known about a child's facts after the answers so far."""

    facts: dict[Fact, KnownFact] = field(default_factory=dict)
    first_days: dict[Fact, int] = field(default_factory=dict)
    ability: Ability = field(default_factory=Ability)
    weights: Weights = WEIGHTS

    def chance(self, asked: Fact, today: int) -> float:
        """The chance (0–1) of a right answer without help."""
        known = self.facts.get(asked)
        memory = known.memory if known else None
        return chance_of(asked, memory, self.ability.value, today, self.weights)

    def is_due(self, asked: Fact, today: int) -> bool:
        """Whether it is time to ask a fact again that was asked before."""
        known = self.facts.get(asked)
        return known is not None and known.memory.due <= today

    def level(self, asked: Fact, today: int) -> Level:
        """How well the child knows a fact today. Wrong answers to other facts never lower the
        level: the ability after the last answer to this fact counts, unless it has grown since."""
        known = self.facts.get(asked)
        if known is None:
            return "not yet seen"
        able = max(known.ability, self.ability.value)
        return level_of(asked, known.reached, known.memory, able, today, self.weights)

    def add(self, one: FactAnswer) -> None:
        """Take the next answer into account. Answers come in order."""
        asked = fact(*one.shown)
        before = self.facts.get(asked)
        k = max(
            self.weights.least_k, self.weights.first_k / (1 + self.ability.answers / HALVES_AFTER)
        )
        surprise = one.alone - self.chance(asked, one.day)
        self.ability = Ability(self.ability.value + k * surprise, self.ability.answers + 1)
        self.first_days.setdefault(asked, one.day)
        self.facts[asked] = KnownFact(
            one.shown,
            after_answer(before.memory if before else None, one.grade, one.day),
            (before.asked if before else 0) + 1,
            _with(before.lately if before else (), one),
            self.ability.value,
        )


def days_that_reach(mark: int, lately: Iterable[AskedDay]) -> int:
    return sum(day.reaches(mark) for day in lately)


Why = Literal[
    "few answers",
    "last answer",
    "new",
    "good",
    "slow",
    "few days",
    "unlikely",
    "long ago",
]


@dataclass(frozen=True, slots=True)
class FactReason:
    """Why a fact is at its level. Of the last `days` on which it was asked, most answers were right
    without help on `right` days. On `good` days they were also as fast as the level requires, or as
    "secure" requires if the level is lower."""

    why: Why
    days: int
    right: int
    good: int
    seconds: int  # the limit for `good`, 0 if time did not count on a good day
    chance: float  # of a right answer on the day after the last one (0–1)


def reason_of(
    level: Level, lately: Sequence[AskedDay], asked: int, chance: float, today: int
) -> FactReason:
    """The reason for a level that `level_of` gave today after `asked` answers."""
    mark = FLUENT if level == "fluent" else SECURE
    good_days = [day for day in lately if day.reaches(mark)]
    right = days_that_reach(RIGHT, lately)
    timed = all(day.timed for day in good_days)
    why: Why
    if asked < FEWEST_FOR_A_LEVEL:
        why = "few answers"
    elif level != "learning":
        why = "good"
    elif lately[-1].last == NOT_YET:
        why = "last answer"
    elif len(lately) < DAYS_CONSIDERED:
        why = "new"
    elif len(good_days) >= GOOD_DAYS:
        why = "long ago" if today - lately[-1].day >= LEVEL_LASTS else "unlikely"
    else:
        why = "slow" if right >= GOOD_DAYS else "few days"
    limit = (FLUENT_MS if mark == FLUENT else SECURE_MS) // 1000
    seconds = limit if timed else 0
    return FactReason(why, len(lately), right, len(good_days), seconds, chance)


def recall_after(answers: Iterable[FactAnswer]) -> Recall:
    """What is known after these answers, the oldest first."""
    recall = Recall()
    for one in answers:
        recall.add(one)
    return recall


def chance_of(
    asked: Fact, memory: Memory | None, ability: float, today: int, weights: Weights = WEIGHTS
) -> float:
    """The chance (0–1) of a right answer without help; `memory` is None for a fact never asked."""
    able = ability - _difficulty(asked)
    if memory is None:
        return logistic(able)
    fresh = min(max(memory.recall(today), _EDGE), 1 - _EDGE)
    return logistic(
        weights.rest + weights.ability * able + weights.recall * log(fresh / (1 - fresh))
    )


def level_of(
    asked: Fact,
    reached: Reached,
    memory: Memory,
    ability: float,
    today: int,
    weights: Weights = WEIGHTS,
) -> Level:
    """How well the child knows today a fact that was asked. While nobody asks, a secure fact stays
    so for `LEVEL_LASTS` days, and is then being learned."""
    is_new = today - memory.last < LEVEL_LASTS
    if is_new and chance_next_day(asked, memory, ability, weights) >= SECURE_FROM:
        return reached
    return "learning"


def chance_next_day(
    asked: Fact, memory: Memory, ability: float, weights: Weights = WEIGHTS
) -> float:
    """The chance (0–1) of a right answer on the day after the last one, which decides a level."""
    return chance_of(asked, memory, ability, memory.last + 1, weights)


def holds_until(asked: Fact, reached: Reached, memory: Memory, ability: float) -> int | None:
    """The last day on which a secure or fluent fact still has this level if it is not asked again;
    None if it is neither. Until then, `level_of` gives this level on each day, and also for a
    higher ability."""
    if level_of(asked, reached, memory, ability, memory.last) not in GOOD_LEVELS:
        return None
    return memory.last + LEVEL_LASTS - 1


@cache
def _difficulty(asked: Fact) -> float:
    return difficulty(asked, FACTS)


def _with(lately: tuple[AskedDay, ...], one: FactAnswer) -> tuple[AskedDay, ...]:
    if lately and lately[-1].day == one.day:
        earlier, day = lately[:-1], lately[-1]
    else:
        earlier, day = lately, AskedDay(one.day)
    now = AskedDay(
        day.day,
        day.asked + 1,
        day.secure + (one.mark >= SECURE),
        day.fluent + (one.mark >= FLUENT),
        day.right + one.alone,
        one.mark,
        day.timed and one.timed,
    )
    return (*earlier, now)[-DAYS_CONSIDERED:]
