"""What a teacher should know before a lesson, on half a page: whom to sit beside, who is away, what
goes well, and what the class has found."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Sum
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.lesson.talks import hard_to_see, missed_lately
from classrooms.models import Child, SchoolClass
from classrooms.progress import words
from classrooms.progress.child_figures import OTHER_TABLES, USUAL_PERIOD, WEEK, Rows, first_day
from classrooms.progress.class_figures import ClassFigures, figures_of
from classrooms.progress.class_page import last_days
from classrooms.progress.class_report import class_report
from classrooms.progress.models import CHANCE_COUNTS, Chance, TableDay
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
"""From this share on, the result of a step goes well."""


@dataclass(frozen=True, slots=True)
class ToSitBeside:
    """A child, and the row to look at together: the clearest that the child has recently missed."""

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
        """A question for the child, without the answer."""
        first, second, *_others = self.missed.numbers
        text = gettext("Ask: which number comes after %(first)d and %(second)d?")
        return text % {"first": first, "second": second}


@dataclass(frozen=True, slots=True)
class WentWell:
    what: str
    children: Sequence[Child]


@dataclass(frozen=True, slots=True)
class Absent:
    """Children who do not play, under the heading that says so."""

    title: str
    children: Sequence[Child]

    @property
    def named(self) -> Sequence[Child]:
        return self.children[:MOST_AWAY]

    @property
    def others(self) -> str:
        n = len(self.children) - len(self.named)
        return ngettext("%(n)d more", "%(n)d more", n) % {"n": n} if n else ""


@dataclass(frozen=True, slots=True)
class BeforeLesson:
    school_class: SchoolClass
    day: date
    beside: Sequence[ToSitBeside]
    absent: Sequence[Absent]
    well: Sequence[WentWell]
    found: str  # by the whole class in the last seven days, and in the seven days before
    is_rebuilding: bool


def before_lesson(school_class: SchoolClass) -> BeforeLesson:
    figures = figures_of(school_class, facts=False)
    since = first_day(figures.today, WEEK)
    report = class_report(figures, since)
    needs = who_needs_what(figures, last_days(report, school_class))
    absent = (
        (gettext("Have not played for a week"), [one.child for one in needs.away]),
        (gettext("Have not started yet"), needs.never),
    )
    return BeforeLesson(
        school_class,
        figures.today,
        _to_sit_beside(school_class, needs, figures),
        [Absent(title, children) for title, children in absent if children],
        _going_well(figures, since),
        _class_found(figures, report.total),
        figures.is_rebuilding,
    )


def _class_found(figures: ClassFigures, rows: Rows) -> str:
    """What the class found in the last seven days; empty if no row was possible."""
    if not rows.chances:
        return ""
    text = capfirst(words.rows_found(rows, WEEK))
    last = first_day(figures.today, WEEK)
    assert last
    before = Rows()
    before.add(
        TableDay.objects.filter(
            child__in=[child.pk for child in figures.children],
            day__gte=last - (figures.today - last) - timedelta(days=1),
            day__lt=last,
        ).aggregate(**{name: Sum(name, default=0) for name in CHANCE_COUNTS})
    )
    if not before.is_shown:
        return text
    return gettext("%(found)s; %(before)s in the week before that") % {
        "found": text,
        "before": words.figure(before),
    }


def _to_sit_beside(
    school_class: SchoolClass, needs: Needs, figures: ClassFigures
) -> list[ToSitBeside]:
    """First stuck children, then those who surely find fewer rows of a table than before or than
    the others, or too few, the smallest share first; then those who missed most. Only children who
    have a row to look at."""
    away = {one.child.pk for one in needs.away}
    wanted = [(one.child.pk, one.cell.table) for one in needs.stuck]
    wanted += [
        (one.children[0].pk, one.table)
        for one in children_who_find_fewer(figures, first_day(figures.today, USUAL_PERIOD))
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
    return {table for own in figures.tables.values() for table in own if table != OTHER_TABLES}


def _going_well(figures: ClassFigures, since: date | None) -> list[WentWell]:
    """The tables that children have mastered since then, and the results of steps that they were
    given, most children first."""
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
        if table != OTHER_TABLES
    ]
    given = with_outcomes(given_lately(figures.school_class, figures.children))
    for one in sorted(given, key=lambda one: -one.share):
        if one.outcome and one.share >= GOOD_SHARE:
            lines.append(WentWell(f"{capfirst(one.step.title)}: {one.outcome}", one.children))
    return lines[:MOST_WELL]
