"""What a child has collected: a picture for each times table, and a stamp for each fact that it
kept.

Both are made from counts that only grow, so nothing is ever taken away, and nothing is stored for
them. Luck and time of play count for nothing: a piece is a row found without help, a stamp a fact
that was known on three days, the last at least two weeks after the first.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Count, F, Max, Min, Q
from django.utils.translation import gettext, ngettext

from classrooms.models import Child
from classrooms.progress.models import FactDay, TableDay, TableMastery
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12
from games.screen.card_drawing import unbroken
from games.screen.words import table_name

PIECES: Final = 12
"""A picture's pieces, in `COLUMNS` columns. A row found without help uncovers one."""
COLUMNS: Final = 4
PIECE: Final = 30
"""The side of a piece, in units of the drawing."""
DAYS_KNOWN: Final = 3
KEPT_FOR: Final = timedelta(days=14)
_WITHOUT_HELP: Final = F("at_once") + F("later")
SOON: Final = 3
"""How many facts are shown that may become stamps next."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a times table; `rows`: those found without help so far."""

    table: int
    rows: int
    today: int = 0
    """Those of them found today."""

    @property
    def name(self) -> str:
        return table_name(self.table)

    @property
    def drawing(self) -> int:
        """Which of the ten drawings of `icons/collection.svg` it is."""
        return self.table % 10

    @property
    def pieces(self) -> int:
        return min(self.rows, PIECES)

    @property
    def is_whole(self) -> bool:
        return self.rows >= PIECES

    @property
    def covers(self) -> list[tuple[int, int]]:
        """The left upper corners of the pieces that are still covered."""
        places = [(PIECE * (n % COLUMNS), PIECE * (n // COLUMNS)) for n in range(PIECES)]
        return places[self.pieces :]

    @property
    def text(self) -> str:
        if self.is_whole:
            return ngettext("%(n)d row found", "%(n)d rows found", self.rows) % {"n": self.rows}
        return gettext("%(n)d of %(all)d pieces") % {"n": self.pieces, "all": PIECES}


@dataclass(frozen=True, slots=True)
class Collection:
    """`stamps`: facts in words, in order; `soon`: facts that were known on two days already."""

    pictures: Sequence[Picture]
    stamps: Sequence[str]
    soon: Sequence[str]

    @property
    def next_step(self) -> str:
        """How many rows the picture that is nearest to being whole still needs."""
        begun = [picture for picture in self.pictures if not picture.is_whole]
        if not begun:
            return gettext("All your pictures are whole!")
        nearest = max(begun, key=lambda picture: picture.rows)
        left = PIECES - nearest.rows
        return ngettext(
            "Find %(n)d more row of the %(table)s to finish its picture.",
            "Find %(n)d more rows of the %(table)s to finish its picture.",
            left,
        ) % {"n": left, "table": nearest.name}

    @property
    def count(self) -> str:
        n = len(self.stamps)
        return ngettext("%(n)d stamp", "%(n)d stamps", n) % {"n": n}


def begun_pictures(child: Child) -> list[Picture]:
    """The pictures that have a piece, with what is new today, in two queries."""
    found = _rows_found(child)
    day = TableDay.objects.filter(child=child, day=child.school_class.today())
    today = Counter[int]()
    for table, rows in day.annotate(rows=_WITHOUT_HELP).values_list("table", "rows"):
        today[table] += rows
    return [Picture(table, rows, today[table]) for table, rows in sorted(found.items()) if rows]


def _rows_found(child: Child) -> dict[int, int]:
    known = TableMastery.objects.filter(child=child, table__in=TABLES_TO_12)
    return dict(known.annotate(rows=_WITHOUT_HELP).values_list("table", "rows"))


def collection_of(child: Child) -> Collection:
    """In two queries. The tables from 2 to 10, and above those where the child found a row."""
    found = _rows_found(child)
    tables = [table for table in TABLES_TO_12 if table in TABLES_TO_10 or found.get(table)]
    pictures = [Picture(table, found.get(table, 0)) for table in tables]
    stamps, soon = _stamps(child)
    return Collection(pictures, stamps, soon)


def _stamps(child: Child) -> tuple[list[str], list[str]]:
    known = (
        FactDay.objects.filter(Q(recalled__gt=0) | Q(derived__gt=0), child=child)
        .order_by()
        .values("low", "high")
        .annotate(days=Count("day", distinct=True), first=Min("day"), last=Max("day"))
        .order_by("low", "high")
    )
    stamps, soon = [], []
    for fact in known:
        name = unbroken(f"{fact['low']} × {fact['high']}")
        if fact["days"] >= DAYS_KNOWN and fact["last"] - fact["first"] >= KEPT_FOR:
            stamps.append(name)
        elif fact["days"] >= DAYS_KNOWN - 1:
            soon.append(name)
    return stamps, soon[:SOON]
