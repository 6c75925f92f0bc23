"""The page of a class: who needs what next, the map, and the moves behind a cell of the map."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate
from typing import Final, Literal

from django.http import QueryDict
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.class_figures import (
    ClassFigures,
    FactsMap,
    OpenDeal,
    facts_map,
    figures_of,
)
from classrooms.progress.class_map import (
    ClassMap,
    GroupChoice,
    Period,
    class_map,
    group_choices,
    period_of,
    periods_offered,
)
from classrooms.progress.class_report import Moves, Report, class_report, counted_chances, last_days
from classrooms.progress.findings import Findings, Need, SuggestedStep, Urgency, urgency
from classrooms.progress.given_steps import (
    CoveredSteps,
    GivenStep,
    NextStep,
    recent_steps,
    with_outcomes,
)
from classrooms.progress.models import Chance
from classrooms.progress.needs import AbsentChild, StuckChild, who_needs_what
from classrooms.progress.next_steps import are_steps_due
from classrooms.progress.periods import first_day
from classrooms.progress.rows import OTHER_TABLES, RowCounts, TableCell
from classrooms.progress.standing_out import OddChild, outliers, unusual_players
from classrooms.ui.sortable_table import MOST_ROWS
from games.coach.times_tables import TABLES_TO_12
from games.play.posted_values import parse_int
from games.play.services import NotFound
from games.screen.replay import ShownRow, moments_of_turn, row_alone

MOST_CARDS: Final = 3
MOST_CHANCES: Final = 4
MOST_NAMES: Final = 8
MOST_LETTERS: Final = 60
"""The most letters of the names on a card. Together with "7 more" they fill two lines."""


NOT_URGENT: Final = urgency(Need.IN_ORDER, 0, 0)
CardKind = Literal["table", "refreshing", "guess", "fact", "out", "given", "cell", "next"]


@dataclass(frozen=True, slots=True)
class NeedCard:
    """A card about a step that some children should do next, or that they were given."""

    kind: CardKind
    title: str
    children: Sequence[Child]
    reason: str  # in figures
    urgency: Urgency = NOT_URGENT
    step: NextStep | None = None  # the step that one tap gives
    given_step: GivenStep | None = None
    is_of_class: bool = False  # whether the card is about the whole class, and names no child

    @property
    def keys(self) -> str:
        return ",".join(str(child.pk) for child in self.children)

    @property
    def named_children(self) -> Sequence[Child]:
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
        return words.more_text(len(self.children) - len(self.named_children))

    @property
    def names(self) -> str:
        """The names of the first children, and how many more there are."""
        names = [child.name for child in self.named_children]
        return ", ".join([*names, self.others] if self.others else names)


@dataclass(frozen=True, slots=True)
class CellMoves:
    """The moves behind a cell of the map."""

    child: Child
    table: int
    moves: Moves
    row: ShownRow | None  # of the newest move
    card: NeedCard | None  # gives the child the table
    cell: TableCell | None  # of all days, as its level


def table_card(child: Child, table: int, steps: Iterable[GivenStep]) -> NeedCard | None:
    """The card that gives a child a times table or, if they can play it already, shows their
    progress. None for rows of no times table."""
    if table == OTHER_TABLES:
        return None
    open_steps = (step for step in steps if step.step.table == table and step.is_open)
    given = next((step.of(child) for step in open_steps if child in step.stages), None)
    return NeedCard(
        kind="cell",
        title=capfirst(words.table_name(table)),
        children=[child],
        reason=given.state if given else "",
        step=None if given else NextStep(table),
        given_step=given,
    )


@dataclass(frozen=True, slots=True)
class ClassPage:
    """The page of a class: who needs what, the map, the facts, and the moves behind a cell. Lists
    are in the order of the page. Properties split them into a shown part and a folded part."""

    school_class: SchoolClass
    report: Report
    cards: Sequence[NeedCard]  # what to do next, the most urgent first
    given_cards: Sequence[NeedCard]  # first those with a result, then playable, then latest
    stuck_children: Sequence[StuckChild]
    absent_children: Sequence[AbsentChild]  # except those who are in `odd_children` as absent
    never_begun: Sequence[Child]  # the children who have never begun a game
    is_beginning: bool  # whether these are most children
    odd_children: Sequence[OddChild]
    map: ClassMap
    periods: Sequence[Period]
    facts: FactsMap
    open_cell: CellMoves | None
    has_games: bool
    can_give: bool  # whether a child has no step to finish and no first game to begin
    deals: Sequence[OpenDeal] = ()
    games_of_all: Sequence[str] = ()  # the titles of what the whole class can play, newest first

    @property
    def period(self) -> Period:
        return next(period for period in self.periods if period.is_chosen)

    @property
    def groups(self) -> Sequence[GroupChoice]:
        """The groups that have children."""
        return [group for group in self.map.groups if group.name]

    @property
    def is_shown(self) -> bool:
        """Whether the page shows who needs what."""
        return self.report.has_been_played or bool(self.children and self.has_games)

    @property
    def next_facts(self) -> list[NeedCard]:
        """The cards of facts among `more_cards`."""
        return [card for card in self.more_cards if card.kind == "fact"]

    @property
    def more_cards(self) -> Sequence[NeedCard]:
        return self.cards[MOST_CARDS:]

    @property
    def listed_cards(self) -> Sequence[NeedCard]:
        """The part of `more_cards` to list. In a class too large for one page, these are only the
        cards about facts of the children on this page of the map, and those about tables."""
        if len(self.children) <= MOST_ROWS:
            return self.more_cards
        children = {line.child for line in self.map.table.page}
        return [c for c in self.more_cards if c.kind != "fact" or c.children[0] in children]

    @property
    def facts_address(self) -> str:
        """The start of the addresses of the facts' pages. To reverse the address for each link of
        the map would take a millisecond a link."""
        first = reverse("classrooms:fact", args=[self.school_class.pk, 1, 1])
        return first.removesuffix("1/1/")

    @property
    def children(self) -> Sequence[Child]:
        return self.facts.children

    @property
    def first_cards(self) -> Sequence[NeedCard]:
        return self.cards[:MOST_CARDS]

    @property
    def unfinished_cards(self) -> Sequence[NeedCard]:
        """The first cards once all are given: the latest steps that a child has to finish."""
        cards = (c for c in self.given_cards if c.given_step and not c.given_step.is_over)
        return list(cards)[:MOST_CARDS]

    @property
    def no_need(self) -> str:
        """The note if no table certainly needs practice: what the low figures mean, or that the
        class has not begun. Empty if the cards say enough."""
        has_table_card = any(card.kind == "table" for card in self.cards)
        if self.stuck_children or self.given_cards or has_table_card:
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
        if self.first_cards:
            return words.other_low_figures(low)
        return words.not_begun() if self.is_beginning and not low else words.no_need(low)

    @property
    def steps_are_due(self) -> bool:
        """Whether the page asks the teacher to give everyone's next step."""
        asks = self.school_class.weekly_steps == SchoolClass.WeeklySteps.ASK
        is_in_use = bool(self.children) and not self.school_class.archived_at
        return asks and is_in_use and are_steps_due(self.school_class)


def class_page(school_class: SchoolClass, query: QueryDict) -> ClassPage:
    """The page of a class. The parameters `period`, `group` and `sort` choose what the map shows;
    `child` and `table` open one of its cells."""
    figures = figures_of(school_class)
    period = period_of(query)
    since = first_day(figures.today, period)
    report = class_report(figures, since)
    days = last_days(report, school_class)
    odd_children = unusual_players(figures, report, days)
    odd_absences = {odd.child for odd in odd_children if odd.is_away}
    groups = group_choices(figures, query)
    steps = recent_steps(school_class, figures.children)
    open_cell = _open_cell(report, figures, query, since, steps)
    open_key = (open_cell.child, open_cell.table) if open_cell else None
    needs = who_needs_what(figures, days)
    findings = Findings(figures, needs, report.rows, period, outliers(figures, since))
    covered_steps = CoveredSteps.from_steps(steps)
    is_beginning = 2 * len(needs.never_begun) > len(figures.children)
    return ClassPage(
        school_class=school_class,
        report=report,
        cards=need_cards(findings, covered_steps, guesses=not is_beginning),
        given_cards=given_cards(findings, with_outcomes(steps)),
        stuck_children=stuck_children(findings),
        absent_children=[item for item in needs.absent_children if item.child not in odd_absences],
        never_begun=needs.never_begun,
        is_beginning=is_beginning,
        odd_children=odd_children,
        map=class_map(report, groups, query, period, open_key),
        periods=periods_offered(query, period, "#map"),
        facts=facts_map(figures),
        open_cell=open_cell,
        has_games=figures.has_games,
        can_give=any(
            child.pk not in covered_steps.unfinished and not findings.has_first_game(child)
            for child in figures.children
        ),
        deals=figures.deals,
        games_of_all=figures.games_of_all[:MOST_CARDS],
    )


def stuck_children(findings: Findings) -> list[StuckChild]:
    """The children who are stuck, with the rows of the period."""
    return [
        replace(
            stuck, cell=replace(stuck.cell, rows=findings.rows_of(stuck.child, stuck.cell.table))
        )
        for stuck in findings.needs.stuck_children
    ]


def _open_cell(
    report: Report,
    figures: ClassFigures,
    query: QueryDict,
    since: date | None,
    steps: Iterable[GivenStep],
) -> CellMoves | None:
    """The cell that the address names, with its moves. None if the class has no such cell."""
    key = query.get("child")
    line = next((line for line in report.lines if str(line.child.pk) == key), None)
    table = parse_int(query.get("table"), most=max(*TABLES_TO_12, OTHER_TABLES))
    if line is None or table is None or table not in (*TABLES_TO_12, OTHER_TABLES):
        return None
    rows = next((cell.rows for cell in line.cells if cell.table == table), RowCounts())
    newest = counted_chances(line.child, table, since).select_related("game")
    chances = list(newest.defer("game__snapshot")[:MOST_CHANCES])
    row = None
    with suppress(NotFound):  # The turn goes on.
        row = next((row_of_chance(chance) for chance in chances), None)
    card = table_card(line.child, table, steps)
    cell = figures.tables.get(line.child.pk, {}).get(table)
    return CellMoves(line.child, table, Moves(rows, chances), row, card, cell)


def row_of_chance(chance: Chance) -> ShownRow:
    """The row of a chance, as cards. Raises `NotFound` if its turn has not ended."""
    moments = moments_of_turn(chance.game, chance.entry)
    moment = next(moment for moment in moments if moment.entry.number == chance.entry)
    return row_alone(moment, chance.row, chance.game.ruleset)


def need_cards(
    findings: Findings, covered_steps: CoveredSteps, *, guesses: bool = True
) -> list[NeedCard]:
    """The cards of what stands out and of the steps to do next, the most urgent first. Each card
    begins with the child who needs the step most, and leaves out children who have it already. A
    child who has a step to finish gets no facts and no guess. Without `guesses`, nobody gets a
    guess."""
    steps: dict[tuple[Need, NextStep, Child | None], dict[Child, SuggestedStep]] = defaultdict(dict)
    for child in findings.figures.children:
        for suggested in findings.suggestions(child, covered_steps):
            is_sure = suggested.need not in (Need.FACTS, Need.GUESS)
            if suggested.need == Need.GUESS and not guesses:
                continue
            if suggested.need in CARDS and (is_sure or child.pk not in covered_steps.unfinished):
                # For facts each child has a card of their own, because the figures differ.
                of_child = None if suggested.step.table else child
                steps[suggested.need, suggested.step, of_child][child] = suggested
    cards = [_card(findings, by_child) for by_child in steps.values()]
    cards += _outlier_cards(findings, covered_steps)
    return sorted(cards, key=lambda card: (card.urgency, card.children[0].name_order))


CARDS: Final[Mapping[Need, CardKind]] = {
    Need.TABLE: "table",
    Need.REFRESHING: "refreshing",
    Need.MISSES: "guess",
    Need.FACTS: "fact",
    Need.GUESS: "guess",
}
"""The kind of the cards of each need. Outliers have a kind of their own; `IN_ORDER` has no card."""


def _card(findings: Findings, suggested: Mapping[Child, SuggestedStep]) -> NeedCard:
    """The card of a step that these children need."""
    children = sorted(suggested, key=lambda child: (suggested[child].urgency, child.name_order))
    first = suggested[children[0]]
    return NeedCard(
        kind=CARDS[first.need] if first.step.table else "fact",
        title=capfirst(first.step.title),
        children=children,
        reason=findings.shared_reason(suggested),
        urgency=first.urgency,
        step=first.step,
    )


def _outlier_cards(findings: Findings, covered_steps: CoveredSteps) -> Iterator[NeedCard]:
    for outlier in findings.outliers:
        step, children = None, outlier.children
        if outlier.contrast.difference <= 0 and outlier.fact:
            step = NextStep(facts=(outlier.fact,))
            children = [c for c in children if covered_steps.lacks_fact(c, outlier.fact)]
        elif outlier.contrast.difference <= 0 and outlier.table:
            step = NextStep(outlier.table)
            children = [c for c in children if covered_steps.lacks_table(c, outlier.table)]
        if children:
            yield NeedCard(
                kind="out",
                title=capfirst(words.what_stands_out(outlier)),
                children=children,
                reason=words.how_it_stands_out(outlier, findings.period),
                urgency=urgency(Need.FEWER_ROWS, *outlier.sides[0]),
                step=step,
                is_of_class=len(outlier.children) > 1,
            )


def given_cards(findings: Findings, steps: Iterable[GivenStep]) -> list[NeedCard]:
    """A card for each step that was given. It says the children's progress, and gives the result
    or, as long as there is none, the reason."""
    in_order = sorted(steps, key=lambda step: (not step.has_outcome, not step.is_open))
    return [
        NeedCard(
            kind="given",
            title=capfirst(given.title),
            children=given.children,
            reason=" · ".join(filter(None, (given.state, given.result or given.reason))),
            given_step=given,
        )
        for given in map(findings.with_reason, in_order)
    ]
