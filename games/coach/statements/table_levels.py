"""How well a child sees the rows of a times table, by their chances in play (docs/mastery.md).

The level is computed day by day, from the days with chances of one table. Chances with a joker do
not count. The level depends on this table alone, so that practising others never lowers it.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from games.coach.mastery import DAILY_DISCOUNT, FEWEST_FOR_A_LEVEL, GOOD_LEVELS, Level, ReachedLevel
from games.coach.statements.certainty import Interval, interval

Z: Final = 1.645
"""The chance lies below the lower end of an interval in one case of twenty."""
SECURE_FROM: Final = 0.65
"""A table is secure if the lower end of the interval of its share of chances found is at least
this, and also fluent if that of chances found at once is."""
SECURE_DAYS: Final = 2  # the fewest days with chances for a secure table
FLUENT_DAYS: Final = 3  # the fewest days with chances for a fluent table
STAYS_SECURE_FROM: Final = 0.85
"""A secure table stays secure while at least this share of its recent chances is found."""
REFRESH_BELOW: Final = 0.6
"""A table that was secure needs refreshing if less than this share of its recent chances is
found."""
RECENT_DAYS: Final = 28
"""The days of the figure that pages show beside a level. No level contradicts this figure: if it is
below `REFRESH_BELOW`, the table is not secure, and otherwise it needs no refreshing. Without a
figure, the table counts as being learned, because nobody knows whether the child still finds its
rows."""
LONG_BREAK: Final = 91
"""After more days than this without a chance, earlier days count for little, and a table that was
secure has to become secure again."""
MOST_ROWS_TO_SAY: Final = 20
"""The most rows that pages say are missing until a table is secure. A higher number would be no aim
for a child."""
FEW_CHANCES: Final = 12
"""The fewest chances with which a table can become secure."""
WEIGHT_AFTER_BREAK: Final = 0.25
"""The factor by which the first day after a long break reduces the weight of earlier days."""


@dataclass(frozen=True, slots=True)
class TableChances:
    """The chances of one table on one day, without those with a joker."""

    day: int  # its number
    at_once: int = 0
    later: int = 0  # found without help, but not at once
    others: int = 0  # found with a hint or after tries, or missed

    @property
    def found(self) -> int:
        """How many chances were found without help."""
        return self.at_once + self.later

    @property
    def chances(self) -> int:
        return self.found + self.others


class DayFound(NamedTuple):
    day: int
    found: int
    chances: int


@dataclass(frozen=True, slots=True)
class KnownTable:
    """What is known about a child's table after the days so far. In `weight`, `found` and `at_once`
    earlier days count less. The database keeps these names (`TableMastery.known`)."""

    chances: int = 0
    days: int = 0  # the number of days with chances
    last: int | None = None  # the last of these days
    weight: float = 0.0  # the chances
    found: float = 0.0  # the chances found without help
    at_once: float = 0.0  # the chances found at once
    was_secure: bool = False  # whether it was secure after any of the days
    secure_since_break: bool = False  # whether it was secure after any day since the last break
    lately: tuple[DayFound, ...] = ()  # the days with chances among the last `RECENT_DAYS` ones

    @property
    def share(self) -> float:
        """The share (0–1) of chances found without help. Recent days count more."""
        return self.found / self.weight if self.weight else 0.0

    @property
    def interval(self) -> Interval:
        """The interval of the child's probability of finding a chance without help."""
        return interval(self.found, self.weight, Z)

    @property
    def reached(self) -> ReachedLevel:
        """The level after the last day with chances."""
        stays = self.secure_since_break and self.share >= STAYS_SECURE_FROM
        if not (stays or self._is_secure):
            return "learning"
        return "fluent" if self._is_fluent else "secure"

    @property
    def _is_secure(self) -> bool:
        has_enough = self.chances >= FEW_CHANCES and self.days >= SECURE_DAYS
        return has_enough and self.interval.lower >= SECURE_FROM

    @property
    def _is_fluent(self) -> bool:
        if self.days < FLUENT_DAYS:
            return False
        return interval(self.at_once, self.weight, Z).lower >= SECURE_FROM

    def level(self, today: int) -> Level:
        """How well the child knows the table today."""
        if self.last is None:
            return "not yet seen"
        recent_share = self.recent_share(today)
        if recent_share is None:
            return "learning"
        if self.was_secure and self.share < REFRESH_BELOW:
            return "needs refreshing" if recent_share < REFRESH_BELOW else "learning"
        return "learning" if recent_share < REFRESH_BELOW else self.reached

    def recent_share(self, today: int) -> float | None:
        """The share (0–1) of the chances of the last `RECENT_DAYS` days that were found without
        help; None if there are too few."""
        found, chances = self.recent_rows(today)
        return found / chances if chances >= FEWEST_FOR_A_LEVEL else None

    def recent_rows(self, today: int) -> tuple[int, int]:
        """The chances of the last `RECENT_DAYS` days: those found without help, and all."""
        days = [day for day in self.lately if day.day > today - RECENT_DAYS]
        return sum(day.found for day in days), sum(day.chances for day in days)


TableReasonKind = Literal[
    "fluent", "secure", "stays", "few", "unsure", "misses", "fewer", "not again", "rare"
]


@dataclass(frozen=True, slots=True)
class TableReason:
    """With `more` rows, all found at once on another day, the table would be secure; 0 if it is, or
    needs more than `MOST_ROWS_TO_SAY`."""

    kind: TableReasonKind
    more: int = 0
    rows: int = 0  # for `few` all chances so far, for `fewer` those of the last `RECENT_DAYS` days
    found: int = 0  # for `fewer`: how many of them were found without help
    days: int = 0  # for `few`: the days with chances


def reason_of(known_table: KnownTable, today: int) -> TableReason:
    """The reason for the level of a table that has had chances."""
    reason = _reason_of(known_table, today)
    if known_table.level(today) in GOOD_LEVELS:
        return reason
    for count in range(1, MOST_ROWS_TO_SAY + 1):
        after = known_table_after(known_table, TableChances(today + 1, at_once=count))
        if after.level(today + 1) in GOOD_LEVELS:
            return replace(reason, more=count)
    return reason


def _reason_of(known_table: KnownTable, today: int) -> TableReason:
    """The reason without `more`."""
    level = known_table.level(today)
    if known_table.recent_share(today) is None:
        return TableReason("rare")
    if level == "fluent":
        return TableReason("fluent")
    if level == "secure":
        return TableReason("secure" if known_table._is_secure else "stays")
    if level == "needs refreshing" or known_table.reached != "learning":
        found, rows = known_table.recent_rows(today)
        return TableReason("fewer", rows=rows, found=found)
    if known_table.secure_since_break:
        return TableReason("not again")
    if known_table.chances >= FEW_CHANCES and known_table.share < SECURE_FROM:
        return TableReason("misses")
    if known_table.chances < FEW_CHANCES or known_table.days < SECURE_DAYS:
        return TableReason("few", rows=known_table.chances, days=known_table.days)
    return TableReason("unsure")


def misses_chances(known_table: KnownTable, today: int) -> bool:
    """Whether a table is being learned because chances were missed, not because there are too
    few."""
    if known_table.level(today) != "learning":
        return False
    kind = _reason_of(known_table, today).kind
    if kind == "not again":
        return known_table.chances >= FEW_CHANCES and known_table.share < SECURE_FROM
    return kind in ("misses", "fewer")


def known_table_after(known_table: KnownTable, day: TableChances) -> KnownTable:
    """What is known after one more day. Days come in order, each once."""
    if not day.chances:
        return known_table
    had_break = known_table.last is not None and day.day - known_table.last > LONG_BREAK
    discount = WEIGHT_AFTER_BREAK if had_break else DAILY_DISCOUNT
    after = KnownTable(
        chances=known_table.chances + day.chances,
        days=known_table.days + 1,
        last=day.day,
        weight=known_table.weight * discount + day.chances,
        found=known_table.found * discount + day.found,
        at_once=known_table.at_once * discount + day.at_once,
        lately=(
            *(past for past in known_table.lately if past.day > day.day - RECENT_DAYS),
            DayFound(day.day, day.found, day.chances),
        ),
    )
    is_secure = after._is_secure
    return replace(
        after,
        was_secure=known_table.was_secure or is_secure,
        secure_since_break=(known_table.secure_since_break and not had_break) or is_secure,
    )
