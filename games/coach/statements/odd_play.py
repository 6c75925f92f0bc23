"""Unusual play, by counts of the last weeks (docs/mastery.md).

A statement says what was seen and how often, but not why. It is not odd if a child finds few rows.
Each statement is about something that is rare among children who try but do not know the tables.
"""

from collections.abc import Iterator
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
"""Refused tries stand out if a smaller share of all tries makes a row."""
FEWEST_TURNS: Final = 10
HINT_SHARE: Final = 0.75
"""A child "always asks for a hint" if they do so in more than this share of turns."""
FEWEST_ANSWERS: Final = 12
RIGHT_SHARE: Final = 0.25
"""Answers far off stand out if less than this share of answers is right, and less than `NEAR_SHARE`
of the wrong ones is near."""
NEAR_SHARE: Final = 0.5
AWAY_DAYS: Final = 14
AWAY_SITTINGS: Final = 2
"""A child is away if they have not played for `AWAY_DAYS` days, and the class has played on at
least `AWAY_SITTINGS` of these."""
FEWEST_CHANCES: Final = 20
SLIPS: Final = frozenset({1, 2, 10})
"""How far an answer is from the right one if the child only made a slip in counting or writing."""


@dataclass(frozen=True, slots=True)
class RecentPlay:
    """What a child did in the last weeks, and how often."""

    turns: int = 0
    refused: int = 0  # tries that made no row
    laid: int = 0  # rows that were laid
    hint_turns: int = 0  # the turns of `turns` in which they asked for a hint
    answers: int = 0
    right: int = 0  # right answers of `answers`
    near: int = 0  # wrong answers that were near (`is_near`)
    tables: tuple[tuple[int, int], ...] = ()
    """Pairs of a table and its chances so far, not only in the last weeks; 0 if its rows were only
    laid with a joker."""
    days_away: int | None = None  # days since they last played, None if they never did
    class_days: int = 0  # on how many of these days others of their class played


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something unusual, seen in `count` of `of` tries, turns or answers. Days away and chances of
    the only `table` are not part of a whole, so `of` equals `count` for them."""

    kind: OddKind
    count: int
    of: int
    table: int | None = None


def oddities(lately: RecentPlay) -> list[Oddity]:
    """All odd things about these weeks."""
    return list(_oddities(lately))


def _oddities(lately: RecentPlay) -> Iterator[Oddity]:
    tries = lately.refused + lately.laid
    if (
        tries >= FEWEST_TRIES
        and lately.refused > lately.turns
        and interval(lately.laid, tries, Z).upper < ROW_SHARE
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
    days_away = lately.days_away
    if days_away is not None and days_away >= AWAY_DAYS and lately.class_days >= AWAY_SITTINGS:
        yield Oddity("away for weeks", days_away, days_away)
    if len(lately.tables) == 1 and lately.tables[0][1] >= FEWEST_CHANCES:
        table, count = lately.tables[0]
        yield Oddity("only one table", count, count, table)


def is_near(fact: Fact, answer: int) -> bool:
    """Whether a wrong answer shows that the child worked at the question: it is another product of
    one of its tables, or a slip in counting or writing.

    >>> is_near((6, 8), 54), is_near((6, 8), 84), is_near((6, 8), 137)
    (True, True, False)
    """
    product = fact[0] * fact[1]
    in_table = any(answer % table == 0 and answer // table in _TIMES for table in fact)
    swapped = str(answer) == str(product)[::-1]
    return in_table or swapped or abs(answer - product) in SLIPS


_TIMES: Final = frozenset({1, *TABLES_TO_12})
