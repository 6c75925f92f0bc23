"""The steps that children were given, with the progress and the result of each child."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, Self, get_args
from uuid import UUID

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext, ngettext, npgettext

from classrooms.assignments.choice import Choice
from classrooms.assignments.presets import (
    TABLE_OF_GAME,
    easier_table_sentence,
    preset_for_facts,
    preset_for_tables,
    with_enough_rows,
)
from classrooms.checkups.models import CheckUpAnswer
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.models import FOUND, IN_SHARES, Chance
from classrooms.questions.models import Check
from classrooms.ui.dates import written
from classrooms.ui.tables_and_facts import asked_facts
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.contrasts import EMPTY_SHARE, Share, sum_of_shares
from games.coach.statements.table_levels import FEW_CHANCES
from games.coach.times_tables import TABLES_TO_12, Fact
from games.play.posted_values import parse_int
from games.screen.words import listed, tables_title, with_explanation

SHOWN_SPAN: Final = timedelta(days=28)
"""How long pages show a step after it was given."""
MOST_STEPS: Final = 30
MOST_NAMED: Final = 40
"""The most children that the card of a step names."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something to practise next: a times table, or facts. Exactly one of the two is set."""

    table: int | None = None
    facts: tuple[Fact, ...] = ()

    @classmethod
    def from_key(cls, text: str) -> Self | None:
        """The step with this key, as a page posts it."""
        if facts := asked_facts(text):
            return cls(facts=tuple(facts))
        table = parse_int(text, most=max(TABLES_TO_12))
        return cls(table) if table in TABLES_TO_12 else None

    @property
    def key(self) -> str:
        return ",".join(f"{low}x{high}" for low, high in self.facts) or str(self.table)

    @property
    def title(self) -> str:
        if self.table:
            return words.table_name(self.table)
        return listed([words.fact_name(fact) for fact in self.facts])

    @property
    def easier(self) -> str:
        """The sentence that the game has an easier table too; empty if it has none."""
        return easier_table_sentence([self.table]) if self.table else ""

    def is_same(self, step: Self) -> bool:
        """Whether both steps practise the same table, or the same facts in any order."""
        return (self.table, {*self.facts}) == (step.table, {*step.facts})

    @property
    def choice(self) -> Choice:
        """The game in which to practise the step."""
        preset = preset_for_tables([self.table]) if self.table else preset_for_facts(self.facts, ())
        return preset.choice


Stage = Literal["done", "started", "not started"]


def stage_text(stage: Stage, children: int) -> str:
    """The progress of this many children, in words."""
    if stage == "done":
        return npgettext("so many children", "done", "done", children)
    return gettext("started") if stage == "started" else gettext("not started")


@dataclass(frozen=True, slots=True)
class GivenStep:
    """A step that some children were given by name, the progress of each, and the result. Days are
    in the time zone of the class."""

    assignment: UUID
    step: NextStep
    at: datetime
    day: date
    until: date | None  # the last day on which the step can or could be played
    is_open: bool
    today: date
    stages: dict[Child, Stage] = field(default_factory=dict)
    shares_since_and_before: Mapping[UUID, tuple[Share, Share]] = field(default_factory=dict)
    """By child: shares found or right without help since the step, and in `SHOWN_SPAN` before."""
    reason: str = ""  # why the children need the step, according to today's figures

    @property
    def title(self) -> str:
        """The tables of the game, or the facts."""
        table = self.step.table
        return tables_title(with_enough_rows([table])) if table else self.step.title

    @property
    def children(self) -> list[Child]:
        return list(self.stages)

    def is_open_to(self, child: Child, step: NextStep) -> bool:
        """Whether the child has this step and can play it now."""
        return self.is_open and child in self.stages and self.step.is_same(step)

    def of(self, child: Child) -> Self:
        """The step as one of its children has it."""
        return replace(self, stages={child: self.stages[child]})

    @property
    def named_children(self) -> list[tuple[Child, str, bool]]:
        """The children that the card names. With each, their progress and result in words (empty if
        they have not started), and whether the step can be taken back from them."""
        return [
            (child, self.of(child)._stage_and_result(), stage != "done")
            for child, stage in list(self.stages.items())[:MOST_NAMED]
        ]

    def _stage_and_result(self) -> str:
        (stage,) = self.stages.values()
        text = "" if stage == "not started" else stage_text(stage, 1)
        return " · ".join(filter(None, (text, self.result)))

    @property
    def unfinished(self) -> int:
        return sum(stage != "done" for stage in self.stages.values())

    @property
    def others(self) -> str:
        """How many more children there are, as text; empty if all are named."""
        return words.more_text(len(self.stages) - MOST_NAMED)

    @property
    def state(self) -> str:
        """When the step was given, and its children's progress: `Given today · not started`."""
        sentence = gettext("Given today")
        if self.day != self.today:
            sentence = gettext("Given on %(day)s") % {"day": self._day_in_words}
        counts = Counter(self.stages.values())
        parts = [
            f"{n}\u00a0{stage_text(stage, n)}" if len(self.stages) > 1 else stage_text(stage, n)
            for stage in get_args(Stage)
            if (n := counts[stage])
        ]
        if not self.is_open and self.until:
            over = gettext("could be played until %(day)s")
            parts.append(over % {"day": written(self.until, "j F")})
        return " · ".join([sentence, *parts])

    @property
    def _day_in_words(self) -> str:
        return written(self.day, "j F")

    @property
    def share_since(self) -> Share:
        return self._sum(0)

    @property
    def share_before(self) -> Share:
        return self._sum(1)

    @property
    def share(self) -> float:
        return self.share_since.found / self.share_since.total if self.share_since.total else 0.0

    def _sum(self, side: int) -> Share:
        shares = self.shares_since_and_before
        return sum_of_shares(shares[c.pk][side] for c in self.stages if c.pk in shares)

    @property
    def is_over(self) -> bool:
        return not self.is_open or {*self.stages.values()} == {"done"}

    @property
    def result(self) -> str:
        """The result, or that there is too little evidence for one although the step is over. Empty
        for several children, because teachers took their sum for the result of each child."""
        if len(self.stages) > 1:
            return ""
        return self.outcome or (self._too_few() if self.is_over else "")

    @property
    def outcome(self) -> str:
        """The result, once there are three pieces of evidence. It is compared with the weeks before
        once both sides have enough evidence. Empty for several children."""
        if len(self.stages) > 1 or self.share_since.total < FEWEST_FOR_A_LEVEL:
            return ""
        text = ngettext(
            "%(own)d of %(of)d answer right without help since %(day)s, this game included",
            "%(own)d of %(of)d answers right without help since %(day)s, this game included",
            self.share_since.total,
        )
        if self.step.table:
            text = ngettext(
                "found %(own)d of %(of)d row without help since %(day)s, this game included",
                "found %(own)d of %(of)d rows without help since %(day)s, this game included",
                self.share_since.total,
            )
        figures = {"own": self.share_since.found, "of": self.share_since.total}
        since = self._of_table(text % (figures | {"day": self._day_in_words}))
        if min(self.share_since.total, self.share_before.total) < FEW_CHANCES:
            return since
        text = gettext("%(since)s; %(before)s in the %(weeks)d weeks before")
        before = words.figure_of(self.share_before)
        return text % {"since": since, "before": before, "weeks": SHOWN_SPAN.days // 7}

    @property
    def has_outcome(self) -> bool:
        """Whether one of the children has a result."""
        return any(self.of(child).outcome for child in self.stages)

    def _too_few(self) -> str:
        text = ngettext(
            "%(n)d answer since %(day)s: too few to say",
            "%(n)d answers since %(day)s: too few to say",
            self.share_since.total,
        )
        if self.step.table:
            text = ngettext(
                "%(n)d row that counts (without a joker) since %(day)s: too few to say",
                "%(n)d rows that count (without a joker) since %(day)s: too few to say",
                self.share_since.total,
            )
        return self._of_table(text % {"n": self.share_since.total, "day": self._day_in_words})

    def _of_table(self, figures: str) -> str:
        """The figures, with their times table if the game has an easier one too."""
        return with_explanation(self.step.title, figures) if self.step.easier else figures


def recent_steps(school_class: SchoolClass, children: Iterable[Child]) -> list[GivenStep]:
    """The steps that these children of the class were given by name, newest first. Only those that
    can still be played or were given recently, and were not taken back. One query."""
    by_key = {child.pk: child for child in children}
    steps: dict[UUID, GivenStep] = {}
    for link in _links_by_name(school_class, by_key):
        step = _step_of(link.options, link.facts)
        if step is None:
            continue
        if link.assignment not in steps:
            steps[link.assignment] = GivenStep(
                assignment=link.assignment,
                step=step,
                at=link.at,
                day=school_class.day_of(link.at),
                until=link.due_on,
                is_open=link.is_open,
                today=school_class.today(),
            )
        stage: Stage = "done" if link.done else "started" if link.begun else "not started"
        steps[link.assignment].stages[by_key[link.child]] = stage
    in_order = [
        replace(step, stages={c: step.stages[c] for c in by_key.values() if c in step.stages})
        for step in steps.values()
    ]
    return sorted(in_order, key=lambda step: step.at, reverse=True)


def _links_by_name(school_class: SchoolClass, children: Collection[UUID]) -> Iterable[Any]:
    """Each of these children whom an open or new assignment names, with the assignment and the
    child's progress in it."""
    is_open = Q(assignment__due_on=None) | Q(assignment__due_on__gte=school_class.today())
    is_new = Q(assignment__created_at__gt=timezone.now() - SHOWN_SPAN)
    attempts = Attempt.objects.filter(
        assignment=OuterRef("assignment"), child=OuterRef("child")
    ).order_by()
    links = Assignment.children.through.objects.filter(
        is_open | is_new,
        assignment__school_class=school_class,
        assignment__deal_seed=None,
        assignment__ended_at=None,
        child__in=children,
    ).annotate(
        is_open=ExpressionWrapper(is_open, BooleanField()),
        begun=Exists(attempts),
        done=Exists(attempts.filter(game__finished_at__isnull=False)),
        options=F("assignment__options"),
        facts=F("assignment__facts"),
        at=F("assignment__created_at"),
        due_on=F("assignment__due_on"),
    )
    return links.order_by("pk").values_list(
        *("assignment", "child", "is_open", "begun", "done"),
        *("options", "facts", "at", "due_on"),
        named=True,
    )


def _step_of(
    options: Mapping[str, Sequence[int]], facts: Sequence[Sequence[int]]
) -> NextStep | None:
    """The step that an assignment practises; None if it practises several tables."""
    if facts:
        return NextStep(facts=tuple((low, high) for low, high in facts))
    table = TABLE_OF_GAME.get(tuple(options.get("tables") or ()))
    return NextStep(table) if table else None


def with_outcomes(steps: Sequence[GivenStep]) -> Sequence[GivenStep]:
    """The latest of these steps, each with its shares. One query."""
    steps = steps[:MOST_STEPS]
    if not steps:
        return steps
    rows = questions = check_ups = Q(pk=None)
    for step in steps:
        if step.step.table:
            rows |= Q(child__assignments=step.assignment, table=step.step.table)
        for low, high in step.step.facts:
            turned = Q(first=low, second=high) | Q(first=high, second=low)
            questions |= Q(child__assignments=step.assignment) & turned
            check_ups |= Q(child_check_up__child__assignments=step.assignment) & turned
    rows &= Q(outcome__in=IN_SHARES)
    questions &= Q(kind=Check.Kind.FACT)
    without_help = Q(how__in=(Check.How.RECALLED, Check.How.DERIVED))
    counts = [
        model.objects.filter(
            result, **{f"{child}__assignments__created_at__lte": F(at) + SHOWN_SPAN}
        )
        .order_by()
        .values_list(f"{child}__assignments", child)
        .annotate(
            since=ExpressionWrapper(
                Q(**{f"{child}__assignments__created_at__lte": F(at)}), BooleanField()
            ),
            counted_right=Count("pk", filter=is_right),
            counted=Count("pk"),
        )
        for model, result, child, at, is_right in (
            (Chance, rows, "child", "at", Q(outcome__in=FOUND)),
            (Check, questions, "child", "answered_at", without_help),
            (CheckUpAnswer, check_ups, "child_check_up__child", "answered_at", Q(right=True)),
        )
    ]
    shares: dict[UUID, dict[UUID, tuple[Share, Share]]] = defaultdict(dict)
    for key, child, is_since, right, total in counts[0].union(*counts[1:], all=True):
        since, before = shares[key].get(child, (EMPTY_SHARE, EMPTY_SHARE))
        if is_since:
            since = sum_of_shares([since, Share(right, total)])
        else:
            before = sum_of_shares([before, Share(right, total)])
        shares[key][child] = since, before
    return [replace(step, shares_since_and_before=shares[step.assignment]) for step in steps]


@dataclass(frozen=True, slots=True)
class CoveredSteps:
    """The tables and facts of steps that children were given and can still play."""

    tables: Mapping[UUID, Collection[int]]  # by child
    facts: Mapping[UUID, Collection[Fact]]  # by child
    unfinished: Collection[UUID] = ()  # the children who have such a step to finish

    @classmethod
    def from_steps(cls, steps: Iterable[GivenStep]) -> Self:
        tables: dict[UUID, set[int]] = defaultdict(set)
        facts: dict[UUID, set[Fact]] = defaultdict(set)
        unfinished: set[UUID] = set()
        for step in steps:
            for child, stage in step.stages.items() if step.is_open else ():
                facts[child.pk].update(step.step.facts)
                if step.step.table:
                    tables[child.pk].add(step.step.table)
                if stage != "done":
                    unfinished.add(child.pk)
        return cls(tables, facts, unfinished)

    def lacks_table(self, child: Child, table: int | None) -> bool:
        return table not in self.tables.get(child.pk, ())

    def lacks_fact(self, child: Child, fact: Fact) -> bool:
        return fact not in self.facts.get(child.pk, ())
