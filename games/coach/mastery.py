"""What the levels of tables (`games.coach.statements.table_levels`) and of facts
(`games.coach.questions.recall`) share, and the chance that a child finds the next row or gives the
next answer right (docs/mastery.md).

That chance is a fold over days. It depends on the days of the table or fact and on the child's
ability at all rows or all facts. It decides no level.

docs/learning.md (Levels) says where each figure comes from. Those called "fitted" were found with
`python -m scripts.lab.evaluate_mastery --fit`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final, Literal, TypeVar

Reached = Literal["learning", "secure", "fluent"]
Level = Literal["not yet seen", "learning", "secure", "fluent", "needs refreshing"]
GOOD_LEVELS: Final[tuple[Level, ...]] = ("secure", "fluent")
Key = TypeVar("Key", bound=tuple[int, ...])
"""The table of a row, or the two factors of a fact."""

FEWEST_FOR_A_LEVEL: Final = 3
"""A level is shown only from this many pieces of evidence on."""
SECURE_MS: Final = 6000
FLUENT_MS: Final = 3000
"""The longest net times of a secure and of a fluent answer."""
DAYS_CONSIDERED: Final = 3
GOOD_DAYS: Final = 2
"""A fact is secure or fluent if most answers were so on `GOOD_DAYS` of the last `DAYS_CONSIDERED`
days on which it was asked."""
KEPT_BY_DAY: Final = 0.9
"""Multiplies the weight of earlier days on each new day, for the levels of tables and for the
chance: a child learns, so recent days say more."""
FIRST_HALF_LIFE: Final = 1.0
LEAST_HALF_LIFE: Final = 15 / (24 * 60)
MOST_HALF_LIFE: Final = 274.0
"""Half-lives in days. Success on another day doubles a half-life, failure halves it."""

NOT_YET: Final = 0
RIGHT: Final = 1
SECURE: Final = 2
FLUENT: Final = 3
MARKS: Final[tuple[tuple[Reached, int], ...]] = (("fluent", FLUENT), ("secure", SECURE))


def changes_mastery(reached: Reached, before: Reached) -> bool:
    """Whether a child has become secure, or is no longer so. A secure and a fluent child know the
    same; the fluent one is faster."""
    return (reached in GOOD_LEVELS) != (before in GOOD_LEVELS)


@dataclass(frozen=True, slots=True)
class Day:
    """The evidence of one day on a table or a fact."""

    day: int  # its number
    count: int  # chances, or questions answered
    right: int  # how many were found, or answered right, without help

    @property
    def is_success(self) -> bool:
        return 2 * self.right > self.count


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of one kind of evidence. One answer moves the ability by `first_k` at first
    and by `least_k` in the end, in logits."""

    prior: float  # how many pieces of evidence the child's ability counts as
    remembers: float  # the share of the remaining uncertainty that a fresh memory removes
    first_k: float
    least_k: float
    difficulty: Mapping[int, float]  # by table, in logits
    difficulty_of_others: float


HALVES_AFTER: Final = 20
"""After this many answers `first_k` is halved, after twice as many it is a third, and so on."""
GROUPS: Final = ((2, 5, 10), (3, 4), (6, 9), (7, 8), (11, 12))
"""Groups of tables that are about equally hard, the easy ones first."""


def by_table(logits: Sequence[float]) -> Mapping[int, float]:
    """The difficulty of each table, given the difficulties of `GROUPS` in logits."""
    pairs = zip(GROUPS, logits, strict=True)
    return {table: logit for group, logit in pairs for table in group}


ROWS: Final = Parameters(
    prior=20.0,
    remembers=0.0,
    first_k=0.17,
    least_k=0.014,
    difficulty=by_table((-0.4, -0.15, 0.4, 1.05, 0.6)),
    difficulty_of_others=1.0,
)
"""Fitted to 60 model children over 16 weeks, with seed 100. The figures for 11, 12 and rows of no
table are guesses, because these games had no such rows."""
FACTS: Final = Parameters(
    prior=18.0,
    remembers=1.0,
    first_k=0.27,
    least_k=0.03,
    difficulty=by_table((-1.1, -0.4, 0.1, 0.1, 0.6)),
    difficulty_of_others=1.0,
)
"""Fitted to the answers of the same model children as `ROWS`."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the days so far tell about a child's table or fact. `weight` counts pieces of evidence
    and `right` counts successes; earlier ones count less."""

    last: int | None = None  # the last day with evidence
    succeeded: bool = False  # whether that day was a success
    weight: float = 0.0
    right: float = 0.0
    half_life: float = 0.0  # in days

    def recall(self, today: int) -> float:
        """The chance (0–1) that the child still remembers it: 2^(−days since / half-life)."""
        if self.last is None or not self.half_life:
            return 0.0
        return float(2 ** (-max(today - self.last, 0) / self.half_life))


def after_day(knowledge: Knowledge, day: Day, kind: Parameters) -> Knowledge:
    """What is known after one more day. Days come in order, each once."""
    if not day.count:
        return knowledge
    success = day.is_success
    if not knowledge.half_life:
        half_life = FIRST_HALF_LIFE if success else FIRST_HALF_LIFE / 2
    else:
        half_life = knowledge.half_life * (2 if success else 0.5)
    return Knowledge(
        last=day.day,
        succeeded=success,
        weight=knowledge.weight * KEPT_BY_DAY + day.count,
        right=knowledge.right * KEPT_BY_DAY + day.right,
        half_life=min(max(half_life, LEAST_HALF_LIFE), MOST_HALF_LIFE),
    )


@dataclass(frozen=True, slots=True)
class Ability:
    """How able a child is at rows or at facts, in logits, and the number of pieces of evidence for
    it."""

    value: float = 0.0
    answers: int = 0


def after_answers(
    ability: Ability, days: Collection[tuple[float, Day]], kind: Parameters
) -> Ability:
    """The ability after the evidence of one day on all tables or facts, each with its difficulty
    (Elo from untimed answers). The order within a day does not matter."""
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
    """The difficulty, in logits, of a row by its table, or of a fact by its easier table."""
    return min(kind.difficulty.get(table, kind.difficulty_of_others) for table in tables)


def chance(
    knowledge: Knowledge, ability: Ability, difficulty: float, kind: Parameters, today: int
) -> float:
    """The chance (0–1) that the child finds the next row or gives the next answer right."""
    expected = logistic(ability.value - difficulty)
    own_share = (knowledge.right + kind.prior * expected) / (knowledge.weight + kind.prior)
    memory = knowledge.recall(today) if knowledge.succeeded else 0.0
    return own_share + (1 - own_share) * kind.remembers * memory


def predictions(
    days: Iterable[tuple[int, Mapping[Key, Day]]], kind: Parameters
) -> Iterator[Mapping[Key, float]]:
    """For each day, the probabilities that the earlier days predict for its tables or facts. A day
    is given as its number and its evidence by table or fact. Days come in order, each once."""
    knowledge_of: dict[Key, Knowledge] = {}
    ability = Ability()
    for number, answers in days:
        hard = {key: difficulty(key, kind) for key in answers}
        yield {
            key: chance(knowledge_of.get(key, Knowledge()), ability, hard[key], kind, number)
            for key in answers
        }
        ability = after_answers(ability, [(hard[key], day) for key, day in answers.items()], kind)
        for key, day in answers.items():
            knowledge_of[key] = after_day(knowledge_of.get(key, Knowledge()), day, kind)


def logistic(logit: float) -> float:
    return 1 / (1 + exp(-logit))
