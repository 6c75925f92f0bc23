"""Login cards and letters to parents: as PDF, and their contents for the page.

Typst sets the PDFs from the `.typ` files beside this one.
"""

import xml.etree.ElementTree as ET  # nosec B405 # reads the site's own drawings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext

from classrooms.models import Child, SchoolClass
from classrooms.signin.paper.words import LetterWords, letter_words
from classrooms.ui.qr_drawing import qr_svg
from classrooms.ui.typesetting import LettersMissing, typeset

__all__ = ["MOST_AT_ONCE", "LettersMissing", "PrintedCard", "pdf"]

HERE: Final = Path(__file__).parent
MOST_AT_ONCE: Final = 40
"""A PDF for up to this many children is made while the teacher waits, a longer one by a worker."""
SPRITE: Final = "signin/_pictures.svg"
SVG: Final = "http://www.w3.org/2000/svg"


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A child's card for printing: its pictures with their words, and the URL in its QR code."""

    child: Child
    pictures: Sequence[tuple[str, str]]
    address: str

    @property
    def letter(self) -> LetterWords:
        return letter_words(self.child.school_class, self.child)


def pdf(kind: str, school_class: SchoolClass, cards: Sequence[PrintedCard], *, site: str) -> bytes:
    """The PDF of this kind, "cards" or "letters", in the active language. Without cards, one page
    that says so. Raises `LettersMissing` rather than print a name as boxes."""
    is_letters = kind == "letters"
    title = gettext("Letters to parents") if is_letters else gettext("Login cards")
    data = _common(school_class, site) | {"title": f"{title} · {school_class.name}"}
    if is_letters:
        data["cards"] = [_card(card) | {"letter": card.letter} for card in cards]
    else:
        data["cards"] = [_card(card) for card in cards]
    return typeset(HERE / f"{kind}.typ", data)


def _common(school_class: SchoolClass, site: str) -> dict[str, Any]:
    return {
        "language": school_class.language,
        "class": school_class.name,
        "site": site,
        "code_word": gettext("Class code"),
        "code": school_class.spaced_code,
        "qr_word": gettext("QR code"),
        "none": gettext("There are no children in this class yet."),
        "pictures": _pictures(),
    }


def _card(card: PrintedCard) -> dict[str, Any]:
    return {
        "name": card.child.name,
        "pictures": [{"name": name, "word": word} for name, word in card.pictures],
        "qr": qr_svg(card.address).replace("<svg ", f'<svg xmlns="{SVG}" ', 1),
    }


@cache
def _pictures() -> dict[str, str]:
    """Each picture of the site's sprite as an SVG of its own."""
    ET.register_namespace("", SVG)
    templates = settings.TEMPLATES[0]["DIRS"]
    root = ET.parse(templates[0] / SPRITE).getroot()  # nosec B314 # a file of the site's own
    drawings = {}
    for symbol in root.iter(f"{{{SVG}}}symbol"):
        name = symbol.attrib.pop("id").removeprefix("picture-")
        symbol.tag = f"{{{SVG}}}svg"
        drawings[name] = ET.tostring(symbol, encoding="unicode")
    return drawings
