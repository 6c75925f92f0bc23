"""The common part of the levels of tables (`games.coach.statements.table_levels`) and of facts
(`games.coach.questions.recall`), and the chance that a child finds the next row or gives the next
answer right, which decides no level (docs/mastery.md).

docs/learning.md (Levels) has the source of each figure. "Fitted" ones were found with
`python -m scripts.lab.evaluate_mastery --fit`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final, Literal, TypeVar

ReachedLevel = Literal["learning", "secure", "fluent"]
Level = Literal["not yet seen", "learning", "secure", "fluent", "needs refreshing"]
GOOD_LEVELS: Final[tuple[Level, ...]] = ("secure", "fluent")
Key = TypeVar("Key", bound=tuple[int, ...])
"""The table of a row, or the two factors of a fact."""

FEWEST_FOR_A_LEVEL: Final = 3
"""The fewest pieces of evidence for which a level is shown."""
SECURE_MS: Final = 6000  # the longest net time of a secure answer
FLUENT_MS: Final = 3000  # the longest net time of a fluent answer
DAYS_CONSIDERED: Final = 3
GOOD_DAYS: Final = 2
"""A fact is secure or fluent if most answers were so on `GOOD_DAYS` of the last `DAYS_CONSIDERED`
days on which it was asked."""
DAILY_DISCOUNT: Final = 0.9
"""The factor by which each new day reduces the weight of earlier days, for the levels of tables and
for the chance. Recent days say more, because a child learns."""
FIRST_HALF_LIFE: Final = 1.0
LEAST_HALF_LIFE: Final = 15 / (24 * 60)
MOST_HALF_LIFE: Final = 274.0
"""Half-lives of the memory of a fact, in days. A day with success doubles a half-life, one with
failure halves it."""

NOT_YET: Final = 0
RIGHT: Final = 1
SECURE: Final = 2
FLUENT: Final = 3
LEVEL_MARKS: Final[tuple[tuple[ReachedLevel, int], ...]] = (("fluent", FLUENT), ("secure", SECURE))


def changes_mastery(reached: ReachedLevel, before: ReachedLevel) -> bool:
    """Whether a child has become secure, or is so no longer. A fluent child knows no more than a
    secure one, but is faster."""
    return (reached in GOOD_LEVELS) != (before in GOOD_LEVELS)


@dataclass(frozen=True, slots=True)
class Day:
    """The evidence of one day on a table or a fact."""

    day: int  # its number
    count: int  # the chances, or the questions answered
    right: int  # how many of them the child found, or answered right, without help

    @property
    def is_success(self) -> bool:
        return 2 * self.right > self.count


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of one kind of evidence. One answer moves the ability by `first_k` at first
    and by `least_k` in the end, in logits."""

    prior: float  # the child's ability counts as this many pieces of evidence
    memory_share: float  # the share of the remaining uncertainty that a fresh memory removes
    first_k: float
    least_k: float
    difficulty: Mapping[int, float]  # by table, in logits
    difficulty_of_others: float


HALVES_AFTER: Final = 20
"""After this many answers `first_k` is halved, after twice as many it is a third, and so on."""
TABLE_GROUPS: Final = ((2, 5, 10), (3, 4), (6, 9), (7, 8), (11, 12))
"""Groups of tables that are about equally hard, the easy ones first."""


def difficulty_by_table(logits: Sequence[float]) -> Mapping[int, float]:
    """The difficulty of each table, from that of each of the `TABLE_GROUPS`, in logits."""
    pairs = zip(TABLE_GROUPS, logits, strict=True)
    return {table: logit for group, logit in pairs for table in group}


ROW_PARAMETERS: Final = Parameters(
    prior=20.0,
    memory_share=0.0,
    first_k=0.17,
    least_k=0.014,
    difficulty=difficulty_by_table((-0.4, -0.15, 0.4, 1.05, 0.6)),
    difficulty_of_others=1.0,
)
"""Fitted to 60 model children over 16 weeks, with seed 100. The figures for 11, 12 and rows of no
table are guesses, because these games had no such rows."""
FACT_PARAMETERS: Final = Parameters(
    prior=18.0,
    memory_share=1.0,
    first_k=0.27,
    least_k=0.03,
    difficulty=difficulty_by_table((-1.1, -0.4, 0.1, 0.1, 0.6)),
    difficulty_of_others=1.0,
)
"""Fitted to the answers of the model children of `ROW_PARAMETERS`."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the days so far tell about a child's table or fact. `weight` counts pieces of evidence
    and `right` those that were right; earlier ones count less."""

    last_day: int | None = None  # the last day with evidence
    has_succeeded: bool = False  # whether that day was a success
    weight: float = 0.0
    right: float = 0.0
    half_life: float = 0.0  # in days

    def recall(self, today: int) -> float:
        """The chance (0–1) that the child still remembers it: 2^(−days since / half-life)."""
        if self.last_day is None or not self.half_life:
            return 0.0
        return float(2 ** (-max(today - self.last_day, 0) / self.half_life))


def knowledge_after(knowledge: Knowledge, day: Day) -> Knowledge:
    """The knowledge after one more day. Days come in order, each once."""
    if not day.count:
        return knowledge
    if not knowledge.half_life:
        half_life = FIRST_HALF_LIFE if day.is_success else FIRST_HALF_LIFE / 2
    else:
        half_life = knowledge.half_life * (2 if day.is_success else 0.5)
    return Knowledge(
        last_day=day.day,
        has_succeeded=day.is_success,
        weight=knowledge.weight * DAILY_DISCOUNT + day.count,
        right=knowledge.right * DAILY_DISCOUNT + day.right,
        half_life=min(max(half_life, LEAST_HALF_LIFE), MOST_HALF_LIFE),
    )


@dataclass(frozen=True, slots=True)
class Ability:
    """A child's ability at rows or at facts, in logits, and the amount of evidence behind it."""

    value: float = 0.0
    answers: int = 0


def ability_after(
    ability: Ability, days: Collection[tuple[float, Day]], kind: Parameters
) -> Ability:
    """The ability after one more day: for each table or fact its difficulty and its evidence of
    that day, in any order (Elo from untimed answers)."""
    count = sum(day.count for _, day in days)
    if not count:
        return ability
    k = max(kind.least_k, kind.first_k / (1 + ability.answers / HALVES_AFTER))
    surprise = sum(
        day.right - day.count * logistic(ability.value - difficulty)
        for difficulty, day in sorted(
            days, key=lambda entry: (entry[0], entry[1].count, entry[1].right)
        )
    )
    return Ability(ability.value + k * surprise, ability.answers + count)


def difficulty(tables: Iterable[int], kind: Parameters) -> float:
    """The difficulty, in logits, of the easiest of these tables: the one of a row, or the two of a
    fact."""
    return min(kind.difficulty.get(table, kind.difficulty_of_others) for table in tables)


def chance(
    knowledge: Knowledge, ability: Ability, difficulty: float, kind: Parameters, today: int
) -> float:
    """The chance (0–1) that the child finds the next row or gives the next answer right."""
    expected = logistic(ability.value - difficulty)
    own_share = (knowledge.right + kind.prior * expected) / (knowledge.weight + kind.prior)
    memory = knowledge.recall(today) if knowledge.has_succeeded else 0.0
    return own_share + (1 - own_share) * kind.memory_share * memory


def predictions(
    days: Iterable[tuple[int, Mapping[Key, Day]]], kind: Parameters
) -> Iterator[Mapping[Key, float]]:
    """For each day, the chances that the earlier days predict for its tables or facts. A day is
    given as its number and its evidence by table or fact. Days come in order, each once."""
    knowledge_of: dict[Key, Knowledge] = {}
    ability = Ability()
    for number, answers in days:
        difficulties = {key: difficulty(key, kind) for key in answers}
        yield {
            key: chance(knowledge_of.get(key, Knowledge()), ability, level, kind, number)
            for key, level in difficulties.items()
        }
        pairs = [(difficulties[key], day) for key, day in answers.items()]
        ability = ability_after(ability, pairs, kind)
        for key, day in answers.items():
            knowledge_of[key] = knowledge_after(knowledge_of.get(key, Knowledge()), day)


def logistic(logit: float) -> float:
    return 1 / (1 + exp(-logit))
