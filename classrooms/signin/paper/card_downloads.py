"""Login cards and letters of a whole class, made by a worker."""

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from classrooms.credentials.pictures import labelled
from classrooms.downloads.kinds import FileKind, ReportProgress
from classrooms.downloads.models import Download
from classrooms.models import AuditEntry
from classrooms.signin import login_cards
from classrooms.signin.paper import PrintedCard, pdf


def make_cards(download: Download, report_progress: ReportProgress) -> bytes:
    """In the language of the class. Raises `LettersMissing`."""
    return _make(download, report_progress, "cards")


def make_letters(download: Download, report_progress: ReportProgress) -> bytes:
    """In the language of the class. Raises `LettersMissing`."""
    return _make(download, report_progress, "letters")


def _make(download: Download, report_progress: ReportProgress, kind: str) -> bytes:
    """Two steps: looking up the cards, and typesetting."""
    report_progress(0, 2)
    school_class = download.school_class
    children = list(school_class.children.all())
    for child in children:
        child.school_class = school_class
    site = download.options["site"]
    printed = [
        PrintedCard(
            child=card.child,
            pictures=labelled(card.pictures),
            address=site + reverse("classrooms:card", args=[card.token]),
        )
        for card in login_cards.cards_of(children)
    ]
    report_progress(1, 2)
    content = pdf(kind, school_class, printed, site=site.partition("://")[2])
    report_progress(2, 2)
    return content


KINDS: Final = (
    FileKind(
        "cards",
        _("Login cards (PDF)"),
        _("All the children’s cards, eight to a sheet, to cut out."),
        _("Login cards for %(name)s (PDF)"),
        make_cards,
        "application/pdf",
        "pdf",
        shows=AuditEntry.Page.CARDS,
    ),
    FileKind(
        "letters",
        _("Letters to parents (PDF)"),
        _("A page for each child, with everything they need to play at home."),
        _("Letters to the parents of %(name)s (PDF)"),
        make_letters,
        "application/pdf",
        "pdf",
        shows=AuditEntry.Page.LETTERS,
    ),
)
