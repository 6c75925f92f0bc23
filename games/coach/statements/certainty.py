"""Which statements about the children of a class may be made, so that few of them are false.

A class page makes many statements at once. If each were tested by itself at 5 %, hardly a page of
24 children would be without a false one. So they are tested together (Benjamini and Hochberg 1995):
of those that are made at most a given share is false; and where none is true, some statement is
made on at most that share of the pages.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from games.coach.statements.others import Comparison
from games.coach.statements.tails import TABLE_SPREAD, tails_of_share

FALSE_FINDS: Final = 0.02
"""For "more" and "fewer" of the rows found, on the class page."""
FALSE_OFFERS: Final = 0.0025
"""For "more" and "fewer" of the chances, on the class page."""
FALSE_ON_PAGES: Final = 0.0075
"""For both on the pages of all children of a class together."""
FALSE_STUCK: Final = 0.02
"""For who is stuck. With the three above this makes 5 % for a class."""
FALSE_NEEDS: Final = 0.05
"""For who needs which table next."""
STUCK_CHANCES: Final = 12
STUCK_BELOW: Final = 0.5
"""Stuck: of at least so many chances of a table less than this share is found."""

Verdict = Literal["more", "as many", "fewer"]
"""As many: neither more nor fewer for certain."""


def held(doubts: Sequence[float], false_share: float) -> list[bool]:
    """Which of the statements with these doubts may be made together."""
    allowed = -1.0
    for place, doubt in enumerate(sorted(doubts), start=1):
        if doubt <= false_share * place / len(doubts):
            allowed = doubt
    return [doubt <= allowed for doubt in doubts]


def verdicts(comparisons: Sequence[Comparison], false_share: float) -> list[Verdict]:
    """What may be said of each child of a class."""
    certain = held([one.doubt for one in comparisons], false_share)
    return [
        _side(one) if is_certain else "as many"
        for one, is_certain in zip(comparisons, certain, strict=True)
    ]


def verdict_of_one(comparison: Comparison, children: int) -> Verdict:
    """What may be said on the page of a child, one of so many, about its finds or its chances."""
    allowed = FALSE_ON_PAGES / (2 * children)
    return _side(comparison) if comparison.doubt <= allowed else "as many"


def _side(comparison: Comparison) -> Verdict:
    return "more" if comparison.many < comparison.few else "fewer"


def below(shares: Sequence[tuple[int, int]], bar: float, false_share: float) -> list[bool]:
    """Of which of these pairs (rows found, chances) it may be said that the child finds less than
    the share `bar`."""
    return held([doubt_of_below(*share, bar) for share in shares], false_share)


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
