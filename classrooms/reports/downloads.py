"""Files that a worker makes: the export of a class, and PDFs of its reports and certificates."""

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
from classrooms.progress.periods import USUAL_PERIOD
from classrooms.reports.certificates import certificates, earned_certificates
from classrooms.reports.child_paper import child_paper
from classrooms.reports.class_paper import class_paper
from classrooms.reports.pdf import certificates_pdf, children_pdf, class_pdf
from classrooms.reports.sheets import SHEETS, TYPE_NAMES, Sheet, finished_matches_of, records_of
from classrooms.ui.spreadsheet_files import BYTE_ORDER_MARK, Cell, Tables, csv_lines
from classrooms.ui.typesetting import TooLarge

# The export of a class: a zip of CSV files, which are written row by row.

COLUMNS: Final = "columns.csv"
"""The file that explains the columns of the other files."""
WORKBOOK: Final = "all-tables.xlsx"
COLUMNS_HEAD: Final = (
    pgettext_lazy("head of a column", "file"),
    pgettext_lazy("head of a column", "column"),
    pgettext_lazy("head of a column", "type"),
    pgettext_lazy("head of a column", "meaning"),
)


def make(download: Download, report_progress: ReportProgress) -> bytes:
    """The zip of the export: each table as CSV, and all tables in one workbook. Only `columns.csv`
    is in the active language. A step of the progress is the rows of a child in a table, a table
    about the class, or a match."""
    school_class = download.school_class
    children = list(school_class.children.order_by("pk"))
    files = sum(len(children) if sheet.child_rows else 1 for sheet in SHEETS)
    steps = _Steps(report_progress, files + finished_matches_of(school_class, children).count())
    tables = Tables()
    with tempfile.TemporaryFile() as to:
        with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
            head = [str(heading) for heading in COLUMNS_HEAD]
            name = COLUMNS.removesuffix(".csv")
            _write(archive, COLUMNS, head, tables.add(name, head, _columns()))
            for sheet in SHEETS:
                rows = _rows(sheet, school_class, children, steps)
                _write(archive, sheet.file, sheet.head, tables.add(sheet.name, sheet.head, rows))
            with archive.open(WORKBOOK, "w") as file:
                tables.save(file)
            for child in children:
                for name, text in records_of(school_class, child):
                    if name not in archive.NameToInfo:  # Classmates may have played the match too.
                        archive.writestr(name, text)
                    steps.step()
        to.seek(0)
        return to.read()


class _Steps:
    """Counts steps of the progress. A match that ends meanwhile adds a step."""

    def __init__(self, report_progress: ReportProgress, total: int) -> None:
        self._report_progress = report_progress
        self._done = 0
        self._total = total
        report_progress(0, total)

    def step(self) -> None:
        self._done += 1
        self._report_progress(self._done, max(self._done, self._total))


def _rows(
    sheet: Sheet, school_class: SchoolClass, children: Iterable[Child], steps: _Steps
) -> Iterator[Sequence[Cell]]:
    if sheet.class_rows:
        yield from sheet.cells(sheet.class_rows(school_class))
        steps.step()
    if sheet.child_rows:
        for child in children:
            yield from sheet.cells(sheet.child_rows(school_class, child))
            steps.step()


def _columns() -> Iterator[Sequence[Cell]]:
    for sheet in SHEETS:
        for column in sheet.columns:
            yield sheet.file, column.name, str(TYPE_NAMES[column.type]), str(column.meaning)


def _write(
    archive: zipfile.ZipFile, name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> None:
    with archive.open(name, "w") as file, TextIOWrapper(file, "utf-8", newline="") as to:
        to.write(BYTE_ORDER_MARK)
        csv_lines(to, head, rows)


TABLE_KINDS: Final = (
    FileKind(
        name="class-tables",
        label=_("Everything as tables"),
        about=_("All rows, answers and games, as a workbook and as CSV."),
        title=_("All data for %(name)s as tables"),
        make=make,
        ending="zip",
    ),
)


# Reports and certificates of a whole class as one PDF, made by a worker.

MOST_REPORTS: Final = 100
"""The most reports in one file. typst needs 350 MB for 100 reports and 3.3 GB for 500."""


def make_child_reports(download: Download, report_progress: ReportProgress) -> bytes:
    """One PDF with the reports on the children about whom there is something to report, or on all
    children if there are none. Each child is a step of the progress, and typesetting is the last
    step. Raises `TooLarge`."""
    school_class = download.school_class
    children = list(school_class.children.all())
    if len(children) > MOST_REPORTS:
        raise TooLarge(f"{len(children)} reports")
    steps = len(children) + 1
    report_progress(0, steps)
    papers = []
    for count, child in enumerate(children, start=1):
        child.school_class = school_class
        papers.append(child_paper(child))
        report_progress(count, steps)
    filled = [paper for paper in papers if not paper["nothing"]]
    pdf = children_pdf(school_class, filled or papers)
    report_progress(steps, steps)
    return pdf


def make_class_report(download: Download, report_progress: ReportProgress) -> bytes:
    report_progress(0, 1)
    school_class = download.school_class
    pdf = class_pdf(school_class, class_paper(school_class, USUAL_PERIOD))
    report_progress(1, 1)
    return pdf


def make_certificates(download: Download, report_progress: ReportProgress) -> bytes:
    """The chosen certificates, if they are still earned."""
    report_progress(0, 1)
    school_class = download.school_class
    keys = set(download.options["keys"])
    chosen = [
        certificate
        for _name, earned in earned_certificates(school_class)
        for certificate in earned
        if certificate.key in keys
    ]
    pdf = certificates_pdf(school_class, certificates(school_class, chosen))
    report_progress(1, 1)
    return pdf


PAPER_KINDS: Final = (
    FileKind(
        name="class-report",
        label=_("Class report (PDF)"),
        about=_("Who needs what next, the assignments, the overview and the facts."),
        title=_("Class report of %(name)s (PDF)"),
        make=make_class_report,
    ),
    FileKind(
        name="child-reports",
        label=_("Reports for all children (PDF)"),
        about=_("One A4 page a child. Print on one side only."),
        title=_("Reports for all the children in %(name)s (PDF)"),
        make=make_child_reports,
    ),
    FileKind(
        name="certificates",
        label=_("Certificates (PDF)"),
        about=_("The certificates that you chose, one to a page."),
        title=_("Certificates for %(name)s (PDF)"),
        make=make_certificates,
        is_chosen_elsewhere=True,
    ),
)
