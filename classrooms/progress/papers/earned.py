"""What a child has a certificate for: a times table that is secure or fluent today. Nothing else is
praised, and nothing of which there is too little evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.utils.translation import gettext

from classrooms.models import Child, SchoolClass
from classrooms.progress import wording
from classrooms.progress.child_page import GOOD
from classrooms.progress.figures import figures_of
from classrooms.progress.rows import OTHER, Cell
from games.engine.cards import colour

from . import words

Data = dict[str, Any]
NEW: Final = timedelta(weeks=4)
"""What was reached within so long is chosen unless the teacher says otherwise."""
CARDS: Final = 5


@dataclass(frozen=True, slots=True)
class Earned:
    """A table that a child is secure or fluent in. `is_new`: it was reached within `NEW`."""

    child: Child
    cell: Cell
    is_new: bool

    @property
    def key(self) -> str:
        """What a form says of it; another level of the same table is another certificate."""
        return f"{self.child.pk}-{self.cell.table}-{self.cell.level}"


def earned(school_class: SchoolClass) -> list[tuple[Child, list[Earned]]]:
    """By child, in the order of their names; children who have earned nothing are left out."""
    figures = figures_of(school_class)
    found = []
    for child in figures.children:
        own = [
            Earned(child, cell, cell.since is not None and cell.since > figures.today - NEW)
            for cell in figures.tables.get(child.pk, {}).values()
            if cell.table != OTHER and cell.is_told and cell.level in GOOD
        ]
        if own:
            found.append((child, sorted(own, key=lambda one: one.cell.table)))
    return found


def certificates(school_class: SchoolClass, chosen: Sequence[Earned]) -> list[Data]:
    """What each of them says, in the language of now."""
    return [_certificate(school_class, one) for one in chosen]


def _certificate(school_class: SchoolClass, one: Earned) -> Data:
    cell = one.cell
    row = [cell.table * times for times in range(1, CARDS + 1)]
    return {
        "heading": gettext("Certificate"),
        "name": one.child.name,
        "told": f"{wording.table_name(cell.table)} · {wording.level_name(cell.level)}",
        "figure": gettext("Rows found without a hint, of rows that were there")
        + f": {wording.figure(cell.rows)}",
        "cards": [{"number": str(number), "colour": colour(number)} for number in row],
        "day": words.day(cell.since or school_class.today()),
        "class": school_class.name,
    }
