"""What a child did and can do, for pages and reports: rows, facts, best rounds and story."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Case, Count, F, Max, Q, QuerySet, Sum, TextField, When
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import convert
from msgspec.json import decode

from classrooms.checks.models import Check
from classrooms.checkups.models import CheckUpAnswer
from classrooms.models import Child
from classrooms.progress.models import (
    CHANCE_COUNTS,
    LAID,
    Chance,
    ChildDay,
    Counted,
    FactMastery,
    TableDay,
    TableMastery,
)
from games.coach.mastery import FEWEST_FOR_A_LEVEL, GOOD_LEVELS, Level, Reached
from games.coach.questions.recall import (
    AskedDay,
    FactReason,
    Memory,
    chance_next_day,
    chance_of,
    level_of,
)
from games.coach.questions.recall import reason_of as recall_reason_of
from games.coach.questions.short_questions import Trouble
from games.coach.statements.contrasts import FEWEST_CHILDREN
from games.coach.statements.table_levels import (
    RECENT_DAYS,
    KnownTable,
    TableReason,
    misses_some,
    reason_of,
)
from games.coach.times_tables import TABLES_TO_12, Fact
from games.coach.times_tables import fact as fact_of

# The periods of figures, each with the label that is shown beside them.

PERIODS: Final[dict[str, tuple[int, Promise]]] = {
    "month": (RECENT_DAYS, _("last 4 weeks")),
    "week": (7, _("last 7 days")),
    "all": (0, _("all time")),
}
"""The number of days of each period (0 for all time) and its label, by its name in the address."""
USUAL_PERIOD: Final = "month"
"""The period of the figures on a class's or child's page, unless another is chosen."""
WEEK: Final = "week"
ALL_TIME: Final = "all"
"""The period of figures behind a level or a statement: both rest on all days."""


def label_of(period: str) -> str:
    """The label of a period, in the active language."""
    _days, label = PERIODS[period]
    return str(label)


def first_day(today: date, period: str) -> date | None:
    """The first day of a period that ends today; None for all time."""
    days, _label = PERIODS[period]
    return today - timedelta(days=days - 1) if days else None


def with_period(text: str, period: str) -> str:
    """A figure with its period, as text: `found 2 of 8 possible rows, last 4 weeks`."""
    return f"{text}, {label_of(period)}"


# A child's chances of a times table and its level. All figures of rows come from here
# (docs/mastery.md, *Chances*).

OTHER_TABLES: Final = 0
"""The column of rows that are in no table, or in a table without a column of its own."""
SHADE_STEPS: Final = (0.4, 0.6, 0.85)
"""The shares found at which a cell of the map gets its next shade, from sand to green."""
LOW_BELOW: Final = 2
"""A shade below this number counts as low."""
ROWS_FOUND: Final = F("at_once") + F("later")
"""`Rows.found` of one count, as a database expression."""
LAID_OF_ONE: Final = F("at_once") + F("later") + F("hinted") + F("tried") + F("joker")
"""`Rows.laid` of one count, as a database expression."""
ROWS_LAID: Final = Sum(LAID_OF_ONE, default=0)
"""The sum of `Rows.laid` over several counts, as a database expression."""
NOT_SEEN: Final[Level] = "not yet seen"


@dataclass(slots=True)
class Rows:
    """The number of chances by outcome: found at once, later, with a hint or after refused tries,
    or missed. Rows laid with a joker are counted separately: they are not chances."""

    at_once: int = 0
    later: int = 0
    hinted: int = 0
    tried: int = 0
    missed: int = 0
    joker: int = 0

    @property
    def found(self) -> int:
        """Rows found without help."""
        return self.at_once + self.later

    @property
    def chances(self) -> int:
        return self.found + self.hinted + self.tried + self.missed

    @property
    def laid(self) -> int:
        """Rows laid, with or without help or a joker."""
        return self.found + self.hinted + self.tried + self.joker

    @property
    def is_shown(self) -> bool:
        """Whether there are enough chances to show figures."""
        return self.chances >= FEWEST_FOR_A_LEVEL

    @property
    def share(self) -> float:
        chances = self.chances
        return self.found / chances if chances else 0.0

    @property
    def shade(self) -> int:
        """The shade from sand to green, 0 to `len(SHADE_STEPS)`."""
        share = self.share
        return sum(share >= step for step in SHADE_STEPS)

    def add(self, other: "Rows | Counted | Mapping[str, Any]") -> None:
        for name in CHANCE_COUNTS:
            more = other[name] if isinstance(other, Mapping) else getattr(other, name)
            setattr(self, name, getattr(self, name) + more)


@dataclass(frozen=True, slots=True)
class TableCell:
    """A child's chances of one times table, as a cell of the map shows them."""

    child: UUID | None
    table: int
    rows: Rows  # of the chosen period
    level: Level = NOT_SEEN  # computed from all days
    evidence: int = 0  # the number of chances that `level` is based on
    last_at: datetime | None = None  # when the last chance ended
    late_share: float = 0.0  # the share found recently (0–1)
    since: date | None = None
    """The day since which the child finds most rows, straight away or not, or does not. None if
    `level` is not the one reached last."""
    known: KnownTable | None = None  # what `level` was computed from, on the day `today`
    today: int = 0

    @property
    def reason(self) -> TableReason | None:
        """Why the table has its level."""
        return reason_of(self.known, self.today) if self.known else None

    def is_secure_from(self, first: date | None) -> bool:
        """Whether most rows are found since the day `first` or later."""
        return bool(first and self.is_mastered and self.since and self.since >= first)

    @property
    def is_earlier(self) -> bool:
        """Whether the level is only of earlier days: the period has no figure, and most rows were
        found before the last weeks too."""
        lately = date.fromordinal(self.today - RECENT_DAYS + 1) if self.today else None
        return not (self.rows.is_shown or self.is_secure_from(lately))

    @property
    def misses_some(self) -> bool:
        """Whether a better level is prevented by rows not found, and not by too few rows."""
        return self.known is not None and misses_some(self.known, self.today)

    @property
    def is_shown(self) -> bool:
        """Whether the level may be shown: it rests on three chances or more."""
        return self.evidence >= FEWEST_FOR_A_LEVEL

    @property
    def is_mastered(self) -> bool:
        return self.is_shown and self.level in GOOD_LEVELS

    @property
    def is_low(self) -> bool:
        """Whether the figures look like a need: the shade is one of the two lowest."""
        return self.table != OTHER_TABLES and self.rows.is_shown and self.rows.shade < LOW_BELOW

    @property
    def needs_refreshing(self) -> bool:
        return self.is_shown and self.level == "needs refreshing"

    @property
    def is_unsure(self) -> bool:
        """Whether it is too early to say how many rows are found, whatever the figure of a few."""
        is_certain = self.is_mastered or self.misses_some or self.needs_refreshing
        return self.rows.is_shown and not is_certain

    @property
    def look(self) -> str:
        """The CSS class of its level on the page of a child; none without a figure."""
        if self.needs_refreshing:
            return "refreshing"
        if self.rows.is_shown and self.misses_some:
            return "misses-some"
        return f"level-{self.level}" if self.rows.is_shown and self.is_mastered else ""


def column_of(table: int) -> int:
    """The column of the map that has the rows of this table."""
    return table if table in TABLES_TO_12 else OTHER_TABLES


def table_cells(children: Iterable[Child], today: date) -> Mapping[UUID, Mapping[int, TableCell]]:
    """The cells of these children, by child and column. Tables without a column of their own are
    added up in the column `OTHER_TABLES`."""
    cells: dict[UUID, dict[int, TableCell]] = defaultdict(dict)
    stored = TableMastery.objects.filter(child__in=[child.pk for child in children])
    for child_id, table, *figures, known_json, last_at, since in stored.values_list(
        "child", "table", *CHANCE_COUNTS, Cast("known", TextField()), "last_at", "reached_on"
    ).order_by("last_at"):
        known = decode(known_json, type=KnownTable)
        column, rows = column_of(table), Rows(*figures)
        if before := cells[child_id].get(column):
            rows.add(before.rows)
        level = known.level(today.toordinal()) if column else NOT_SEEN
        lapsed = level == "learning" and known.reached != level
        is_dated = level != NOT_SEEN and not lapsed
        cells[child_id][column] = TableCell(
            child_id,
            column,
            rows,
            level,
            evidence=rows.chances,
            last_at=last_at,
            late_share=known.share,
            since=since if is_dated else None,
            known=known if column else None,
            today=today.toordinal(),
        )
    return cells


# How well the children of a class know the facts of the times tables, by their answers to short
# questions.


@dataclass(frozen=True, slots=True)
class FactCell:
    """How well a child knows a fact today, and how they found their answers."""

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
    """The day since which the fact has been known by heart, or not. None if the answers do not fit
    `level`."""
    last_at: datetime
    reason: FactReason | None = None  # why the fact has its level; only if one fact was requested
    missed: bool = False
    """Whether the last answer was wrong, in a check-up. This precedes any other reason."""

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


@dataclass(frozen=True, slots=True)
class FactLevelCounts:
    """A fact in a class: how many children are at each level. Counts only levels that may be
    shown."""

    fact: Fact
    levels: Mapping[Level, int]
    is_assigned: bool = False

    @property
    def children(self) -> int:
        return sum(self.levels.values())

    @property
    def knowing(self) -> int:
        """The children who are secure or fluent in the fact."""
        return self.levels.get("secure", 0) + self.levels.get("fluent", 0)

    @property
    def is_unsure(self) -> bool:
        """Whether too few children were asked to say anything of the class."""
        return self.children < FEWEST_CHILDREN

    @property
    def shade(self) -> int:
        """The shade from sand to green, 0 to `len(SHADE_STEPS)`."""
        return sum(self.knowing >= step * self.children for step in SHADE_STEPS)


@dataclass(frozen=True, slots=True)
class LearningFact:
    """A fact that a child is still learning: of their answers, so many were right without help."""

    chance: float  # that the next answer is right (0–1)
    right: int
    answers: int
    missed: bool = False  # whether the last answer was a wrong one in a check-up

    @property
    def order(self) -> tuple[bool, float]:
        """The key to sort by: first facts missed in a check-up, then those likeliest to be
        right."""
        return not self.missed, -self.chance


Learning = Mapping[UUID, Mapping[Fact, LearningFact]]
"""The facts that each child is still learning."""


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """The facts that the children of a class were asked. Counts only levels that may be shown."""

    levels: Mapping[Fact, Mapping[Level, int]]  # by fact, how many children are at each level
    learning: Learning  # by child, the facts that they are still learning


MISSED_FOR: Final = timedelta(days=91)
"""How long an answer in a check-up counts as the last one, if the fact is not asked again."""

Missed = Mapping[UUID, Mapping[Fact, datetime]]


def missed_in_check_ups(children: Iterable[Child]) -> Missed:
    """For each child, the facts whose last answer was wrong in a check-up, with the time of the
    answer. One query."""
    given = _in_check_ups(children).order_by("answered_at", "pk")
    missed: dict[UUID, dict[Fact, datetime]] = defaultdict(dict)
    for child, first, second, right, at in given.values_list(
        "child_check_up__child", "first", "second", "right", "answered_at"
    ):
        if right:
            missed[child].pop(fact_of(first, second), None)
        else:
            missed[child][fact_of(first, second)] = at
    return missed


def _in_check_ups(children: Iterable[Child]) -> QuerySet[CheckUpAnswer]:
    return CheckUpAnswer.objects.filter(
        child_check_up__child__in=[child.pk for child in children],
        answered_at__gte=timezone.now() - MISSED_FOR,
    )


class _StoredFact(NamedTuple):
    """What is stored about a child's fact (`FactMastery`), and the child's ability today."""

    low: int
    high: int
    reached: Reached
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
    def _memory(self) -> Memory:
        due = self.due_on.toordinal()
        return Memory(self.stability, self.difficulty, self.day.toordinal(), due)

    @property
    def _best_ability(self) -> float:
        """The ability from which the level is computed."""
        return max(self.ability, self.ability_today)

    def level(self, today: int) -> Level:
        return level_of(self.fact, self.reached, self._memory, self._best_ability, today)

    def reason(self, today: int, days: Sequence[AskedDay]) -> FactReason:
        chance = chance_next_day(self.fact, self._memory, self._best_ability)
        return recall_reason_of(self.level(today), days, self.answers, chance, today)

    def chance(self, today: int) -> float:
        return chance_of(self.fact, self._memory, self.ability_today, today)

    def is_missed(self, missed: Missed) -> bool:
        """Whether the fact was missed in a check-up after the last short question about it."""
        at = missed.get(self.child, {}).get(self.fact)
        return at is not None and at > self.last_at


def cells_of(
    children: Iterable[Child], today: date, of: Fact | None = None
) -> Mapping[UUID, Mapping[Fact, FactCell]]:
    """How well these children know each fact that they were asked, or only the fact `of`, in two
    queries. A fact whose last answer was wrong in a check-up has the level "learning"."""
    cells: dict[UUID, dict[Fact, FactCell]] = defaultdict(dict)
    missed = missed_in_check_ups(children)
    stored = _stored_facts(children)
    if of:
        stored = stored.filter(low=of[0], high=of[1])
    day = today.toordinal()
    for *values, days in stored.values_list(*_StoredFact._fields, "lately" if of else "pk"):
        fact = _StoredFact(*values)
        is_missed = fact.is_missed(missed)
        level = "learning" if is_missed else fact.level(day)
        cells[fact.child][fact.fact] = FactCell(
            child=fact.child,
            fact=fact.fact,
            level=level,
            chance=fact.chance(day),
            due_on=fact.due_on,
            recalled=fact.recalled,
            derived=fact.derived,
            hinted=fact.hinted,
            guessed=fact.guessed,
            since=fact.reached_on if level == fact.reached else None,
            last_at=fact.last_at,
            reason=fact.reason(day, convert(days, list[AskedDay])) if of else None,
            missed=is_missed,
        )
    return cells


def facts_of_class(children: Iterable[Child], today: date) -> ClassFacts:
    """The facts that these children were asked, in two queries. Most facts still have the level of
    their last answer: the database counts those together and returns each other fact on its own."""
    missed = missed_in_check_ups(children)
    levels: dict[Fact, dict[Level, int]] = defaultdict(dict)
    learning: dict[UUID, dict[Fact, LearningFact]] = {
        child: {fact: LearningFact(0.0, 0, 0, missed=True) for fact in facts}
        for child, facts in missed.items()
    }
    day = today.toordinal()
    may_differ = Q(holds_until=None) | Q(holds_until__lt=today) | Q(child__in=list(missed))
    same, differing = _StoredFact._fields[:3], _StoredFact._fields[3:]
    others = {f"other_{name}": Case(When(may_differ, then=F(name))) for name in differing}
    counted = _stored_facts(children).values(*same, **others).annotate(n=Count("pk"))
    for low, high, reached, child, *values, n in counted.values_list(*same, *others, "n"):
        of_fact = levels[low, high]
        if child is None:
            of_fact[reached] = of_fact.get(reached, 0) + n
            continue
        fact = _StoredFact(low, high, reached, child, *values)
        is_missed = fact.is_missed(missed)
        level = "learning" if is_missed else fact.level(day)
        of_child = learning.setdefault(child, {})
        of_child.pop(fact.fact, None)
        if level == "learning" and (is_missed or fact.answers >= FEWEST_FOR_A_LEVEL):
            chance = fact.chance(day)
            of_child[fact.fact] = LearningFact(chance, fact.right, fact.answers, is_missed)
        if fact.answers >= FEWEST_FOR_A_LEVEL:
            of_fact[level] = of_fact.get(level, 0) + 1
    return ClassFacts(levels, learning)


def learning_of(
    cells: Mapping[Fact, FactCell], missed: Mapping[Fact, datetime]
) -> Mapping[Fact, LearningFact]:
    """The facts that a child is still learning, from the child's `cells` and the facts `missed` in
    check-ups."""
    learning = {fact: LearningFact(0.0, 0, 0, missed=True) for fact in missed if fact not in cells}
    for fact, cell in cells.items():
        if cell.level == "learning" and (cell.missed or cell.is_shown):
            learning[fact] = LearningFact(cell.chance, cell.right, cell.evidence, cell.missed)
    return learning


def secure_facts(child: Child) -> frozenset[Fact]:
    """The facts in which a child is secure or fluent today, in two queries. Hints and short
    questions derive other facts from them."""
    stored = _stored_facts([child]).exclude(reached="learning")
    today, missed = child.school_class.today().toordinal(), missed_in_check_ups([child])
    return frozenset(
        fact.fact
        for fact in map(_StoredFact._make, stored.values_list(*_StoredFact._fields))
        if fact.level(today) in GOOD_LEVELS and not fact.is_missed(missed)
    )


def _stored_facts(children: Iterable[Child]) -> QuerySet[FactMastery]:
    stored = FactMastery.objects.filter(child__in=[child.pk for child in children])
    return stored.annotate(ability_today=F("child__fact_ability__value"))


Answer = Check | CheckUpAnswer


def answers_to(children: Iterable[Child], fact: Fact) -> Mapping[UUID, Sequence[Answer]]:
    """The answers to a fact by child, with its factors in either order, newest first: all to short
    questions, and those in check-ups that may count (`MISSED_FOR`). Two queries."""
    low, high = fact
    turned = Q(first=low, second=high) | Q(first=high, second=low)
    given: dict[UUID, list[Answer]] = defaultdict(list)
    asked = Check.objects.filter(turned, child__in=[child.pk for child in children])
    for check in asked.filter(kind=Check.Kind.FACT).order_by("answered_at", "pk"):
        given[check.child_id].append(check)
    for one in _in_check_ups(children).filter(turned).select_related("child_check_up"):
        given[one.child_check_up.child_id].append(one)
    newest = {child: sorted(own, key=lambda one: one.answered_at) for child, own in given.items()}
    return {child: own[::-1] for child, own in newest.items()}


# The rounds in which children laid more rows than ever before.


@dataclass(frozen=True, slots=True)
class BestRound:
    """A child's best round: the first one with this many `rows` laid."""

    rows: int
    day: date
    before: int  # the rows of the best earlier round, 0 if there was none


def best_rounds(children: Iterable[Child]) -> Mapping[UUID, BestRound]:
    """The best round of each child who has laid a row, by child. One query."""
    rounds = (
        Chance.objects.filter(LAID, child__in=children)
        .values_list("child", "game", "round")
        .annotate(rows=Count("pk"), day=Max("day"), ended=Max("at"))
        .order_by("ended")
    )
    bests: dict[UUID, BestRound] = {}
    for child, _game, _round, rows, day, _ended in rounds:
        before = bests[child].rows if child in bests else 0
        if rows > before:
            bests[child] = BestRound(rows, day, before)
    return bests


# A child's story: their last weeks and their own bests.

WEEKS: Final = 6


@dataclass(slots=True)
class Week:
    """A child's week from Monday: the days on which they played, and what they did and found."""

    monday: date
    days: int = 0
    rounds: int = 0
    turns: int = 0
    hints: int = 0
    checks: int = 0
    checks_right: int = 0
    rows: Rows = field(default_factory=Rows)


@dataclass(frozen=True, slots=True)
class Bests:
    """The most rows that a child has laid in a round and on a day, each with the first day on which
    they did; None if they have laid none."""

    round: BestRound | None
    rows_on_a_day: int | None
    day: date | None


@dataclass(frozen=True, slots=True)
class ChildStory:
    """A child's last weeks, oldest first, with weeks without play; `every_table` and `every_fact`
    are all that the child has practised."""

    weeks: Sequence[Week]
    lately: Mapping[int, Rows]  # by column of the map, the rows of the usual period
    bests: Bests
    every_table: Mapping[int, TableCell]
    every_fact: Mapping[Fact, FactCell]


def child_story(
    child: Child,
    tables: Mapping[int, TableCell] | None = None,
    facts: Mapping[Fact, FactCell] | None = None,
) -> ChildStory:
    """The story of the last `WEEKS` weeks, this one included, in four queries. If `tables` or
    `facts` is missing, one or two more queries read it."""
    today = child.school_class.today()
    if tables is None:
        tables = table_cells([child], today).get(child.pk, {})
    if facts is None:
        facts = cells_of([child], today).get(child.pk, {})
    first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    lately = first_day(today, USUAL_PERIOD)
    assert lately
    days = list(TableDay.objects.filter(child=child, day__gte=min(first, lately)))
    return ChildStory(
        _weeks(child, days, first),
        _rows_since(days, lately),
        _bests(child),
        tables,
        facts,
    )


def _rows_since(days: Iterable[TableDay], since: date) -> Mapping[int, Rows]:
    rows: dict[int, Rows] = defaultdict(Rows)
    for one in days:
        if one.day >= since:
            rows[column_of(one.table)].add(one)
    return rows


def _weeks(child: Child, days: Iterable[TableDay], first: date) -> Sequence[Week]:
    weeks = [Week(first + timedelta(weeks=week)) for week in range(WEEKS)]
    for day in ChildDay.objects.filter(child=child, day__gte=first):
        week = weeks[(day.day - first).days // 7]
        week.days += 1
        for name in ("rounds", "turns", "hints", "checks", "checks_right"):
            setattr(week, name, getattr(week, name) + getattr(day, name))
    for rows in days:
        if rows.day >= first:
            weeks[(rows.day - first).days // 7].rows.add(rows)
    return weeks


def _bests(child: Child) -> Bests:
    of_days = TableDay.objects.filter(child=child).values("day").annotate(rows=ROWS_LAID)
    best_day = of_days.filter(rows__gt=0).order_by("-rows", "day").first()
    return Bests(
        round=best_rounds([child]).get(child.pk),
        rows_on_a_day=best_day["rows"] if best_day else None,
        day=best_day["day"] if best_day else None,
    )


# Whether a child can name the times table of rows that they found: the short questions about it.
# The answers are shown but count for no level: the row was found before, so no fact is recalled.

ANSWERS_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class TableQuestionTally:
    """How many of the answers `asked` were `right`, and the `latest` answers, newest first."""

    right: int
    asked: int
    latest: Sequence[Check]

    @property
    def is_shown(self) -> bool:
        return self.asked >= FEWEST_FOR_A_LEVEL


def table_questions_of(child: Child, since: date | None) -> TableQuestionTally:
    """The child's answers to questions about the table of a row, from the day `since` on. One
    query."""
    days = Q(day__gte=since) if since else Q()
    asked = Check.objects.filter(days, child=child, kind=Check.Kind.TABLE)
    checks = list(asked.order_by("-answered_at", "-pk"))
    return TableQuestionTally(
        sum(check.right for check in checks), len(checks), checks[:ANSWERS_SHOWN]
    )


# The rows whose facts a child is asked about on a later day.

BRINGS_BACK_FOR: Final = timedelta(weeks=2)
HARD: Final = (Chance.Outcome.MISSED, Chance.Outcome.WITH_HINT)
MOST_TROUBLES: Final = 30


def troubles_of(player: UUID) -> list[Trouble]:
    """The latest rows of times tables that a child missed or found with a hint. One query."""
    since = timezone.now() - BRINGS_BACK_FOR
    rows = Chance.objects.filter(
        outcome__in=HARD, child__player=player, table__gt=0, at__gte=since
    ).order_by("-at", "-pk")
    return [
        Trouble(numbers, day.toordinal())
        for numbers, day in rows.values_list("numbers", "day")[:MOST_TROUBLES]
    ]
