"""Reports and certificates as PDF, set by typst."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from django.utils.translation import get_language, gettext

from classrooms.models import SchoolClass
from classrooms.reports.paper import words
from classrooms.reports.paper.words import PaperData
from classrooms.ui.typesetting import typeset

HERE: Final = Path(__file__).parent


def children_pdf(school_class: SchoolClass, papers: Sequence[PaperData]) -> bytes:
    """The reports of these children, each on a sheet of its own. Raises `LettersMissing`."""
    who = papers[0]["name"] if len(papers) == 1 else school_class.name
    return typeset(
        HERE / "child.typ",
        _common(school_class, gettext("Report for %(who)s") % {"who": who}) | {"children": papers},
    )


def class_pdf(school_class: SchoolClass, paper: PaperData) -> bytes:
    """The report of a class. Raises `LettersMissing`."""
    title = gettext("Report for %(who)s") % {"who": school_class.name}
    return typeset(HERE / "class.typ", _common(school_class, title) | {"class": paper})


def certificates_pdf(school_class: SchoolClass, certificates: Sequence[PaperData]) -> bytes:
    """These certificates, at least one. Raises `LettersMissing`."""
    title = " · ".join([gettext("Certificates"), school_class.name])
    data = _common(school_class, title) | {"certificates": certificates}
    return typeset(HERE / "certificates.typ", data)


def _common(school_class: SchoolClass, title: str) -> PaperData:
    return {
        "title": title,
        "language": get_language(),
        "none": gettext("There are no children in this class yet."),
        "day": words.day(school_class.today()),
        "page_of": gettext("%(page)s of %(pages)s") % {"page": "{page}", "pages": "{pages}"},
    }
