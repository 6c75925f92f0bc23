"""The export of a class: a zip of CSV files, written row by row."""

import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from io import TextIOWrapper
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from classrooms.downloads.kinds import FileKind, ReportProgress
from classrooms.downloads.models import Download
from classrooms.models import Child, SchoolClass
from classrooms.reports.tables.records import ended, records_of
from classrooms.reports.tables.table_file import TYPES_SPELT_OUT, ExportSheet
from classrooms.reports.tables.table_files import SHEETS
from classrooms.ui.spreadsheet_files import BYTE_ORDER_MARK, Cell, csv_lines

COLUMNS: Final = "columns.csv"
"""The file that says what is in the others."""
COLUMNS_HEAD: Final = (
    pgettext_lazy("head of a column", "file"),
    pgettext_lazy("head of a column", "column"),
    pgettext_lazy("head of a column", "type"),
    pgettext_lazy("head of a column", "meaning"),
)


def make(download: Download, report_progress: ReportProgress) -> bytes:
    """The zip. A step is the rows of one child in a file, a file about the class alone, or a
    match. Only what `columns.csv` says is in the active language."""
    school_class = download.school_class
    children = list(school_class.children.order_by("pk"))
    files = sum(len(children) if each.of_child else 1 for each in SHEETS)
    steps = _Steps(report_progress, files + ended(school_class, children).count())
    with tempfile.TemporaryFile() as to:
        with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
            _write(archive, COLUMNS, [str(head) for head in COLUMNS_HEAD], _columns())
            for sheet in SHEETS:
                rows = _rows(sheet, school_class, children, steps)
                _write(archive, sheet.file, sheet.head, rows)
            for child in children:
                for name, text in records_of(school_class, child):
                    archive.writestr(name, text)
                    steps.step()
        to.seek(0)
        return to.read()


class _Steps:
    """Counts; a match that ends meanwhile makes it one more."""

    def __init__(self, report_progress: ReportProgress, total: int) -> None:
        self._report_progress = report_progress
        self._done = 0
        self._total = total
        report_progress(0, total)

    def step(self) -> None:
        self._done += 1
        self._report_progress(self._done, max(self._done, self._total))


def _rows(
    sheet: ExportSheet, school_class: SchoolClass, children: Iterable[Child], steps: _Steps
) -> Iterator[Sequence[Cell]]:
    if sheet.of_class:
        yield from sheet.cells(sheet.of_class(school_class))
        steps.step()
    if sheet.of_child:
        for child in children:
            yield from sheet.cells(sheet.of_child(school_class, child))
            steps.step()


def _columns() -> Iterator[Sequence[Cell]]:
    for sheet in SHEETS:
        for column in sheet.columns:
            yield sheet.file, column.name, str(TYPES_SPELT_OUT[column.type]), str(column.meaning)


def _write(
    archive: zipfile.ZipFile, name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> None:
    with archive.open(name, "w") as file, TextIOWrapper(file, "utf-8", newline="") as to:
        to.write(BYTE_ORDER_MARK)
        csv_lines(to, head, rows)


KINDS: Final = (
    FileKind(
        "class-tables",
        _("Everything as tables (CSV)"),
        _(
            "Everything the children in this class have played, found and answered, for a "
            "spreadsheet."
        ),
        _("All data for %(name)s as tables (CSV)"),
        make,
        "application/zip",
        "zip",
        in_languages=True,
    ),
)
