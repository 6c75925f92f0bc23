"""The text of the mails about a class: each week, or before lessons.

A mail leaves the school and is kept where nobody can erase it. The weekly mail therefore has the
figures of the class page without names of children. The mail before a lesson names them only if the
teacher chose so."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Final, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.links import link
from classrooms.models import Child, SchoolClass, Teaching
from classrooms.progress import words
from classrooms.progress.class_figures import ClassFigures, figures_of
from classrooms.progress.class_page import need_cards
from classrooms.progress.class_report import Report, class_report, last_days
from classrooms.progress.facts import fact_cells
from classrooms.progress.findings import Findings
from classrooms.progress.given_steps import CoveredSteps, recent_steps
from classrooms.progress.needs import Needs, who_needs_what
from classrooms.progress.periods import PERIODS, WEEK, first_day
from classrooms.progress.standing_out import outliers
from classrooms.reports.before_lesson import BeforeLesson, before_lesson
from classrooms.ui.dates import written
from games.coach.times_tables import Fact
from games.screen.words import listed

WEEK_SPAN: Final = timedelta(days=PERIODS[WEEK][0])
TableOrFact = TypeVar("TableOrFact", int, Fact)
MOST_NAMED: Final = 8
MOST_LINES: Final = 4
"""The most lines of each kind, so that teachers can read the mail in a minute. The page has the
rest."""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Letter:
    """The text of the mail, in the language of the class."""

    language: str
    subject: str
    title: str
    days: str
    sections: Sequence[Section]
    button: str
    address: str  # of the page behind the button
    about_names: str


def weekly_letter(school_class: SchoolClass, week: date) -> Letter | None:
    """The mail about the seven days up to `week`. None if there is nothing to report, because the
    class has no children or nobody has played for 14 days, as in the holidays."""
    figures = figures_of(school_class)
    first = first_day(week, WEEK)
    assert first
    report = class_report(figures, first)
    last_day_of = last_days(report, school_class)
    if not any(last >= first - WEEK_SPAN for last in last_day_of.values()):
        return None
    clock = ZoneInfo(school_class.time_zone)
    with translation.override(school_class.language), timezone.override(clock):
        return Letter(
            language=school_class.language,
            subject=" ".join(
                (gettext("%(name)s: this week on nmbrs") % {"name": school_class.name}).split()
            ),
            title=school_class.name,
            days=gettext("%(first)s to %(last)s")
            % {"first": written(first, "j F"), "last": written(week, "j F Y")},
            sections=_with_lines(_sections(figures, report, last_day_of, first)),
            button=gettext("To the class page"),
            address=f"{link('classrooms:class', school_class.pk)}?period={WEEK}",
            about_names=gettext(
                "This e-mail names no children: their names are on the class page."
            ),
        )


def letter_to(teaching: Teaching, day: date) -> Letter | None:
    """The mail of this day, before a lesson or weekly, as the teacher chose."""
    if teaching.mail_days:
        return lesson_letter(teaching)
    return weekly_letter(teaching.school_class, day)


def lesson_letter(teaching: Teaching) -> Letter | None:
    """The mail before a lesson, which names children as the teacher chose. None if there is nothing
    to know."""
    school_class = teaching.school_class
    clock = ZoneInfo(school_class.time_zone)
    with translation.override(school_class.language), timezone.override(clock):
        sheet = before_lesson(school_class)
        if not (sheet.children_to_help or sheet.successes):
            return None
        title = gettext("%(name)s: before the lesson") % {"name": school_class.name}
        about_names = gettext("You can choose whether children are named in this e-mail.")
        if teaching.mail_names == Teaching.NamesInMail.NONE:
            about_names = gettext("This e-mail names no children: you can choose otherwise.")
        return Letter(
            language=school_class.language,
            subject=" ".join(title.split()),
            title=school_class.name,
            days=written(sheet.day, "l j F"),
            sections=_with_lines(_lesson_sections(sheet, teaching.mail_names)),
            button=gettext("To the page"),
            address=link("classrooms:before_lesson", school_class.pk),
            about_names=about_names,
        )


def _with_lines(sections: Sequence[Section]) -> list[Section]:
    return [section for section in sections if section.lines]


def _lesson_sections(sheet: BeforeLesson, naming: str) -> list[Section]:
    return [
        Section(
            gettext("Children to sit with first"),
            [
                f"{_names_of([item.child], naming)}: {item.reason}. {item.question}"
                for item in sheet.children_to_help
            ],
        ),
        *(
            Section(absent.title, [_names_of(absent.children, naming)])
            for absent in sheet.absent_groups
        ),
        Section(
            gettext("What goes well"),
            [f"{line.text}: {_names_of(line.children, naming)}" for line in sheet.successes],
        ),
    ]


def _names_of(children: Sequence[Child], naming: str) -> str:
    """These children in a mail: by name, by initials, or only their number."""
    n = len(children)
    if naming == Teaching.NamesInMail.NONE:
        return ngettext("%(n)d child", "%(n)d children", n) % {"n": n}
    names = [child.name for child in children[:MOST_NAMED]]
    if naming == Teaching.NamesInMail.INITIALS:
        names = ["".join(f"{part[0]}." for part in name.split()) for name in names]
    return listed([*names, *filter(None, [words.more_text(n - len(names))])])


def _sections(
    figures: ClassFigures, report: Report, last_day_of: Mapping[UUID, date], first: date
) -> list[Section]:
    needs = who_needs_what(figures, last_day_of)
    findings = Findings(figures, needs, report.rows, WEEK, outliers(figures, first))
    this_week = sum(last >= first for last in last_day_of.values())
    return [
        Section(gettext("This week"), _played_lines(report, needs, this_week)),
        Section(
            gettext("What went well"), [capfirst(line) for line in _well_lines(figures, first)]
        ),
        Section(gettext("Most useful now"), [capfirst(line) for line in _next_lines(findings)]),
    ]


def _played_lines(report: Report, needs: Needs, this_week: int) -> list[str]:
    if not this_week:
        return [gettext("Nobody played.")]
    everyone = len(report.lines)
    lines = [
        _who_played(this_week, everyone),
        ngettext("They finished %(n)d round.", "They finished %(n)d rounds.", report.rounds)
        % {"n": report.rounds},
    ]
    if count := len(needs.absent_children):
        lines.append(
            ngettext(
                "%(n)d child has not played for a week.",
                "%(n)d children have not played for a week.",
                count,
            )
            % {"n": count}
        )
    if total := len(needs.never_begun):
        lines.append(
            ngettext("%(n)d child has never played.", "%(n)d children have never played.", total)
            % {"n": total}
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


def _who_played(n: int, everyone: int) -> str:
    text = ngettext(
        "%(n)d of %(all)d child has played.", "%(n)d of %(all)d children have played.", everyone
    )
    if n == everyone:
        text = ngettext("The one child has played.", "All %(all)d children have played.", everyone)
    return text % {"n": n, "all": everyone}


def _well_lines(figures: ClassFigures, first: date) -> list[str]:
    """The lines about tables and facts that children mastered this week, most children first."""
    tables = Counter(
        cell.table
        for by_table in figures.tables.values()
        for cell in by_table.values()
        if cell.has_become_secure_since(first)
    )
    cells = [
        cell
        for by_fact in fact_cells(
            figures.children, figures.today, missed=figures.facts.missed
        ).values()
        for cell in by_fact.values()
        if cell.is_shown
    ]
    answers = Counter(cell.fact for cell in cells)
    facts = Counter(
        cell.fact for cell in cells if cell.is_mastered and cell.since and cell.since >= first
    )
    lines = [
        ngettext(
            "%(table)s: %(n)d child now finds most rows.",
            "%(table)s: %(n)d children now find most rows.",
            children,
        )
        % {"table": words.table_name(table), "n": children}
        for table, children in _most_common(tables)
    ]
    counts: list[tuple[Fact, int]] = _most_common(facts)
    return lines + [
        ngettext(
            "%(fact)s: %(n)d more child now knows it (%(asked)d of %(all)d have been asked often "
            "enough).",
            "%(fact)s: %(n)d more children now know it (%(asked)d of %(all)d have been asked often "
            "enough).",
            children,
        )
        % {
            "fact": words.fact_name(fact),
            "n": children,
            "asked": answers[fact],
            "all": len(figures.children),
        }
        for fact, children in counts
    ]


def _most_common(counts: Counter[TableOrFact]) -> list[tuple[TableOrFact, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_LINES]


def _next_lines(findings: Findings) -> list[str]:
    """The lines about the steps to do next: the cards of the class page for this week, and for each
    table how many children find fewer than half of its rows."""
    lines = []
    figures = findings.figures
    covered_steps = CoveredSteps.from_steps(recent_steps(figures.school_class, figures.children))
    for card in need_cards(findings, covered_steps)[:MOST_LINES]:
        lines.append(
            ngettext(
                "%(what)s: %(n)d child – %(why)s.",
                "%(what)s: %(n)d children – %(why)s.",
                len(card.children),
            )
            % {"what": card.title, "n": len(card.children), "why": card.reason}
        )
    tables = Counter(stuck.cell.table for stuck in findings.needs.stuck_children)
    for table, children in _most_common(tables):
        lines.append(
            ngettext(
                "%(table)s: %(n)d child finds fewer than half of the rows.",
                "%(table)s: %(n)d children find fewer than half of the rows.",
                children,
            )
            % {"table": words.table_name(table), "n": children}
        )
    return lines


def paragraphs(letter: Letter) -> Iterable[str]:
    """The paragraphs of the mail as plain text, without the footer."""
    yield f"{letter.title}\n{letter.days}"
    for section in letter.sections:
        yield "\n".join([section.title, *(f"- {line}" for line in section.lines)])
    yield f"{letter.button}: {letter.address}"
    yield letter.about_names


# The mail as HTML: one file with its style inside, because mail programs load no styles.


@cache
def _style() -> SafeString:
    """The style of the mail, which the page with the preview uses too."""
    path = finders.find("css/weekly.css")
    # The site wrote this file itself, so it is safe.
    return mark_safe(Path(str(path)).read_text(encoding="utf-8"))  # nosec B308 B703


def as_html(letter: Letter, stop: str) -> str:
    with translation.override(letter.language):
        context = {"letter": letter, "stop": stop, "css": _style()}
        return render_to_string("reports/weekly_mail/mail.html", context)
