"""The text of the weekly mail: the figures of the class page, and no child's name.

Mail leaves the school and is kept where nobody can erase it, so it has only numbers and tables. The
names are on the class page, behind signing in.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.models import SchoolClass
from classrooms.progress.figures import words
from classrooms.progress.figures.class_counts import Report, class_report
from classrooms.progress.figures.class_figures import ClassFigures, figures_of
from classrooms.progress.figures.known_facts import FactCell, cells_of
from classrooms.progress.figures.needs import Needs, who_needs_what
from classrooms.progress.figures.periods import EVER, PERIODS, WEEK, first_day, label_of
from classrooms.progress.figures.table_rows import OTHER, Rows, TableCell
from classrooms.progress.pages.class_page import cards_of, last_days
from classrooms.ui.dates import written
from games.coach.facts import Fact

DAYS: Final = timedelta(days=PERIODS[WEEK][0])
TableOrFact = TypeVar("TableOrFact", int, Fact)
MOST_LINES: Final = 4
"""Most lines of each kind, so that the mail is read in a minute; the page has the rest."""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Letter:
    """The text of the mail, in the language of the class. `address`: that of the class page."""

    language: str
    subject: str
    title: str
    days: str
    sections: Sequence[Section]
    button: str
    address: str
    about_names: str


def letter_for(school_class: SchoolClass, week: date) -> Letter | None:
    """The mail about the seven days up to `week`; None if there is nothing to report: no children,
    or nobody played in these and the seven days before, as in the holidays."""
    figures = figures_of(school_class)
    first = first_day(week, WEEK)
    assert first
    report = class_report(figures, first)
    played = last_days(report, school_class)
    if not any(last >= first - DAYS for last in played.values()):
        return None
    with ExitStack() as stack:
        stack.enter_context(translation.override(school_class.language))
        stack.enter_context(timezone.override(ZoneInfo(school_class.time_zone)))
        return Letter(
            language=school_class.language,
            subject=" ".join(
                (gettext("%(name)s: this week on nmbrs") % {"name": school_class.name}).split()
            ),
            title=school_class.name,
            days=_days(first, week),
            sections=[
                section for section in _sections(figures, report, played, first) if section.lines
            ],
            button=gettext("To the class page"),
            address=site(f"{reverse('classrooms:class', args=[school_class.pk])}?period={WEEK}"),
            about_names=gettext(
                "This e-mail names no children: their names are on the class page, with the "
                "moves behind each number."
            ),
        )


def site(path: str) -> str:
    """The full address of a path, for readers outside the site."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def _days(first: date, last: date) -> str:
    """`14 November to 20 November 2026`."""
    return gettext("%(first)s to %(last)s") % {
        "first": written(first, "j F"),
        "last": written(last, "j F Y"),
    }


def _sections(
    figures: ClassFigures, report: Report, played: Mapping[UUID, date], first: date
) -> list[Section]:
    needs = who_needs_what(figures, played)
    this_week = sum(last >= first for last in played.values())
    return [
        Section(gettext("This week"), _played(report, needs, this_week)),
        Section(gettext("What went well"), [capfirst(line) for line in _went_well(figures, first)]),
        Section(
            gettext("What each child needs next"),
            [capfirst(line) for line in _next(figures.school_class, needs)],
        ),
    ]


def _played(report: Report, needs: Needs, this_week: int) -> list[str]:
    if not this_week:
        return [gettext("Nobody played.")]
    everyone = len(report.lines)
    lines = [
        ngettext("%(n)d of %(all)d child played.", "%(n)d of %(all)d children played.", everyone)
        % {"n": this_week, "all": everyone},
        ngettext(
            "They finished %(n)d round.",
            "They finished %(n)d rounds.",
            report.rounds,
        )
        % {"n": report.rounds},
    ]
    if away := sum(one.since is not None for one in needs.away):
        lines.append(
            ngettext(
                "%(n)d child has not played for a week.",
                "%(n)d children have not played for a week.",
                away,
            )
            % {"n": away}
        )
    if never := len(needs.away) - away:
        lines.append(
            ngettext("%(n)d child has never played.", "%(n)d children have never played.", never)
            % {"n": never}
        )
    if report.total.chances:
        lines.append(
            ngettext(
                "They found %(found)d of %(chances)d possible row without help.",
                "They found %(found)d of %(chances)d possible rows without help.",
                report.total.chances,
            )
            % {"found": report.total.found, "chances": report.total.chances}
        )
    return lines


def _went_well(figures: ClassFigures, first: date) -> list[str]:
    """Tables and facts that children mastered this week, those with the most children first."""
    tables = Counter(
        cell.table
        for own in figures.tables.values()
        for cell in own.values()
        if cell.table != OTHER and _reached(cell, first)
    )
    facts = Counter(
        cell.fact
        for own in cells_of(figures.children, figures.today).values()
        for cell in own.values()
        if _reached(cell, first)
    )
    lines = [
        ngettext(
            "%(table)s: %(n)d child is now secure.",
            "%(table)s: %(n)d children are now secure.",
            children,
        )
        % {"table": words.table_name(table), "n": children}
        for table, children in _most(tables)
    ]
    known: list[tuple[Fact, int]] = _most(facts)
    return lines + [
        ngettext(
            "%(fact)s: %(n)d child now knows this.",
            "%(fact)s: %(n)d children now know this.",
            children,
        )
        % {"fact": words.fact_name(fact), "n": children}
        for fact, children in known
    ]


def _most(counted: Counter[TableOrFact]) -> list[tuple[TableOrFact, int]]:
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:MOST_LINES]


def _reached(cell: TableCell | FactCell, first: date) -> bool:
    reached = cell.level in ("secure", "fluent") and cell.is_shown
    return reached and cell.since is not None and cell.since >= first


def _next(school_class: SchoolClass, needs: Needs) -> list[str]:
    """The cards of the class page, and how many children are stuck at which table."""
    lines = []
    for card in cards_of(school_class, needs)[:MOST_LINES]:
        lines.append(
            ngettext(
                "%(what)s: %(n)d child – %(why)s.",
                "%(what)s: %(n)d children – %(why)s.",
                len(card.children),
            )
            % {"what": card.title, "n": len(card.children), "why": card.why}
        )
    stuck = Counter(one.cell.table for one in needs.stuck)
    for table, children in _most(stuck):
        rows = Rows()
        for one in needs.stuck:
            if one.cell.table == table:
                rows.add(one.cell.rows)
        lines.append(
            ngettext(
                "%(table)s: %(n)d child is stuck, with %(found)d of %(chances)d possible rows "
                "found without help, %(period)s.",
                "%(table)s: %(n)d children are stuck, with %(found)d of %(chances)d possible "
                "rows found without help, %(period)s.",
                children,
            )
            % {
                "table": words.table_name(table),
                "n": children,
                "found": rows.found,
                "chances": rows.chances,
                "period": label_of(EVER),
            }
        )
    return lines


def paragraphs(letter: Letter) -> Iterable[str]:
    """The mail as plain text, without the footer."""
    yield f"{letter.title}\n{letter.days}"
    for section in letter.sections:
        yield "\n".join([section.title, *(f"- {line}" for line in section.lines)])
    yield f"{letter.button}: {letter.address}"
    yield letter.about_names
