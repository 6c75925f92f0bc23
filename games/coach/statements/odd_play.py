"""Unusual play, by counts of the last weeks (docs/mastery.md).

A statement says what was seen and how often, not why. A child that finds little is not odd: each
statement needs something that a child does who tries, but does not know the tables, seldom does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from games.coach.facts import Fact
from games.coach.statements.intervals import interval
from games.coach.times_tables import TABLES_TO_12

OddKind = Literal[
    "tries without a row",
    "always asks for a hint",
    "answers far off",
    "away for weeks",
    "only one table",
]

Z: Final = 1.645
"""The chance lies outside of either end of an interval in one case of twenty."""
FEWEST_TRIES: Final = 20
ROWS_OF_TRIES: Final = 0.25
"""Tries without a row stand out if fewer than this make one."""
FEWEST_TURNS: Final = 10
HINT_SHARE: Final = 0.75
"""A child always asks for a hint if it does in more turns than this."""
FEWEST_ANSWERS: Final = 12
RIGHT_SHARE: Final = 0.25
"""Answers far off stand out if fewer of them than this are right,"""
NEAR_SHARE: Final = 0.5
"""and fewer than this of the wrong ones are near."""
AWAY_FROM: Final = 14
AWAY_SITTINGS: Final = 2
"""A child is away if it has not played for this many days, and the class has on this many of
them."""
FEWEST_CHANCES: Final = 20
SLIPS: Final = frozenset({1, 2, 10})
"""By how much a wrong answer misses that was only counted or written wrongly."""


@dataclass(frozen=True, slots=True)
class LatelyPlayed:
    """What a child did in the last weeks, in numbers."""

    turns: int = 0
    refused: int = 0  # tries that made no row
    laid: int = 0  # rows that were laid
    hint_turns: int = 0  # turns in which it asked for a hint, of `turns`
    answers: int = 0
    right: int = 0  # right answers of `answers`
    near: int = 0  # wrong ones that were near (`is_near`)
    tables: tuple[tuple[int, int], ...] = ()
    """The chances of each table met so far, not only in the last weeks; 0 where rows of it were
    only laid with a joker."""
    days_away: int | None = None  # days since it last played, None if it never did
    class_days: int = 0  # on how many of them others of its class played


@dataclass(frozen=True, slots=True)
class Oddity:
    """A statement with its evidence, `seen` of `of`: tries without a row of all tries; turns with a
    hint of all turns; wrong answers of all answers; days away, of as many; chances of the one
    `table` of all chances."""

    kind: OddKind
    seen: int
    of: int
    table: int | None = None


def oddities(lately: LatelyPlayed) -> list[Oddity]:
    """Everything odd about these weeks."""
    return list(_oddities(lately))


def _oddities(lately: LatelyPlayed) -> Iterator[Oddity]:
    tries = lately.refused + lately.laid
    if (
        tries >= FEWEST_TRIES
        and lately.refused > lately.turns
        and interval(lately.laid, tries, Z).upper < ROWS_OF_TRIES
    ):
        yield Oddity("tries without a row", lately.refused, tries)
    if (
        lately.turns >= FEWEST_TURNS
        and interval(lately.hint_turns, lately.turns, Z).lower > HINT_SHARE
    ):
        yield Oddity("always asks for a hint", lately.hint_turns, lately.turns)
    wrong = lately.answers - lately.right
    if (
        lately.answers >= FEWEST_ANSWERS
        and interval(lately.right, lately.answers, Z).upper < RIGHT_SHARE
        and interval(lately.near, wrong, Z).upper < NEAR_SHARE
    ):
        yield Oddity("answers far off", wrong, lately.answers)
    away = lately.days_away
    if away is not None and away >= AWAY_FROM and lately.class_days >= AWAY_SITTINGS:
        yield Oddity("away for weeks", away, away)
    if len(lately.tables) == 1 and lately.tables[0][1] >= FEWEST_CHANCES:
        table, count = lately.tables[0]
        yield Oddity("only one table", count, count, table)


def is_near(asked: Fact, answer: int) -> bool:
    """Whether a wrong answer is one that somebody gives who works at the question: another product
    of one of its tables, or a slip in counting or writing.

    >>> is_near((6, 8), 54), is_near((6, 8), 84), is_near((6, 8), 137)
    (True, True, False)
    """
    product = asked[0] * asked[1]
    in_table = any(answer % table == 0 and answer // table in _TIMES for table in asked)
    swapped = str(answer) == str(product)[::-1]
    return in_table or swapped or abs(answer - product) in SLIPS


_TIMES: Final = frozenset({1, *TABLES_TO_12})
