"""How well a child knows facts, judged by their answers (docs/mastery.md).

FSRS says how fresh each fact is. The child's ability at facts corrects this, because FSRS describes
average learners, and because children also know facts that they were never asked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Final, Literal

from fsrs import Card, Rating, Scheduler, State
from msgspec import Struct

from games.coach.mastery import (
    DAYS_CONSIDERED,
    FACT_PARAMETERS,
    FEWEST_FOR_A_LEVEL,
    FLUENT,
    FLUENT_MS,
    GOOD_DAYS,
    GOOD_LEVELS,
    HALVES_AFTER,
    LEVEL_MARKS,
    NOT_YET,
    RIGHT,
    SECURE,
    SECURE_MS,
    Ability,
    Level,
    ReachedLevel,
    difficulty,
    logistic,
)
from games.coach.times_tables import Fact, fact_of

# How long a child remembers a fact, by FSRS with its published weights. FSRS is given the day of
# each answer, so that it reads no clock, and one of four ratings. Its random shift of intervals is
# off, so that the same answers always give the same memory.

WANTED_RECALL: Final = 0.95
"""A fact is due when the chance that the child remembers it falls to this. The default of FSRS,
.90, is too low here: sets are short, and children should soon meet a new fact again."""
LONGEST_INTERVAL: Final = 21
"""The most days until a fact is due. A level lasts a week longer (`LEVEL_DAYS`)."""
_SCHEDULER: Final = Scheduler(
    desired_retention=WANTED_RECALL,
    learning_steps=(),
    relearning_steps=(),
    maximum_interval=LONGEST_INTERVAL,
    enable_fuzzing=False,
)
_DECAY: Final = -_SCHEDULER.parameters[20]
_FACTOR: Final = 0.9 ** (1 / _DECAY) - 1
"""The chance falls as a power of the days. After `stability` days it is 90 %."""


def _new_card(date: str) -> Card:
    """The FSRS card of a fact before its first answer. FSRS needs datetimes. This package may not
    import `datetime`, which has a clock, so FSRS makes them from text."""
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


_NEW_CARD: Final = _new_card("0001-01-01")
_FIRST_DAY: Final = _NEW_CARD.due
_ONE_DAY: Final = _new_card("0001-01-02").due - _FIRST_DAY


class Memory(Struct, frozen=True):
    """What FSRS knows about one fact of one child."""

    stability: float  # the days after which the chance that the child remembers it is 90 %
    difficulty: float  # 1–10
    last_day: int  # the day of the last answer
    due: int  # the day on which it should be asked next

    def recall(self, today: int) -> float:
        """The chance (0–1) that the child still remembers the fact. The formula is that of FSRS: to
        ask the package would take ten times as long, and a class has a thousand facts."""
        days = max(today - self.last_day, 0)
        return float((1 + _FACTOR * days / self.stability) ** _DECAY)


def memory_after(memory: Memory | None, rating: Rating, day: int) -> Memory:
    """The memory after one more answer. Answers come in order, and days count from any fixed
    day."""
    card, _ = _SCHEDULER.review_card(_fsrs_card(memory), rating, _FIRST_DAY + day * _ONE_DAY)
    assert card.stability is not None
    assert card.difficulty is not None
    return Memory(card.stability, card.difficulty, day, (card.due - _FIRST_DAY).days)


def _fsrs_card(memory: Memory | None) -> Card:
    if memory is None:
        return _NEW_CARD
    return Card(
        card_id=0,
        state=State.Review,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=_FIRST_DAY,
        last_review=_FIRST_DAY + memory.last_day * _ONE_DAY,
    )


SECURE_FROM: Final = 0.97
"""A fact becomes secure or fluent if the chance of a right answer on the day after the last one is
at least this."""
STAYS_SECURE_FROM: Final = 0.93
LEVEL_DAYS: Final = 28
"""A fact that is not asked stays secure while the chance is at least `STAYS_SECURE_FROM`, and for
fewer days than `LEVEL_DAYS`. Then it counts as being learned, because nobody knows whether the
child still knows it."""
_EDGE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the chance of a right answer, in logits. One answer moves the ability by
    `first_k` at first and by `least_k` in the end."""

    recall: float  # of the freshness of the fact
    ability: float  # of the child's ability at the fact
    rest: float  # the constant
    first_k: float
    least_k: float


WEIGHTS: Final = Weights(recall=0.5, ability=0.65, rest=-0.32, first_k=0.68, least_k=0.01)
"""`recall` and `least_k` were chosen; the others were fitted to model children with both kinds of
memory."""


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """An answer to a question about a fact. Days count from any fixed day."""

    factors: Fact
    is_right: bool  # whether the answer was right, with or without help
    day: int
    has_help: bool = False
    net_ms: int | None = None  # the time without typing; None if unknown
    is_timed: bool = True  # whether time counts for this child

    @property
    def is_right_alone(self) -> bool:
        return self.is_right and not self.has_help

    @property
    def mark(self) -> int:
        """How good the answer was, from `NOT_YET` to `FLUENT`. If time does not count, every right
        answer without help is `FLUENT`."""
        if not self.is_right_alone:
            return NOT_YET
        if not self.is_timed:
            return FLUENT
        if self.net_ms is None or self.net_ms > SECURE_MS:
            return RIGHT
        return FLUENT if self.net_ms <= FLUENT_MS else SECURE

    @property
    def rating(self) -> Rating:
        if not self.is_right:
            return Rating.Again
        if self.has_help:
            return Rating.Hard
        return Rating.Easy if self.is_timed and self.mark == FLUENT else Rating.Good


@dataclass(frozen=True, slots=True)
class AskedDay:
    """The answers to one fact on one day. The database keeps these names (`FactMastery.lately`)."""

    day: int
    answers: int = 0
    secure: int = 0  # how many answers had at least the mark `SECURE`
    fluent: int = 0
    right: int = 0
    last: int = RIGHT  # the mark of the last answer
    timed: bool = True  # whether time counted for all of them

    def reaches(self, mark: int) -> bool:
        """Whether more than half of the answers had at least this mark."""
        counts = {RIGHT: self.right, SECURE: self.secure, FLUENT: self.fluent}
        return 2 * counts[mark] > self.answers


@dataclass(frozen=True, slots=True)
class KnownFact:
    factors: Fact  # in the order that was shown last
    memory: Memory
    times_asked: int
    lately: tuple[AskedDay, ...]  # the last days on which it was asked
    ability: float  # the child's ability after the last answer to it

    @property
    def reached(self) -> ReachedLevel:
        """The level that the last answers reach: "learning" if the last answer was not right
        without help, or if the fact was asked on fewer than `DAYS_CONSIDERED` days."""
        if len(self.lately) < DAYS_CONSIDERED or self.lately[-1].last == NOT_YET:
            return "learning"
        for reached, mark in LEVEL_MARKS:
            if _count_days(mark, self.lately) >= GOOD_DAYS:
                return reached
        return "learning"


@dataclass(slots=True)
class Recall:
    facts: dict[Fact, KnownFact] = field(default_factory=dict)
    first_days: dict[Fact, int] = field(default_factory=dict)
    ability: Ability = field(default_factory=Ability)

    def chance(self, fact: Fact, today: int) -> float:
        """The chance (0–1) of a right answer without help."""
        known_fact = self.facts.get(fact)
        memory = known_fact.memory if known_fact else None
        return chance_of(fact, memory, self.ability.value, today)

    def is_due(self, fact: Fact, today: int) -> bool:
        known_fact = self.facts.get(fact)
        return known_fact is not None and known_fact.memory.due <= today

    def level(self, fact: Fact, today: int) -> Level:
        """How well the child knows a fact today, by the higher of today's ability and that after
        the last answer to this fact, so that wrong answers to other facts lower no level."""
        known_fact = self.facts.get(fact)
        if known_fact is None:
            return "not yet seen"
        ability = max(known_fact.ability, self.ability.value)
        return level_of(fact, known_fact.reached, known_fact.memory, ability, today)

    def add(self, answer: FactAnswer) -> None:
        """Take the next answer into account. Answers come in order."""
        fact = fact_of(*answer.factors)
        known_fact = self.facts.get(fact)
        k = max(WEIGHTS.least_k, WEIGHTS.first_k / (1 + self.ability.answers / HALVES_AFTER))
        surprise = answer.is_right_alone - self.chance(fact, answer.day)
        self.ability = Ability(self.ability.value + k * surprise, self.ability.answers + 1)
        self.first_days.setdefault(fact, answer.day)
        self.facts[fact] = KnownFact(
            answer.factors,
            memory_after(known_fact.memory if known_fact else None, answer.rating, answer.day),
            (known_fact.times_asked if known_fact else 0) + 1,
            _days_after(known_fact.lately if known_fact else (), answer),
            self.ability.value,
        )


def _count_days(mark: int, lately: Iterable[AskedDay]) -> int:
    return sum(day.reaches(mark) for day in lately)


FactReasonKind = Literal[
    "few answers", "last answer", "new", "good", "slow", "few days", "unlikely", "long ago"
]


@dataclass(frozen=True, slots=True)
class FactReason:
    kind: FactReasonKind
    days: int  # how many of the last days on which it was asked count
    right: int  # on how many of them most answers were right without help
    good: int  # on how many of them most answers were also as fast as "secure" requires
    seconds: int  # the limit for `good`; 0 if time did not count on a good day


def reason_of(level: Level, lately: Sequence[AskedDay], count: int, chance: float) -> FactReason:
    """The reason for a level after `count` answers, with this chance of a right answer on the day
    after the last one."""
    good_days = [day for day in lately if day.reaches(SECURE)]
    right = _count_days(RIGHT, lately)
    is_timed = all(day.timed for day in good_days)
    kind: FactReasonKind
    if count < FEWEST_FOR_A_LEVEL:
        kind = "few answers"
    elif level != "learning":
        kind = "good"
    elif lately[-1].last == NOT_YET:
        kind = "last answer"
    elif len(lately) < DAYS_CONSIDERED:
        kind = "new"
    elif len(good_days) >= GOOD_DAYS:
        kind = "long ago" if chance >= SECURE_FROM else "unlikely"
    else:
        kind = "slow" if right >= GOOD_DAYS else "few days"
    seconds = SECURE_MS // 1000 if is_timed else 0
    return FactReason(kind, len(lately), right, len(good_days), seconds)


def recall_after(answers: Iterable[FactAnswer]) -> Recall:
    """What is known after these answers, the oldest first."""
    recall = Recall()
    for answer in answers:
        recall.add(answer)
    return recall


def chance_of(fact: Fact, memory: Memory | None, ability: float, today: int) -> float:
    """The chance (0–1) of a right answer without help. `memory` is None if the fact was never
    asked."""
    logit = ability - difficulty(fact, FACT_PARAMETERS)
    if memory is None:
        return logistic(logit)
    recalled = min(max(memory.recall(today), _EDGE), 1 - _EDGE)
    return logistic(
        WEIGHTS.rest + WEIGHTS.ability * logit + WEIGHTS.recall * log(recalled / (1 - recalled))
    )


def level_of(
    fact: Fact, reached: ReachedLevel, memory: Memory, ability: float, today: int
) -> Level:
    """How well the child knows a fact today that was asked before."""
    is_recent = today - memory.last_day < LEVEL_DAYS
    stays = is_recent and chance_of(fact, memory, ability, today) >= STAYS_SECURE_FROM
    if stays and chance_next_day(fact, memory, ability) >= SECURE_FROM:
        return reached
    return "learning"


def chance_next_day(fact: Fact, memory: Memory, ability: float) -> float:
    """The chance (0–1) of a right answer on the day after the last one, which decides a level."""
    return chance_of(fact, memory, ability, memory.last_day + 1)


def last_day_of_level(
    fact: Fact, reached: ReachedLevel, memory: Memory, ability: float
) -> int | None:
    """The last day on which a secure or fluent fact keeps this level if it is not asked again; None
    if it is neither. Until then, `level_of` gives this level on each day, and also for a higher
    ability."""
    if level_of(fact, reached, memory, ability, memory.last_day) not in GOOD_LEVELS:
        return None
    last = memory.last_day + LEVEL_DAYS - 1
    while level_of(fact, reached, memory, ability, last) not in GOOD_LEVELS:
        last -= 1
    return last


def _days_after(lately: tuple[AskedDay, ...], answer: FactAnswer) -> tuple[AskedDay, ...]:
    """The last days on which a fact was asked, after one more answer."""
    if lately and lately[-1].day == answer.day:
        *earlier, day = lately
    else:
        earlier, day = [*lately], AskedDay(answer.day)
    today = AskedDay(
        day=day.day,
        answers=day.answers + 1,
        secure=day.secure + (answer.mark >= SECURE),
        fluent=day.fluent + (answer.mark >= FLUENT),
        right=day.right + answer.is_right_alone,
        last=answer.mark,
        timed=day.timed and answer.is_timed,
    )
    return (*earlier, today)[-DAYS_CONSIDERED:]
