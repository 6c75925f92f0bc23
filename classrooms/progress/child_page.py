"""The pages of a child: their levels, the answers to one fact, and replays of turns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext

from classrooms.checkups.models import CheckUpAnswer
from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.class_figures import children_of, figures_for_child
from classrooms.progress.class_page import NeedCard, given_cards, need_cards, stuck_children
from classrooms.progress.facts import Answer, FactCell, answers_to, fact_cells, missed_in_check_ups
from classrooms.progress.findings import Findings
from classrooms.progress.given_steps import CoveredSteps, GivenStep, recent_steps, with_outcomes
from classrooms.progress.models import Chance
from classrooms.progress.needs import StuckChild, who_needs_what
from classrooms.progress.periods import USUAL_PERIOD, first_day, label_of
from classrooms.progress.rows import OTHER_TABLES, TableCell
from classrooms.progress.standing_out import outliers_of_children
from classrooms.progress.story import (
    ChildStory,
    TableQuestionTally,
    child_story,
    table_questions_of,
)
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12, Fact
from games.models import Seat
from games.screen.replay import (
    Scene,
    ShownRow,
    moments_of_turn,
    row_alone,
    scene_at,
    scene_with_row,
    scenes,
    table_with_row,
)

# The page of a child, for the teacher and for parents' evenings.


@dataclass(frozen=True, slots=True)
class FactLine:
    """A line of the child's grid: the facts with this lower factor. The cell is None for a fact
    that was never asked."""

    low: int
    cells: Sequence[tuple[Fact, FactCell | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildPage:
    """The page of a child. `cards` are those of the class page about the child or, if there are
    none and they have no step to finish, the card of the step that comes next."""

    story: ChildStory
    table_questions: TableQuestionTally  # whether the child can name the table of a row
    tables: Sequence[TableCell]  # those with chances, with the figures of the `period`
    period_name: str  # as in the address
    period: str
    factors: Sequence[int]
    facts: Sequence[FactLine]
    cards: Sequence[NeedCard]
    given_cards: Sequence[NeedCard]  # the steps that the child was recently given
    stuck_children: Sequence[StuckChild]
    rebuilding: str  # a note while the figures are counted again, "" otherwise

    @property
    def mastered_tables(self) -> list[TableCell]:
        """The tables of which most rows are found."""
        return [cell for cell in self.tables if cell.is_mastered]

    @property
    def other_meaning(self) -> str:
        is_shown = any(cell.table == OTHER_TABLES for cell in self.tables)
        return words.other_meaning() if is_shown else ""

    @property
    def no_need(self) -> str:
        """The note for a child who needs nothing in particular although a figure looks low."""
        low = [cell for cell in self.tables if cell.is_low]
        return words.no_need(low) if low else ""

    @property
    def has_needs(self) -> bool:
        """Whether the page says more about the child than which step comes next."""
        needs = [card for card in self.cards if card.kind != "next"]
        return bool(self.given_cards or self.stuck_children or needs)

    @property
    def _asked_facts(self) -> list[FactCell]:
        return [cell for line in self.facts for _fact, cell in line.cells if cell]

    @property
    def known_facts(self) -> int:
        return sum(cell.is_mastered for cell in self._asked_facts)

    @property
    def facts_with_level(self) -> int:
        """The number of facts that were asked often enough to have a level."""
        return sum(cell.is_shown for cell in self._asked_facts)

    @property
    def facts_by_heart(self) -> str:
        return words.facts_by_heart(self.known_facts, self.facts_with_level)

    @property
    def has_facts(self) -> bool:
        return bool(self._asked_facts)


def child_page(child: Child, children: Sequence[Any] | None = None) -> ChildPage:
    """The page of a child. Twelve queries, or eleven with `children`, the children of the class as
    `children_of` returns them."""
    missed = missed_in_check_ups([child])
    facts = fact_cells([child], child.school_class.today(), missed=missed).get(child.pk, {})
    children = children or children_of(child.school_class)
    figures = figures_for_child(child, children, facts, missed.get(child.pk, {}))
    tables = figures.tables.get(child.pk, {})
    story = child_story(child)
    since = first_day(figures.today, USUAL_PERIOD)
    findings = Findings(
        figures=replace(figures, children=[child]),
        needs=who_needs_what(figures, {}).of(child),
        rows={(child.pk, table): rows for table, rows in story.lately.items()},
        period=USUAL_PERIOD,
        outliers=[o for o in outliers_of_children(figures, since) if o.children == [child]],
    )
    steps = recent_steps(child.school_class, [child])
    lately = {
        table: replace(tables[table], rows=findings.rows_of(child, table))
        for table in (*TABLES_TO_12, OTHER_TABLES)
        if table in tables
    }
    is_large = any(high not in TABLES_TO_10 for _, high in facts)
    factors = TABLES_TO_12 if is_large else TABLES_TO_10
    return ChildPage(
        story=story,
        table_questions=table_questions_of(child, since),
        tables=list(lately.values()),
        period_name=USUAL_PERIOD,
        period=label_of(USUAL_PERIOD),
        factors=list(factors),
        facts=[
            FactLine(
                low, [((low, high), facts.get((low, high))) for high in factors if high >= low]
            )
            for low in factors
        ],
        cards=_cards(child, findings, steps),
        given_cards=given_cards(findings, with_outcomes(steps)),
        stuck_children=stuck_children(findings),
        rebuilding=words.rebuilding() if figures.is_rebuilding else "",
    )


def _cards(child: Child, findings: Findings, steps: Sequence[GivenStep]) -> list[NeedCard]:
    """The cards about the child. If there are none, and the child has no step to finish, the card
    of the step that comes next."""
    covered_steps = CoveredSteps.from_steps(steps)
    cards = need_cards(findings, covered_steps)
    if cards or child.pk in covered_steps.unfinished:
        return cards
    return [
        NeedCard(
            kind="next",
            title=capfirst(suggested.step.title),
            children=[child],
            reason=suggested.reason,
            urgency=suggested.urgency,
            step=suggested.step,
        )
        for suggested in findings.suggestions(child, covered_steps)
    ]


# The page of a fact: how well each child of a class knows it, and their answers.

MOST_ANSWERS: Final = 9


@dataclass(frozen=True, slots=True)
class ChildAnswers:
    """A child's newest answers to a fact, at most `MOST_ANSWERS`."""

    child: Child
    cell: FactCell | None  # None if no short question asked for the fact
    answers: Sequence[Answer]
    are_all: bool  # whether the child has given no other answers

    @property
    def why(self) -> str:
        """Why the fact is at its level, or why it has none."""
        if self.cell:
            return words.why_fact(self.cell.reason, is_missed=self.cell.is_missed)
        last = self.answers[0]
        return words.why_fact(None, is_missed=isinstance(last, CheckUpAnswer) and not last.right)


@dataclass(frozen=True, slots=True)
class FactPage:
    fact: Fact
    answers: Sequence[ChildAnswers]  # of each child who was asked
    children_not_asked: Sequence[Child]


def fact_page(school_class: SchoolClass, fact: Fact) -> FactPage | None:
    """The page of a fact. None for a fact that is on no map."""
    low, high = fact
    if low < TABLES_TO_12.start or high >= TABLES_TO_12.stop:
        return None
    children = list(school_class.children.all())
    cells = fact_cells(children, school_class.today(), fact)
    answers = answers_to(children, fact)
    return FactPage(
        fact,
        [
            ChildAnswers(
                child,
                cells.get(child.pk, {}).get(fact),
                answers[child.pk][:MOST_ANSWERS],
                are_all=len(answers[child.pk]) <= MOST_ANSWERS,
            )
            for child in children
            if child.pk in answers
        ],
        [child for child in children if child.pk not in answers],
    )


# The turn of a chance, replayed on the table.


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """A turn in scenes."""

    scenes: Sequence[Scene]
    row_scene: int  # the number of the scene in which `row` lies or would lie, from 1
    chance: Chance | None  # the chance of `row`
    row: ShownRow | None  # None to look at the whole turn


def replay(attempt: Attempt, entry: int, row: str) -> ReplayedTurn:
    """The turn with this entry of the match's log, and one of its rows (`Chance.row`). While the
    round is being played, only the child's own hand is shown.

    Raises `games.play.services.NotFound` if the entry belongs to no turn that has ended.
    """
    moments = moments_of_turn(attempt.game, entry)
    seats = list(Seat.objects.filter(game=attempt.game_id))
    others = [seat.player for seat in seats if seat.player and seat.player != attempt.child.player]
    children = Child.objects.filter(player__in=others, school_class=attempt.child.school_class_id)
    classmates = dict(children.values_list("player", "name")) if others else {}
    for seat in seats:
        if seat.player == attempt.child.player:
            seat.name = attempt.child.name
        elif seat.player:
            # Only those who teach a child may see the name.
            seat.name = classmates.get(seat.player, gettext("a classmate"))
    chances = Chance.objects.filter(child=attempt.child, game=attempt.game_id, entry=entry)
    chance = chances.filter(row=row).first()
    if chance is None:
        return ReplayedTurn(
            scenes(moments, attempt.game, seats, attempt.child.player), 1, None, None
        )
    at = next(index for index, moment in enumerate(moments) if moment.entry.number == entry)
    moment, game, player = moments[at], attempt.game, attempt.child.player
    missed_row = row_alone(moment, chance.row, game.ruleset)
    if chance.is_laid:
        frames = scenes(moments, game, seats, player, missed_row.cards)
    else:
        _table, layout = table_with_row(moment, chance.row, game.ruleset)
        frames = scenes(moments, game, seats, player, missed_row.cards, layout)
        before = scene_at(moment, moment.before, game, seats, player, missed_row.cards, layout)
        frames.insert(at, scene_with_row(before, moment, chance.row, game.ruleset))
        frames = [replace(scene, number=number) for number, scene in enumerate(frames, start=1)]
    return ReplayedTurn(frames, at + 1, chance, missed_row)
