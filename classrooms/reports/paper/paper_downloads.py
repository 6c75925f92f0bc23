"""Reports and certificates of a whole class as one PDF, made by a worker."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from classrooms.downloads.kinds import FileKind, ReportProgress
from classrooms.downloads.models import Download
from classrooms.progress.figures.periods import USUAL
from classrooms.reports.paper import pdf
from classrooms.reports.paper.certificates import certificates
from classrooms.reports.paper.child_paper import child_paper
from classrooms.reports.paper.class_paper import class_paper
from classrooms.reports.paper.earned import earned
from classrooms.ui.typesetting import TooLarge

MOST_REPORTS: Final = 100
"""In one file: 100 take 350 MB to set, and 500 took 3.3 GB."""


def make_child_reports(download: Download, report_progress: ReportProgress) -> bytes:
    """A step is what one child's report says; setting them all is the last one. Raises
    `LettersMissing` and `TooLarge`."""
    school_class = download.school_class
    children = list(school_class.children.all())
    if len(children) > MOST_REPORTS:
        raise TooLarge(f"{len(children)} reports")
    steps = len(children) + 1
    report_progress(0, steps)
    papers = []
    for done, child in enumerate(children, start=1):
        child.school_class = school_class
        papers.append(child_paper(child))
        report_progress(done, steps)
    made = pdf.children_pdf(school_class, papers)
    report_progress(steps, steps)
    return made


def make_class_report(download: Download, report_progress: ReportProgress) -> bytes:
    """Of the usual period. Raises `LettersMissing`."""
    report_progress(0, 1)
    school_class = download.school_class
    made = pdf.class_pdf(school_class, class_paper(school_class, USUAL))
    report_progress(1, 1)
    return made


def make_certificates(download: Download, report_progress: ReportProgress) -> bytes:
    """Those that were chosen and are earned still. Raises `LettersMissing`."""
    report_progress(0, 1)
    school_class, keys = download.school_class, set(download.options["keys"])
    chosen = [one for _name, own in earned(school_class) for one in own if one.key in keys]
    made = pdf.certificates_pdf(school_class, certificates(school_class, chosen))
    report_progress(1, 1)
    return made


KINDS: Final = (
    FileKind(
        "class-report",
        _("Class report (PDF)"),
        _(
            "Who needs what next, how the assignments are going, the overview of children and "
            "times tables, and the facts."
        ),
        _("Class report of %(name)s (PDF)"),
        make_class_report,
        "application/pdf",
        "pdf",
        in_languages=True,
    ),
    FileKind(
        "child-reports",
        _("Reports for all children (PDF)"),
        _("For a parents’ evening: one A4 sheet per child, in one file."),
        _("Reports for all the children in %(name)s (PDF)"),
        make_child_reports,
        "application/pdf",
        "pdf",
        in_languages=True,
    ),
    FileKind(
        "certificates",
        _("Certificates (PDF)"),
        _("The certificates that you chose, one to a page."),
        _("Certificates for %(name)s (PDF)"),
        make_certificates,
        "application/pdf",
        "pdf",
        in_languages=True,
        chosen_elsewhere=True,
    ),
)
