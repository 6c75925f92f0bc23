"""How a model child answers short questions: its chance at a fact, and what practice adds to it.

Only for simulations. Its chance to be right is that of the easier of the fact's tables. It also
remembers facts that it has answered before, with a half-life that begins at one day and halves with
each failure. Of how it grows there are two kinds of memory (docs/learning.md, Model children): it
doubles with each success on another day, or it grows more the longer the child was not asked.
"""

from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import Final, Literal, Self, get_args

from games.coach.facts import Fact, fact
from games.lab.model_children import CHECK_SIGMA, ModelChild

FIRST: Final = 1.0
LEAST: Final = 15 / (24 * 60)
MOST: Final = 274.0
BY_SPACING: Final = 2.0
"""How much a success after a long gap adds to the half-life, as a factor."""

MemoryKind = Literal["doubling", "spacing"]
MEMORY_KINDS: Final[tuple[MemoryKind, ...]] = get_args(MemoryKind)


@dataclass(slots=True)
class ModelMemory:
    """What practice leaves of one fact or one table. Times are in days from any fixed moment."""

    kind: MemoryKind
    half_life: float
    at: float

    @classmethod
    def begun(cls, kind: MemoryKind, right: bool, at: float) -> Self:
        return cls(kind, FIRST if right else FIRST / 2, at)

    def chance(self, known: float, at: float) -> float:
        """The chance (0–1) at this time of whoever has the chance `known` without practice."""
        return float(known + (1 - known) * 2 ** (-(at - self.at) / self.half_life))

    def practise(self, right: bool, at: float) -> None:
        """Grow with a success, or shrink with a failure."""
        if not right:
            self.half_life = max(self.half_life / 2, LEAST)
        elif self.kind == "spacing":
            gone = 1 - 2 ** (-(at - self.at) / self.half_life)
            self.half_life = min(self.half_life * (1 + BY_SPACING * gone), MOST)
        elif int(at) > int(self.at):
            self.half_life = min(self.half_life * 2, MOST)
        self.at = at


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The answer to a question: whether it was right, and after how many seconds of thought."""

    right: bool
    seconds: float


@dataclass(slots=True)
class ModelAnswers:
    """The answers of one model child; `seed` decides all that is random. Times are in days from any
    fixed moment."""

    child: ModelChild
    seed: int
    memory: MemoryKind = "doubling"
    _remembered: dict[Fact, ModelMemory] = field(default_factory=dict)
    _asked: int = 0

    def chance(self, asked: Fact, at: float) -> float:
        """The chance (0–1) of a right answer at this time."""
        known = max(self.child.chance(table) for table in asked)
        memory = self._remembered.get(fact(*asked))
        return known if memory is None else memory.chance(known, at)

    def answer(self, asked: Fact, at: float) -> ModelReply:
        """Answer, and remember the fact better or worse from now on."""
        self._asked += 1
        random = Random(f"{self.seed}/{self._asked}")
        right = random.random() < self.chance(asked, at)
        self._remember(fact(*asked), right, at)
        seconds = self.child.check_seconds * exp(random.gauss(0, CHECK_SIGMA))
        return ModelReply(right, seconds)

    def _remember(self, one: Fact, right: bool, at: float) -> None:
        memory = self._remembered.get(one)
        if memory is None:
            self._remembered[one] = ModelMemory.begun(self.memory, right, at)
        else:
            memory.practise(right, at)
