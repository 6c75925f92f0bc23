"""What the children of a class did and need, for pages, reports and mail."""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Any, Final, Literal, NamedTuple, Self
from uuid import UUID

from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum, When
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from classrooms.checks.models import Check
from classrooms.checkups.models import CheckUpAnswer
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.progress import child_figures, evidence
from classrooms.progress.child_figures import (
    FIGURES,
    LAID_OF_ONE,
    OTHER,
    ROWS_LAID,
    USUAL,
    ClassFacts,
    FactCell,
    FactLevelCounts,
    Learning,
    Rows,
    TableCell,
    column_of,
    facts_of_class,
    first_day,
    learning_of,
    missed_in_check_ups,
    table_cells,
)
from classrooms.progress.models import (
    FOUND,
    IN_SHARES,
    Chance,
    ChildDay,
    FactDay,
    TableDay,
    TableMastery,
)
from classrooms.progress.rebuild import class_is_rebuilding
from games.coach.facts import Fact, facts_of
from games.coach.facts import fact as fact_of
from games.coach.questions.quiz import MOST_NEW
from games.coach.statements.certainty import (
    FALSE_APART,
    FALSE_CHANGES,
    FALSE_NEEDS,
    STUCK_BELOW,
    below,
    which_are_stuck,
)
from games.coach.statements.contrasts import (
    NOTHING,
    Contrast,
    Part,
    Stratum,
    among_others,
    before_and_after,
    contrast,
    fewer_of_class,
    standing_out,
    together,
)
from games.coach.statements.odd_play import LatelyPlayed, Oddity, is_near, oddities
from games.coach.statements.table_levels import SECURE_FROM
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12, TEACHING_ORDER
from games.play.hooks import Goal

# What is known of the children of a class, read once for all pages that show it.


class OpenDeal(NamedTuple):
    """A game with one deal for the class that is not closed, and the day on which it began."""

    assignment: UUID
    begun_on: date


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """What the children of a class can do on `today`."""

    school_class: SchoolClass
    children: Sequence[Child]
    today: date
    tables: Mapping[UUID, Mapping[int, TableCell]]  # by child
    facts: ClassFacts
    assigned_tables: frozenset[int]  # of all assignments of the class
    has_games: bool  # whether an assignment has not ended
    is_rebuilding: bool = False  # whether the logs of some children must still be read again
    deals: Sequence[OpenDeal] = ()  # newest first
    begun: frozenset[UUID] = frozenset()  # who has ever begun a game, whether it counts or not


def figures_of(school_class: SchoolClass) -> ClassFigures:
    """The figures of a class, in five queries."""
    children = children_of(school_class)
    today = school_class.today()
    assigned = list(
        school_class.assignments.values_list("options", "ended_at", "deal_seed", "pk", "created_at")
    )
    return ClassFigures(
        school_class,
        children,
        today,
        table_cells(children, today),
        facts_of_class(children, today),
        frozenset(table for options, *_ in assigned for table in options.get("tables") or ()),
        has_games=any(ended_at is None for _, ended_at, *_ in assigned),
        is_rebuilding=any(child.to_rebuild for child in children),
        deals=[
            OpenDeal(pk, school_class.day_of(made_at))
            for _, ended_at, seed, pk, made_at in assigned
            if seed is not None and ended_at is None
        ],
        begun=frozenset(child.pk for child in children if child.has_begun),
    )


def children_of(school_class: SchoolClass) -> list[Any]:
    """The children of a class. Each has `has_begun`, whether they have ever begun a game (whether
    it counts or not), and `to_rebuild`, whether their logs must be read again."""
    marked = F("progress_lock__to_rebuild")
    begun = Exists(Attempt.objects.filter(child=OuterRef("pk")))
    return list(school_class.children.annotate(to_rebuild=marked, has_begun=begun))


def figures_about(
    child: Child, children: Sequence[Any], facts: Mapping[Fact, FactCell]
) -> ClassFigures:
    """The figures that a child's needs follow from, in two queries: the tables of all `children` of
    the class, because their number decides what is certain of one, and the child's own `facts`."""
    today = child.school_class.today()
    return ClassFigures(
        child.school_class,
        children,
        today,
        table_cells(children, today),
        ClassFacts(
            {}, {child.pk: learning_of(facts, missed_in_check_ups([child]).get(child.pk, {}))}
        ),
        frozenset(),
        has_games=False,
        is_rebuilding=any(one.to_rebuild for one in children if one.pk == child.pk),
    )


# How many children of a class know each fact of the times tables.


@dataclass(frozen=True, slots=True)
class FactsMap:
    """The facts of a class, as the map of facts shows them."""

    children: Sequence[Child]
    facts: Sequence[Fact]
    """All facts on the map: up to 10 × 10, or to 12 × 12 if such a fact was asked or assigned."""
    assigned: frozenset[Fact]  # of the assigned tables
    sums: Mapping[Fact, FactLevelCounts]

    @property
    def highest(self) -> int:
        return max(high for _, high in self.facts)

    @property
    def is_shown(self) -> bool:
        return any(sum_.children for sum_ in self.sums.values())

    @property
    def factors(self) -> range:
        """The columns: the higher factor of each fact."""
        return range(TABLES_TO_10.start, self.highest + 1)

    @property
    def lines(self) -> list[tuple[int, list[FactLevelCounts | None]]]:
        """By lower factor, a sum for each column; None if the fact is on another line."""
        return [
            (low, [self.sums.get((low, high)) for high in self.factors])
            for low in sorted({low for low, _ in self.facts})
        ]


def facts_map(figures: ClassFigures) -> FactsMap:
    """The map of the facts of a class. Answers that the children gave in other classes count
    too."""
    assigned = frozenset(facts_of(figures.assigned_tables & set(TABLES_TO_12)))
    levels = figures.facts.levels
    further = any(high > TABLES_TO_10[-1] for _, high in {*levels, *assigned})
    facts = facts_of(TABLES_TO_12 if further else TABLES_TO_10)
    sums = {fact: FactLevelCounts(fact, levels.get(fact, {}), fact in assigned) for fact in facts}
    return FactsMap(figures.children, facts, assigned, sums)


# The report of a class, from the counts and the stored levels. The number of queries is fixed, and
# the report is as fast after forty weeks as after four.

MOST_MOVES: Final = 200
RECENT: Final = timedelta(days=28)
"""The freshness of a report counts only matches begun within this time."""


@dataclass(frozen=True, slots=True)
class ChildLine:
    """A child's line of the report."""

    child: Child
    cells: Sequence[TableCell]
    total: Rows
    rounds: int
    turns: int
    hints: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class DayPlayed:
    """What a child did on a day. `refused` counts plays that were no rows."""

    day: date
    turns: int
    refused: int
    hint_turns: int


@dataclass(frozen=True, slots=True)
class Freshness:
    upto: datetime | None  # the time of the last move counted
    waiting: int  # matches with moves still to be counted that are no longer being played
    unreadable: int  # matches whose log could not be read
    is_rebuilding: bool = False
    """Whether the logs of some children must still be read again, as after an upgrade."""


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a class. `assigned` and `others` are the tables that have a column; a table
    that is not assigned has one if some child has enough evidence of it. Totals count all rows,
    with a column or without. By child, `days` has the days with turns and `laid` the rows laid,
    both of the usual period, whatever the period of the rest; in a report of all days `laid` is
    None."""

    assigned: Sequence[int]
    others: Sequence[int]
    lines: Sequence[ChildLine]
    totals: Sequence[TableCell]
    total: Rows
    freshness: Freshness
    days: Mapping[UUID, Sequence[DayPlayed]]
    laid: Mapping[UUID, int] | None

    @property
    def tables(self) -> Sequence[int]:
        return [*self.assigned, *self.others]

    @property
    def is_grouped(self) -> bool:
        """Whether the map has both assigned and other tables."""
        return bool(self.assigned and self.others)

    @property
    def has_more_rows(self) -> bool:
        """Whether `total` also counts rows of tables without a column."""
        return self.total.chances > sum(cell.rows.chances for cell in self.totals)

    def narrowed(self, children: Container[UUID]) -> "Report":
        """The report of only these children."""
        lines = [line for line in self.lines if line.child.pk in children]
        totals, total = _totals(self.tables, lines)
        return replace(self, lines=lines, totals=totals, total=total)

    @property
    def rounds(self) -> int:
        return sum(line.rounds for line in self.lines)

    @property
    def has_been_played(self) -> bool:
        return any(line.last_at for line in self.lines)


@dataclass(frozen=True, slots=True)
class Moves:
    """The chances behind a cell of the map, newest first, at most `MOST_MOVES`."""

    rows: Rows
    chances: Sequence[Chance]
    last_at: datetime | None = field(default=None)


def class_report(figures: ClassFigures, since: date | None = None) -> Report:
    """What each child can do, from all their classes. Rows and rounds are those from the day
    `since` on, or of all days."""
    children, mastered = figures.children, figures.tables
    lately = first_day(figures.today, USUAL)
    assert lately
    rows, laid = _rows_since(children, since, lately) if since else (_rows_ever(mastered), None)
    played, days = _played(children, since, lately)
    assigned, others = _columns(figures)
    tables = [*assigned, *others]
    lines = [_line(child, tables, mastered, rows, played) for child in children]
    totals, total = _totals(tables, lines)
    return Report(assigned, others, lines, totals, total, freshness(figures), days, laid)


RowsOf = Callable[[UUID, int], Rows]
"""The rows of a child and a table in the period of a page, as its map has them."""


def rows_of_report(report: Report) -> RowsOf:
    rows = {(line.child.pk, cell.table): cell.rows for line in report.lines for cell in line.cells}
    return lambda child, table: rows.get((child, table), Rows())


def freshness(figures: ClassFigures) -> Freshness:
    """How fresh the report of a class is, by its recent matches."""
    mark = "game__evidence_mark"
    recent = Attempt.objects.filter(
        assignment__school_class=figures.school_class, created_at__gte=timezone.now() - RECENT
    )
    counted = recent.aggregate(
        upto=Max(f"{mark}__upto_at"),
        waiting=Count("pk", filter=evidence.is_due()),
        unreadable=Count("pk", filter=Q(**{f"{mark}__problem__gt": ""})),
    )
    return Freshness(**counted, is_rebuilding=figures.is_rebuilding)


def moves_behind(
    child: Child, table: int, since: date | None = None, most: int = MOST_MOVES
) -> Moves:
    """The rows and the newest chances behind a cell, at most `most`, from all classes of the child;
    from the day `since` on, or of all days."""
    which = Q(child=child) & _in_column(table)
    counts: QuerySet[TableDay] | QuerySet[TableMastery]
    if since:
        which &= Q(day__gte=since)
        counts = TableDay.objects.filter(which)
    else:
        counts = TableMastery.objects.filter(which)
    rows, last_at = Rows(), None
    for counted in counts.order_by("last_at"):
        rows.add(counted)
        last_at = counted.last_at
    return Moves(rows, chances_behind(child, table, since, most), last_at)


def chances_behind(child: Child, table: int, since: date | None, most: int) -> list[Chance]:
    """Only the chances behind a cell, newest first, at most `most`."""
    which = Q(child=child) & _in_column(table)
    if since:
        which &= Q(day__gte=since)
    return list(Chance.objects.filter(which).order_by("-at", "-entry", "-pk")[:most])


def _in_column(table: int) -> Q:
    if table in TABLES_TO_12:
        return Q(table=table)
    return Q(table__lt=TABLES_TO_12.start) | Q(table__gte=TABLES_TO_12.stop)


def _rows_since(
    children: Iterable[Child], since: date, lately: date
) -> tuple[Mapping[UUID, Mapping[int, Rows]], Mapping[UUID, int]]:
    """By child and column of the map, the chances that ended on the day `since` or later; and by
    child, the rows laid on the day `lately` or later."""
    then = Q(day__gte=since)
    sums: Iterable[Mapping[str, Any]] = (
        TableDay.objects.filter(
            child__in=[child.pk for child in children], day__gte=min(since, lately)
        )
        .values("child", "table")
        .annotate(
            **{f"then_{name}": Sum(name, filter=then, default=0) for name in FIGURES},
            laid=Sum(LAID_OF_ONE, filter=Q(day__gte=lately), default=0),
        )
    )
    counted: dict[UUID, dict[int, Rows]] = defaultdict(lambda: defaultdict(Rows))
    laid: dict[UUID, int] = defaultdict(int)
    for row in sums:
        of_table = {name: row[f"then_{name}"] for name in FIGURES}
        counted[row["child"]][column_of(row["table"])].add(of_table)
        laid[row["child"]] += row["laid"]
    return counted, laid


def rows_of_classes(classes: Iterable[SchoolClass], period: str) -> Mapping[UUID, Rows]:
    """By class, the rows that are the `total` of its report, for all classes in one query."""
    first_days: dict[date | None, list[UUID]] = defaultdict(list)
    for school_class in classes:
        first_days[first_day(school_class.today(), period)].append(school_class.pk)
    which = Q(pk=None)
    for since, keys in first_days.items():
        then = Q(day__gte=since) if since else Q()
        which |= then & Q(child__school_class__in=keys)
    counted = TableDay.objects.filter(which, child__removed_at=None).values("child__school_class")
    rows: dict[UUID, Rows] = defaultdict(Rows)
    for row in counted.annotate(**{name: Sum(name) for name in FIGURES}):
        rows[row["child__school_class"]].add(row)
    return rows


@dataclass(slots=True)
class _Played:
    """What a child did from a day on, and when they last played."""

    rounds: int = 0
    turns: int = 0
    hints: int = 0
    last_at: datetime | None = None


def _played(
    children: Iterable[Child], since: date | None, lately: date
) -> tuple[Mapping[UUID, _Played], Mapping[UUID, Sequence[DayPlayed]]]:
    """By child, what they did from `since` on; and by child, their days with turns from `lately`
    on. The one query adds up the days before `lately`."""
    then = Q(day__gte=since) if since else Q()
    rows = (
        ChildDay.objects.filter(child__in=[child.pk for child in children])
        .values("child", lately_on=Case(When(day__gte=lately, then=F("day"))))
        .annotate(
            then_rounds=Sum("rounds", filter=then, default=0),
            then_turns=Sum("turns", filter=then, default=0),
            then_hints=Sum("hints", filter=then, default=0),
            last=Max("last_at"),
            own_turns=Sum("turns"),
            own_tries=Sum("tries"),
            own_hint_turns=Sum("hint_turns"),
        )
    )
    played: dict[UUID, _Played] = defaultdict(_Played)
    days: dict[UUID, list[DayPlayed]] = defaultdict(list)
    for row in rows:
        own, day = played[row["child"]], row["lately_on"]
        own.rounds += row["then_rounds"]
        own.turns += row["then_turns"]
        own.hints += row["then_hints"]
        own.last_at = max(filter(None, (own.last_at, row["last"])))
        if day and row["own_turns"]:
            did = row["own_turns"], row["own_tries"], row["own_hint_turns"]
            days[row["child"]].append(DayPlayed(day, *did))
    return played, days


def _rows_ever(
    mastered: Mapping[UUID, Mapping[int, TableCell]],
) -> Mapping[UUID, Mapping[int, Rows]]:
    return {
        child: {table: cell.rows for table, cell in own.items()} for child, own in mastered.items()
    }


def _columns(figures: ClassFigures) -> tuple[list[int], list[int]]:
    """The tables of the map: the assigned ones, then others with enough evidence to be shown."""
    assigned = figures.assigned_tables & set(TABLES_TO_12)
    shown = {table for own in figures.tables.values() for table, c in own.items() if c.is_shown}
    return sorted(assigned), [*sorted(shown - assigned - {OTHER}), *({OTHER} & shown)]


def _line(
    child: Child,
    tables: Sequence[int],
    mastered: Mapping[UUID, Mapping[int, TableCell]],
    rows: Mapping[UUID, Mapping[int, Rows]],
    played: Mapping[UUID, _Played],
) -> ChildLine:
    known, own = mastered.get(child.pk, {}), rows.get(child.pk, {})
    did = played.get(child.pk, _Played())
    return ChildLine(
        child,
        [
            replace(
                known.get(table, TableCell(child.pk, table, Rows())), rows=own.get(table, Rows())
            )
            for table in tables
        ],
        total=_together(own.values()),
        rounds=did.rounds,
        turns=did.turns,
        hints=did.hints,
        last_at=did.last_at,
    )


def _totals(tables: Sequence[int], lines: Sequence[ChildLine]) -> tuple[Sequence[TableCell], Rows]:
    """The totals of these lines, by table and of all rows."""
    totals = [
        TableCell(None, table, _together(line.cells[column].rows for line in lines))
        for column, table in enumerate(tables)
    ]
    return totals, _together(line.total for line in lines)


def _together(several: Iterable[Rows]) -> Rows:
    total = Rows()
    for each in several:
        total.add(each)
    return total


# The weekly goal of a class: rows to lay together, and when it was reached.

GOAL_STEP: Final = 50
"""The goal of a week is the next multiple of this above the rows of the week before."""


def goal_of(school_class: SchoolClass) -> Goal | None:
    """The rows of the class this week and its goal. None before the first row is counted, and while
    rows are being counted again."""
    if class_is_rebuilding(school_class):
        return None
    today = school_class.today()
    monday = today - timedelta(days=today.weekday())
    days = TableDay.objects.filter(
        school_class=school_class, day__gte=monday - timedelta(days=7), day__lte=today
    )
    by_week = dict.fromkeys((True, False), 0)
    for one in days.values("day").annotate(rows=ROWS_LAID):
        by_week[one["day"] >= monday] += one["rows"]
    if not by_week[True]:
        return None
    wanted = _wanted_after(by_week[False])
    words = {"n": by_week[True], "wanted": wanted}
    text = ngettext(
        "Your class has laid %(n)d row together this week. The goal is %(wanted)d.",
        "Your class has laid %(n)d rows together this week. The goal is %(wanted)d.",
        by_week[True],
    )
    if by_week[True] >= wanted:
        text = gettext("Goal reached! %(n)d rows together this week. The goal was %(wanted)d.")
    return Goal(by_week[True], wanted, text % words)


def _wanted_after(rows: int) -> int:
    """The goal of the week after a week with this many rows."""
    return (rows // GOAL_STEP + 1) * GOAL_STEP


@dataclass(frozen=True, slots=True)
class GoalReached:
    """The goal of the week from `monday`, reached on `day`."""

    monday: date
    day: date
    rows: int  # the rows of that week so far
    wanted: int


def goals_reached(school_class: SchoolClass, weeks: int) -> list[GoalReached]:
    """The goals reached in the last `weeks` weeks, this one included, latest first, in one
    query."""
    today = school_class.today()
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=weeks)
    days = TableDay.objects.filter(school_class=school_class, day__gte=first, day__lte=today)
    by_day = {one["day"]: one["rows"] for one in days.values("day").annotate(rows=ROWS_LAID)}
    reached = []
    for week in range(weeks):
        begins = monday - timedelta(weeks=week)
        before = sum(_of_week(by_day, begins - timedelta(weeks=1)))
        own, wanted = _of_week(by_day, begins), _wanted_after(before)
        if sum(own) >= wanted:
            place = next(n for n, so_far in enumerate(accumulate(own)) if so_far >= wanted)
            day = begins + timedelta(days=place)
            reached.append(GoalReached(begins, day, sum(own), wanted))
    return reached


def _of_week(by_day: Mapping[date, int], monday: date) -> list[int]:
    return [by_day.get(monday + timedelta(days=day), 0) for day in range(7)]


# Who needs what next: groups that a teacher can help, with the figures behind them.

NEXT_FACTS: Final = MOST_NEW
"""The most facts that a child should learn next."""
AWAY_DAYS: Final = 7


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Children who should learn this table next: the first of which they certainly do not find
    enough rows. `cells` is by child; `rows` is the sum of all cells."""

    table: int
    children: Sequence[Child]
    cells: Mapping[UUID, TableCell]
    rows: Rows


@dataclass(frozen=True, slots=True)
class FactGroup:
    """Children who share this fact among those that they should learn next."""

    fact: Fact
    children: Sequence[Child]
    answers: int  # how many answers they gave to it
    missed: bool  # whether one of them last missed it in a check-up

    @classmethod
    def of(cls, fact: Fact, members: Sequence[Child], learning: Learning) -> Self:
        known = [learning[child.pk][fact] for child in members]
        return cls(
            fact, members, sum(one.answers for one in known), any(one.missed for one in known)
        )


@dataclass(frozen=True, slots=True)
class Stuck:
    """A child who is stuck, and the table at which they find the smallest share of their
    chances."""

    child: Child
    cell: TableCell


@dataclass(frozen=True, slots=True)
class Refreshing:
    """A child and those of their tables that need refreshing."""

    child: Child
    tables: Sequence[TableCell]


@dataclass(frozen=True, slots=True)
class Away:
    """A child who has not played for a week. `since` is their last day, or None if they never
    played."""

    child: Child
    since: date | None


@dataclass(frozen=True, slots=True)
class Needs:
    tables: Sequence[TableGroup]
    facts: Sequence[FactGroup]  # facts that several children share
    next_facts: Mapping[UUID, Sequence[Fact]]  # by child, the facts to learn first
    learning: Learning  # by child, all facts that they are learning
    stuck: Sequence[Stuck]
    refreshing: Sequence[Refreshing]
    away: Sequence[Away]

    def facts_of(self, child: Child) -> Sequence[FactGroup]:
        """All next facts of one child, shared or not."""
        own = self.next_facts.get(child.pk, ())
        return [FactGroup.of(fact, [child], self.learning) for fact in own]

    def of(self, child: Child) -> Self:
        """The needs of one child; `facts` has all their next facts."""
        tables = []
        for group in self.tables:
            if cell := group.cells.get(child.pk):
                tables.append(TableGroup(group.table, [child], {child.pk: cell}, cell.rows))
        return replace(
            self,
            tables=tables,
            facts=self.facts_of(child),
            next_facts={child.pk: self.next_facts.get(child.pk, ())},
            learning={child.pk: self.learning.get(child.pk, {})},
            stuck=[one for one in self.stuck if one.child == child],
            refreshing=[one for one in self.refreshing if one.child == child],
            away=[one for one in self.away if one.child == child],
        )


def who_needs_what(figures: ClassFigures, last: Mapping[UUID, date]) -> Needs:
    """The needs of the children today, without a query. `last` has the day on which each child last
    played, if they ever did."""
    children, tables = figures.children, figures.tables
    next_facts = _next_facts(figures)
    return Needs(
        tables=_by_table(children, tables),
        facts=_by_fact(figures, next_facts),
        next_facts=next_facts,
        learning=figures.facts.learning,
        stuck=_stuck(children, tables),
        refreshing=_refreshing(children, tables),
        away=_away(children, last, figures.today),
    )


def _by_table(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, TableCell]]
) -> Sequence[TableGroup]:
    """The children by the table that they should learn next, the largest group first. Each child is
    in one group at most."""
    groups: dict[int, list[Child]] = defaultdict(list)
    learning = _learning(tables)
    for child in children:
        own = learning.get(child.pk, ())
        if following := next((table for table in TEACHING_ORDER if table in own), None):
            groups[following].append(child)
    table_groups = []
    for table, members in groups.items():
        cells = {child.pk: tables[child.pk][table] for child in members}
        rows = Rows()
        for cell in cells.values():
            rows.add(cell.rows)
        table_groups.append(TableGroup(table, members, cells, rows))
    table_groups.sort(key=lambda group: (-len(group.children), group.rows.share, group.table))
    return table_groups


def _learning(tables: Mapping[UUID, Mapping[int, TableCell]]) -> Mapping[UUID, set[int]]:
    """By child, the tables at which they certainly find a smaller share than a secure child
    does."""
    cells = [
        (child, cell)
        for child, own in tables.items()
        for cell in own.values()
        if cell.is_shown and cell.level == "learning"
    ]
    certain = below([_share(cell) for _child, cell in cells], SECURE_FROM, FALSE_NEEDS)
    learning: dict[UUID, set[int]] = defaultdict(set)
    for (child, cell), is_certain in zip(cells, certain, strict=True):
        if is_certain:
            learning[child].add(cell.table)
    return learning


def _share(cell: TableCell) -> tuple[int, int]:
    return cell.rows.found, cell.rows.chances


def _next_facts(figures: ClassFigures) -> Mapping[UUID, Sequence[Fact]]:
    """By child, the facts to learn first among those that they are learning."""
    return {
        child: sorted(learning, key=lambda fact: (learning[fact].order, fact))[:NEXT_FACTS]
        for child, learning in figures.facts.learning.items()
    }


def _by_fact(
    figures: ClassFigures, next_facts: Mapping[UUID, Sequence[Fact]]
) -> Sequence[FactGroup]:
    groups: dict[Fact, list[Child]] = defaultdict(list)
    for child in figures.children:
        for fact in next_facts.get(child.pk, ()):
            groups[fact].append(child)
    shared = [
        FactGroup.of(fact, members, figures.facts.learning)
        for fact, members in groups.items()
        if len(members) > 1
    ]
    shared.sort(key=lambda group: (-len(group.children), group.fact))
    return shared


def _stuck(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, TableCell]]
) -> Sequence[Stuck]:
    """The children who are stuck, each with their worst table. The test looks for less than half
    found over all days; a child who lately finds half is no longer stuck."""
    cells = [
        (child, cell)
        for child in children
        for cell in tables.get(child.pk, {}).values()
        if cell.table != OTHER
    ]
    certain = which_are_stuck([_share(cell) for _child, cell in cells])
    by_child: dict[Child, list[TableCell]] = defaultdict(list)
    for (child, cell), is_certain in zip(cells, certain, strict=True):
        if is_certain and cell.level == "learning" and cell.late_share < STUCK_BELOW:
            by_child[child].append(cell)
    worst = [
        Stuck(child, min(own, key=lambda cell: (cell.rows.share, cell.table)))
        for child, own in by_child.items()
    ]
    return sorted(worst, key=lambda one: one.cell.rows.share)


def _refreshing(
    children: Iterable[Child], tables: Mapping[UUID, Mapping[int, TableCell]]
) -> Sequence[Refreshing]:
    refreshing = []
    for child in children:
        own = tables.get(child.pk, {}).values()
        cells = [cell for cell in own if cell.needs_refreshing]
        if cells:
            refreshing.append(Refreshing(child, sorted(cells, key=lambda cell: cell.table)))
    refreshing.sort(key=lambda one: -len(one.tables))
    return refreshing


def _away(children: Iterable[Child], last: Mapping[UUID, date], today: date) -> Sequence[Away]:
    limit = today - timedelta(days=AWAY_DAYS)
    away = [Away(child, last.get(child.pk)) for child in children]
    return [one for one in away if one.since is None or one.since <= limit]


# What stands out: a child who finds more or fewer rows than before, or fewer than the others; a
# times table or a fact that the whole class finds or knows less often. Only like is compared with
# like: the same table, in games with the same cards, opponents and hints.

LATELY: Final = timedelta(weeks=3)
"""A change is one from the three weeks before to the last three weeks."""
FEWEST_DAYS: Final = 3
"""Chances on fewer days than this say nothing of a child."""

OutKind = Literal["change", "apart", "table", "fact"]
Setting = Hashable
"""What decides which chances and which help a child has in a game."""
GameTable = tuple[Setting, int]


@dataclass(frozen=True, slots=True)
class StandsOut:
    kind: OutKind
    children: Sequence[Child]
    contrast: Contrast  # of like games
    table: int | None = None
    """The table to practise; for a child, the one with the most rows missing."""
    fact: Fact | None = None
    figures: tuple[Part, Part] | None = None  # of a table and of all others, as on the map


@dataclass(frozen=True, slots=True)
class _Days:
    """A child's chances on some days by setting and table, and the days on which each was met."""

    parts: dict[GameTable, Part] = field(default_factory=dict)
    days: dict[GameTable, set[date]] = field(default_factory=lambda: defaultdict(set))

    def add(self, kind: GameTable, part: Part, day: date) -> None:
        self.parts[kind] = together((self.parts.get(kind, NOTHING), part))
        self.days[kind].add(day)

    def has_enough_of(self, kinds: Iterable[GameTable]) -> bool:
        """Whether these were met on enough days: one bad day is no change."""
        return len(set().union(*(self.days.get(kind, ()) for kind in kinds))) >= FEWEST_DAYS


@dataclass(frozen=True, slots=True)
class _Counted:
    """A child's chances in the period of the page, lately, and before that."""

    period: _Days = field(default_factory=_Days)
    lately: _Days = field(default_factory=_Days)
    before: _Days = field(default_factory=_Days)

    def change(self) -> Mapping[GameTable, Stratum]:
        both = self.lately.parts.keys() & self.before.parts.keys()
        if not (self.lately.has_enough_of(both) and self.before.has_enough_of(both)):
            return {}
        return before_and_after(self.before.parts, self.lately.parts)


def stands_out(figures: ClassFigures, since: date | None) -> list[StandsOut]:
    """What may be said of a class together, the surest and largest first, in three queries. Changes
    are of the last weeks, all else of the days from `since` on. Empty while figures are counted
    again."""
    children = figures.children
    if any(getattr(child, "to_rebuild", False) for child in children):
        return []
    counts = _counts(figures, since)
    counted = [counts.get(child.pk, _Counted()) for child in children]
    others = among_others([one.period.parts for one in counted])
    apart = [
        strata if one.period.has_enough_of(strata) else {}
        for one, strata in zip(counted, others, strict=True)
    ]
    said = [
        *_of_children("change", children, [one.change() for one in counted], FALSE_CHANGES),
        *(
            one
            for one in _of_children("apart", children, apart, FALSE_APART)
            if one.contrast.apart < 0
        ),
        *_tables_apart(children, counted),
        *_facts_apart(children, since),
    ]
    return sorted(said, key=lambda one: -one.contrast.surely)


def _counts(figures: ClassFigures, since: date | None) -> Mapping[UUID, _Counted]:
    lately = figures.today - LATELY
    before = lately - LATELY
    which = Q(child__in=[child.pk for child in figures.children], outcome__in=IN_SHARES)
    if since:
        which &= Q(day__gt=min(before, since - timedelta(days=1)))
    rows = list(
        Chance.objects.filter(which)
        .order_by()
        .values_list("child", "assignment", "game__hint_steps", "table", "day")
        .annotate(own=Count("pk", filter=Q(outcome__in=FOUND)), of=Count("pk"))
    )
    settings = {
        one.pk: _setting(one)
        for one in Assignment.everything.filter(pk__in={assignment for _, assignment, *_ in rows})
    }
    counts: dict[UUID, _Counted] = defaultdict(_Counted)
    for child, assignment, hint_steps, table, day, own, of in rows:
        kind = (settings[assignment], hint_steps), table
        counted = counts[child]
        if since is None or day >= since:
            counted.period.add(kind, Part(own, of), day)
        if day > before:
            (counted.lately if day > lately else counted.before).add(kind, Part(own, of), day)
    return counts


def _setting(assignment: Assignment) -> Setting:
    """What makes the chances of two assignments alike. All weeks of a repeated assignment, and any
    other assignment of the same game, have an equal setting."""
    same = ("edition", "options", "focus", "kind", "bots", "bot", "missed_rows", "deal_seed")
    return tuple(str(getattr(assignment, name)) for name in same)


def _of_children(
    kind: OutKind,
    children: Sequence[Child],
    strata: Sequence[Mapping[GameTable, Stratum]],
    false_share: float,
) -> list[StandsOut]:
    said = standing_out([contrast(own.values()) for own in strata], false_share)
    return [
        StandsOut(kind, [child], one, _worst(own))
        for child, own, one in zip(children, strata, said, strict=True)
        if one
    ]


def _worst(strata: Mapping[GameTable, Stratum]) -> int | None:
    """The times table with the most rows missing, compared with what the other side finds; None if
    there is none."""
    missing: dict[int, float] = defaultdict(float)
    for (_setting, table), (ours, theirs, _whose) in strata.items():
        if table in TABLES_TO_12 and ours.of and theirs.of:
            missing[table] += ours.of * theirs.own / theirs.of - ours.own
    return max(missing, key=lambda table: (missing[table], -table), default=None)


def _tables_apart(children: Sequence[Child], counted: Sequence[_Counted]) -> list[StandsOut]:
    """The tables at which the class finds fewer rows than at others in the same games."""
    games: dict[tuple[UUID, Setting], dict[int, Part]] = defaultdict(dict)
    totals: dict[int, Part] = defaultdict(lambda: NOTHING)
    for child, counts in zip(children, counted, strict=True):
        for (setting, table), part in counts.period.parts.items():
            if table in TABLES_TO_12:
                games[child.pk, setting][table] = part
                totals[table] = together((totals[table], part))
    said = fewer_of_class([(child, own) for (child, _setting), own in games.items()])
    return [
        StandsOut(
            "table",
            children,
            one,
            table=table,
            figures=(
                totals[table],
                together(part for other, part in totals.items() if other != table),
            ),
        )
        for table, one in said.items()
    ]


def _facts_apart(children: Sequence[Child], since: date | None) -> list[StandsOut]:
    """The facts that the class knows less well than others, by short questions and check-ups."""
    answers: dict[UUID, dict[Fact, Part]] = defaultdict(lambda: defaultdict(lambda: NOTHING))
    keys = [child.pk for child in children]
    days = FactDay.objects.filter(Q(day__gte=since) if since else Q(), child__in=keys)
    given = CheckUpAnswer.objects.filter(
        Q(answered_at__date__gte=since) if since else Q(), child_check_up__child__in=keys
    )
    right = Count("pk", filter=Q(right=True))
    asked_in_both = days.values_list("child", "low", "high").annotate(
        own=Sum(F("recalled") + F("derived")), of=Sum("asked")
    )
    asked_in_both = asked_in_both.union(
        given.order_by()
        .values_list("child_check_up__child", "first", "second")
        .annotate(own=right, of=Count("pk")),
        all=True,
    )
    for child, first, second, own, of in asked_in_both:
        of_child, asked = answers[child], fact_of(first, second)
        of_child[asked] = together((of_child[asked], Part(own, of)))
    said = fewer_of_class(list(answers.items()))
    return [StandsOut("fact", children, one, fact=asked) for asked, one in said.items()]


# Children whose play is unusual, by what they did in the last four weeks.


@dataclass(frozen=True, slots=True)
class OddChild:
    child: Child
    oddities: Sequence[Oddity]

    @property
    def is_away(self) -> bool:
        return any(one.kind == "away for weeks" for one in self.oddities)


def unusual_players(
    figures: ClassFigures, report: Report, last: Mapping[UUID, date]
) -> list[OddChild]:
    """The children whose play is unusual, in one query, or in two with a `report` of all days.
    `last` has the day on which each child last played, if they ever did."""
    since = child_figures.first_day(figures.today, child_figures.USUAL)
    assert since
    children = [child.pk for child in figures.children]
    days = [{one.day for one in own} for own in report.days.values()]
    laid = _laid(children, since) if report.laid is None else report.laid
    answers = _answers(children, since)
    chances = _chances(figures)
    found = []
    for child in figures.children:
        own = report.days.get(child.pk, ())
        seen = last.get(child.pk)
        lately = replace(
            answers.get(child.pk, LatelyPlayed()),
            turns=sum(one.turns for one in own),
            refused=sum(one.refused for one in own),
            hint_turns=sum(one.hint_turns for one in own),
            laid=laid.get(child.pk, 0),
            tables=chances.get(child.pk, ()),
            days_away=(figures.today - seen).days if seen else None,
            class_days=_days_after(seen, days),
        )
        if odd := oddities(lately):
            found.append(OddChild(child, odd))
    return found


def _days_after(seen: date | None, days: Iterable[Collection[date]]) -> int:
    """On how many days after `seen` somebody of the class played."""
    together = set().union(*days)
    return sum(seen is None or day > seen for day in together)


def _laid(children: Collection[UUID], since: date) -> Mapping[UUID, int]:
    rows = TableDay.objects.filter(child__in=children, day__gte=since).values("child")
    return dict(rows.annotate(rows=ROWS_LAID).values_list("child", "rows"))


def _answers(children: Collection[UUID], since: date) -> Mapping[UUID, LatelyPlayed]:
    """By child, their answers to facts, in one query that counts right answers together and returns
    each wrong answer."""
    asked = Check.objects.filter(child__in=children, day__gte=since, kind=Check.Kind.FACT)
    wrong = {f"wrong_{name}": _if_wrong(name) for name in ("first", "second", "answer")}
    counts = asked.order_by().values("child", "right", **wrong).annotate(n=Count("pk"))
    found: dict[UUID, LatelyPlayed] = defaultdict(LatelyPlayed)
    for child, right, first, second, answer, n in counts.values_list("child", "right", *wrong, "n"):
        before = found[child]
        is_known = not right and first is not None and second is not None
        found[child] = replace(
            before,
            answers=before.answers + n,
            right=before.right + n * right,
            near=before.near + (n * is_near((first, second), answer) if is_known else 0),
        )
    return found


def _if_wrong(name: str) -> Case:
    return Case(When(right=False, then=F(name)))


def _chances(figures: ClassFigures) -> Mapping[UUID, tuple[tuple[int, int], ...]]:
    """By child, the chances of each table met so far. Empty unless most children who have met a
    table have met more than one."""
    met = {
        child: tuple(
            sorted(
                (table, cell.rows.chances)
                for table, cell in own.items()
                if cell.rows.chances or cell.rows.joker
            )
        )
        for child, own in figures.tables.items()
    }
    tables = [len(own) for own in met.values() if own]
    return met if 2 * sum(number > 1 for number in tables) > len(tables) else {}
