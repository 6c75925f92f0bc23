"""The sheet of half a page that a teacher reads before a lesson: whom to sit beside, who is away,
and what goes well."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext

from classrooms.lesson.talks import effort_to_see, missed_rows_lately
from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.class_figures import figures_of
from classrooms.progress.findings import Findings, Need, SuggestedStep, usual_findings
from classrooms.progress.given_steps import GivenStep, NextStep, recent_steps, with_outcomes
from classrooms.progress.models import Chance
from classrooms.progress.next_steps import StepLine, step_lines
from classrooms.progress.periods import WEEK, first_day
from games.engine.table import Play
from games.engine.text.notation import parse_play
from games.screen.card_drawing import face
from games.screen.hint_words import next_number
from games.screen.view_models import Face
from games.screen.words import listed

MOST_CHILDREN: Final = 2
MOST_SUCCESSES: Final = 4
MOST_NAMED: Final = 8
MOST_MISSED: Final = 300
"""How many of the latest missed rows are searched for one to look at."""
GOOD_SHARE: Final = 0.75
"""With this share or more, the result of a step is good."""


@dataclass(frozen=True, slots=True)
class ChildToHelp:
    """A child whom the teacher should sit beside."""

    child: Child
    need: SuggestedStep  # the step that they need most
    missed_chance: Chance | None  # the clearest row of that table missed recently
    given_step: GivenStep | None  # that step, if they can play it already

    @property
    def faces(self) -> list[tuple[Face, bool]]:
        """Each card of the row, jokers included, and whether it was in the hand."""
        if self.missed_chance is None:
            return []
        ruleset = self.missed_chance.assignment.ruleset
        on_table = [*self._play.across, *(laid for line in self._play.lines for laid in line.cards)]
        laid = {card.number: card for card in (*on_table, *self._play.hand)}
        return [
            (face(laid[number].card, ruleset, number), number in self.hand_numbers)
            for number in self.missed_chance.numbers
        ]

    @property
    def hand_numbers(self) -> set[int]:
        """The numbers of the row that were in the hand."""
        return {number for _, number in self._play.hand}

    @property
    def _play(self) -> Play:
        assert self.missed_chance
        return parse_play(self.missed_chance.row, self.missed_chance.assignment.ruleset)

    @property
    def reason(self) -> str:
        text = f"{self.need.step.title}: {self.need.reason}"
        if self.missed_chance:
            row = listed(list(map(str, self.missed_chance.numbers)))
            text = "; ".join((text, gettext("missed %(row)s") % {"row": row}))
        return f"{text} · {self.given_step.state}" if self.given_step else text

    @property
    def question(self) -> str:
        """A question for the child, without the answer."""
        if self.missed_chance:
            text = next_number(self.missed_chance.numbers, self.hand_numbers)
        elif self.need.step.facts:
            text = gettext("How do you work out %(fact)s?") % {
                "fact": words.fact_name(self.need.step.facts[0])
            }
        else:
            return ""
        return gettext("You can ask: “%(question)s”") % {"question": text}


@dataclass(frozen=True, slots=True)
class Success:
    text: str
    children: Sequence[Child]


@dataclass(frozen=True, slots=True)
class AbsentGroup:
    """Children who do not play, under a heading that says so."""

    title: str
    children: Sequence[Child]

    @property
    def named_children(self) -> Sequence[Child]:
        return self.children[:MOST_NAMED]

    @property
    def others(self) -> str:
        return words.more_text(len(self.children) - len(self.named_children))


@dataclass(frozen=True, slots=True)
class BeforeLesson:
    school_class: SchoolClass
    day: date
    children_to_help: Sequence[ChildToHelp]
    absent_groups: Sequence[AbsentGroup]
    successes: Sequence[Success]
    is_rebuilding: bool

    @property
    def note(self) -> str:
        """The note that no child is absent, or that there is nothing to know; else empty."""
        if self.absent_groups:
            return ""
        if self.children_to_help or self.successes:
            return gettext("Nobody has been away for a week.")
        return words.no_need([])

    @property
    def has_rows(self) -> bool:
        """Whether a row is drawn beside a child."""
        return any(line.missed_chance for line in self.children_to_help)


def before_lesson(school_class: SchoolClass) -> BeforeLesson:
    figures = figures_of(school_class)
    findings = usual_findings(figures)
    steps = recent_steps(school_class, figures.children)
    absent_children = [absent.child for absent in findings.needs.absent_children]
    absent_groups = (
        (gettext("Have not played for a week"), absent_children),
        (gettext("Have not started yet"), findings.needs.never_begun),
    )
    return BeforeLesson(
        school_class,
        figures.today,
        _children_to_help(school_class, absent_children, step_lines(findings, ()), steps),
        [AbsentGroup(title, children) for title, children in absent_groups if children],
        _successes(findings, first_day(figures.today, WEEK), steps),
        figures.is_rebuilding,
    )


def _children_to_help(
    school_class: SchoolClass,
    absent_children: Container[Child],
    lines: Iterable[StepLine],
    steps: Sequence[GivenStep],
) -> list[ChildToHelp]:
    """The children whose next steps are most urgent, if they need more than the next table."""
    first_steps = [
        (line.child, line.suggestions[0])
        for line in lines
        if line.suggestions and line.child not in absent_children
    ]
    needs = [(child, step) for child, step in first_steps if step.need != Need.IN_ORDER]
    needs = needs[:MOST_CHILDREN]
    latest: dict[UUID, list[Chance]] = {}
    chances = missed_rows_lately(school_class).filter(
        table__gt=0, child__in=[child for child, _step in needs]
    )
    for chance in chances.select_related("assignment").order_by("-at", "-pk")[:MOST_MISSED]:
        latest.setdefault(chance.child_id, []).append(chance)
    return [
        ChildToHelp(
            child,
            need,
            _clearest_chance(latest.get(child.pk, ()), need.step),
            next((step.of(child) for step in steps if step.is_open_to(child, need.step)), None),
        )
        for child, need in needs
    ]


def _clearest_chance(chances: Iterable[Chance], step: NextStep) -> Chance | None:
    """The clearest of the rows of the step's table; None if there is none."""
    candidates = [chance for chance in chances if chance.table == step.table]
    return min(candidates, key=effort_to_see, default=None)


def _successes(
    findings: Findings, since: date | None, given_steps: Sequence[GivenStep]
) -> list[Success]:
    """The tables that children have mastered since then, with a figure on the map, most children
    first; then the good results of steps that they were given."""
    figures = findings.figures
    children_of: dict[int, list[Child]] = {}
    for child in figures.children:
        for cell in figures.tables.get(child.pk, {}).values():
            if cell.has_become_secure_since(since) and findings.rows_of(child, cell.table).is_shown:
                children_of.setdefault(cell.table, []).append(child)
    successes = [
        Success(
            gettext("%(table)s: finds most rows, new this week")
            % {"table": capfirst(words.table_name(table))},
            children,
        )
        for table, children in sorted(
            children_of.items(), key=lambda item: (-len(item[1]), item[0])
        )
    ]
    steps = [step.of(child) for step in with_outcomes(given_steps) for child in step.stages]
    for step in sorted(steps, key=lambda step: -step.share):
        if step.outcome and step.share >= GOOD_SHARE:
            text = " · ".join((capfirst(step.title), step.state, step.outcome))
            successes.append(Success(text, step.children))
    return successes[:MOST_SUCCESSES]
