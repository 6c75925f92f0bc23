"""The page of a class: who needs what next, the map, and the moves behind one of its cells."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate
from typing import Final

from django.http import QueryDict
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.class_figures import FactsMap, OpenDeal, facts_map, figures_of
from classrooms.progress.class_map import (
    ClassMap,
    GroupChoice,
    Period,
    class_map,
    group_choices,
    period_of,
    periods_offered,
)
from classrooms.progress.class_report import Moves, Report, class_report, counted_behind, last_days
from classrooms.progress.findings import Findings, Need, SuggestedStep, Urgency, urgency
from classrooms.progress.given_steps import (
    CoveredSteps,
    GivenStep,
    NextStep,
    given_lately,
    with_outcomes,
)
from classrooms.progress.needs import Away, StuckChild, who_needs_what
from classrooms.progress.next_steps import are_due
from classrooms.progress.periods import first_day
from classrooms.progress.rows import OTHER_TABLES, Rows
from classrooms.progress.standing_out import outliers
from classrooms.progress.unusual_play import OddChild, unusual_players
from classrooms.ui.sortable_table import MOST_ROWS
from games.coach.times_tables import TABLES_TO_12
from games.play.posted_values import parse_int

MOST_CARDS: Final = 3
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
    reason: str  # the reason, in figures
    urgency: Urgency  # the sort key
    step: NextStep | None = None  # the step that one tap gives
    given_step: GivenStep | None = None
    is_of_class: bool = False
    """Whether the card is about the class together: then it names no child."""

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
        return words.n_more(len(self.children) - len(self.named_children))

    @property
    def names(self) -> str:
        """The names of the first children, and how many more there are."""
        names = [child.name for child in self.named_children]
        return ", ".join([*names, self.others] if self.others else names)


@dataclass(frozen=True, slots=True)
class MovesBehind:
    """The moves behind a cell of the map."""

    child: Child
    table: int
    moves: Moves


@dataclass(frozen=True, slots=True)
class ClassPage:
    """The page of a class: who needs what, the map, the facts, and the moves behind a cell. Lists
    are in the order of the page; properties split them into what is shown and what is folded."""

    school_class: SchoolClass
    report: Report
    cards: Sequence[NeedCard]  # what to do next, the most urgent first
    given_cards: Sequence[NeedCard]  # what was given recently, latest first
    stuck_children: Sequence[StuckChild]
    away_children: Sequence[Away]  # without those who are in `odd_children` for it
    never_begun: Sequence[Child]  # the children who have never begun a game
    odd_children: Sequence[OddChild]
    map: ClassMap
    periods: Sequence[Period]
    facts: FactsMap
    behind: MovesBehind | None
    has_games: bool
    deals: Sequence[OpenDeal] = ()

    @property
    def period(self) -> Period:
        return next(period for period in self.periods if period.is_chosen)

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
        """The cards of facts below the first `MOST_CARDS`."""
        return [card for card in self.cards[MOST_CARDS:] if card.kind == "fact"]

    @property
    def listed_facts(self) -> list[NeedCard]:
        """Those of `next_facts` about children whom this page of the map names."""
        children = self._listed_children()
        return [card for card in self.next_facts if card.children[0] in children]

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
        return self.cards[:MOST_CARDS]

    @property
    def no_need(self) -> str:
        """What to say where no table is certainly needed: what the low figures mean, or that the
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
    def is_beginning(self) -> bool:
        """Whether most children have never begun a game."""
        return 2 * len(self.never_begun) > len(self.children)

    @property
    def given_open(self) -> list[NeedCard]:
        """The steps given that can still be played."""
        return [card for card in self.given_cards if card.given_step and card.given_step.is_open]

    @property
    def earlier_cards(self) -> list[NeedCard]:
        """The steps given that can no longer be played."""
        return [
            card for card in self.given_cards if card.given_step and not card.given_step.is_open
        ]

    @property
    def steps_are_due(self) -> bool:
        """Whether to ask the teacher for everyone's next step."""
        asks = self.school_class.weekly_steps == SchoolClass.WeeklySteps.ASK
        is_in_use = bool(self.children) and not self.school_class.archived_at
        return asks and is_in_use and are_due(self.school_class)

    @property
    def more_cards(self) -> Sequence[NeedCard]:
        return [card for card in self.cards[MOST_CARDS:] if card.kind != "fact"]


def class_page(school_class: SchoolClass, query: QueryDict) -> ClassPage:
    """The page of a class. The parameters `period`, `group` and `sort` choose what the map shows;
    `child` and `table` open one of its cells."""
    figures = figures_of(school_class)
    period = period_of(query)
    since = first_day(figures.today, period)
    report = class_report(figures, since)
    last = last_days(report, school_class)
    odd_children = unusual_players(figures, report, last)
    long_away = {unusual.child for unusual in odd_children if unusual.is_away}
    groups = group_choices(figures, query)
    steps = given_lately(school_class, figures.children)
    behind = _moves_behind_cell(report, query, since)
    open_cell = (behind.child, behind.table) if behind else None
    needs = who_needs_what(figures, last)
    findings = Findings(figures, needs, report.rows, period, outliers(figures, since))
    return ClassPage(
        school_class=school_class,
        report=report,
        cards=need_cards(findings, CoveredSteps.by(steps)),
        given_cards=given_cards(findings, with_outcomes(steps)),
        stuck_children=stuck_children(findings),
        away_children=[away for away in needs.away if away.child not in long_away],
        never_begun=needs.never,
        odd_children=odd_children,
        map=class_map(report, groups, query, period, open_cell),
        periods=periods_offered(query, period, "#map"),
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


def _moves_behind_cell(report: Report, query: QueryDict, since: date | None) -> MovesBehind | None:
    """The moves behind the cell that the address names; None if the class has no such cell."""
    child = query.get("child")
    line = next((line for line in report.lines if str(line.child.pk) == child), None)
    table = parse_int(query.get("table"), most=max(*TABLES_TO_12, OTHER_TABLES))
    if line is None or table is None or table not in (*TABLES_TO_12, OTHER_TABLES):
        return None
    rows = next((cell.rows for cell in line.cells if cell.table == table), Rows())
    chances = list(counted_behind(line.child, table, since)[:MOST_BEHIND])
    return MovesBehind(line.child, table, Moves(rows, chances))


def need_cards(findings: Findings, covered_steps: CoveredSteps) -> list[NeedCard]:
    """The cards of what stands out and of what to do next, the most urgent first. Each card begins
    with the child who needs it most, and leaves out children who have it already. A child who has a
    step to finish gets no facts and no guess."""
    steps: dict[tuple[Need, NextStep, Child | None], dict[Child, SuggestedStep]] = defaultdict(dict)
    for child in findings.figures.children:
        for suggested in findings.suggested(child, covered_steps):
            is_sure = suggested.need not in (Need.FACTS, Need.GUESS)
            if suggested.need in CARDS and (is_sure or child.pk not in covered_steps.unfinished):
                # Each child has a card of their own for facts, because the figures differ.
                of_child = None if suggested.step.table else child
                steps[suggested.need, suggested.step, of_child][child] = suggested
    cards = [_card(findings, by_child) for by_child in steps.values()]
    cards += _outlier_cards(findings, covered_steps)
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
    reason = findings.why(suggested)
    return NeedCard(CARDS[first.need], title, children, reason, first.urgency, first.step)


def _outlier_cards(findings: Findings, covered_steps: CoveredSteps) -> list[NeedCard]:
    cards = []
    for outlier in findings.outliers:
        step, children = None, outlier.children
        if outlier.contrast.difference <= 0 and outlier.fact:
            step = NextStep(facts=(outlier.fact,))
            children = covered_steps.without_fact(children, outlier.fact)
        elif outlier.contrast.difference <= 0 and outlier.table:
            step = NextStep(outlier.table)
            children = covered_steps.without_table(children, outlier.table)
        if children:
            title = capfirst(words.what_stands_out(outlier))
            reason = words.how_it_stands_out(outlier, findings.period)
            is_of_class = len(outlier.children) > 1
            urgent = urgency(Need.FEWER_ROWS, *outlier.sides[0])
            cards.append(
                NeedCard("out", title, children, reason, urgent, step, is_of_class=is_of_class)
            )
    return cards


def given_cards(findings: Findings, steps: Iterable[GivenStep]) -> list[NeedCard]:
    """A card for each step that was given: how far the children are, and the result or, before
    there is one, the reason."""
    cards = []
    for given_step in map(findings.with_reason, steps):
        reason = " · ".join(filter(None, (given_step.state, given_step.result_or_reason)))
        title, last = capfirst(given_step.step.title), urgency(Need.IN_ORDER, 0, 0)
        cards.append(
            NeedCard("given", title, given_step.children, reason, last, given_step=given_step)
        )
    return cards
