"""Reports and certificates as PDF, typeset by typst."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from django.utils.translation import get_language, gettext

from classrooms.models import SchoolClass
from classrooms.reports.before_lesson import BeforeLesson
from classrooms.reports.paper_words import PaperData, day_in_words
from classrooms.ui.dates import written
from classrooms.ui.typesetting import Pdf, typeset
from games.screen.words import listed

FOLDER: Final = Path(__file__).parent


def children_pdf(school_class: SchoolClass, papers: Sequence[PaperData]) -> Pdf:
    """The reports on these children as a PDF. Each begins on a new page."""
    name = papers[0]["name"] if len(papers) == 1 else school_class.name
    title = gettext("Report for %(who)s") % {"who": name}
    return _pdf("child", school_class, title, {"children": papers})


def class_pdf(school_class: SchoolClass, paper: PaperData) -> Pdf:
    title = gettext("Report for %(who)s") % {"who": school_class.name}
    return _pdf("class", school_class, title, {"class": paper})


def lesson_pdf(sheet: BeforeLesson) -> Pdf:
    well = [
        (line.text, listed([child.name for child in line.children])) for line in sheet.successes
    ]
    school_class = sheet.school_class
    title = gettext("Before the lesson")
    data = {
        "name": " · ".join([title, school_class.name]),
        "day": written(sheet.day, "l j F"),
        "beside_title": gettext("Children to sit with first"),
        "beside": [
            {
                "name": item.child.name,
                "why": item.reason,
                "question": item.question,
                "cards": [
                    {
                        "number": card.number,
                        "colour": card.colour,
                        "joker": card.is_joker,
                        "own": is_own,
                    }
                    for card, is_own in item.faces
                ],
            }
            for item in sheet.children_to_help
        ],
        "ring": gettext("A card with a ring was in the hand.") if sheet.has_rows else "",
        "absent": [
            (
                absent.title,
                ", ".join(
                    filter(None, (*(child.name for child in absent.named_children), absent.others))
                ),
            )
            for absent in sheet.absent_groups
        ],
        "note": sheet.note,
        "well_title": gettext("What goes well"),
        "well": well,
    }
    return _pdf("before_lesson", school_class, title, {"lesson": data})


def certificates_pdf(school_class: SchoolClass, certificates: Sequence[PaperData]) -> Pdf:
    """These certificates, at least one, as a PDF."""
    title = " · ".join([gettext("Certificates"), school_class.name])
    return _pdf("certificates", school_class, title, {"certificates": certificates})


def _pdf(template: str, school_class: SchoolClass, title: str, data: PaperData) -> Pdf:
    common = {
        "title": title,
        "language": get_language(),
        "none": gettext("There are no children in this class yet."),
        "day": day_in_words(school_class.today()),
        "page_of": gettext("%(page)s of %(pages)s") % {"page": "{page}", "pages": "{pages}"},
    }
    return typeset(FOLDER / f"{template}.typ", common | data, school_class.name)
