"""The model children of simulations: three strengths of seeing rows, and twelve kinds of children
whose ability is drawn at random.

The figures were chosen before any bot was fitted to them; no bot that plays with children reads
them. docs/learning.md (*Model children*) lists them too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from random import Random
from types import MappingProxyType
from typing import Final, Literal

WHERE_IT_ADDS: Final = 0.8
WHERE_IT_CROSSES: Final = 0.5
WITH_A_JOKER: Final = 0.5
CHECK_SIGMA: Final = 0.4
"""The standard deviation of the logarithm of the seconds for a short question (log-normal)."""

SCHOOL_DAYS: Final = (0, 2, 4)
"""Three sittings a week: on Monday, Wednesday and Friday."""


def school_days(weeks: int) -> list[int]:
    return [7 * week + weekday for week in range(weeks) for weekday in SCHOOL_DAYS]


_GROUPS: Final = ((2, 5, 10), (3, 4), (6, 9), (7, 8), (11, 12))


@dataclass(frozen=True, slots=True)
class ModelChild:
    name: str
    notices: Mapping[int, float]
    """The chance (0–1) to notice a row that is there, by its times table; also the chance to answer
    a short question right."""
    notices_others: float  # the chance to notice rows with any other jump
    wrong_tries: float  # the share of turns in which they try cards that make no row
    check_seconds: float  # the median time of a short question
    overlooks: float = 0.0
    """The share of turns in which they overlook a row again that they overlooked earlier in the
    round."""

    def chance(
        self, table: int | None, *, adds: bool = False, crosses: bool = False, joker: bool = False
    ) -> float:
        """The chance to notice a row of a times table (None: of no table); `adds`, `crosses` and
        `joker` say whether it adds to rows, crosses rows or needs a joker."""
        chance = self.notices.get(table or 0, self.notices_others)
        if adds:
            chance *= WHERE_IT_ADDS
        if crosses:
            chance *= WHERE_IT_CROSSES
        if joker:
            chance *= WITH_A_JOKER
        return chance


def _child(
    name: str,
    chances: tuple[float, float, float, float, float],
    other_tables: float,
    wrong_tries: float,
    check_seconds: float,
) -> ModelChild:
    by_table = {
        table: chance for group, chance in zip(_GROUPS, chances, strict=True) for table in group
    }
    return ModelChild(name, MappingProxyType(by_table), other_tables, wrong_tries, check_seconds)


WEAK: Final = _child("weak", (0.60, 0.40, 0.25, 0.15, 0.15), 0.10, 0.15, 4.0)
MIDDLE: Final = _child("middle", (0.80, 0.65, 0.50, 0.40, 0.35), 0.30, 0.08, 2.5)
STRONG: Final = _child("strong", (0.95, 0.90, 0.85, 0.80, 0.75), 0.60, 0.03, 1.5)
MODEL_CHILDREN: Final[Mapping[str, ModelChild]] = MappingProxyType(
    {child.name: child for child in (WEAK, MIDDLE, STRONG)}
)


# Kinds of children, fixed before the rules were tried on them. A child's ability is drawn from a
# continuous distribution, by table and by fact, so that many are near the thresholds. No kind
# learns from the missed rows that are shown: these can no longer be laid.

MemoryKind = Literal["doubling", "spacing", "power law"]
ABILITY: Final = (0.5, 1.2)
"""The mean and the standard deviation of a child's ability, in logits."""
HARDER_BY_GROUP: Final = (0.0, 0.5, 1.1, 1.6, 1.8)
"""How much harder tables are, by group, in logits."""
OF_ITS_OWN: Final = 0.6
"""The standard deviation, in logits, of the ease of a table or a fact for a single child."""
MIDDLE_DAY: Final = 28
_EDGE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class ChildKind:
    name: str
    memory: MemoryKind | None = None
    """How practice is remembered; None for a child who neither learns nor forgets."""
    form: float = 0.0  # the standard deviation of the form of the day, in logits
    tires: float = 1.0
    """The factor on each chance in the second round of a sitting, reached also at the end of its
    questions."""
    middle: float = 0.0  # the change of the ability on `MIDDLE_DAY`, in logits
    overlooks: float = 0.0  # as for a model child
    once_a_month: bool = False

    def days(self, weeks: int) -> list[int]:
        return list(range(0, 7 * weeks, 28)) if self.once_a_month else school_days(weeks)

    def true_chance(self, chance: float, day: float) -> float:
        """A chance on this day in average form, without tiredness."""
        return with_logits(chance, self.middle) if self.middle and day >= MIDDLE_DAY else chance

    def chance_today(self, chance: float, form: float, tired: float) -> float:
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
        table: with_logits(0.5, ability - hard + random.gauss(0, OF_ITS_OWN))
        for group, hard in zip(_GROUPS, HARDER_BY_GROUP, strict=True)
        for table in group
    }
    seconds = exp(random.gauss(log(2.5), 0.4))
    return ModelChild(name, MappingProxyType(chances), with_logits(0.5, ability - 2), 0.1, seconds)
