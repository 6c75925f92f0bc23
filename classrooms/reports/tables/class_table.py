"""A class as a table to keep: a row per child, with what was played and found."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from classrooms.models import SchoolClass
from classrooms.progress.figures.class_counts import OTHER, class_report
from classrooms.progress.figures.class_figures import figures_of
from classrooms.ui.spreadsheet_files import Cell


def as_rows(school_class: SchoolClass) -> tuple[list[str], list[Sequence[Cell]]]:
    """The headings and the rows. Each times table has two columns: rows found without help, and
    possible rows (chances). Days are by the class's clock."""
    report = class_report(figures_of(school_class))
    clock = ZoneInfo(school_class.time_zone)
    head = [_("Name"), _("Last played on"), _("Rounds"), _("Hints")]
    for table in report.tables:
        name = _("other rows") if table == OTHER else _("%(table)d times table") % {"table": table}
        head += [
            _("%(table)s: found") % {"table": name},
            _("%(table)s: possible rows") % {"table": name},
        ]
    rows: list[Sequence[Cell]] = []
    for line in report.lines:
        played = line.last_at.astimezone(clock).date() if line.last_at else None
        counts = [n for cell in line.cells for n in (cell.rows.found, cell.rows.chances)]
        rows.append([line.child.name, played, line.rounds, line.hints, *counts])
    return head, rows
