"""The sheet that a teacher reads before a lesson, half a page: whom to sit beside, who is away, and
what goes well."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext

from classrooms.lesson.talks import hard_to_see, missed_lately
from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.class_figures import figures_of
from classrooms.progress.findings import Findings, Need, SuggestedStep, usual_findings
from classrooms.progress.given_steps import NextStep, recent_steps, with_outcomes
from classrooms.progress.models import Chance
from classrooms.progress.next_steps import StepLine, step_lines
from classrooms.progress.periods import WEEK, first_day
from games.engine.table import Play
from games.engine.text.notation import parse_play
from games.screen.card_drawing import face
from games.screen.hint_words import next_number
from games.screen.view_models import Face
from games.screen.words import listed

MOST_BESIDE: Final = 2
MOST_WELL: Final = 4
MOST_AWAY: Final = 8
MOST_READ: Final = 300
"""How many of the latest missed rows are searched."""
GOOD_SHARE: Final = 0.75
"""With this share or more, the result of a step is good."""


@dataclass(frozen=True, slots=True)
class ToSitBeside:
    """A child whom the teacher should sit beside."""

    child: Child
    need: SuggestedStep  # what they need most
    missed_chance: Chance | None
    """A row to look at together: the clearest row of the needed table that they have recently
    missed."""

    @property
    def faces(self) -> list[tuple[Face, bool]]:
        """The cards of the row, with the jokers that lie in it; for each, whether it was in the
        hand."""
        if self.missed_chance is None:
            return []
        in_hand, ruleset = self.in_hand, self.missed_chance.assignment.ruleset
        on_table = [*self._play.across, *(laid for line in self._play.lines for laid in line.cards)]
        laid = {card.number: card for card in (*on_table, *self._play.hand)}
        return [
            (face(laid[number].card, ruleset, number), number in in_hand)
            for number in self.missed_chance.numbers
        ]

    @property
    def in_hand(self) -> set[int]:
        """The numbers of the row that were in the hand."""
        return {number for _, number in self._play.hand}

    @property
    def _play(self) -> Play:
        assert self.missed_chance
        return parse_play(self.missed_chance.row, self.missed_chance.assignment.ruleset)

    @property
    def reason(self) -> str:
        need = f"{self.need.step.title}: {self.need.reason}"
        if self.missed_chance is None:
            return need
        text = gettext("missed %(row)s") % {
            "row": listed(list(map(str, self.missed_chance.numbers)))
        }
        return f"{need}; {text}"

    @property
    def question(self) -> str:
        """A question for the child, without the answer."""
        if self.missed_chance:
            text = next_number(self.missed_chance.numbers, self.in_hand)
        elif self.need.step.facts:
            text = gettext("How do you work out %(fact)s?") % {
                "fact": words.fact_name(self.need.step.facts[0])
            }
        else:
            return ""
        return gettext("You can ask: “%(question)s”") % {"question": text}


@dataclass(frozen=True, slots=True)
class WentWell:
    text: str
    children: Sequence[Child]


@dataclass(frozen=True, slots=True)
class Absent:
    """Children who do not play, under the heading that says so."""

    title: str
    children: Sequence[Child]

    @property
    def named_children(self) -> Sequence[Child]:
        return self.children[:MOST_AWAY]

    @property
    def others(self) -> str:
        return words.n_more(len(self.children) - len(self.named_children))


@dataclass(frozen=True, slots=True)
class BeforeLesson:
    school_class: SchoolClass
    day: date
    to_sit_beside: Sequence[ToSitBeside]
    absent: Sequence[Absent]
    well: Sequence[WentWell]
    is_rebuilding: bool

    @property
    def nothing(self) -> str:
        """The note that there is nothing to know; empty if there is something."""
        return "" if self.to_sit_beside or self.absent or self.well else words.no_need([])

    @property
    def has_rows(self) -> bool:
        """Whether a row is drawn beside a child."""
        return any(seat.missed_chance for seat in self.to_sit_beside)


def before_lesson(school_class: SchoolClass) -> BeforeLesson:
    figures = figures_of(school_class)
    findings = usual_findings(figures)
    absent_children = [absent.child for absent in findings.needs.absent_children]
    absent = (
        (gettext("Have not played for a week"), absent_children),
        (gettext("Have not started yet"), findings.needs.never_begun),
    )
    return BeforeLesson(
        school_class,
        figures.today,
        _to_sit_beside(school_class, absent_children, step_lines(findings, ())),
        [Absent(title, children) for title, children in absent if children],
        _going_well(findings, first_day(figures.today, WEEK)),
        figures.is_rebuilding,
    )


def _to_sit_beside(
    school_class: SchoolClass, away: Container[Child], lines: Iterable[StepLine]
) -> list[ToSitBeside]:
    """The children whose next steps are most urgent, if they need more than the next table."""
    needing = [
        (line.child, line.suggestions[0])
        for line in lines
        if line.child not in away and line.suggestions and line.suggestions[0].need != Need.IN_ORDER
    ]
    latest: dict[UUID, list[Chance]] = {}
    chances = missed_lately(school_class).filter(
        table__gt=0, child__in=[child for child, _step in needing[:MOST_BESIDE]]
    )
    for chance in chances.select_related("assignment").order_by("-at", "-pk")[:MOST_READ]:
        latest.setdefault(chance.child_id, []).append(chance)
    return [
        ToSitBeside(child, need, _clearest(latest.get(child.pk, ()), need.step))
        for child, need in needing[:MOST_BESIDE]
    ]


def _clearest(chances: Iterable[Chance], step: NextStep) -> Chance | None:
    """The clearest of these rows that belongs to the table to practise."""
    of_table = [chance for chance in chances if chance.table == step.table]
    return min(of_table, key=hard_to_see, default=None)


def _going_well(findings: Findings, since: date | None) -> list[WentWell]:
    """The tables that children have mastered since then and of which the map has their figures,
    most children first; then the good results of steps that they were given."""
    figures = findings.figures
    reached: dict[int, list[Child]] = {}
    for child in figures.children:
        for cell in figures.tables.get(child.pk, {}).values():
            if cell.has_become_secure_since(since) and findings.rows_of(child, cell.table).is_shown:
                reached.setdefault(cell.table, []).append(child)
    lines = [
        WentWell(
            gettext("%(table)s: finds most rows, new this week")
            % {"table": capfirst(words.table_name(table))},
            children,
        )
        for table, children in sorted(reached.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    steps = with_outcomes(recent_steps(figures.school_class, figures.children))
    for step in sorted(steps, key=lambda step: -step.share):
        if step.outcome and step.share >= GOOD_SHARE:
            lines.append(WentWell(f"{capfirst(step.step.title)}: {step.outcome}", step.children))
    return lines[:MOST_WELL]
