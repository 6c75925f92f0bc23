"""Which statements about the children of a class may be made, so that few of them are false.

A class page makes many statements at once. If each were tested by itself at 5 %, almost every page
of 24 children would have a false one. So they are tested together (Benjamini and Hochberg 1995): at
most a given share of the statements made is false; and if none is true, at most this share of the
pages makes any statement.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from games.coach.statements.tails import TABLE_SPREAD, tails_of_share

FALSE_CHANGES: Final = 0.02
"""The share that may be false of the statements that a child finds more or fewer rows than
before."""
FALSE_APART: Final = 0.005
"""The share that may be false of the statements that a child finds fewer rows than the others."""
FALSE_OF_CLASS: Final = 0.005
"""The share that may be false of the statements that the whole class finds fewer rows of a table,
and of those that it knows a fact less well."""
FALSE_STUCK: Final = 0.015
"""The share that may be false of the statements that a child is stuck. With those above, of which
`FALSE_OF_CLASS` counts twice, this makes 5 % for a class."""
FALSE_NEEDS: Final = 0.05
"""The share that may be false of the statements that a child needs a table next."""
STUCK_CHANCES: Final = 12
STUCK_BELOW: Final = 0.5
"""A child is stuck if they find less than the share `STUCK_BELOW` of at least `STUCK_CHANCES`
chances of a table."""


def may_be_made(p_values: Sequence[float], false_discovery_rate: float) -> list[bool]:
    """Which of the statements with these p-values may be made together."""
    largest = -1.0
    for rank, p_value in enumerate(sorted(p_values), start=1):
        if p_value <= false_discovery_rate * rank / len(p_values):
            largest = p_value
    return [p_value <= largest for p_value in p_values]


def are_below(shares: Sequence[tuple[int, int]], bar: float, false_share: float) -> list[bool]:
    """For each of these pairs (rows found, chances), whether we may say that the child finds less
    than the share `bar`."""
    return may_be_made([doubt_of_below(*share, bar) for share in shares], false_share)


@lru_cache(maxsize=4096)
def doubt_of_below(found: int, chances: int, bar: float) -> float:
    """How likely it is that a child who finds the share `bar` finds so few rows of one table by bad
    luck; 1 if it is not less than this share."""
    if found >= bar * chances:
        return 1.0
    return tails_of_share(found, chances, bar, TABLE_SPREAD)[0]


def which_are_stuck(shares: Sequence[tuple[int, int]]) -> list[bool]:
    """Which of these pairs (rows found, chances), one for each child and times table, show that the
    child is stuck."""
    many = [share for share in shares if share[1] >= STUCK_CHANCES]
    certain = iter(are_below(many, STUCK_BELOW, FALSE_STUCK))
    return [share[1] >= STUCK_CHANCES and next(certain) for share in shares]
