"""How well children know the facts of the times tables, judged by their answers to short questions
and in check-ups."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Case, Count, F, Q, QuerySet, When
from django.utils import timezone
from msgspec import convert

from classrooms.checkups.models import CheckUpAnswer
from classrooms.models import Child
from classrooms.progress.models import Chance, FactMastery
from classrooms.questions.models import Check
from games.coach.mastery import (
    FEWEST_FOR_A_LEVEL,
    GOOD_DAYS,
    GOOD_LEVELS,
    NOT_YET,
    RIGHT,
    SECURE,
    Level,
    ReachedLevel,
)
from games.coach.questions import recall
from games.coach.questions.recall import reason_of as recall_reason_of
from games.coach.questions.short_questions import Trouble
from games.coach.statements.contrasts import FEWEST_CHILDREN, Share, sum_of_shares
from games.coach.times_tables import Fact, fact_of

SHADE_STEPS: Final = (0.4, 0.6, 0.85)
"""The shares of children who know a fact from which its cell has the next shade, from pale to dark
green."""


@dataclass(frozen=True, slots=True)
class FactCell:
    """How well a child knows a fact today, and how they found their answers. `since` is the day
    since which they have known it by heart, or have not; None if `level` is not the level reached
    last."""

    child: UUID
    fact: Fact
    level: Level
    chance: float  # that the next answer is right (0–1)
    due_on: date  # when it should be asked again
    recalled: int
    derived: int
    hinted: int
    guessed: int
    since: date | None
    last_at: datetime
    reason: recall.FactReason | None = None  # why the fact has its level; only on its own page
    is_right_lately: bool = False
    is_missed: bool = False  # whether the last answer was a wrong one in a check-up

    @property
    def evidence(self) -> int:
        return self.recalled + self.derived + self.hinted + self.guessed

    @property
    def is_shown(self) -> bool:
        """Whether the level may be shown: it rests on three answers or more."""
        return self.evidence >= FEWEST_FOR_A_LEVEL

    @property
    def is_mastered(self) -> bool:
        return self.is_shown and self.level in GOOD_LEVELS

    @property
    def right(self) -> int:
        """The answers that were right without help."""
        return self.recalled + self.derived

    @property
    def is_to_practise(self) -> bool:
        """Whether the child is learning the fact. One that was right lately only needs to be
        confirmed."""
        is_learning = self.is_shown and self.level == "learning"
        return self.is_missed or (is_learning and not self.is_right_lately)


@dataclass(frozen=True, slots=True)
class FactLevelCounts:
    """How many children of a class are at each level of a fact. Counts only levels that may be
    shown."""

    fact: Fact
    levels: Mapping[Level, int]
    is_asked: bool = False  # whether a child of the class has answered it

    @property
    def children(self) -> int:
        return sum(self.levels.values())

    @property
    def children_secure(self) -> int:
        """The children who are secure or fluent in the fact."""
        return self.levels.get("secure", 0) + self.levels.get("fluent", 0)

    @property
    def is_unsure(self) -> bool:
        """Whether too few children were asked for the fact to say anything about the class."""
        return self.children < FEWEST_CHILDREN

    @property
    def shade(self) -> int:
        """The shade from pale to dark green, 0 to `len(SHADE_STEPS)`."""
        return sum(self.children_secure >= step * self.children for step in SHADE_STEPS)


def answers_right(facts: Iterable[FactCell]) -> Share:
    """Of the answers to these facts, those that were right without help. A miss in a check-up
    counts as one more answer."""
    return sum_of_shares(Share(fact.right, fact.evidence + fact.is_missed) for fact in facts)


Learning = Mapping[UUID, Mapping[Fact, FactCell]]
"""The facts that each child has to practise (`FactCell.is_to_practise`)."""
Missed = Mapping[UUID, Mapping[Fact, datetime]]
"""For each child, the facts whose last answer was a wrong one in a check-up, and the time of it."""


@dataclass(frozen=True, slots=True)
class ClassFacts:
    levels: Mapping[Fact, Mapping[Level, int]]
    """How many children are at each level of each fact. Counts only levels that may be shown."""
    learning: Learning
    missed: Missed = field(default_factory=dict)


CHECK_UP_SPAN: Final = timedelta(days=91)
"""How long an answer in a check-up counts as the last one, if nothing asks for the fact again."""


def missed_in_check_ups(children: Iterable[Child]) -> Missed:
    """The facts that these children missed in a check-up and have not answered right in a later
    one. One query."""
    answers = _in_check_ups(children).filter(answered_at__gte=timezone.now() - CHECK_UP_SPAN)
    missed: dict[UUID, dict[Fact, datetime]] = defaultdict(dict)
    for child, first, second, right, at in answers.order_by("answered_at", "pk").values_list(
        "child_check_up__child", "first", "second", "right", "answered_at"
    ):
        fact = fact_of(first, second)
        if right:
            missed[child].pop(fact, None)
        else:
            missed[child][fact] = at
    return missed


def _in_check_ups(children: Iterable[Child]) -> QuerySet[CheckUpAnswer]:
    keys = [child.pk for child in children]
    return CheckUpAnswer.objects.filter(child_check_up__child__in=keys)


class _StoredFact(NamedTuple):
    """What is stored about a child's fact (`FactMastery`), and the child's ability today."""

    low: int
    high: int
    reached: ReachedLevel
    child: UUID
    stability: float
    difficulty: float
    day: date
    due_on: date
    ability: float
    ability_today: float
    recalled: int
    derived: int
    hinted: int
    guessed: int
    reached_on: date
    last_at: datetime
    lately: Any

    @property
    def fact(self) -> Fact:
        return self.low, self.high

    @property
    def right(self) -> int:
        """The answers that were right without help."""
        return self.recalled + self.derived

    @property
    def answers(self) -> int:
        return self.right + self.hinted + self.guessed

    @property
    def _memory(self) -> recall.Memory:
        due_on = self.due_on.toordinal()
        return recall.Memory(self.stability, self.difficulty, self.day.toordinal(), due_on)

    @property
    def _best_ability(self) -> float:
        """The higher ability, which gives the level."""
        return max(self.ability, self.ability_today)

    def level(self, today: int, missed: Missed) -> Level:
        if self._is_missed(missed):
            return "learning"
        return recall.level_of(self.fact, self.reached, self._memory, self._best_ability, today)

    def _is_missed(self, missed: Missed) -> bool:
        at = missed.get(self.child, {}).get(self.fact)
        return at is not None and at > self.last_at

    def cell(self, today: int, missed: Missed, *, has_reason: bool = False) -> FactCell:
        level, days = self.level(today, missed), convert(self.lately, list[recall.AskedDay])
        # Time counts only if no answer was ever wrong.
        counted, mark = (days[-GOOD_DAYS:], SECURE) if self.right == self.answers else (days, RIGHT)
        reason = None
        if has_reason:
            chance = recall.chance_next_day(self.fact, self._memory, self._best_ability)
            reason = recall_reason_of(level, days, self.answers, chance)
        return FactCell(
            child=self.child,
            fact=self.fact,
            level=level,
            chance=recall.chance_of(self.fact, self._memory, self.ability_today, today),
            due_on=self.due_on,
            recalled=self.recalled,
            derived=self.derived,
            hinted=self.hinted,
            guessed=self.guessed,
            since=self.reached_on if level == self.reached else None,
            last_at=self.last_at,
            reason=reason,
            is_right_lately=days[-1].last > NOT_YET and all(day.reaches(mark) for day in counted),
            is_missed=self._is_missed(missed),
        )


def fact_cells(
    children: Iterable[Child],
    today: date,
    only_fact: Fact | None = None,
    missed: Missed | None = None,
) -> Mapping[UUID, Mapping[Fact, FactCell]]:
    """How well these children know each fact for which they were asked, or only `only_fact`. A fact
    whose last answer was a wrong one in a check-up has the level "learning". Two queries, or one if
    `missed` has the facts missed in check-ups."""
    cells: dict[UUID, dict[Fact, FactCell]] = defaultdict(dict)
    missed = missed_in_check_ups(children) if missed is None else missed
    rows = _stored_facts(children)
    if only_fact:
        rows = rows.filter(low=only_fact[0], high=only_fact[1])
    day = today.toordinal()
    for fact in map(_StoredFact._make, rows.values_list(*_StoredFact._fields)):
        cells[fact.child][fact.fact] = fact.cell(day, missed, has_reason=only_fact is not None)
    return cells


def facts_of_class(children: Iterable[Child], today: date) -> ClassFacts:
    """The facts for which these children were asked. Two queries. Most facts still have the level
    of their last answer: the database counts these together, and returns each other fact singly."""
    missed = missed_in_check_ups(children)
    levels: dict[Fact, dict[Level, int]] = defaultdict(dict)
    learning = {child: learning_of(child, {}, facts) for child, facts in missed.items()}
    day = today.toordinal()
    may_differ = Q(holds_until=None) | Q(holds_until__lt=today) | Q(child__in=list(missed))
    columns, differing = _StoredFact._fields[:3], _StoredFact._fields[3:]
    other_columns = {f"other_{name}": Case(When(may_differ, then=F(name))) for name in differing}
    rows = _stored_facts(children).values(*columns, **other_columns).annotate(n=Count("pk"))
    for low, high, reached, child, *values, n in rows.values_list(*columns, *other_columns, "n"):
        of_fact = levels[low, high]
        if child is None:
            of_fact[reached] = of_fact.get(reached, 0) + n
            continue
        fact = _StoredFact(low, high, reached, child, *values)
        level = fact.level(day, missed)
        of_child = learning.setdefault(child, {})
        of_child.pop(fact.fact, None)
        if level == "learning" and (cell := fact.cell(day, missed)).is_to_practise:
            of_child[fact.fact] = cell
        if fact.answers >= FEWEST_FOR_A_LEVEL:
            of_fact[level] = of_fact.get(level, 0) + 1
    return ClassFacts(levels, learning, missed)


def learning_of(
    child: UUID, cells: Mapping[Fact, FactCell], missed: Mapping[Fact, datetime]
) -> dict[Fact, FactCell]:
    """The facts that a child has to practise, judged by their cells and by the facts that they
    missed in check-ups."""
    only_missed = {
        fact: FactCell(
            child, fact, "learning", 0.0, at.date(), 0, 0, 0, 0, None, at, is_missed=True
        )
        for fact, at in missed.items()
        if fact not in cells
    }
    return only_missed | {fact: cell for fact, cell in cells.items() if cell.is_to_practise}


def secure_facts(child: Child) -> frozenset[Fact]:
    """The facts in which a child is secure or fluent today. Hints and short questions derive other
    facts from them. Two queries."""
    rows = _stored_facts([child]).exclude(reached="learning")
    today, missed = child.school_class.today().toordinal(), missed_in_check_ups([child])
    return frozenset(
        fact.fact
        for fact in map(_StoredFact._make, rows.values_list(*_StoredFact._fields))
        if fact.level(today, missed) in GOOD_LEVELS
    )


def _stored_facts(children: Iterable[Child]) -> QuerySet[FactMastery]:
    rows = FactMastery.objects.filter(child__in=[child.pk for child in children])
    return rows.annotate(ability_today=F("child__fact_ability__value"))


Answer = Check | CheckUpAnswer


def answers_to(
    children: Iterable[Child], fact: Fact | None = None
) -> Mapping[UUID, Sequence[Answer]]:
    """Each child's answers to a fact, with its factors in either order, or to all facts, newest
    first. Two queries."""
    turned = Q()
    if fact:
        low, high = fact
        turned = Q(first=low, second=high) | Q(first=high, second=low)
    answers_of: dict[UUID, list[Answer]] = defaultdict(list)
    checks = Check.objects.filter(turned, child__in=[child.pk for child in children])
    for check in checks.filter(kind=Check.Kind.FACT).order_by("answered_at", "pk"):
        answers_of[check.child_id].append(check)
    for answer in _in_check_ups(children).filter(turned).select_related("child_check_up"):
        answers_of[answer.child_check_up.child_id].append(answer)
    for answers in answers_of.values():
        answers.sort(key=lambda answer: answer.answered_at)
        answers.reverse()
    return answers_of


def answers_by_fact(children: Iterable[Child]) -> Mapping[UUID, Mapping[Fact, Sequence[Answer]]]:
    """Each child's answers to each fact, newest first. Two queries."""
    by_fact: dict[UUID, dict[Fact, list[Answer]]] = defaultdict(lambda: defaultdict(list))
    for child, answers in answers_to(children).items():
        for answer in answers:
            assert answer.first is not None
            assert answer.second is not None
            by_fact[child][fact_of(answer.first, answer.second)].append(answer)
    return by_fact


# The rows about whose facts a child is asked on a later day.

TROUBLE_SPAN: Final = timedelta(weeks=2)
TROUBLE_OUTCOMES: Final = (Chance.Outcome.MISSED, Chance.Outcome.WITH_HINT)
MOST_TROUBLES: Final = 30


def troubles_of(player: UUID) -> list[Trouble]:
    """The latest rows of times tables that a child missed or found with a hint. One query."""
    since = timezone.now() - TROUBLE_SPAN
    rows = Chance.objects.filter(
        outcome__in=TROUBLE_OUTCOMES, child__player=player, table__gt=0, at__gte=since
    ).order_by("-at", "-pk")
    return [
        Trouble(numbers, day.toordinal())
        for numbers, day in rows.values_list("numbers", "day")[:MOST_TROUBLES]
    ]
