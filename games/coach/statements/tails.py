"""How likely it is that luck alone makes a count so small or so large.

The chances of one round depend on each other, so a child's counts vary more than independent counts
would. `spread` says how much more, as a factor of the variance. Half of the probability of the
count itself belongs to each side (mid-p).
"""

from collections.abc import Callable
from math import exp, lgamma
from typing import Final

TABLE_SPREAD: Final = 1.1
"""The spread of a child's finds in one times table."""

_NEGLIGIBLE: Final = 1e-12
"""A sum ends at the term that is smaller than this part of it."""
_EDGE: Final = 1e-6
"""A share is never assumed to be nearer to 0 or 1 than this."""
_MOST_ALIKE: Final = 0.99
"""The correlation of a child's chances is never assumed to be greater than this."""


def tails_of_share(found: int, chances: int, share: float, spread: float) -> tuple[float, float]:
    """The probabilities of finding at most, and at least, this many of these chances, if `share` of
    them is expected (beta-binomial)."""
    share = min(max(share, _EDGE), 1 - _EDGE)
    alike = min((spread - 1) / (chances - 1), _MOST_ALIKE) if chances > 1 else _MOST_ALIKE
    right = share * (1 / alike - 1)
    wrong = (1 - share) * (1 / alike - 1)
    at = exp(
        _log_choose(chances, found)
        + _log_beta(found + right, chances - found + wrong)
        - _log_beta(right, wrong)
    )

    def growth(count: int) -> float:
        return (chances - count) * (right + count) / ((count + 1) * (wrong + chances - count - 1))

    return _tails(found, at, growth)


def _tails(count: int, at: float, growth: Callable[[int], float]) -> tuple[float, float]:
    """The two tails of a distribution at `count`, which has the probability `at`. `growth(count)`
    is the factor from the probability of a count to the probability of one more."""
    few = many = at / 2
    term = at
    for lower in range(count - 1, -1, -1):
        term /= growth(lower)
        few += term
        if term < _NEGLIGIBLE * few:
            break
    term, upper = at, count
    while term >= _NEGLIGIBLE * many:
        term *= growth(upper)
        many += term
        upper += 1
    return min(few, 1.0), min(many, 1.0)


def _log_choose(of: int, count: int) -> float:
    return lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)


def _log_beta(first: float, second: float) -> float:
    return lgamma(first) + lgamma(second) - lgamma(first + second)
