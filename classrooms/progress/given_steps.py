"""What children were given to practise, how far they are with it, and what came of it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, Self
from uuid import UUID

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from classrooms.assignments.choice import Choice
from classrooms.assignments.presets import STEPS, easier_table, preset_for_facts, preset_for_tables
from classrooms.checks.models import Check
from classrooms.checkups.models import CheckUpAnswer
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.models import FOUND, IN_SHARES, Chance
from classrooms.ui.dates import written
from classrooms.ui.tables_and_facts import asked_facts
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.contrasts import NOTHING, Part, sum_of_parts
from games.coach.statements.table_levels import FEW_CHANCES
from games.coach.times_tables import TABLES_TO_12, Fact
from games.play.posted_values import parse_int
from games.screen.words import listed

SHOWN_FOR: Final = timedelta(days=28)
"""What was given is shown for this long."""
MOST_GIVEN: Final = 30
MOST_NAMED: Final = 40
"""The most children that a step names."""


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
        """A sentence that says that its game has an easier table too; empty if it has none."""
        return easier_table([self.table]) if self.table else ""

    def is_same(self, step: Self) -> bool:
        """Whether both practise the same, in any order."""
        return (self.table, {*self.facts}) == (step.table, {*step.facts})

    @property
    def choice(self) -> Choice:
        """The game in which to practise it."""
        preset = preset_for_tables([self.table]) if self.table else preset_for_facts(self.facts, ())
        return preset.choice


Stage = Literal["done", "started", "not started"]
STAGES: Final[Mapping[Stage, Promise]] = {
    "done": gettext_lazy("done"),
    "started": gettext_lazy("started"),
    "not started": gettext_lazy("not started"),
}


@dataclass(frozen=True, slots=True)
class GivenStep:
    """A step that some children were given by name, how far each has got, and the result."""

    assignment: UUID
    step: NextStep
    at: datetime
    day: date  # in the class's time zone, like all days here
    until: date | None  # the last day on which it can or could be played
    is_open: bool
    today: date
    stages: dict[Child, Stage] = field(default_factory=dict)
    since: Part = NOTHING  # of the possible rows or answers since it was given, those without help
    before: Part = NOTHING  # the same of the four weeks (`SHOWN_FOR`) before
    reason: str = ""  # why the children need it, according to today's figures

    @property
    def children(self) -> list[Child]:
        return list(self.stages)

    @property
    def each(self) -> list[tuple[Child, str, bool]]:
        """The children that the page names, how far each is, in words (empty for those who have not
        started), and whether the step can be taken back from them."""
        stages = list(self.stages.items())[:MOST_NAMED]
        return [
            (child, "" if stage == "not started" else str(STAGES[stage]), stage != "done")
            for child, stage in stages
        ]

    @property
    def unfinished(self) -> int:
        return sum(stage != "done" for stage in self.stages.values())

    @property
    def others(self) -> str:
        """How many more children there are, as text; empty if all are named."""
        return words.n_more(len(self.stages) - MOST_NAMED)

    @property
    def state(self) -> str:
        """`Given today · not started`."""
        sentence = gettext("Given today")
        if self.day != self.today:
            sentence = gettext("Given on %(day)s") % {"day": written(self.day, "j F")}
        counts = Counter(self.stages.values())
        parts = [
            f"{counts[stage]} {text}" if len(self.stages) > 1 else str(text)
            for stage, text in STAGES.items()
            if counts[stage]
        ]
        if not self.is_open and self.until:
            over = gettext("could be played until %(day)s")
            parts.append(over % {"day": written(self.until, "j F")})
        return " · ".join([sentence, *parts])

    @property
    def result_or_reason(self) -> str:
        """The result, or the reason as long as there is no result."""
        is_of_one = len(self.stages) == 1
        return self.outcome or (self._too_few() if self.is_over and is_of_one else self.reason)

    @property
    def share(self) -> float:
        return self.since.own / self.since.of if self.since.of else 0.0

    @property
    def is_over(self) -> bool:
        return not self.is_open or {*self.stages.values()} == {"done"}

    @property
    def outcome(self) -> str:
        """The result, once there are three pieces of evidence; compared with the time before once
        both sides have enough. Empty for several children: their sum was taken for each child's."""
        if len(self.stages) > 1 or self.since.of < FEWEST_FOR_A_LEVEL:
            return ""
        text = ngettext(
            "since then %(own)d of %(of)d answer right without help",
            "since then %(own)d of %(of)d answers right without help",
            self.since.of,
        )
        if self.step.table:
            text = ngettext(
                "since then found %(own)d of %(of)d possible row without help",
                "since then found %(own)d of %(of)d possible rows without help",
                self.since.of,
            )
        since = text % {"own": self.since.own, "of": self.since.of}
        if min(self.since.of, self.before.of) < FEW_CHANCES:
            return since
        text = gettext("%(since)s, %(before)s in the %(weeks)d weeks before")
        before = words.figure_of(self.before)
        return text % {"since": since, "before": before, "weeks": SHOWN_FOR.days // 7}

    def _too_few(self) -> str:
        text = ngettext(
            "since then %(n)d answer: too few to say",
            "since then %(n)d answers: too few to say",
            self.since.of,
        )
        if self.step.table:
            text = ngettext(
                "since then %(n)d possible row: too few to say",
                "since then %(n)d possible rows: too few to say",
                self.since.of,
            )
        return text % {"n": self.since.of}


def given_lately(
    school_class: SchoolClass, children: Iterable[Child], only: Child | None = None
) -> list[GivenStep]:
    """The steps that these children of the class were given by name, if they can still be played or
    were given recently, newest first. With `only`, those of this child. One query."""
    by_key = {child.pk: child for child in children}
    steps: dict[UUID, GivenStep] = {}
    for link in _given_by_name(school_class, only):
        step = _step_of(link.options, link.facts)
        if step is None or link.child not in by_key:
            continue
        if link.assignment not in steps:
            steps[link.assignment] = GivenStep(
                assignment=link.assignment,
                step=step,
                at=link.at,
                day=school_class.day_of(link.at),
                until=school_class.day_of(link.ended_at) if link.ended_at else link.due_on,
                is_open=link.is_open,
                today=school_class.today(),
            )
        stage: Stage = "done" if link.done else "started" if link.begun else "not started"
        steps[link.assignment].stages[by_key[link.child]] = stage
    in_order = [
        replace(given, stages={c: given.stages[c] for c in by_key.values() if c in given.stages})
        for given in steps.values()
    ]
    return sorted(in_order, key=lambda given: given.at, reverse=True)


def _given_by_name(school_class: SchoolClass, only: Child | None) -> Iterable[Any]:
    """The children named by the assignments that are open or new, with these assignments and how
    far each child has got."""
    is_open = Q(assignment__ended_at=None) & (
        Q(assignment__due_on=None) | Q(assignment__due_on__gte=school_class.today())
    )
    is_new = Q(assignment__created_at__gt=timezone.now() - SHOWN_FOR)
    attempts = Attempt.objects.filter(
        assignment=OuterRef("assignment"), child=OuterRef("child")
    ).order_by()
    links = Assignment.children.through.objects.filter(
        is_open | is_new,
        assignment__school_class=school_class,
        assignment__deal_seed=None,
        **({"child": only} if only else {}),
    ).annotate(
        is_open=ExpressionWrapper(is_open, BooleanField()),
        begun=Exists(attempts),
        done=Exists(attempts.filter(game__finished_at__isnull=False)),
        options=F("assignment__options"),
        facts=F("assignment__facts"),
        at=F("assignment__created_at"),
        due_on=F("assignment__due_on"),
        ended_at=F("assignment__ended_at"),
    )
    return links.order_by("pk").values_list(
        *("assignment", "child", "is_open", "begun", "done"),
        *("options", "facts", "at", "due_on", "ended_at"),
        named=True,
    )


def _step_of(
    options: Mapping[str, Sequence[int]], facts: Sequence[Sequence[int]]
) -> NextStep | None:
    """The step that an assignment practises; None if it practises several."""
    if facts:
        return NextStep(facts=tuple((low, high) for low, high in facts))
    table = STEPS.get(tuple(options.get("tables") or ()))
    return NextStep(table) if table else None


def with_outcomes(steps: Sequence[GivenStep], only: Child | None = None) -> Sequence[GivenStep]:
    """The latest of these steps, each with the evidence since and before; with `only`, that of this
    child. One query."""
    steps = steps[:MOST_GIVEN]
    if not steps:
        return steps
    nothing = Q(pk=None)
    rows, questions, checked = nothing, nothing, nothing
    for step in steps:
        if step.step.table:
            rows |= Q(child__assignments=step.assignment, table=step.step.table)
        for low, high in step.step.facts:
            turned = Q(first=low, second=high) | Q(first=high, second=low)
            questions |= Q(child__assignments=step.assignment) & turned
            checked |= Q(child_check_up__child__assignments=step.assignment) & turned
    rows &= Q(outcome__in=IN_SHARES)
    questions &= Q(kind=Check.Kind.FACT)
    alone = Q(how__in=(Check.How.RECALLED, Check.How.DERIVED))
    counts = [
        model.objects.filter(
            result,
            **{f"{child}__assignments__created_at__lte": F(at) + SHOWN_FOR},
            **({child: only} if only else {}),
        )
        .order_by()
        .values_list(f"{child}__assignments")
        .annotate(
            since=ExpressionWrapper(
                Q(**{f"{child}__assignments__created_at__lte": F(at)}), BooleanField()
            ),
            counted_right=Count("pk", filter=is_right),
            counted=Count("pk"),
        )
        for model, result, child, at, is_right in (
            (Chance, rows, "child", "at", Q(outcome__in=FOUND)),
            (Check, questions, "child", "answered_at", alone),
            (CheckUpAnswer, checked, "child_check_up__child", "answered_at", Q(right=True)),
        )
    ]
    parts: dict[tuple[UUID, bool], list[Part]] = defaultdict(list)
    for key, since, right, of in counts[0].union(*counts[1:], all=True):
        parts[key, bool(since)].append(Part(right, of))
    return [
        replace(
            step,
            since=sum_of_parts(parts[step.assignment, True]),
            before=sum_of_parts(parts[step.assignment, False]),
        )
        for step in steps
    ]


@dataclass(frozen=True, slots=True)
class CoveredSteps:
    """The tables and facts that children have been given and can still play."""

    tables: Mapping[UUID, Collection[int]]  # by child
    facts: Mapping[UUID, Collection[Fact]]  # by child
    unfinished: Collection[UUID] = ()  # the children who have such a step to finish

    @classmethod
    def by(cls, steps: Iterable[GivenStep]) -> Self:
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

    def without_table(self, children: Iterable[Child], table: int | None) -> list[Child]:
        return [child for child in children if self.lacks_table(child, table)]

    def without_fact(self, children: Iterable[Child], fact: Fact) -> list[Child]:
        return [child for child in children if self.lacks_fact(child, fact)]
