"""Certificates, as data for typst."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext

from classrooms.models import SchoolClass
from classrooms.reports.paper import words
from classrooms.reports.paper.earned import Earned, EarnedBest, EarnedGoal
from classrooms.reports.paper.words import PaperData
from games.engine.cards import HIGHEST_NUMBER, colour

CARDS: Final = 5


def certificates(school_class: SchoolClass, chosen: Sequence[Earned]) -> list[PaperData]:
    """The text of each certificate, in the active language."""
    return [_certificate(school_class, one) for one in chosen]


def _certificate(school_class: SchoolClass, one: Earned) -> PaperData:
    row = [one.table * times for times in range(1, CARDS + 1)] if one.table else []
    found = one.rows if isinstance(one, EarnedBest | EarnedGoal) else None
    return {
        "heading": gettext("Certificate"),
        "name": one.child.name if one.child else school_class.name,
        "title": one.title,
        "figure": one.figure,
        "number": "" if found is None else str(found),
        "colour": colour(row[0] if row else ((found or 1) - 1) % HIGHEST_NUMBER + 1),
        "cards": [{"number": str(number), "colour": colour(number)} for number in row],
        "day": words.day(one.since or school_class.today()),
        "class": school_class.name if one.child else "",
    }
