"""Growth between two check-ups, with its interval (docs/mastery.md): numbers in, numbers out."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist, fmean, variance
from typing import Final, Literal

from games.coach.statements.certainty import held
from games.coach.statements.intervals import Interval
from games.coach.statements.intervals import interval as wilson

Direction = Literal["more", "fewer", "open"]
"""What may be said of a difference; `open`: nothing, it can be chance."""

FALSE_SHARE: Final = 0.05
"""How often, at most, a statement that rests on no difference may be made."""
FEWEST_CHILDREN: Final = 5
"""With fewer children nothing is said of the class."""
_Z: Final = NormalDist().inv_cdf(1 - FALSE_SHARE / 2)


@dataclass(frozen=True, slots=True)
class CheckUpScore:
    """How many answers of how many were right."""

    right: int
    of: int

    @property
    def share(self) -> float:
        return self.right / self.of


@dataclass(frozen=True, slots=True)
class Growth:
    """The difference between two scores as a share, with the interval that holds the true one in
    95 of 100 cases."""

    by: float
    between: Interval
    direction: Direction


@dataclass(frozen=True, slots=True)
class MeanScore:
    """The mean of scores as a share, with the interval that holds the true one in 95 of 100
    cases."""

    share: float
    between: Interval


def interval(score: CheckUpScore) -> Interval:
    """Wilson's interval for the share that the child would get right of all such questions.

    >>> sure = interval(CheckUpScore(20, 25))
    >>> round(sure.lower, 2), round(sure.upper, 2)
    (0.61, 0.91)
    """
    return wilson(score.right, score.of, _Z)


def difference(before: CheckUpScore, after: CheckUpScore) -> Interval:
    """Newcombe's interval for the difference of two shares, made of Wilson's two."""
    first, second = interval(before), interval(after)
    by = after.share - before.share
    low = sqrt((after.share - second.lower) ** 2 + (first.upper - before.share) ** 2)
    high = sqrt((second.upper - after.share) ** 2 + (before.share - first.lower) ** 2)
    return Interval(by - low, by + high)


def by_chance(before: CheckUpScore, after: CheckUpScore) -> float:
    """How likely a difference like this or greater is by chance alone: Fisher's exact test in both
    directions, this very result counted half (mid-p)."""
    whole, right = before.of + after.of, before.right + after.right
    ways = comb(whole, right)

    def chance(of_before: int) -> float:
        return comb(before.of, of_before) * comb(after.of, right - of_before) / ways

    lowest, highest = max(0, right - after.of), min(before.of, right)
    here = chance(before.right) / 2
    below = sum(chance(number) for number in range(lowest, before.right)) + here
    above = sum(chance(number) for number in range(before.right + 1, highest + 1)) + here
    return min(1.0, 2 * min(below, above))


def growths(pairs: Sequence[tuple[CheckUpScore, CheckUpScore]]) -> list[Growth]:
    """The growth of each child of a class. "More" and "fewer" are said only where the interval
    leaves out half a question around none, and where the chance of such a difference passes
    Benjamini and Hochberg's rule over the whole class: in classes in which nobody has changed, at
    most one of twenty has a child of whom either is said."""
    chances = [by_chance(before, after) for before, after in pairs]
    may_be_said = held(chances, FALSE_SHARE)
    found = []
    for (before, after), is_certain in zip(pairs, may_be_said, strict=True):
        between = difference(before, after)
        found.append(
            Growth(
                after.share - before.share,
                between,
                _direction(between, 0.5 / after.of) if is_certain else "open",
            )
        )
    return found


def class_growth(pairs: Sequence[tuple[CheckUpScore, CheckUpScore]]) -> Growth | None:
    """The mean growth of the children who did both, with Student's interval of their differences.
    It is never narrower than the children's own chance would make it."""
    if len(pairs) < FEWEST_CHILDREN:
        return None
    differences = [after.share - before.share for before, after in pairs]
    own = [_spread(before) + _spread(after) for before, after in pairs]
    between = _around_mean(differences, own)
    return Growth(fmean(differences), between, _direction(between, 0.0))


def class_mean(scores: Sequence[CheckUpScore]) -> MeanScore | None:
    """The mean score of the children who did a check-up, with Student's interval. It is never
    narrower than the children's own chance would make it."""
    if len(scores) < FEWEST_CHILDREN:
        return None
    shares = [score.share for score in scores]
    between = _around_mean(shares, [_spread(score) for score in scores])
    return MeanScore(fmean(shares), Interval(max(between.lower, 0.0), min(between.upper, 1.0)))


def _around_mean(values: Sequence[float], own: Sequence[float]) -> Interval:
    """Student's interval for the mean of values, each with a variance of its `own`."""
    count, mean = len(values), fmean(values)
    half = _student(count - 1) * sqrt(max(variance(values), fmean(own)) / count)
    return Interval(mean - half, mean + half)


def _direction(between: Interval, least: float) -> Direction:
    if between.lower > least:
        return "more"
    return "fewer" if between.upper < -least else "open"


def _spread(score: CheckUpScore) -> float:
    """The variance of a share, with one right and one wrong answer added (Agresti and Caffo), so
    that it is not 0 where all are right."""
    share = (score.right + 1) / (score.of + 2)
    return share * (1 - share) / (score.of + 2)


def _student(degrees: int) -> float:
    """The quantile of Student's distribution that leaves 2.5 % above it (Cornish and Fisher's
    series; off by less than 0.001 from 4 degrees on)."""
    z = _Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, start=1))
