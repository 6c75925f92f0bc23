"""The page of a class: who needs what next, and the map of all children and tables."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate
from typing import Final
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.services import groups_of
from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.class_figures import (
    FactsMap,
    OpenDeal,
    facts_map,
    figures_of,
)
from classrooms.progress.class_report import (
    ChildLine,
    Freshness,
    Moves,
    Report,
    class_report,
    counted_behind,
    freshness_of,
    last_days,
)
from classrooms.progress.findings import Findings, Need, SuggestedStep, Urgency, urgency
from classrooms.progress.given_steps import (
    CoveredSteps,
    GivenStep,
    Step,
    given_lately,
    with_outcomes,
)
from classrooms.progress.needs import Away, StuckChild, who_needs_what
from classrooms.progress.next_steps import are_due
from classrooms.progress.periods import PERIODS, USUAL_PERIOD, first_day
from classrooms.progress.rows import OTHER_TABLES, Rows, TableCell
from classrooms.progress.standing_out import outliers
from classrooms.progress.unusual_play import OddChild, unusual_players
from classrooms.ui.sortable_table import MOST_ROWS, PAGE, SortableColumn, SortableTable
from games.coach.times_tables import TABLES_TO_12
from games.play.posted_values import parse_int

# The map of a class: a line for each child, a cell for each times table, and links to choose its
# period and group.

WIDE_FROM: Final = 6
"""With at least this many columns, the map fills the width of the page."""


@dataclass(frozen=True, slots=True)
class Period:
    name: str
    label: Promise
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class GroupChoice:
    """A group whose lines the map can show. `name` is empty for the whole class."""

    key: str
    name: str
    children: frozenset[UUID]
    address: str
    chosen: bool


LOOKS: Final[Mapping[str, str]] = {"✓": "finds-most", "!": "misses-some", "↓": "refreshing"}
"""The CSS class of a cell with this sign."""


@dataclass(frozen=True, slots=True)
class MapCell:
    look: str  # the CSS class of its sign
    address: str  # the address of the moves behind it, "" if there are none
    label: str
    figure: str  # with its sign
    is_open: bool  # whether the moves behind it are shown


@dataclass(frozen=True, slots=True)
class ClassMap:
    """The map of all children in `report`."""

    report: Report
    table: SortableTable[ChildLine]
    period: str
    groups: Sequence[GroupChoice]
    open_cell: tuple[Child, int] | None  # the child and table of the open cell

    @property
    def group(self) -> GroupChoice | None:
        """The chosen group; None for the whole class."""
        return _chosen_group(self.groups)

    @property
    def is_wide(self) -> bool:
        return len(self.report.tables) >= WIDE_FROM

    @property
    def other_meaning(self) -> str:
        return words.other_meaning() if OTHER_TABLES in self.report.tables else ""

    @property
    def kept_query(self) -> str:
        """The part of the address that a link to a cell keeps: period, group, order and page."""
        group = f"&group={self.group.key}" if self.group else ""
        sort = f"&sort={self.table.sort_value}" if self.table.sort_value else ""
        page = f"&page={self.table.page.number}" if self.table.page.has_other_pages() else ""
        return f"&period={self.period}{group}{sort}{page}"

    @property
    def lines(self) -> Iterator[tuple[ChildLine, list[MapCell]]]:
        """The lines of this page of the map, each with its cells."""
        kept_query = self.kept_query
        for line in self.table.page:
            open_table = None
            if self.open_cell and self.open_cell[0] == line.child:
                open_table = self.open_cell[1]
            yield line, [_map_cell(line.child, cell, kept_query, open_table) for cell in line.cells]

    @property
    def signs(self) -> list[tuple[str, str, str]]:
        """Each sign with its CSS class and what it says."""
        return [(LOOKS[sign], sign, meaning) for sign, meaning in words.signs()]


def class_map(
    report: Report,
    groups: Sequence[GroupChoice],
    asked: QueryDict,
    period: str,
    open_cell: tuple[Child, int] | None,
) -> ClassMap:
    chosen = _chosen_group(groups)
    shown = report.narrowed(chosen.children) if chosen else report
    return ClassMap(shown, _sorted_lines(shown, asked), period, groups, open_cell)


def _chosen_group(groups: Sequence[GroupChoice]) -> GroupChoice | None:
    return next((group for group in groups if group.chosen and group.name), None)


def group_choices(
    school_class: SchoolClass, children: Sequence[Child], asked: QueryDict
) -> list[GroupChoice]:
    """The whole class, and its groups that have children; empty if there are no such groups. One
    query."""
    present = {child.pk for child in children}
    members: dict[tuple[str, str], set[UUID]] = defaultdict(set)
    for key, name, child in groups_of(school_class).values_list("pk", "name", "children"):
        if child in present:
            members[str(key), name].add(child)
    if not members:
        return []
    named = asked.get("group", "")
    chosen = named if any(named == key for key, _name in members) else ""
    everyone = {("", ""): present, **members}
    return [
        GroupChoice(key, name, frozenset(group), _address(asked, "group", key), key == chosen)
        for (key, name), group in everyone.items()
    ]


def period_of(asked: QueryDict) -> str:
    """The period that the address names, or else the usual one."""
    named = asked.get("period", "")
    return named if named in PERIODS else USUAL_PERIOD


def periods_offered(asked: QueryDict, chosen: str, anchor: str = "") -> list[Period]:
    """All periods, each with its address of the same page."""
    return [
        Period(name, label, _address(asked, "period", name) + anchor, name == chosen)
        for name, (_days, label) in PERIODS.items()
    ]


def _address(asked: QueryDict, name: str, value: str) -> str:
    """The address of the same page with another value for one parameter."""
    query = asked.copy()
    query.pop(PAGE, None)
    query[name] = value
    return f"?{query.urlencode()}"


def _sorted_lines(report: Report, asked: QueryDict) -> SortableTable[ChildLine]:
    """The lines of the map. They can be sorted by name or by the share of a table."""
    columns: list[SortableColumn[ChildLine]] = [
        SortableColumn("name", _("Child"), lambda line: line.child.name_order)
    ]
    for index, table in enumerate(report.tables):
        # Translators: rows of no times table, at the head of a column
        label = str(table) if table else gettext("other")
        columns.append(SortableColumn(f"t{table}", label, _share_of(index), number=True))
    return SortableTable(asked, columns, report.lines)


def _map_cell(child: Child, cell: TableCell, kept_query: str, open_table: int | None) -> MapCell:
    look = LOOKS.get(cell.sign, "")
    if not cell.rows.chances:
        label = words.cell_without_rows(cell)
        return MapCell(look, "", label, f"– {cell.sign}".rstrip(), is_open=False)
    figure = words.figure(cell.rows) if cell.rows.is_shown else "–"
    return MapCell(
        look=look if cell.rows.is_shown else f"untold {look}".strip(),
        address=f"?child={child.pk}&table={cell.table}{kept_query}#behind",
        label=f"{child.name}, {words.cell(cell, figure)}",
        figure=f"{figure} {cell.sign}".rstrip(),
        is_open=open_table == cell.table,
    )


def _share_of(index: int) -> Callable[[ChildLine], float | None]:
    return lambda line: _shown_share(line.cells[index].rows)


def _shown_share(rows: Rows) -> float | None:
    return rows.share if rows.is_shown else None


# The page of a class: who needs what next, the map, and the moves behind one of its cells.

MOST_CARDS: Final = 3
MOST_OPEN: Final = 6
MOST_BEHIND: Final = 8
MOST_NAMES: Final = 8
MOST_LETTERS: Final = 60
"""The most letters of the names on a card: with "7 more" they fill two lines."""


@dataclass(frozen=True, slots=True)
class NeedCard:
    """Something that some children should do next, or were given to do."""

    kind: str
    title: str
    children: Sequence[Child]
    why: str  # the reason, in figures
    urgency: Urgency  # the sort key
    step: Step | None = None  # the step that one tap gives
    given: GivenStep | None = None
    is_of_class: bool = False
    """Whether the card is about the class together: then it names no child."""

    @property
    def keys(self) -> str:
        return ",".join(str(child.pk) for child in self.children)

    @property
    def named(self) -> Sequence[Child]:
        """The children that the card names: the first one, and as many more as fit."""
        if self.is_of_class:
            return ()
        letters = accumulate(len(child.name) + 2 for child in self.children[:MOST_NAMES])
        n = sum(length <= MOST_LETTERS for length in letters)
        return self.children[: max(n, 1)]

    @property
    def others(self) -> str:
        """How many more children there are, as text; empty if all are named."""
        if self.is_of_class:
            return gettext("The whole class")
        n = len(self.children) - len(self.named)
        return ngettext("%(n)d more", "%(n)d more", n) % {"n": n} if n else ""

    @property
    def names(self) -> str:
        """The names of the first children, and how many more there are."""
        names = [child.name for child in self.named]
        return ", ".join([*names, self.others] if self.others else names)


@dataclass(frozen=True, slots=True)
class MovesBehind:
    """The moves behind a cell of the map."""

    child: Child
    table: int
    moves: Moves


@dataclass(frozen=True, slots=True)
class ClassPage:
    school_class: SchoolClass
    report: Report
    freshness: Freshness
    cards: Sequence[NeedCard]  # what to do next, the most urgent first
    given: Sequence[NeedCard]  # what was given recently, latest first
    stuck: Sequence[StuckChild]
    away: Sequence[Away]  # without those who are in `odd` for being away
    never: Sequence[Child]  # the children who have never begun a game
    odd: Sequence[OddChild]
    map: ClassMap
    periods: Sequence[Period]
    facts: FactsMap
    behind: MovesBehind | None
    has_games: bool
    deals: Sequence[OpenDeal] = ()

    @property
    def period(self) -> Period:
        return next(period for period in self.periods if period.chosen)

    @property
    def groups(self) -> Sequence[GroupChoice]:
        """The groups that have children."""
        return [group for group in self.map.groups if group.name]

    @property
    def is_shown(self) -> bool:
        """Whether the page shows the part on who needs what."""
        return self.report.has_been_played or bool(self.children and self.has_games)

    @property
    def next_facts(self) -> list[NeedCard]:
        """The cards of facts that are not among the first cards."""
        return [card for card in self.cards[MOST_CARDS:] if card.kind == "fact"]

    @property
    def shows_facts(self) -> bool:
        """Whether the list of these cards is short enough to be unfolded."""
        return len(self.next_facts) <= MOST_OPEN

    @property
    def listed_facts(self) -> list[NeedCard]:
        """Those of `next_facts` that the list shows."""
        listed = self._listed_children()
        return [card for card in self.next_facts if card.children[0] in listed]

    def _listed_children(self) -> set[Child]:
        """The children whom lists name: in a class too large for one page, those on this page of
        the map, otherwise all."""
        if len(self.children) <= MOST_ROWS:
            return set(self.children)
        return {line.child for line in self.map.table.page}

    @property
    def facts_address(self) -> str:
        """The start of the addresses of the facts' pages. Reversing it for each link of the map
        would take a millisecond each time."""
        first = reverse("classrooms:fact", args=[self.school_class.pk, 1, 1])
        return first.removesuffix("1/1/")

    @property
    def children(self) -> Sequence[Child]:
        return self.facts.children

    @property
    def first_cards(self) -> Sequence[NeedCard]:
        """The first cards: what to do next, then, if there is room, what was given."""
        return [*self.cards, *self.given][:MOST_CARDS]

    @property
    def no_need(self) -> str:
        """The note that no child certainly finds too few rows of a table. Beside cards of other
        needs, it only says what low figures mean, and is empty if no figure is low."""
        if self.stuck or self.given or any(card.kind == "table" for card in self.cards):
            return ""
        on_cards = {
            (child.pk, card.step.table)
            for card in self.cards
            if card.step
            for child in card.children
        }
        low = [
            cell
            for line in self.report.lines
            for cell in line.cells
            if cell.is_low and (cell.child, cell.table) not in on_cards
        ]
        return words.other_low_figures(low) if self.first_cards else words.no_need(low)

    @property
    def more_given(self) -> Sequence[NeedCard]:
        return self.given[max(MOST_CARDS - len(self.cards), 0) :]

    @property
    def steps_are_due(self) -> bool:
        """Whether the teacher is to be asked for everyone's next step."""
        asks = self.school_class.weekly_steps == SchoolClass.WeeklySteps.ASK
        is_in_use = bool(self.children) and not self.school_class.archived_at
        return asks and is_in_use and are_due(self.school_class)

    @property
    def more_cards(self) -> Sequence[NeedCard]:
        return [card for card in self.cards[MOST_CARDS:] if card.kind != "fact"]


def class_page(school_class: SchoolClass, asked: QueryDict) -> ClassPage:
    """The page of a class. The parameters `period`, `group` and `sort` choose what the map shows;
    `child` and `table` open one of its cells."""
    figures = figures_of(school_class)
    period = period_of(asked)
    since = first_day(figures.today, period)
    report = class_report(figures, since)
    last = last_days(report, school_class)
    odd = unusual_players(figures, report, last)
    long_away = {unusual.child for unusual in odd if unusual.is_away}
    groups = group_choices(school_class, figures.children, asked)
    given = given_lately(school_class, figures.children)
    behind = _moves_behind_cell(report, asked, since)
    open_cell = (behind.child, behind.table) if behind else None
    needs = who_needs_what(figures, last)
    findings = Findings(figures, needs, report.rows, period, outliers(figures, since))
    return ClassPage(
        school_class=school_class,
        report=report,
        freshness=freshness_of(figures),
        cards=need_cards(findings, CoveredSteps.by(given)),
        given=given_cards(findings, with_outcomes(given)),
        stuck=stuck_children(findings),
        away=[away for away in needs.away if away.child not in long_away],
        never=needs.never,
        odd=odd,
        map=class_map(report, groups, asked, period, open_cell),
        periods=periods_offered(asked, period, "#map"),
        facts=facts_map(figures),
        behind=behind,
        has_games=figures.has_games,
        deals=figures.deals,
    )


def stuck_children(findings: Findings) -> list[StuckChild]:
    """The children who are stuck, with the rows of the period."""
    return [
        replace(
            stuck, cell=replace(stuck.cell, rows=findings.rows_of(stuck.child, stuck.cell.table))
        )
        for stuck in findings.needs.stuck
    ]


def _moves_behind_cell(report: Report, asked: QueryDict, since: date | None) -> MovesBehind | None:
    """The moves behind the cell that the address names; None if the class has no such cell."""
    child = asked.get("child")
    line = next((line for line in report.lines if str(line.child.pk) == child), None)
    table = parse_int(asked.get("table"), most=max(*TABLES_TO_12, OTHER_TABLES))
    if line is None or table is None or table not in (*TABLES_TO_12, OTHER_TABLES):
        return None
    rows = next((cell.rows for cell in line.cells if cell.table == table), Rows())
    chances = list(counted_behind(line.child, table, since)[:MOST_BEHIND])
    return MovesBehind(line.child, table, Moves(rows, chances))


def need_cards(findings: Findings, covered: CoveredSteps) -> list[NeedCard]:
    """The cards of what stands out and of what to do next, the most urgent first, and on each card
    first the child who needs it most. They leave out children who have it already. A child who has
    a step to finish gets no facts and no guess."""
    steps: dict[tuple[Need, Step, Child | None], dict[Child, SuggestedStep]] = defaultdict(dict)
    for child in findings.figures.children:
        for suggested in findings.suggested(child, covered):
            is_sure = suggested.need not in (Need.FACTS, Need.GUESS)
            if suggested.need in CARDS and (is_sure or child.pk not in covered.unfinished):
                # Each child has a card of their own for facts, because the figures differ.
                of_child = None if suggested.step.table else child
                steps[suggested.need, suggested.step, of_child][child] = suggested
    cards = [_card(findings, by_child) for by_child in steps.values()]
    cards += _out_cards(findings, covered)
    return sorted(cards, key=lambda card: (card.urgency, card.children[0].name_order))


CARDS: Final[Mapping[Need, str]] = {
    Need.TABLE: "table",
    Need.REFRESHING: "refreshing",
    Need.FACTS: "fact",
    Need.GUESS: "guess",
}
"""The kind of the cards of each need. What stands out has its own kind, what comes next no card."""


def _card(findings: Findings, suggested: Mapping[Child, SuggestedStep]) -> NeedCard:
    """The card of a step that these children need."""
    children = sorted(suggested, key=lambda child: (suggested[child].urgency, child.name_order))
    first = suggested[children[0]]
    title = capfirst(first.step.title)
    why = findings.why(suggested)
    return NeedCard(CARDS[first.need], title, children, why, first.urgency, first.step)


def _out_cards(findings: Findings, covered: CoveredSteps) -> list[NeedCard]:
    cards = []
    for outlier in findings.outliers:
        step, children = None, outlier.children
        if outlier.contrast.apart <= 0 and outlier.fact:
            step = Step(facts=(outlier.fact,))
            children = covered.without_fact(children, outlier.fact)
        elif outlier.contrast.apart <= 0 and outlier.table:
            step = Step(outlier.table)
            children = covered.without_table(children, outlier.table)
        if children:
            title = capfirst(words.what_stands_out(outlier))
            why = words.how_it_stands_out(outlier, findings.period)
            is_of_class = len(outlier.children) > 1
            urgent = urgency(Need.FEWER_ROWS, *outlier.sides[0])
            cards.append(
                NeedCard("out", title, children, why, urgent, step, is_of_class=is_of_class)
            )
    return cards


def given_cards(findings: Findings, steps: Iterable[GivenStep]) -> list[NeedCard]:
    """A card for each step that was given: how far the children are, and the result or, before
    there is one, the reason."""
    cards = []
    for given in map(findings.with_reason, steps):
        why = " · ".join(filter(None, (given.state, given.why)))
        title, last = capfirst(given.step.title), urgency(Need.IN_ORDER, 0, 0)
        cards.append(NeedCard("given", title, given.children, why, last, given=given))
    return cards
