"""How well a child sees the rows of a times table, by their chances in play (docs/mastery.md).

This is a fold over the days with chances of one table. Chances with a joker do not count. The level
of a table depends on its own days alone, so that practising other tables never lowers it.
"""

from dataclasses import dataclass, replace
from math import floor
from typing import Final, Literal, NamedTuple

from games.coach.mastery import DAILY_DISCOUNT, FEWEST_FOR_A_LEVEL, GOOD_LEVELS, Level, ReachedLevel
from games.coach.statements.certainty import Interval, interval

Z: Final = 1.645
"""The chance lies below the lower end of an interval in one case of twenty."""
SECURE_FROM: Final = 0.65
"""A table is secure if the lower end of the interval of its share found is at least this."""
FLUENT_FROM: Final = 0.65
"""A secure table is also fluent if the lower end of its share of chances found at once is at least
this."""
SECURE_DAYS: Final = 2
FLUENT_DAYS: Final = 3
"""The fewest days with chances of the table, for a secure and for a fluent table."""
STAYS_SECURE_FROM: Final = 0.85
"""A table that was secure stays secure while at least this share of its recent chances is found."""
REFRESH_BELOW: Final = 0.6
"""A table that was secure needs refreshing if less than this share of its recent chances is
found."""
RECENT_DAYS: Final = 28
"""The figure that pages show beside a level covers these days. No level contradicts it: a table is
not secure if less than `REFRESH_BELOW` of it was found on these days, and needs no refreshing if
more was found. Without a figure, the table counts as being learned, because nobody knows whether
the child still finds its rows."""
LONG_BREAK: Final = 91
"""After more days than this without a chance, earlier days count for little: a table that was
secure first has to become secure again."""
MOST_ROWS_TO_SAY: Final = 20
"""The most rows that pages say are missing until a table is secure: a higher number would not be an
aim for a child."""
FEW_CHANCES: Final = 12
"""A table that was never secure gets no level with fewer chances than this, and does not become
secure."""
WEIGHT_AFTER_BREAK: Final = 0.25
"""Multiplies the weight of earlier days on the first day after a long break."""


@dataclass(frozen=True, slots=True)
class TableChances:
    """The chances of one table on one day, without those with a joker."""

    day: int  # its number
    at_once: int = 0
    later: int = 0  # found without help, but not at once
    others: int = 0  # found with a hint or after tries, or missed

    @property
    def found(self) -> int:
        """How many were found without help."""
        return self.at_once + self.later

    @property
    def chances(self) -> int:
        return self.found + self.others


class DayFound(NamedTuple):
    """How many chances of one day were found."""

    day: int
    found: int
    chances: int


@dataclass(frozen=True, slots=True)
class KnownTable:
    """What is known about a child's table after the days so far. `weight` counts chances, `found`
    those found without help, and `at_once` those found at once; in all three, earlier days count
    less."""

    chances: int = 0  # how many there were
    days: int = 0  # on how many days there were chances
    last: int | None = None  # the last of these days
    weight: float = 0.0
    found: float = 0.0
    at_once: float = 0.0
    was_secure: bool = False  # whether it was secure after any of the days
    secure_since_break: bool = False  # whether it was secure after any day since the last break
    lately: tuple[DayFound, ...] = ()  # the days with chances among the last `RECENT_DAYS` ones

    @property
    def share(self) -> float:
        """The share (0–1) of chances found without help; recent days count more."""
        return self.found / self.weight if self.weight else 0.0

    @property
    def interval(self) -> Interval:
        """The interval for the child's probability of finding a chance without help."""
        return interval(self.found, self.weight, Z)

    @property
    def reached(self) -> ReachedLevel:
        """How well the child knew the table after the last day with chances."""
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
        return interval(self.at_once, self.weight, Z).lower >= FLUENT_FROM

    def level(self, today: int) -> Level:
        """How well the child knows the table today."""
        if self.last is None:
            return "not yet seen"
        lately = self.late_share(today)
        if lately is None:
            return "learning"
        if self.was_secure and self.share < REFRESH_BELOW:
            return "needs refreshing" if lately < REFRESH_BELOW else "learning"
        return "learning" if lately < REFRESH_BELOW else self.reached

    def late_share(self, today: int) -> float | None:
        """The share (0–1) found of the chances of the last `RECENT_DAYS` days; None if there are
        too few of them."""
        days = [day for day in self.lately if day.day > today - RECENT_DAYS]
        chances = sum(day.chances for day in days)
        return sum(day.found for day in days) / chances if chances >= FEWEST_FOR_A_LEVEL else None


Why = Literal["fluent", "found", "stays", "fewer", "few lately", "not again", "rare", "unsure"]


@dataclass(frozen=True, slots=True)
class TableReason:
    """Why a table is at its level."""

    why: Why
    percent: int = 0
    """The figure that decided the level, rounded down: the share of recent chances found, or the
    lower end of the interval; 0 for `rare`."""
    bar: int = 0  # what the figure has to reach, in percent
    more: int = 0
    """How many rows, all found at once on another day, would make the table secure; 0 if it is, or
    if more than `MOST_ROWS_TO_SAY` would."""


def reason_of(known_table: KnownTable, today: int) -> TableReason:
    """The reason for the level of a table that has had chances."""
    return replace(_reason_of(known_table, today), more=rows_to_secure(known_table, today))


def rows_to_secure(known_table: KnownTable, today: int) -> int:
    """How many rows would make the table secure, as in `TableReason.more`."""
    if known_table.level(today) in GOOD_LEVELS:
        return 0
    for count in range(1, MOST_ROWS_TO_SAY + 1):
        after = after_table_day(known_table, TableChances(today + 1, at_once=count))
        if after.level(today + 1) in GOOD_LEVELS:
            return count
    return 0


def _reason_of(known_table: KnownTable, today: int) -> TableReason:
    level, share = known_table.level(today), floor(100 * known_table.share)
    secure_bar = TableReason(
        "found", _lower(known_table.found, known_table.weight), round(100 * SECURE_FROM)
    )
    lately = known_table.late_share(today)
    if lately is None:
        return TableReason("rare")
    if level == "fluent":
        return TableReason(
            "fluent", _lower(known_table.at_once, known_table.weight), round(100 * FLUENT_FROM)
        )
    if level == "needs refreshing":
        return TableReason("fewer", share, round(100 * REFRESH_BELOW))
    if level == "secure":
        stays = TableReason("stays", share, round(100 * STAYS_SECURE_FROM))
        return secure_bar if known_table._is_secure else stays
    if known_table.reached != "learning":
        return TableReason("few lately", floor(100 * lately), round(100 * REFRESH_BELOW))
    if known_table.secure_since_break:
        return TableReason("not again", share, round(100 * STAYS_SECURE_FROM))
    return replace(secure_bar, why="unsure")


def misses_some(known_table: KnownTable, today: int) -> bool:
    """Whether a table is being learned because chances were missed, not because they are too
    few."""
    if known_table.level(today) != "learning":
        return False
    reason = _reason_of(known_table, today).why
    if reason in ("unsure", "not again"):
        return known_table.chances >= FEW_CHANCES and known_table.share < SECURE_FROM
    return reason == "few lately"


def _lower(finds: float, weight: float) -> int:
    return floor(100 * interval(finds, weight, Z).lower)


def after_table_day(known_table: KnownTable, day: TableChances) -> KnownTable:
    """What is known after one more day. Days come in order, each once."""
    if not day.chances:
        return known_table
    lapsed = known_table.last is not None and day.day - known_table.last > LONG_BREAK
    keeps = WEIGHT_AFTER_BREAK if lapsed else DAILY_DISCOUNT
    after = KnownTable(
        chances=known_table.chances + day.chances,
        days=known_table.days + 1,
        last=day.day,
        weight=known_table.weight * keeps + day.chances,
        found=known_table.found * keeps + day.found,
        at_once=known_table.at_once * keeps + day.at_once,
        lately=(
            *(past for past in known_table.lately if past.day > day.day - RECENT_DAYS),
            DayFound(day.day, day.found, day.chances),
        ),
    )
    is_secure = after._is_secure
    return replace(
        after,
        was_secure=known_table.was_secure or is_secure,
        secure_since_break=(known_table.secure_since_break and not lapsed) or is_secure,
    )
