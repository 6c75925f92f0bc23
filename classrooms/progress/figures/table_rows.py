"""A child's chances of a times table, and the level: the one place that figures of rows come from
(docs/mastery.md, *Chances*)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Sum, TextField
from django.db.models.functions import Cast
from msgspec.json import decode

from classrooms.models import Child
from classrooms.progress.models import Counted, TableMastery
from games.coach.mastery import FEWEST, Level
from games.coach.statements.table_levels import KnownTable, TableReason, reason_of
from games.coach.times_tables import TABLES_TO_12

OTHER: Final = 0
"""The column of rows that are in no table, or in one without a column of its own."""
STEPS: Final = (0.4, 0.6, 0.85)
"""The shares found at which a cell of the map gets its next shade from sand to green."""
LOW_BELOW: Final = 2
"""The shades below this one look low."""
FIGURES: Final = ("at_once", "later", "hinted", "tried", "missed", "joker")
ROWS_FOUND: Final = F("at_once") + F("later")
"""`Rows.found` of one count, by the database."""
LAID_OF_ONE: Final = F("at_once") + F("later") + F("hinted") + F("tried") + F("joker")
"""`Rows.laid` of one count, by the database."""
ROWS_LAID: Final = Sum(LAID_OF_ONE, default=0)
"""`Rows.laid`, summed over counts by the database."""
NOT_YET: Final[Level] = "not yet seen"


@dataclass(slots=True)
class Rows:
    """Chances by outcome: a row was found at once, later, with a hint or after refused tries; it
    was missed; or it was laid with a joker, which takes no part in the figures."""

    at_once: int = 0
    later: int = 0
    hinted: int = 0
    tried: int = 0
    missed: int = 0
    joker: int = 0

    @property
    def found(self) -> int:
        """Found without help."""
        return self.at_once + self.later

    @property
    def chances(self) -> int:
        return self.found + self.hinted + self.tried + self.missed

    @property
    def laid(self) -> int:
        """Rows laid, with help or without, with a joker or without."""
        return self.found + self.hinted + self.tried + self.joker

    @property
    def is_shown(self) -> bool:
        """Whether there are enough chances to show figures."""
        return self.chances >= FEWEST

    @property
    def share(self) -> float:
        chances = self.chances
        return self.found / chances if chances else 0.0

    @property
    def step(self) -> int:
        """The shade from sand to green, 0 to `len(STEPS)`."""
        share = self.share
        return sum(share >= step for step in STEPS)

    def add(self, other: "Rows | Counted | Mapping[str, Any]") -> None:
        for name in FIGURES:
            more = other[name] if isinstance(other, Mapping) else getattr(other, name)
            setattr(self, name, getattr(self, name) + more)


@dataclass(frozen=True, slots=True)
class TableCell:
    """A child's chances of one table, as the map shows them. `rows`: of the period asked for;
    `level`: from all days; `evidence`: the number of chances it is based on; `last_at`: when the
    last one ended; `late_share`: the share found lately (0–1); `since`: since when it is at
    `level` or better, or no longer secure; None where nobody knows; `reason`: of the level."""

    child: UUID | None
    table: int
    rows: Rows
    level: Level = NOT_YET
    evidence: int = 0
    last_at: datetime | None = None
    late_share: float = 0.0
    since: date | None = None
    reason: TableReason | None = None

    @property
    def is_shown(self) -> bool:
        """Whether its level may be shown: from three chances on."""
        return self.evidence >= FEWEST

    @property
    def is_low(self) -> bool:
        """Whether its figures look like a need: of a table, in the lower two shades."""
        return self.table != OTHER and self.rows.is_shown and self.rows.step < LOW_BELOW

    @property
    def needs_refreshing(self) -> bool:
        return self.is_shown and self.level == "needs refreshing"


def column_of(table: int) -> int:
    """The column of the map for rows of a table."""
    return table if table in TABLES_TO_12 else OTHER


def table_cells(children: Iterable[Child], today: date) -> Mapping[UUID, Mapping[int, TableCell]]:
    """All cells of these children; tables without a column of their own are added up."""
    cells: dict[UUID, dict[int, TableCell]] = defaultdict(dict)
    stored = TableMastery.objects.filter(child__in=[child.pk for child in children])
    for child_id, table, *figures, known_json, last_at, since in stored.values_list(
        "child", "table", *FIGURES, Cast("known", TextField()), "last_at", "reached_on"
    ).order_by("last_at"):
        known = decode(known_json, type=KnownTable)
        column, rows = column_of(table), Rows(*figures)
        if before := cells[child_id].get(column):
            rows.add(before.rows)
        level = known.level(today.toordinal()) if column else NOT_YET
        lapsed = level == "learning" and known.reached != level
        is_dated = level != NOT_YET and not lapsed
        cells[child_id][column] = TableCell(
            child_id,
            column,
            rows,
            level,
            rows.chances,
            last_at,
            known.share,
            since if is_dated else None,
            reason_of(known, today.toordinal()) if column else None,
        )
    return cells
