"""Login cards and letters of a whole class, made by a worker."""

from collections.abc import Callable
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from classrooms.credentials.pictures import labelled
from classrooms.downloads.kinds import Kind
from classrooms.downloads.models import Download
from classrooms.models import AuditEntry
from classrooms.signin import login_cards
from classrooms.signin.paper import Card, pdf

Tell = Callable[[int, int], None]


def make_cards(download: Download, tell: Tell) -> bytes:
    """In the language of the class. Raises `LettersMissing`."""
    return _made(download, tell, "cards")


def make_letters(download: Download, tell: Tell) -> bytes:
    """In the language of the class. Raises `LettersMissing`."""
    return _made(download, tell, "letters")


def _made(download: Download, tell: Tell, kind: str) -> bytes:
    """Looking them up is one step, setting them the other."""
    tell(0, 2)
    school_class = download.school_class
    children = list(school_class.children.all())
    for child in children:
        child.school_class = school_class
    site = download.options["site"]
    printed = [
        Card(
            child=card.child,
            pictures=labelled(card.pictures),
            address=site + reverse("classrooms:card", args=[card.token]),
        )
        for card in login_cards.cards_of(children)
    ]
    tell(1, 2)
    made = pdf(kind, school_class, printed, site=site.partition("://")[2])
    tell(2, 2)
    return made


KINDS: Final = (
    Kind(
        "cards",
        _("Login cards (PDF)"),
        _("The cards of all children, eight on a sheet, to cut."),
        _("Login cards of %(name)s (PDF)"),
        make_cards,
        "application/pdf",
        "pdf",
        shows=AuditEntry.Page.CARDS,
    ),
    Kind(
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
