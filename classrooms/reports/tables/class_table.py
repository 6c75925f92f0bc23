"""A class as a table to keep: a row per child, with what was played and found."""

from collections.abc import Sequence
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from classrooms.models import SchoolClass
from classrooms.progress.figures.class_counts import ChildLine, class_report
from classrooms.progress.figures.class_figures import figures_of
from classrooms.progress.figures.periods import EVER, USUAL, first_day, with_period
from classrooms.progress.figures.words import table_name
from classrooms.ui.spreadsheet_files import Cell

PERIODS_SHOWN: Final = (EVER, USUAL)


def as_rows(school_class: SchoolClass) -> tuple[list[str], list[Sequence[Cell]]]:
    """The headings and the rows. Each times table has two columns for each period: rows found
    without help, and possible rows (chances). Days are by the class's clock."""
    figures = figures_of(school_class)
    clock = ZoneInfo(school_class.time_zone)
    head = [_("Name"), _("Last played on")]
    reports = []
    for period in PERIODS_SHOWN:
        report = class_report(figures, first_day(figures.today, period))
        reports.append(report.lines)
        head += [with_period(heading, period) for heading in _headings(report.tables)]
    rows: list[Sequence[Cell]] = []
    for lines in zip(*reports, strict=True):
        child, last_at = lines[0].child, lines[0].last_at
        played = last_at.astimezone(clock).date() if last_at else None
        rows.append([child.name, played, *(count for line in lines for count in _counts(line))])
    return head, rows


def _headings(tables: Sequence[int]) -> list[str]:
    headings = [_("Rounds"), _("Hints")]
    for table in tables:
        name = table_name(table)
        headings += [
            _("%(table)s: found without help") % {"table": name},
            _("%(table)s: possible rows") % {"table": name},
        ]
    return headings


def _counts(line: ChildLine) -> list[int]:
    of_rows = [count for cell in line.cells for count in (cell.rows.found, cell.rows.chances)]
    return [line.rounds, line.hints, *of_rows]
