"""Which statements about the children of a class may be made, so that few of them are false.

A class page makes many statements at once. If each were tested by itself at 5 %, hardly a page of
24 children would be without a false one. So they are tested together (Benjamini and Hochberg 1995):
at most a given share of the statements made is false; and where none is true, some statement is
made on at most that share of the pages.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from games.coach.statements.tails import TABLE_SPREAD, tails_of_share

FALSE_CHANGES: Final = 0.02
"""For who finds more or fewer rows than before."""
FALSE_APART: Final = 0.005
"""For who finds fewer than the others."""
FALSE_OF_CLASS: Final = 0.005
"""For the tables at which the whole class finds fewer, and for the facts that it knows less."""
FALSE_STUCK: Final = 0.015
"""For who is stuck. With the four above this makes 5 % for a class."""
FALSE_NEEDS: Final = 0.05
"""For who needs which table next."""
STUCK_CHANCES: Final = 12
STUCK_BELOW: Final = 0.5
"""Stuck: a child finds less than this share of at least this many chances of a table."""


def accepted(p_values: Sequence[float], false_discovery_rate: float) -> list[bool]:
    """Which of the statements with these p-values may be made together."""
    largest = -1.0
    for rank, p_value in enumerate(sorted(p_values), start=1):
        if p_value <= false_discovery_rate * rank / len(p_values):
            largest = p_value
    return [p_value <= largest for p_value in p_values]


def below(shares: Sequence[tuple[int, int]], bar: float, false_share: float) -> list[bool]:
    """For which of these pairs (rows found, chances) it may be said that the child finds less than
    the share `bar`."""
    return accepted([doubt_of_below(*share, bar) for share in shares], false_share)


@lru_cache(maxsize=4096)
def doubt_of_below(found: int, chances: int, bar: float) -> float:
    """How likely luck alone makes it so few of one table for a child that finds the share `bar`;
    1 where it is not fewer than that."""
    if found >= bar * chances:
        return 1.0
    return tails_of_share(found, chances, bar, TABLE_SPREAD)[0]


def stuck(shares: Sequence[tuple[int, int]]) -> list[bool]:
    """Which of these pairs (rows found, chances), one for each child and times table, show a child
    that is stuck."""
    many = [share for share in shares if share[1] >= STUCK_CHANCES]
    certain = iter(below(many, STUCK_BELOW, FALSE_STUCK))
    return [share[1] >= STUCK_CHANCES and next(certain) for share in shares]
