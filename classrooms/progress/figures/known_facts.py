"""Which facts of the times tables the children of a class know, by their short questions."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Case, Count, F, Q, QuerySet, When
from msgspec import Struct, convert

from classrooms.checks.models import Check
from classrooms.models import Child
from classrooms.progress.figures.table_rows import STEPS
from classrooms.progress.models import FactMastery
from games.coach.facts import Fact
from games.coach.mastery import FEWEST, Level, Reached
from games.coach.questions.memory import Memory
from games.coach.questions.recall import (
    AskedDay,
    FactReason,
    chance_now,
    chance_of,
    level_of,
    reason_of,
)

HOW: Final = ("recalled", "derived", "hinted", "guessed")
FIGURES: Final = (*HOW, "reached_on", "last_at")
OF_THE_CHILD: Final = (
    "child",
    "stability",
    "difficulty",
    "day",
    "due_on",
    "ability",
    "child__fact_ability__value",
)
"""What is stored of a child's fact besides the fact and its level, in the order of `_known`."""


@dataclass(frozen=True, slots=True)
class FactCell:
    """How well a child knows a fact today, and how it got its answers. `chance`: that the next
    answer is right (0–1); `since`: since when its answers have been this good or better, None
    where they say otherwise than `level`; `due_on`: when it is to be asked again; `reason`: of the
    level, where only one fact was asked for."""

    child: UUID
    fact: Fact
    level: Level
    chance: float
    due_on: date
    recalled: int
    derived: int
    hinted: int
    guessed: int
    since: date | None
    last_at: datetime
    reason: FactReason | None = None

    @property
    def evidence(self) -> int:
        return self.recalled + self.derived + self.hinted + self.guessed

    @property
    def is_shown(self) -> bool:
        """Whether its level may be shown: from three answers on."""
        return self.evidence >= FEWEST

    @property
    def right(self) -> int:
        """Answers right without help."""
        return self.recalled + self.derived


@dataclass(frozen=True, slots=True)
class FactSum:
    """A fact in the class: how many children are at each level, of those whose level is shown."""

    fact: Fact
    levels: Mapping[Level, int]
    is_assigned: bool = False

    @property
    def children(self) -> int:
        return sum(self.levels.values())

    @property
    def knowing(self) -> int:
        """Children who are secure or fluent in it."""
        return self.levels.get("secure", 0) + self.levels.get("fluent", 0)

    @property
    def step(self) -> int:
        """The shade from sand to green, 0 to `len(STEPS)`."""
        return sum(self.knowing >= step * self.children for step in STEPS)


@dataclass(frozen=True, slots=True)
class LearningFact:
    """A fact that a child is still learning, after so many answers. `chance`: that the next one is
    right (0–1)."""

    chance: float
    answers: int


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """The facts that the children of a class were asked, with levels that are shown. `levels`: by
    fact, how many children are at each level; `learning`: by child, the facts that it is still
    learning."""

    levels: Mapping[Fact, Mapping[Level, int]]
    learning: Mapping[UUID, Mapping[Fact, LearningFact]]


class _Known(Struct, frozen=True):
    """What is stored of a child's fact. `ability_then`: that of the child after the last answer to
    it; `ability`: that of today."""

    child: UUID
    fact: Fact
    reached: Reached
    memory: Memory
    ability_then: float
    ability: float

    @property
    def able(self) -> float:
        """The ability that counts for the level."""
        return max(self.ability_then, self.ability)

    def level(self, today: int) -> Level:
        return level_of(self.fact, self.reached, self.memory, self.able, today)

    def reason(self, today: int, asked: int, lately: Any) -> FactReason:
        chance = chance_now(self.fact, self.memory, self.able, today)
        return reason_of(self.level(today), convert(lately, list[AskedDay]), asked, chance)

    def chance(self, today: int) -> float:
        return chance_of(self.fact, self.memory, self.ability, today)


def cells_of(
    children: Iterable[Child], today: date, of: Fact | None = None
) -> Mapping[UUID, Mapping[Fact, FactCell]]:
    """How well these children know each fact that they were asked, or only the fact `of`."""
    cells: dict[UUID, dict[Fact, FactCell]] = defaultdict(dict)
    stored = _stored(children)
    if of:
        stored = stored.filter(low=of[0], high=of[1])
    day = today.toordinal()
    for known, (lately, *figures) in _read(stored, "lately" if of else "pk", *FIGURES):
        due_on = date.fromordinal(known.memory.due)
        cell = FactCell(
            known.child, known.fact, known.level(day), known.chance(day), due_on, *figures
        )
        if of:
            cell = replace(cell, reason=known.reason(day, cell.evidence, lately))
        is_dated = cell.level in (known.reached, "needs refreshing")
        cells[known.child][known.fact] = cell if is_dated else replace(cell, since=None)
    return cells


def facts_of_class(children: Iterable[Child], today: date) -> ClassFacts:
    """The facts that these children were asked, in one query. Most are as good as at their last
    answer: the database counts those together, and leaves each of the others by itself."""
    levels: dict[Fact, dict[Level, int]] = defaultdict(dict)
    learning: dict[UUID, dict[Fact, LearningFact]] = defaultdict(dict)
    day = today.toordinal()
    may_differ = Q(holds_until=None) | Q(holds_until__lt=today)
    others = {
        f"other_{number}": Case(When(may_differ, then=F(name)))
        for number, name in enumerate((*OF_THE_CHILD, *HOW))
    }
    counted = _stored(children).values("low", "high", "reached", **others).annotate(n=Count("pk"))
    for low, high, reached, child, *known_then, number in counted.values_list(
        "low", "high", "reached", *others, "n"
    ):
        of_fact = levels[low, high]
        if child is None:
            of_fact[reached] = of_fact.get(reached, 0) + number
            continue
        known = _known(child, low, high, reached, *known_then[: -len(HOW)])
        level, answers = known.level(day), sum(known_then[-len(HOW) :])
        if answers < FEWEST:
            continue
        of_fact[level] = of_fact.get(level, 0) + 1
        if level == "learning":
            learning[child][known.fact] = LearningFact(known.chance(day), answers)
    return ClassFacts(levels, learning)


def learning_of(cells: Mapping[Fact, FactCell]) -> Mapping[Fact, LearningFact]:
    """The facts that a child is still learning, of its cells."""
    return {
        fact: LearningFact(cell.chance, cell.evidence)
        for fact, cell in cells.items()
        if cell.is_shown and cell.level == "learning"
    }


def secure_facts(child: Child) -> frozenset[Fact]:
    """The facts a child is secure or fluent in today, from which hints and short questions derive
    others."""
    stored = _stored([child]).exclude(reached="learning")
    today = child.school_class.today().toordinal()
    levels = {known.fact: known.level(today) for known, _ in _read(stored)}
    return frozenset(fact for fact, level in levels.items() if level in ("secure", "fluent"))


def _stored(children: Iterable[Child]) -> QuerySet[FactMastery]:
    return FactMastery.objects.filter(child__in=[child.pk for child in children])


def _read(stored: QuerySet[FactMastery], *figures: str) -> Iterator[tuple[_Known, Sequence[Any]]]:
    """Each of these rows, with these figures."""
    number = len(OF_THE_CHILD)
    rows = stored.values_list("low", "high", "reached", *OF_THE_CHILD, *figures)
    for low, high, reached, child, *others in rows:
        yield _known(child, low, high, reached, *others[: number - 1]), others[number - 1 :]


def _known(
    child: UUID,
    low: int,
    high: int,
    reached: Reached,
    stability: float,
    difficulty: float,
    day: date,
    due_on: date,
    ability_then: float,
    ability: float,
) -> _Known:
    memory = Memory(stability, difficulty, day.toordinal(), due_on.toordinal())
    return _Known(child, (low, high), reached, memory, ability_then, ability)


def answers_to(children: Iterable[Child], fact: Fact) -> QuerySet[Check]:
    """The answers of these children to a fact, in either order of its factors, newest first."""
    low, high = fact
    turned = Q(first=low, second=high) | Q(first=high, second=low)
    asked = Check.objects.filter(turned, child__in=[child.pk for child in children])
    return asked.filter(kind=Check.Kind.FACT).order_by("-answered_at", "-pk")
