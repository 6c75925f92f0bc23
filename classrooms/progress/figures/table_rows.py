"""A child's rows of a times table: how many were possible and found, and the level."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, cast
from uuid import UUID

from classrooms.models import Child
from classrooms.progress.models import Counted, TableMastery
from games.coach.mastery import FEWEST, Knowledge, Level, Reached, level
from games.coach.times_tables import TABLES_TO_12
from games.engine.json_values import read_as

OTHER: Final = 0
"""The column of rows that are in no table, or in one without a column of its own."""
STEPS: Final = (0.4, 0.6, 0.85)
"""The shares found at which a cell of the map gets its next shade from sand to green."""
FIGURES: Final = ("found", "hinted", "missed")
NOT_YET: Final[Level] = "not yet seen"


@dataclass(slots=True)
class Rows:
    """Possible rows: found without a hint, found after one, or missed."""

    found: int = 0
    hinted: int = 0
    missed: int = 0

    @property
    def there(self) -> int:
        return self.found + self.hinted + self.missed

    @property
    def is_shown(self) -> bool:
        """Whether there are enough rows to show figures."""
        return self.there >= FEWEST

    @property
    def share(self) -> float:
        return self.found / self.there if self.there else 0.0

    @property
    def step(self) -> int:
        """The shade from sand to green, 0 to `len(STEPS)`."""
        return sum(self.share >= step for step in STEPS)

    def add(self, other: "Rows | Counted | Mapping[str, Any]") -> None:
        for name in FIGURES:
            more = other[name] if isinstance(other, Mapping) else getattr(other, name)
            setattr(self, name, getattr(self, name) + more)


@dataclass(frozen=True, slots=True)
class TableCell:
    """A child's rows of one table, as the map shows them. `rows`: of the period asked for; `level`:
    from all days; `evidence`: the number of rows it is based on; `last_at`: when the last row was
    there; `late_share`: the share found lately (0–1); `since`: when `level` was reached, or the
    level before it needed refreshing."""

    child: UUID | None
    table: int
    rows: Rows
    level: Level = NOT_YET
    evidence: int = 0
    last_at: datetime | None = None
    late_share: float = 0.0
    since: date | None = None

    @property
    def is_shown(self) -> bool:
        """Whether its level may be shown: from three rows on."""
        return self.evidence >= FEWEST

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
    for child_id, table, *figures, known_data, reached, last_at, since in stored.values_list(
        "child", "table", *FIGURES, "known", "reached", "last_at", "reached_on"
    ).order_by("last_at"):
        column, known, rows = column_of(table), read_as(Knowledge, known_data), Rows(*figures)
        if before := cells[child_id].get(column):
            rows.add(before.rows)
        shown_level = level(cast(Reached, reached), known, today.toordinal()) if column else NOT_YET
        cells[child_id][column] = TableCell(
            child_id, column, rows, shown_level, rows.there, last_at, known.share, since
        )
    return cells
