"""Twelve kinds of children, with which the lab tries the rules of progress.

They were fixed before the rules were tried on them. A child's ability at each table and fact is
drawn from a continuous distribution, so that many children are near the thresholds. No kind learns
from the missed rows that are shown: these can no longer be laid.
"""

from dataclasses import dataclass
from math import exp, log
from random import Random
from types import MappingProxyType
from typing import Final

from classrooms.demo.model_children import GROUPS, SCHOOL_DAYS, MemoryKind, ModelAnswers, ModelChild
from games.coach.questions import short_questions
from games.coach.times_tables import Fact, fact_of


def school_days(weeks: int) -> list[int]:
    return [7 * week + weekday for week in range(weeks) for weekday in SCHOOL_DAYS]


ABILITY: Final = (0.5, 1.2)
"""The mean and the standard deviation of a child's ability, in logits."""

HARDER_BY_GROUP: Final = (0.0, 0.5, 1.1, 1.6, 1.8)
"""The additional difficulty of tables, by group, in logits."""

SPREAD_OF_EASE: Final = 0.6
"""The standard deviation, in logits, of the ease of a table or a fact for a single child."""

MIDDLE_DAY: Final = 28

_EDGE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class ChildKind:
    name: str
    memory: MemoryKind | None = None
    """The memory of practice; None for a child who neither learns nor forgets."""
    form: float = 0.0  # the standard deviation of the form of the day, in logits
    tires: float = 1.0
    """The factor on each chance in the second round of a sitting, and at the end of its
    questions."""
    middle: float = 0.0  # the change of the ability on `MIDDLE_DAY`, in logits
    overlooks: float = 0.0  # as in `ModelChild`
    once_a_month: bool = False

    def days(self, weeks: int) -> list[int]:
        return list(range(0, 7 * weeks, 28)) if self.once_a_month else school_days(weeks)

    def true_chance(self, chance: float, day: float) -> float:
        """A chance on this day in average form, without tiredness."""
        return with_logits(chance, self.middle) if self.middle and day >= MIDDLE_DAY else chance

    def chance_when_asked(self, chance: float, form: float, tired: float) -> float:
        """A chance today, with this form (in standard deviations) and tiredness (0–1)."""
        today = with_logits(chance, self.form * form) if self.form else chance
        return today * self.tires**tired


CHILD_KINDS: Final = (
    ChildKind("stands still"),
    ChildKind("learns, memory doubles", memory="doubling"),
    ChildKind("learns by spacing", memory="spacing"),
    ChildKind("forgets by a power law", memory="power law"),
    ChildKind("good and bad days", form=0.8),
    ChildKind("very good and bad days", form=1.3),
    ChildKind("tires", tires=0.75),
    ChildKind("improves in the middle", middle=1.0),
    ChildKind("loses in the middle", middle=-1.0),
    ChildKind("overlooks the same again", overlooks=0.75),
    ChildKind("plays once a month", memory="spacing", once_a_month=True),
    ChildKind("all of these", memory="power law", form=0.8, tires=0.85, overlooks=0.5),
)


def with_logits(chance: float, logits: float) -> float:
    """A chance (0–1) raised by this many logits."""
    inside = min(max(chance, _EDGE), 1 - _EDGE)
    return 1 / (1 + exp(-log(inside / (1 - inside)) - logits))


def random_child(name: str, random: Random) -> ModelChild:
    """A child with abilities drawn at random."""
    ability = random.gauss(*ABILITY)
    chances = {
        table: with_logits(0.5, ability - hard + random.gauss(0, SPREAD_OF_EASE))
        for group, hard in zip(GROUPS, HARDER_BY_GROUP, strict=True)
        for table in group
    }
    seconds = exp(random.gauss(log(2.5), 0.4))
    return ModelChild(name, MappingProxyType(chances), with_logits(0.5, ability - 2), 0.1, seconds)


MEMORY_KINDS: Final[tuple[MemoryKind, ...]] = ("doubling", "spacing")
"""The kinds of memory that simulations give to the three model children."""


@dataclass(slots=True)
class AnswersOfKind(ModelAnswers):
    """The answers of a child of a kind."""

    kind: ChildKind = ChildKind("")
    _day: int = -1
    _answers_today: int = 0

    def knowledge(self, fact: Fact, at: float) -> float:
        difficulty = Random(f"{self.seed}/{fact_of(*fact)}").gauss(0, SPREAD_OF_EASE)
        # super() does not work: a dataclass with slots is another class than the one in its
        # methods.
        knowledge = ModelAnswers.knowledge(self, fact, at)
        return self.kind.true_chance(with_logits(knowledge, difficulty), at)

    def chance_when_asked(self, fact: Fact, at: float) -> float:
        self._answers_today = self._answers_today + 1 if int(at) == self._day else 1
        self._day = int(at)
        form = Random(f"{self.seed}/form/{self._day}").gauss(0, 1)
        tired = self._answers_today / (2 * short_questions.MOST_QUESTIONS)
        return self.kind.chance_when_asked(self.chance(fact, at), form, tired)
