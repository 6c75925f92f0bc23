"""How a model child answers short questions: their chance at a fact, and what practice adds to it.
Only for simulations.

The chance to be right is that of the easier of the fact's two tables. A model child also remembers
facts that they have answered before. The half-life of this memory begins at one day (half a day
after a failure) and halves with each failure. It grows in one of two ways (docs/learning.md, *Model
children*). Either it doubles with each success on another day, or a success adds more to it, the
longer the child was not asked. The second way also serves a memory that forgets by a power law.
"""

from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import Final, Literal, Self

from classrooms.demo.model_children import CHECK_SIGMA, ModelChild
from games.coach.times_tables import Fact, fact_of

FIRST_HALF_LIFE: Final = 1.0
LEAST_HALF_LIFE: Final = 15 / (24 * 60)
MOST_HALF_LIFE: Final = 274.0
SPACING_GAIN: Final = 2.0
"""How much a success after a long gap adds to the half-life, as a factor."""

MemoryKind = Literal["doubling", "spacing", "power law"]


@dataclass(slots=True)
class ModelMemory:
    """The memory of one fact or one table after practice. Times are in days from any fixed
    moment."""

    kind: MemoryKind
    half_life: float
    at: float

    @classmethod
    def begun(cls, kind: MemoryKind, right: bool, at: float) -> Self:
        return cls(kind, FIRST_HALF_LIFE if right else FIRST_HALF_LIFE / 2, at)

    def chance(self, knowledge: float, at: float) -> float:
        """The chance (0–1) at this time, given the chance `knowledge` without practice."""
        return knowledge + (1 - knowledge) * self._share_kept(at)

    def _share_kept(self, at: float) -> float:
        gap = (at - self.at) / self.half_life
        return float(1 / (1 + gap) if self.kind == "power law" else 2**-gap)

    def practise(self, right: bool, at: float) -> None:
        """Let the half-life grow with a success or shrink with a failure."""
        if not right:
            self.half_life = max(self.half_life / 2, LEAST_HALF_LIFE)
        elif self.kind != "doubling":
            lost = 1 - self._share_kept(at)
            self.half_life = min(self.half_life * (1 + SPACING_GAIN * lost), MOST_HALF_LIFE)
        elif int(at) > int(self.at):
            self.half_life = min(self.half_life * 2, MOST_HALF_LIFE)
        self.at = at


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The answer to a question: whether it was right, and the seconds of thought."""

    right: bool
    seconds: float


@dataclass(slots=True)
class ModelAnswers:
    """The answers of one model child. Everything random follows from `seed`. Times are in days from
    any fixed moment."""

    child: ModelChild
    seed: int
    memory: MemoryKind | None = "doubling"
    _remembered: dict[Fact, ModelMemory] = field(default_factory=dict)
    _asked: int = 0

    def chance(self, fact: Fact, at: float) -> float:
        """The chance (0–1) of a right answer at this time."""
        knowledge = self.knowledge(fact, at)
        memory = self._remembered.get(fact_of(*fact))
        return knowledge if memory is None else memory.chance(knowledge, at)

    def knowledge(self, fact: Fact, at: float) -> float:
        """The chance (0–1) without practice."""
        return max(self.child.chance(table) for table in fact)

    def chance_when_asked(self, fact: Fact, at: float) -> float:
        """The chance (0–1) for a question that is asked now."""
        return self.chance(fact, at)

    def answer(self, fact: Fact, at: float) -> ModelReply:
        """Answer, and remember the fact better or worse afterwards."""
        self._asked += 1
        random = Random(f"{self.seed}/{self._asked}")
        right = random.random() < self.chance_when_asked(fact, at)
        self._remember(fact_of(*fact), right, at)
        seconds = self.child.check_seconds * exp(random.gauss(0, CHECK_SIGMA))
        return ModelReply(right, seconds)

    def _remember(self, fact: Fact, right: bool, at: float) -> None:
        memory = self._remembered.get(fact)
        if self.memory is None:
            return
        if memory is None:
            self._remembered[fact] = ModelMemory.begun(self.memory, right, at)
        else:
            memory.practise(right, at)
