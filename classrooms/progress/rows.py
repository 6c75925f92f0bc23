"""The rows that a child found in each times table, and the level of the table. All figures of rows
come from here (docs/mastery.md, *Chances*)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Self
from uuid import UUID

from django.db.models import F, Sum, TextField
from django.db.models.functions import Cast
from msgspec.json import decode

from classrooms.models import Child
from classrooms.progress.models import CHANCE_COUNTS, ChanceCounts, TableMastery
from games.coach.mastery import FEWEST_FOR_A_LEVEL, GOOD_LEVELS, Level
from games.coach.statements.table_levels import KnownTable, TableReason, misses_chances, reason_of
from games.coach.times_tables import TABLES_TO_12

OTHER_TABLES: Final = 0
"""The column of rows that are in no table, or in a table without a column of its own."""
LOW_BELOW: Final = 0.6
"""A smaller share of rows found counts as low."""
ROWS_FOUND: Final = F("at_once") + F("later")
"""`RowCounts.found` as a database expression on a row of counts."""
ROWS_LAID: Final = F("at_once") + F("later") + F("hinted") + F("tried") + F("joker")
"""`RowCounts.laid` as a database expression on a row of counts."""
SUM_OF_ROWS_LAID: Final = Sum(ROWS_LAID, default=0)
"""The sum of `RowCounts.laid` over several rows of counts, as a database expression."""
NOT_SEEN: Final[Level] = "not yet seen"


@dataclass(slots=True)
class RowCounts:
    """The numbers of chances by outcome: found at once, later, with a hint or after refused tries,
    or missed. Rows laid with a joker are counted too, but are not chances."""

    at_once: int = 0
    later: int = 0
    hinted: int = 0
    tried: int = 0
    missed: int = 0
    joker: int = 0

    @property
    def found(self) -> int:
        """Rows found without help."""
        return self.at_once + self.later

    @property
    def chances(self) -> int:
        return self.found + self.hinted + self.tried + self.missed

    @property
    def laid(self) -> int:
        """Rows laid, with or without help or a joker."""
        return self.found + self.hinted + self.tried + self.joker

    @property
    def is_shown(self) -> bool:
        """Whether there are enough chances to show figures."""
        return self.chances >= FEWEST_FOR_A_LEVEL

    @property
    def share(self) -> float:
        chances = self.chances
        return self.found / chances if chances else 0.0

    @classmethod
    def sum(cls, several: "Iterable[RowCounts | ChanceCounts]") -> Self:
        total = cls()
        for rows in several:
            total.add(rows)
        return total

    def add(self, addition: "RowCounts | ChanceCounts | Mapping[str, Any]") -> None:
        for name in CHANCE_COUNTS:
            value = addition[name] if isinstance(addition, Mapping) else getattr(addition, name)
            setattr(self, name, getattr(self, name) + value)


@dataclass(frozen=True, slots=True)
class TableCell:
    """A child's chances of one times table, as a cell of the map shows them. `since` is the day
    since which they have found most rows, straight away or not, or have not found most; None if
    `level` is not the level reached last."""

    child: UUID | None
    table: int
    rows: RowCounts  # of the chosen period
    level: Level = NOT_SEEN  # computed from all days
    evidence: int = 0  # the number of chances that `level` is based on
    last_at: datetime | None = None  # when the last chance ended
    recent_share: float = 0.0  # the share found recently (0–1)
    since: date | None = None
    known: KnownTable | None = None  # what `level` was computed from, on the day `today`
    today: int = 0

    @property
    def reason(self) -> TableReason | None:
        return reason_of(self.known, self.today) if self.known else None

    def has_become_secure_since(self, first: date | None) -> bool:
        """Whether the child finds most rows, and has done so only since `first` or later."""
        return bool(first and self.is_mastered and self.since and self.since >= first)

    @property
    def misses_chances(self) -> bool:
        """Whether missed rows, and not too few rows, prevent a better level."""
        return self.known is not None and misses_chances(self.known, self.today)

    @property
    def is_shown(self) -> bool:
        """Whether the level may be shown: it rests on three chances or more."""
        return self.evidence >= FEWEST_FOR_A_LEVEL

    @property
    def is_mastered(self) -> bool:
        return self.is_shown and self.level in GOOD_LEVELS

    @property
    def is_low(self) -> bool:
        """Whether the share found is so low that the map marks it."""
        return self.table != OTHER_TABLES and self.rows.is_shown and self.rows.share < LOW_BELOW

    @property
    def needs_refreshing(self) -> bool:
        return self.is_shown and self.level == "needs refreshing"

    @property
    def is_unsure(self) -> bool:
        """Whether there is a figure, but it is not clear if most rows are found."""
        is_certain = self.is_mastered or self.misses_chances or self.needs_refreshing
        return self.rows.is_shown and not is_certain

    @property
    def sign(self) -> str:
        """The sign of the level, beside the figure; empty while the level is not clear."""
        if self.needs_refreshing:
            return "↓"
        if self.rows.is_shown and (self.misses_chances or self.is_mastered):
            return "!" if self.misses_chances else "✓"
        return ""

    @property
    def css_class(self) -> str:
        """The CSS class of the level on the page of a child; empty without a figure or a clear
        level."""
        if self.needs_refreshing:
            return "refreshing"
        if self.rows.is_shown and self.misses_chances:
            return "misses-some"
        return f"level-{self.level}" if self.rows.is_shown and self.is_mastered else ""


def column_of(table: int) -> int:
    """The column of the map that has the rows of this table."""
    return table if table in TABLES_TO_12 else OTHER_TABLES


def table_cells(children: Iterable[Child], today: date) -> Mapping[UUID, Mapping[int, TableCell]]:
    """The cells of these children, by child and column. The column `OTHER_TABLES` adds up the
    tables that have no column of their own. One query."""
    cells: dict[UUID, dict[int, TableCell]] = defaultdict(dict)
    levels = TableMastery.objects.filter(child__in=[child.pk for child in children])
    for child_id, table, *figures, known_json, last_at, since in levels.values_list(
        "child", "table", *CHANCE_COUNTS, Cast("known", TextField()), "last_at", "reached_on"
    ).order_by("last_at"):
        known_table = decode(known_json, type=KnownTable)
        column, rows = column_of(table), RowCounts(*figures)
        if before := cells[child_id].get(column):
            rows.add(before.rows)
        level = known_table.level(today.toordinal()) if column else NOT_SEEN
        has_lapsed = level == "learning" and known_table.reached != level
        is_dated = level != NOT_SEEN and not has_lapsed
        cells[child_id][column] = TableCell(
            child_id,
            column,
            rows,
            level,
            evidence=rows.chances,
            last_at=last_at,
            recent_share=known_table.share,
            since=since if is_dated else None,
            known=known_table if column else None,
            today=today.toordinal(),
        )
    return cells
