"""Unusual play, by counts of the last weeks (docs/mastery.md).

A statement says what was seen and how often, but not why. It is about something that is rare among
children who try but do not know the tables; to find few rows is not unusual.
"""

from dataclasses import dataclass
from typing import Final, Literal

from games.coach.statements.certainty import interval
from games.coach.times_tables import TABLES_TO_12, Fact

OddKind = Literal[
    "tries without a row",
    "always asks for a hint",
    "answers far off",
    "away for weeks",
    "only one table",
]

Z: Final = 1.645
"""The chance lies beyond each end of an interval in one case of twenty."""
FEWEST_TRIES: Final = 20
ROW_SHARE: Final = 0.25
"""Refused tries stand out if less than this share of all tries makes a row."""
FEWEST_TURNS: Final = 10
HINT_SHARE: Final = 0.75
"""A child "always asks for a hint" if they do so in more than this share of turns."""
FEWEST_ANSWERS: Final = 12
RIGHT_SHARE: Final = 0.25
"""Answers far off stand out if less than this share of the answers is right, and less than
`NEAR_SHARE` of the wrong ones is near."""
NEAR_SHARE: Final = 0.5
AWAY_DAYS: Final = 14
AWAY_SITTINGS: Final = 2
"""A child is away if they have not played for `AWAY_DAYS` days, on at least `AWAY_SITTINGS` of
which the class has played."""
FEWEST_CHANCES: Final = 20
SLIPS: Final = frozenset({1, 2, 10})
"""The distances from the right answer that come from a slip in counting or writing."""


@dataclass(frozen=True, slots=True)
class RecentPlay:
    """What a child did in the last weeks, and how often. `tables` has each table with its chances
    so far, also of earlier weeks; 0 if its rows were laid only with a joker."""

    turns: int = 0
    refused: int = 0  # the tries that made no row
    laid: int = 0  # the rows that were laid
    hint_turns: int = 0  # the turns in which they asked for a hint
    answers: int = 0
    right: int = 0  # the right answers
    near: int = 0  # the wrong answers that were near (`is_near`)
    tables: tuple[tuple[int, int], ...] = ()
    days_away: int | None = None  # the days since they last played; None if they never did
    class_days: int = 0  # on how many of these days others of their class played


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something unusual, seen in `count` of `total` tries, turns or answers. For days away and
    chances of the only `table` the two are equal."""

    kind: OddKind
    count: int
    total: int
    table: int | None = None


def oddities(play: RecentPlay) -> list[Oddity]:
    found = []
    tries = play.refused + play.laid
    if (
        tries >= FEWEST_TRIES
        and play.refused > play.turns
        and interval(play.laid, tries, Z).upper < ROW_SHARE
    ):
        found.append(Oddity("tries without a row", play.refused, tries))
    if play.turns >= FEWEST_TURNS and interval(play.hint_turns, play.turns, Z).lower > HINT_SHARE:
        found.append(Oddity("always asks for a hint", play.hint_turns, play.turns))
    wrong = play.answers - play.right
    if (
        play.answers >= FEWEST_ANSWERS
        and interval(play.right, play.answers, Z).upper < RIGHT_SHARE
        and interval(play.near, wrong, Z).upper < NEAR_SHARE
    ):
        found.append(Oddity("answers far off", wrong, play.answers))
    days_away = play.days_away
    if days_away is not None and days_away >= AWAY_DAYS and play.class_days >= AWAY_SITTINGS:
        found.append(Oddity("away for weeks", days_away, days_away))
    if len(play.tables) == 1 and play.tables[0][1] >= FEWEST_CHANCES:
        table, count = play.tables[0]
        found.append(Oddity("only one table", count, count, table))
    return found


def is_near(fact: Fact, answer: int) -> bool:
    """Whether a wrong answer shows that the child tried to find the right one: it is another
    product of one of the two tables, or a slip in counting or writing.

    >>> is_near((6, 8), 54), is_near((6, 8), 84), is_near((6, 8), 137)
    (True, True, False)
    """
    product = fact[0] * fact[1]
    is_in_table = any(answer % table == 0 and answer // table in _FACTORS for table in fact)
    is_reversed = str(answer) == str(product)[::-1]
    return is_in_table or is_reversed or abs(answer - product) in SLIPS


_FACTORS: Final = frozenset({1, *TABLES_TO_12})
