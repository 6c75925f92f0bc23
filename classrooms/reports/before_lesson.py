"""What a teacher should know before a lesson, on half a page: whom to sit beside, who is away, and
what goes well."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.lesson.talks import hard_to_see, missed_lately
from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.child_figures import OTHER, USUAL, WEEK, first_day
from classrooms.progress.class_figures import ClassFigures, figures_of
from classrooms.progress.class_page import last_days
from classrooms.progress.class_report import class_report
from classrooms.progress.models import Chance
from classrooms.progress.needs import Needs, who_needs_what
from classrooms.progress.next_steps import given_lately, with_outcomes
from classrooms.progress.standing_out import children_who_find_fewer
from games.screen.card_drawing import face
from games.screen.view_models import Face
from games.screen.words import listed

MOST_BESIDE: Final = 2
MOST_WELL: Final = 4
MOST_AWAY: Final = 8
MOST_READ: Final = 300
"""The most of the latest missed rows that are searched."""
GOOD_SHARE: Final = 0.75
"""From this share on, what came of a step is told as going well."""


@dataclass(frozen=True, slots=True)
class ToSitBeside:
    """A child, and the row that they should look at with their teacher: the clearest that they have
    recently missed."""

    child: Child
    missed: Chance

    @property
    def faces(self) -> list[Face]:
        ruleset = self.missed.assignment.ruleset
        return [face(number, ruleset) for number in self.missed.numbers]

    @property
    def row(self) -> str:
        return listed(list(map(str, self.missed.numbers)))

    @property
    def why(self) -> str:
        text = gettext("missed %(row)s, a row of the %(table)s")
        return text % {"row": self.row, "table": words.table_name(self.missed.table)}

    @property
    def question(self) -> str:
        """What to ask, without the answer."""
        first, second, *_others = self.missed.numbers
        text = gettext("Ask: which number comes after %(first)d and %(second)d?")
        return text % {"first": first, "second": second}


@dataclass(frozen=True, slots=True)
class WentWell:
    what: str
    children: Sequence[Child]


@dataclass(frozen=True, slots=True)
class BeforeLesson:
    school_class: SchoolClass
    day: date
    beside: Sequence[ToSitBeside]
    away: Sequence[Child]  # who has not played for a week
    well: Sequence[WentWell]
    found: str  # by the whole class in the last seven days
    is_rebuilding: bool

    @property
    def named_away(self) -> Sequence[Child]:
        return self.away[:MOST_AWAY]

    @property
    def more_away(self) -> str:
        n = len(self.away) - len(self.named_away)
        return ngettext("%(n)d more", "%(n)d more", n) % {"n": n} if n else ""


def before_lesson(school_class: SchoolClass) -> BeforeLesson:
    figures = figures_of(school_class)
    since = first_day(figures.today, WEEK)
    report = class_report(figures, since)
    needs = who_needs_what(figures, last_days(report, school_class))
    found = words.rows_found(report.total, WEEK) if report.total.chances else ""
    return BeforeLesson(
        school_class,
        figures.today,
        _beside(school_class, needs, figures),
        [one.child for one in needs.away],
        _well(figures, since),
        capfirst(found),
        figures.is_rebuilding,
    )


def _beside(school_class: SchoolClass, needs: Needs, figures: ClassFigures) -> list[ToSitBeside]:
    """Who is stuck, then who surely finds fewer rows of a table than before or than the others, or
    too few, the smallest share first; then who missed most. Only with a row to look at."""
    away = {one.child.pk for one in needs.away}
    wanted = [(one.child.pk, one.cell.table) for one in needs.stuck]
    wanted += [
        (one.children[0].pk, one.table)
        for one in children_who_find_fewer(figures, first_day(figures.today, USUAL))
        if one.table
    ]
    learning = [(cell, key) for group in needs.tables for key, cell in group.cells.items()]
    learning.sort(key=lambda one: one[0].rows.share)
    wanted += [(key, cell.table) for cell, key in learning]
    latest: dict[tuple[UUID, int], list[Chance]] = {}
    missed = missed_lately(school_class).filter(table__in=_tables(figures))
    for chance in missed.select_related("assignment").order_by("-at", "-pk")[:MOST_READ]:
        latest.setdefault((chance.child_id, chance.table), []).append(chance)
    most = sorted(latest, key=lambda each: -len(latest[each]))
    order = [*(each for each in wanted if each in latest), *most]
    children = {child.pk: child for child in figures.children if child.pk not in away}
    first: dict[UUID, ToSitBeside] = {}
    for key, table in order:
        if key in children and key not in first:
            first[key] = ToSitBeside(children[key], min(latest[key, table], key=hard_to_see))
    return list(first.values())[:MOST_BESIDE]


def _tables(figures: ClassFigures) -> set[int]:
    return {table for own in figures.tables.values() for table in own if table != OTHER}


def _well(figures: ClassFigures, since: date | None) -> list[WentWell]:
    """The tables that children have mastered since then, and what came of what they were given,
    most children first."""
    reached: dict[int, list[Child]] = {}
    for child in figures.children:
        for cell in figures.tables.get(child.pk, {}).values():
            if since and cell.is_mastered and cell.since and cell.since >= since:
                reached.setdefault(cell.table, []).append(child)
    lines = [
        WentWell(
            gettext("%(table)s: now finds most rows")
            % {"table": capfirst(words.table_name(table))},
            children,
        )
        for table, children in sorted(reached.items(), key=lambda one: (-len(one[1]), one[0]))
        if table != OTHER
    ]
    given = with_outcomes(given_lately(figures.school_class, figures.children))
    for one in sorted(given, key=lambda one: -one.share):
        if one.outcome and one.share >= GOOD_SHARE:
            lines.append(WentWell(f"{capfirst(one.step.title)}: {one.outcome}", one.children))
    return lines[:MOST_WELL]
