"""What children are given next, the results of it, and everyone's next step."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import Enum, auto
from functools import cached_property
from typing import Final, Literal, Self
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from classrooms.assignments.choice import STEPS, Choice, for_tables, preset_for_facts
from classrooms.assignments.services import ONE_WEEK, GivenAlready, give, withdraw
from classrooms.bounds import LimitReached
from classrooms.checks.models import Check
from classrooms.checkups.models import CheckUpAnswer
from classrooms.locks import Changed, lock
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.class_figures import ClassFigures, figures_of
from classrooms.progress.class_report import class_report, last_days
from classrooms.progress.models import FOUND, IN_SHARES, Chance
from classrooms.progress.needs import Needs, share_right, who_needs_what
from classrooms.progress.periods import USUAL_PERIOD, first_day
from classrooms.progress.rows import Rows, TableCell
from classrooms.progress.standing_out import Outlier, children_who_find_fewer
from classrooms.ui.pages import asked_facts, written
from classrooms.ui.sortable_table import MOST_ROWS
from games.coach.mastery import FEWEST_FOR_A_LEVEL, GOOD_LEVELS
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12, TEACHING_ORDER, Fact
from games.play.posted_values import parse_int
from games.screen.words import listed

log = structlog.get_logger(__name__)

SHOWN_FOR: Final = timedelta(days=28)
"""What was given is shown for this long."""
MOST_GIVEN: Final = 30


@dataclass(frozen=True, slots=True)
class Step:
    """Something to practise next: a times table, or facts."""

    table: int | None = None
    facts: tuple[Fact, ...] = ()

    @classmethod
    def named(cls, text: str) -> Self | None:
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

    def is_same(self, other: Self) -> bool:
        """Whether both practise the same, in any order."""
        return (self.table, {*self.facts}) == (other.table, {*other.facts})

    @property
    def choice(self) -> Choice:
        """The game in which to practise it."""
        preset = for_tables([self.table]) if self.table else preset_for_facts(self.facts, ())
        return preset.choice


Stage = Literal["done", "started", "not started"]
STAGES: Final[Mapping[Stage, Promise]] = {
    "done": gettext_lazy("done"),
    "started": gettext_lazy("started"),
    "not started": gettext_lazy("not started"),
}


@dataclass(slots=True)
class GivenStep:
    """A step that some children were given by name, how far each has got, and the result: of the
    rows or answers `asked` since then, how many were `right` without help."""

    assignment: UUID
    step: Step
    at: datetime
    day: date  # in the class's time zone, like all days here
    until: date | None  # the last day on which it can or could be played
    is_open: bool
    today: date
    stages: dict[Child, Stage] = field(default_factory=dict)
    right: int = 0
    asked: int = 0
    reason: str = ""  # why the children need it, by the figures of today

    @property
    def children(self) -> list[Child]:
        return list(self.stages)

    @property
    def can_be_taken_back(self) -> bool:
        return self.is_open and self.day == self.today

    @property
    def state(self) -> str:
        """`Given today · not started`."""
        given = gettext("Given today")
        if self.day != self.today:
            given = gettext("Given on %(day)s") % {"day": written(self.day, "j F")}
        counts = Counter(self.stages.values())
        parts = [
            f"{counts[stage]} {text}" if len(self.stages) > 1 else str(text)
            for stage, text in STAGES.items()
            if counts[stage]
        ]
        if not self.is_open and self.until:
            over = gettext("could be played until %(day)s")
            parts.append(over % {"day": written(self.until, "j F")})
        return " · ".join([given, *parts])

    @property
    def why(self) -> str:
        """The result, or as long as there is none the reason."""
        return self.outcome or self.reason

    @property
    def share(self) -> float:
        return self.right / self.asked if self.asked else 0.0

    @property
    def outcome(self) -> str:
        """The result, once there are three pieces of evidence."""
        if self.asked < FEWEST_FOR_A_LEVEL:
            return ""
        text = ngettext(
            "since then %(own)d of %(of)d answer right without help",
            "since then %(own)d of %(of)d answers right without help",
            self.asked,
        )
        if self.step.table:
            text = ngettext(
                "since then found %(own)d of %(of)d possible row without help",
                "since then found %(own)d of %(of)d possible rows without help",
                self.asked,
            )
        return text % {"own": self.right, "of": self.asked}


def given_lately(
    school_class: SchoolClass, children: Iterable[Child], only: Child | None = None
) -> list[GivenStep]:
    """The steps that these children of the class were given by name and that can still be played or
    were given recently; newest first. With `only`, those of this child. One query."""
    by_key = {child.pk: child for child in children}
    today = school_class.today()
    attempts = Attempt.objects.filter(
        assignment=OuterRef("assignment"), child=OuterRef("child")
    ).order_by()
    is_open = Q(assignment__ended_at=None) & (
        Q(assignment__due_on=None) | Q(assignment__due_on__gte=today)
    )
    is_new = Q(assignment__created_at__gt=timezone.now() - SHOWN_FOR)
    links = (
        Assignment.children.through.objects.filter(
            is_open | is_new,
            assignment__school_class=school_class,
            assignment__deal_seed=None,
            **({"child": only} if only else {}),
        )
        .annotate(
            begun=Exists(attempts),
            done=Exists(attempts.filter(game__finished_at__isnull=False)),
        )
        .order_by("pk")
    )
    found: dict[UUID, GivenStep] = {}
    columns = ("options", "facts", "created_at", "due_on", "ended_at")
    for key, child, begun, done, options, facts, at, due_on, ended_at in links.values_list(
        "assignment", "child", "begun", "done", *(f"assignment__{name}" for name in columns)
    ):
        step = _step_of(options, facts)
        if step is None or child not in by_key:
            continue
        if key not in found:
            day = school_class.day_of(at)
            until = school_class.day_of(ended_at) if ended_at else due_on
            still = not ended_at and (due_on is None or due_on >= today)
            found[key] = GivenStep(key, step, at, day, until, still, today)
        stage: Stage = "done" if done else "started" if begun else "not started"
        found[key].stages[by_key[child]] = stage
    for one in found.values():
        one.stages = {child: one.stages[child] for child in by_key.values() if child in one.stages}
    return sorted(found.values(), key=lambda one: one.at, reverse=True)


def _step_of(options: Mapping[str, Sequence[int]], facts: Sequence[Sequence[int]]) -> Step | None:
    """The step that an assignment practises; None if it practises several."""
    if facts:
        return Step(facts=tuple((low, high) for low, high in facts))
    table = STEPS.get(tuple(options.get("tables") or ()))
    return Step(table) if table else None


def with_outcomes(given: Sequence[GivenStep], only: Child | None = None) -> Sequence[GivenStep]:
    """The latest of these steps, with the evidence since, of all their children or of one. One
    query."""
    given = given[:MOST_GIVEN]
    if not given:
        return given
    nothing = Q(pk=None)
    rows, asked, checked = nothing, nothing, nothing
    for one in given:
        if one.step.table:
            rows |= Q(child__assignments=one.assignment, table=one.step.table)
        for low, high in one.step.facts:
            turned = Q(first=low, second=high) | Q(first=high, second=low)
            asked |= Q(child__assignments=one.assignment) & turned
            checked |= Q(child_check_up__child__assignments=one.assignment) & turned
    chances = Chance.objects.filter(
        rows, child__assignments__created_at__lte=F("at"), outcome__in=IN_SHARES
    )
    answers = Check.objects.filter(
        asked, child__assignments__created_at__lte=F("answered_at"), kind=Check.Kind.FACT
    )
    check_ups = CheckUpAnswer.objects.filter(
        checked, child_check_up__child__assignments__created_at__lte=F("answered_at")
    )
    counted = [
        evidence.filter(**({child: only} if only else {}))
        .order_by()
        .values_list(f"{child}__assignments")
        .annotate(counted_right=Count("pk", filter=is_right), counted=Count("pk"))
        for evidence, child, is_right in (
            (chances, "child", Q(outcome__in=FOUND)),
            (answers, "child", Q(how__in=(Check.How.RECALLED, Check.How.DERIVED))),
            (check_ups, "child_check_up__child", Q(right=True)),
        )
    ]
    by_key = {one.assignment: one for one in given}
    for key, right, asked in counted[0].union(*counted[1:], all=True):
        by_key[key].right += right
        by_key[key].asked += asked
    return given


@dataclass(frozen=True, slots=True)
class CoveredSteps:
    """The steps that children have been given and can still play, by child; `unfinished` has the
    children who have one to finish."""

    tables: Mapping[UUID, Collection[int]]
    facts: Mapping[UUID, Collection[Fact]]
    unfinished: Collection[UUID] = ()

    @classmethod
    def by(cls, given: Iterable[GivenStep]) -> Self:
        tables: dict[UUID, set[int]] = defaultdict(set)
        facts: dict[UUID, set[Fact]] = defaultdict(set)
        unfinished: set[UUID] = set()
        for one in given:
            for child, stage in one.stages.items() if one.is_open else ():
                facts[child.pk].update(one.step.facts)
                if one.step.table:
                    tables[child.pk].add(one.step.table)
                if stage != "done":
                    unfinished.add(child.pk)
        return cls(tables, facts, unfinished)

    def any(self, child: Child) -> bool:
        return bool(self.tables.get(child.pk) or self.facts.get(child.pk))

    def lacks_table(self, child: Child, table: int | None) -> bool:
        return table not in self.tables.get(child.pk, ())

    def lacks_fact(self, child: Child, fact: Fact) -> bool:
        return fact not in self.facts.get(child.pk, ())

    def without_table(self, children: Iterable[Child], table: int | None) -> list[Child]:
        return [child for child in children if self.lacks_table(child, table)]

    def without_fact(self, children: Iterable[Child], fact: Fact) -> list[Child]:
        return [child for child in children if self.lacks_fact(child, fact)]


# Everyone's next step: what each child would get. The teacher can change it before giving it to
# all.

KNOWN_LEVELS: Final = (*GOOD_LEVELS, "needs refreshing")


class Need(Enum):
    """Why a child is to practise something."""

    FEWER_ROWS = auto()  # surely fewer than before or than the others
    TABLE = auto()  # certainly too few of its rows are found
    REFRESHING = auto()
    FACTS = auto()
    GUESS = auto()  # a low figure that may be down to chance
    IN_ORDER = auto()  # nothing but that it comes next


SUREST_FIRST: Final = (
    {Need.FEWER_ROWS, Need.TABLE, Need.REFRESHING},
    {Need.FACTS, Need.GUESS},
    {Need.IN_ORDER},
)
Urgency = tuple[int, float]
"""What steps and children are sorted by, on all pages and papers: how sure it is that they need
practice, then the share that was right."""


def urgency(need: Need, share: float) -> Urgency:
    return next(place for place, needs in enumerate(SUREST_FIRST) if need in needs), share


@dataclass(frozen=True, slots=True)
class SuggestedStep:
    step: Step
    need: Need
    why: str  # in figures
    urgency: Urgency


@dataclass(frozen=True)
class Findings:
    """What the figures of a period say about a class, or about one of its children."""

    figures: ClassFigures
    needs: Needs
    rows: Mapping[tuple[UUID, int], Rows]  # of the period, by child and column of the map
    period: str
    outliers: Sequence[Outlier]

    @cached_property
    def fewer(self) -> Mapping[Child, Outlier]:
        """The surest statement about each child who finds fewer rows, if there is one."""
        fewer: dict[Child, Outlier] = {}
        for outlier in self.outliers:
            if outlier.kind in ("change", "apart") and outlier.contrast.apart < 0:
                fewer.setdefault(outlier.children[0], outlier)
        return fewer

    def rows_of(self, child: Child, table: int) -> Rows:
        return self.rows.get((child.pk, table), Rows())

    def suggested(self, child: Child, covered: CoveredSteps) -> list[SuggestedStep]:
        """The steps for a child that are not `covered`, the most urgent first: the tables and facts
        of their needs, and of the tables that they have not mastered the first with a low figure,
        or else the next. A table of which they surely find fewer rows is suggested for that."""
        needs, fewer = self.needs.of(child), self.fewer.get(child)
        known = self.figures.tables.get(child.pk, {})
        needed: dict[int, Need] = {}
        for one in needs.refreshing:
            needed |= dict.fromkeys((cell.table for cell in one.tables), Need.REFRESHING)
        needed |= {group.table: Need.TABLE for group in needs.tables}
        if fewer and fewer.table:
            needed[fewer.table] = Need.FEWER_ROWS
        unknown = [
            table
            for table in TEACHING_ORDER
            if table not in needed
            and not _is_known(known.get(table))
            and covered.lacks_table(child, table)
        ]
        low = [
            table for table in unknown if TableCell(None, table, self.rows_of(child, table)).is_low
        ]
        needed |= dict.fromkeys(low[:1], Need.GUESS)
        if not low:
            needed |= dict.fromkeys(unknown[:1], Need.IN_ORDER)
        steps = [
            self._table_step(child, table, need, is_new=child in needs.never and not known)
            for table, need in needed.items()
            if covered.lacks_table(child, table)
        ]
        facts = [one for one in needs.facts.get(child, ()) if covered.lacks_fact(child, one.fact)]
        if facts:
            step, urgent = Step(facts=tuple(one.fact for one in facts)), share_right(facts)
            why = words.why_facts(facts)
            steps.append(SuggestedStep(step, Need.FACTS, why, urgency(Need.FACTS, urgent)))
        return sorted(steps, key=lambda step: step.urgency)

    def _table_step(self, child: Child, table: int, need: Need, *, is_new: bool) -> SuggestedStep:
        rows = self.rows_of(child, table)
        why, share = why_table(need, rows, self.period), rows.share if rows.is_shown else 1.0
        if need == Need.FEWER_ROWS:
            fewer = self.fewer[child]
            why, share = words.how_it_stands_out(fewer, self.period), fewer.share
        elif is_new:
            why = gettext("has not begun a game yet")
        return SuggestedStep(Step(table), need, why, urgency(need, share))

    def why(self, suggested: Mapping[Child, SuggestedStep]) -> str:
        """Why these children need the same step; of a table with the figures of those who have
        one."""
        first = min(suggested.values(), key=lambda step: step.urgency)
        if len(suggested) == 1 or not first.step.table:
            return first.why
        total = Rows()
        for child in suggested:
            if (rows := self.rows_of(child, first.step.table)).is_shown:
                total.add(rows)
        return why_table(first.need, total, self.period)

    def reason_of(self, given: GivenStep) -> str:
        """Why all its children would be suggested a step that they were given, if they had been
        given nothing. Empty for a step that is finished or has a result."""
        if not given.is_open or given.outcome or {*given.stages.values()} == {"done"}:
            return ""
        suggested: dict[Child, SuggestedStep] = {}
        for child in given.children:
            steps = self.suggested(child, CoveredSteps.by(()))
            if same := [one for one in steps if one.step.is_same(given.step)]:
                suggested[child] = same[0]
        is_for_all = suggested and len(suggested) == len(given.children)
        return self.why(suggested) if is_for_all else ""


def usual_findings(figures: ClassFigures) -> Findings:
    """What the figures of the usual period say about the children of a class. Four queries."""
    since = first_day(figures.today, USUAL_PERIOD)
    report = class_report(figures, since)
    needs = who_needs_what(figures, last_days(report, figures.school_class))
    fewer = children_who_find_fewer(figures, since)
    return Findings(figures, needs, report.rows, USUAL_PERIOD, fewer)


def why_table(need: Need, rows: Rows, period: str) -> str:
    """The figure of a table that is needed, and what the figure does not say."""
    found = words.rows_found(rows, period)
    match need:
        case Need.REFRESHING:
            return gettext("fewer than before; %(found)s") % {"found": found}
        case Need.GUESS:
            return gettext("%(found)s; may be chance") % {"found": found}
        case Need.IN_ORDER:
            return gettext("next in the usual order; %(found)s") % {"found": found}
    return found


def _is_known(cell: TableCell | None) -> bool:
    return cell is not None and cell.is_shown and cell.level in KNOWN_LEVELS


@dataclass(frozen=True, slots=True)
class StepLine:
    """The steps that a child could be given, the most important first; nothing more until they have
    finished what they were `given`."""

    child: Child
    suggested: Sequence[SuggestedStep]
    given: GivenStep | None

    @property
    def first(self) -> SuggestedStep | None:
        return None if self.given else next(iter(self.suggested), None)

    @property
    def urgency(self) -> tuple[bool, Sequence[float]]:
        """What the children are sorted by; who has something to finish comes last."""
        return self.first is None, self.first.urgency if self.first else ()

    @property
    def why(self) -> str:
        if self.given:
            given = f"{self.given.step.title}: {self.given.state}"
            return " · ".join(filter(None, (given, self.given.reason)))
        return self.first.why if self.first else gettext("Nothing to practise stands out.")

    @property
    def others(self) -> list[Step]:
        """The tables that are not suggested."""
        named = {one.step.table for one in self.suggested}
        return [Step(table) for table in TABLES_TO_10 if table not in named]


@dataclass(frozen=True, slots=True)
class EveryonesSteps:
    lines: Sequence[StepLine]
    is_rebuilding: bool

    @property
    def offers_all(self) -> bool:
        """Whether each child can be given any table, not only the suggested ones: so in a class
        that is small enough for one list."""
        return len(self.lines) <= MOST_ROWS

    @property
    def chosen(self) -> Mapping[Step, Sequence[Child]]:
        """The step that is given unless somebody changes it."""
        chosen: dict[Step, list[Child]] = defaultdict(list)
        for line in self.lines:
            if line.first:
                chosen[line.first.step].append(line.child)
        return chosen


def everyones_steps(school_class: SchoolClass) -> EveryonesSteps:
    """Everyone's next steps. Eleven queries."""
    figures = figures_of(school_class)
    given = given_lately(school_class, figures.children)
    return EveryonesSteps(step_lines(usual_findings(figures), given), figures.is_rebuilding)


def tables_needed(school_class: SchoolClass) -> list[int]:
    """The times tables that children of the class need, whatever they were given: the most urgent
    first, without those that only come next in the usual order."""
    lines = step_lines(usual_findings(figures_of(school_class)), ())
    needed = [
        suggested
        for line in lines
        for suggested in line.suggested
        if suggested.step.table and suggested.need != Need.IN_ORDER
    ]
    needed.sort(key=lambda suggested: suggested.urgency)
    return list(dict.fromkeys(one.step.table for one in needed if one.step.table))


def step_lines(findings: Findings, given: Iterable[GivenStep]) -> list[StepLine]:
    """The children of the class and their next steps, beside what they were `given`. Who needs
    theirs most comes first."""
    given = [step for step in given if step.is_open]
    covered = CoveredSteps.by(given)
    lines = []
    for child in findings.figures.children:
        unfinished = (step for step in given if step.stages.get(child, "done") != "done")
        own = next((replace(step, stages={child: step.stages[child]}) for step in unfinished), None)
        if own:
            own.reason = findings.reason_of(own)
        lines.append(StepLine(child, findings.suggested(child, covered), own))
    return sorted(lines, key=lambda line: (line.urgency, line.child.name_order))


def give_steps(
    school_class: SchoolClass, chosen: Mapping[Step, Collection[Child]], *, to_all: bool = False
) -> list[tuple[Assignment, list[Child]]]:
    """Give these steps; with `to_all`, as everyone's next step of this week. Raises what `give`
    raises."""
    with lock(school_class) as (school_class,):
        made = give(school_class, {step.choice: children for step, children in chosen.items()})
        if to_all:
            _mark_given(school_class, made[0][0].created_at)
    return made


def take_back(
    school_class: SchoolClass, assignments: Collection[str], before: str | None, *, to_all: bool
) -> bool:
    """Undo `give_steps`; what a child has begun is only ended. Returns whether everything was
    deleted. Raises `Changed` if nothing is left."""
    with lock(school_class) as (school_class,):
        there = list(school_class.assignments.filter(pk__in=assignments, ended_at=None))
        if not there:
            raise Changed
        for one in there:
            one.school_class = school_class
        if to_all:
            SchoolClass.objects.filter(pk=school_class.pk).update(
                steps_given_on=before, steps_given_at=None
            )
        gone = [withdraw(one) for one in there]
    return all(gone)


def take_plan_back(school_class: SchoolClass) -> bool:
    """Take back everyone's next step that was given last; the next comes next Monday. Returns
    whether everything was deleted."""
    with lock(school_class) as (school_class,):
        given = school_class.assignments.filter(
            created_at=F("school_class__steps_given_at"), everyone=False
        )
        keys = [str(key) for key in given.values_list("pk", flat=True)]
        SchoolClass.objects.filter(pk=school_class.pk).update(steps_given_at=None)
        with suppress(Changed):
            return take_back(school_class, keys, None, to_all=False)
    return True


def can_take_plan_back(school_class: SchoolClass) -> bool:
    """Whether everyone's next step was given and can still be played."""
    given_on = school_class.steps_given_on
    if not (school_class.steps_given_at and given_on) or school_class.archived_at:
        return False
    return school_class.today() < given_on + ONE_WEEK


def _mark_given(school_class: SchoolClass, at: datetime | None = None) -> None:
    today = school_class.today()
    SchoolClass.objects.filter(pk=school_class.pk).update(steps_given_on=today, steps_given_at=at)


def repeat_steps(school_class: SchoolClass, how: SchoolClass.WeeklySteps) -> None:
    """Choose what the site does about everyone's next step on Mondays, beginning with the coming
    one."""
    with lock(school_class) as (school_class,):
        SchoolClass.objects.filter(pk=school_class.pk).update(weekly_steps=how)
        _mark_given(school_class)


def are_due(school_class: SchoolClass) -> bool:
    """Whether everyone's next step is to be given, or proposed, and was not this week."""
    today = school_class.today()
    monday = today - timedelta(days=today.weekday())
    given_on = school_class.steps_given_on
    return bool(school_class.weekly_steps) and (given_on is None or given_on < monday)


def give_due() -> None:
    """Give everyone's next step, once a week, in the classes that want it without asking. May run
    twice or late. An error with one class is logged and does not stop the others."""
    by_itself = SchoolClass.WeeklySteps.GIVE
    for school_class in SchoolClass.objects.filter(weekly_steps=by_itself, archived_at=None):
        try:
            with suppress(LimitReached, Changed):
                _give_week(school_class)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            log.exception("no steps given", key=str(school_class.pk))


def _give_week(school_class: SchoolClass) -> None:
    if not are_due(school_class):
        return
    with lock(school_class) as (locked,):
        steps = everyones_steps(locked)
        by_itself = locked.weekly_steps == SchoolClass.WeeklySteps.GIVE
        if not by_itself or not are_due(locked) or steps.is_rebuilding:
            return
        try:
            give_steps(locked, steps.chosen, to_all=True)
        except GivenAlready:
            _mark_given(locked)
