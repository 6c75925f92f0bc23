"""How certain a statement about children is, and which of the many statements of a page may be made
together, so that at most a given share of them is false (docs/mastery.md)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, lgamma, sqrt
from typing import Final


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends between which a probability or a difference of probabilities lies."""

    lower: float
    upper: float


def interval(successes: float, cases: float, z: float) -> Interval:
    """Wilson's interval for the probability of a success, with ends `z` standard errors away. The
    counts may be weighted, so they need not be whole. Without any case it is 0 to 1."""
    if cases <= 0:
        return Interval(0.0, 1.0)
    share = successes / cases
    weight = z * z / cases
    middle = (share + weight / 2) / (1 + weight)
    reach = z * sqrt(share * (1 - share) / cases + weight / (4 * cases)) / (1 + weight)
    return Interval(max(middle - reach, 0.0), min(middle + reach, 1.0))


# The probability that luck alone makes a count so small or so large. The chances of one round
# depend on each other, so a child's counts vary more than independent counts would. `spread` is the
# factor by which their variance is larger. Half of the probability of the count itself belongs to
# each side (mid-p).

TABLE_SPREAD: Final = 1.1
"""The spread of a child's finds in one times table."""

_NEGLIGIBLE: Final = 1e-12
"""A sum ends at the first term that is less than this share of it."""
_EDGE: Final = 1e-6
"""The least distance of a share from 0 and 1 that is assumed."""
_MOST_CORRELATION: Final = 0.99
"""The greatest correlation of a child's chances that is assumed."""


def tails_of_share(finds: int, chances: int, share: float, spread: float) -> tuple[float, float]:
    """The probabilities of finding at most, and at least, this many of these chances, if the share
    `share` of them is expected (beta-binomial)."""
    share = min(max(share, _EDGE), 1 - _EDGE)
    correlation = _MOST_CORRELATION
    if chances > 1:
        correlation = min((spread - 1) / (chances - 1), _MOST_CORRELATION)
    right = share * (1 / correlation - 1)
    wrong = (1 - share) * (1 / correlation - 1)
    probability = exp(
        _log_choose(chances, finds)
        + _log_beta(finds + right, chances - finds + wrong)
        - _log_beta(right, wrong)
    )

    def growth(count: int) -> float:
        return (chances - count) * (right + count) / ((count + 1) * (wrong + chances - count - 1))

    return _tails(finds, probability, growth)


def _tails(count: int, probability: float, growth: Callable[[int], float]) -> tuple[float, float]:
    """The two tails of a distribution at `count`, which has this probability. `growth(count)` is
    the factor from the probability of a count to that of one more."""
    few = many = probability / 2
    term = probability
    for lower in range(count - 1, -1, -1):
        term /= growth(lower)
        few += term
        if term < _NEGLIGIBLE * few:
            break
    term, upper = probability, count
    while term >= _NEGLIGIBLE * many:
        term *= growth(upper)
        many += term
        upper += 1
    return min(few, 1.0), min(many, 1.0)


def _log_choose(total: int, count: int) -> float:
    return lgamma(total + 1) - lgamma(count + 1) - lgamma(total - count + 1)


def _log_beta(first: float, second: float) -> float:
    return lgamma(first) + lgamma(second) - lgamma(first + second)


# The statements that may be made together. Each of the first constants is the largest share of
# false ones among the statements of one kind.


FALSE_CHANGES: Final = 0.02
"""A child finds more or fewer rows than before."""
FALSE_COMPARISONS: Final = 0.005
"""A child finds fewer rows than the others."""
FALSE_OF_CLASS: Final = 0.005
"""The class finds fewer rows of a table or, as a kind of its own, knows a fact less well."""
FALSE_STUCK: Final = 0.015
"""A child is stuck. With the shares above, of which `FALSE_OF_CLASS` counts twice, this makes 5 %
for a class."""
FALSE_NEEDS: Final = 0.05
"""A child needs a table next."""
STUCK_CHANCES: Final = 12
STUCK_BELOW: Final = 0.5
"""A child is stuck if they find less than the share `STUCK_BELOW` of at least `STUCK_CHANCES`
chances of a table."""


def which_may_be_made(p_values: Sequence[float], false_discovery_rate: float) -> list[bool]:
    """For each of these p-values, whether its statement may be made together with the others."""
    largest = -1.0
    for rank, p_value in enumerate(sorted(p_values), start=1):
        if p_value <= false_discovery_rate * rank / len(p_values):
            largest = p_value
    return [p_value <= largest for p_value in p_values]


def which_are_below(
    shares: Sequence[tuple[int, int]], bar: float, false_share: float
) -> list[bool]:
    """For each of these pairs (rows found, chances), whether a page may say that the child finds
    less than the share `bar`."""
    return which_may_be_made([_p_value_below(*share, bar) for share in shares], false_share)


@lru_cache(maxsize=4096)
def _p_value_below(finds: int, chances: int, bar: float) -> float:
    """The probability that a child who finds the share `bar` of rows finds so few of one table by
    bad luck; 1 if they found no fewer."""
    if finds >= bar * chances:
        return 1.0
    return tails_of_share(finds, chances, bar, TABLE_SPREAD)[0]


def which_are_stuck(shares: Sequence[tuple[int, int]]) -> list[bool]:
    """For each of these pairs (rows found, chances) of a child and a times table, whether it shows
    that the child is stuck."""
    enough = [share for share in shares if share[1] >= STUCK_CHANCES]
    certain = iter(which_are_below(enough, STUCK_BELOW, FALSE_STUCK))
    return [share[1] >= STUCK_CHANCES and next(certain) for share in shares]
