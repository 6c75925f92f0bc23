"""Has the lab's kinds of children, and tests with them whether statements about facts are true and
how the choice of questions helps (docs/mastery.md)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log
from random import Random
from statistics import mean, quantiles
from types import MappingProxyType
from typing import Final, Literal, get_args

from classrooms.demo.model_children import (
    GROUPS,
    MODEL_CHILDREN,
    SCHOOL_DAYS,
    MemoryKind,
    ModelAnswers,
    ModelChild,
)
from games.coach.mastery import GOOD_LEVELS, Level
from games.coach.questions import short_questions
from games.coach.questions.recall import FactAnswer, Recall
from games.coach.times_tables import FIRST_TABLES, TABLES_TO_10, Fact, fact_of, facts_of

# Twelve kinds of children, with which the lab tries the rules of progress. They were fixed before
# the rules were tried on them. A child's ability at each table and fact is drawn from a continuous
# distribution, so that many children are near the thresholds. No kind learns from the missed rows
# that are shown: these can no longer be laid.


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


# Tests whether statements about facts are true of model children, and how the choice of questions
# helps these children (docs/mastery.md). They answer sets of short questions for weeks, with either
# kind of memory. The statement about each fact before a sitting is compared with the child's true
# chance at that moment.

Schedule = Literal["due first", "random"]
SCHEDULES: Final[tuple[Schedule, ...]] = get_args(Schedule)
SPAN: Final = 3
"""After this many weeks a plan goes on to its next tables."""
Plan = Sequence[Collection[int]]
PLANS: Final[Sequence[Plan]] = (
    (FIRST_TABLES,),
    ((3, 4, 6),),
    ((6, 7, 8, 9),),
    (FIRST_TABLES, (3, 4, 6), (6, 7, 8, 9), TABLES_TO_10),
)
"""The tables that model children practise, always the same or others every `SPAN` weeks."""
WEEKS: Final = 12
HALFWAY: Final = 6
"""After this many weeks the secure facts are counted."""
SETS: Final = 2
"""Sets of questions at a sitting: one after each round."""
DAYS_AFTERWARDS: Final = 21
"""Recall is measured this many days after the last sitting."""
TRULY_SECURE: Final = 0.6
"""A fact with a smaller true chance than this is not secure."""
DRAWS: Final = 400
ABLE: Final = 0.9
"""A fact with at least this true chance should be secure."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about a fact on a day, the true chance (0–1) on that day, and the number of times
    that the fact had been asked."""

    fact: Fact
    day: int
    level: Level
    true: float
    asked: int
    right: bool | None  # whether the next answer was right, if it was given that day


@dataclass(slots=True)
class AnsweringChild:
    """The weeks of one model child: their answers, and the statements about the assigned facts
    before each sitting. `halfway` has the statements after six weeks, `late` those of
    `DAYS_AFTERWARDS`, and `coverage` the share of these facts that were asked by the end of each
    week."""

    name: str
    memory: MemoryKind | None
    plan: Plan
    answers: list[FactAnswer] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    halfway: list[Statement] = field(default_factory=list)
    late: list[Statement] = field(default_factory=list)
    coverage: list[float] = field(default_factory=list)


def answer_for_weeks(
    child: ModelChild,
    memory: MemoryKind | None,
    schedule: Schedule,
    plan: Plan,
    seed: int,
    *,
    weeks: int = WEEKS,
    sets: int = SETS,
    timed: bool = True,
    kind: ChildKind | None = None,
) -> AnsweringChild:
    """Let a model child answer `sets` sets at each sitting for these weeks."""
    days = kind.days(weeks) if kind else school_days(weeks)
    number = PLANS.index(plan) if plan in PLANS else len(PLANS)
    random = Random(f"{seed}/{child.name}/{memory}/{schedule}/{number}")
    seed_of_answers = random.getrandbits(32)
    replies = ModelAnswers(child, seed_of_answers, memory)
    if kind:
        replies = AnswersOfKind(child, seed_of_answers, memory, kind=kind)
    answering = AnsweringChild(child.name, memory, plan)
    recall = Recall()
    day = 0
    for week in range(weeks):
        tables = plan[week // SPAN % len(plan)]
        so_far = {table for tables in plan[: week // SPAN + 1] for table in tables}
        facts = facts_of(so_far)
        sittings = [day for day in days if day // 7 == week]
        if not sittings:  # Teachers read the page in weeks without play, too.
            answering.statements += _statements(recall, replies, facts, 7 * week)
        for day in sittings:
            statements = _statements(recall, replies, facts, day)
            rights: dict[Fact, bool] = {}
            for _ in range(sets):
                questions = _choose_questions(
                    schedule, tables, so_far, recall, answering.answers, day, random
                )
                for fact in questions:
                    reply = replies.answer(fact, day)
                    net_ms = round(1000 * reply.seconds) if timed else None
                    answer = FactAnswer(fact, reply.right, day, net_ms=net_ms, is_timed=timed)
                    recall.add(answer)
                    answering.answers.append(answer)
                    rights.setdefault(fact_of(*fact), reply.right)
            answering.statements += [
                replace(statement, right=rights.get(statement.fact)) for statement in statements
            ]
        answering.coverage.append(share(fact in recall.facts for fact in facts).value or 0.0)
        if week == HALFWAY - 1:
            answering.halfway = _statements(recall, replies, facts, day + 1)
    answering.late = _statements(recall, replies, facts, day + DAYS_AFTERWARDS)
    return answering


def _statements(
    recall: Recall, replies: ModelAnswers, facts: Iterable[Fact], day: int
) -> list[Statement]:
    return [
        Statement(
            fact,
            day,
            recall.level(fact, day),
            replies.chance(fact, day),
            recall.facts[fact].times_asked if fact in recall.facts else 0,
            None,
        )
        for fact in facts
    ]


def _choose_questions(
    schedule: Schedule,
    tables: Collection[int],
    earlier: Collection[int],
    recall: Recall,
    before: Sequence[FactAnswer],
    day: int,
    random: Random,
) -> list[Fact]:
    if schedule == "due first":
        topic = short_questions.Topic(tables, earlier_tables=earlier)
        questions = short_questions.fact_questions(recall, topic, day, random)
        return [(question.numbers[0], question.numbers[1]) for question in questions]
    return random.sample(facts_of(tables), short_questions.MOST_QUESTIONS)


def everyone(seed: int, schedule: Schedule, sets: int = SETS) -> list[AnsweringChild]:
    """One child of each strength, memory and plan."""
    return [
        answer_for_weeks(child, memory, schedule, plan, seed, sets=sets)
        for child in MODEL_CHILDREN.values()
        for memory in MEMORY_KINDS
        for plan in PLANS
    ]


YEAR: Final = 52


def answer_as_kind(kind: ChildKind, seed: int) -> AnsweringChild:
    """A child of a kind, with one of the plans in turn."""
    child = random_child(f"{kind.name} {seed}", Random(f"{kind.name}/{seed}"))
    plan = PLANS[seed % len(PLANS)]
    weeks = YEAR if kind.once_a_month else WEEKS
    return answer_for_weeks(child, kind.memory, "due first", plan, seed, weeks=weeks, kind=kind)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of `of` cases; `value` is None if there are none."""

    of: int
    value: float | None


def share(cases: Iterable[bool]) -> Share:
    outcomes = list(cases)
    return Share(len(outcomes), sum(outcomes) / len(outcomes) if outcomes else None)


def spread(shares: Sequence[Share], random: Random) -> tuple[float, float] | None:
    """The interval that contains the share of all these children in nine of ten cases, if the
    children are drawn again."""
    redrawn = []
    for _ in range(DRAWS):
        sample = random.choices(shares, k=len(shares))
        of = sum(share.of for share in sample)
        if of:
            redrawn.append(sum(share.of * (share.value or 0) for share in sample) / of)
    if len(redrawn) < 2:
        return None
    low, *_, high = quantiles(redrawn, n=20)
    return low, high


def false_secure(children: Iterable[AnsweringChild]) -> Share:
    """The share of the facts called secure or fluent, before or after a sitting, whose true chance
    is below `TRULY_SECURE`."""
    statements = (statement for child in children for statement in (*child.statements, *child.late))
    return share(statement.true < TRULY_SECURE for statement in statements if is_secure(statement))


def false_first_calls(children: Iterable[AnsweringChild]) -> Share:
    """Of the facts called secure or fluent for the first time, which teachers read as news, the
    share with a true chance below `TRULY_SECURE`."""
    firsts: dict[tuple[int, Fact], Statement] = {}
    for place, child in enumerate(children):
        for statement in filter(is_secure, (*child.statements, *child.late)):
            firsts.setdefault((place, statement.fact), statement)
    return share(statement.true < TRULY_SECURE for statement in firsts.values())


def share_reached(children: Iterable[AnsweringChild], fewest: int = 0) -> Share:
    """Of the facts with a true chance of `ABLE` after six weeks that were asked at least `fewest`
    times, the share called secure or fluent."""
    statements = (statement for child in children for statement in child.halfway)
    return share(
        is_secure(statement)
        for statement in statements
        if statement.true >= ABLE and statement.asked >= fewest
    )


def success(children: Iterable[AnsweringChild]) -> Share:
    return share(answer.is_right for child in children for answer in child.answers)


def late_recall(children: Iterable[AnsweringChild]) -> float:
    """The mean true chance of all assigned facts, three weeks after the last sitting."""
    return mean(statement.true for child in children for statement in child.late)


def is_secure(statement: Statement) -> bool:
    return statement.level in GOOD_LEVELS
