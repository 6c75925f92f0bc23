"""What stands out: shares compared with others under equal conditions (docs/mastery.md).

Within a stratum, such as a child and an assignment, the two sides would have the same share if
nothing stood out. The deviations from this are added up (Mantel and Haenszel 1959).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist, variance
from typing import Final, NamedTuple, TypeVar

from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.certainty import FALSE_OF_CLASS, which_may_be_made

FEWEST_CHANCES: Final = 6
"""The fewest chances on each side for a statement."""
FEWEST_CHILDREN: Final = 3
"""The fewest children for a statement about several."""
VARIANCE_FACTOR: Final = 1.6
"""The variance of a count, as a multiple of that of independent chances. It is larger, because the
chances of a round depend on each other and a child has good and bad days."""
Z: Final = NormalDist().inv_cdf(0.95)
"""The difference lies beyond each end of an interval in one case of twenty."""


class Share(NamedTuple):
    """How many of all chances were found, or of all answers were right."""

    found: int
    total: int

    @property
    def with_a_few_right(self) -> float:
        """The share if a few more were right, so that 1 of 3 does not come before 6 of 20."""
        return (self.found + FEWEST_FOR_A_LEVEL) / (self.total + FEWEST_FOR_A_LEVEL)


EMPTY_SHARE: Final = Share(0, 0)


def sum_of_shares(shares: Iterable[Share]) -> Share:
    shares = list(shares)
    return Share(sum(share.found for share in shares), sum(share.total for share in shares))


Kind = TypeVar("Kind", bound=Hashable)
Shares = Mapping[Kind, Share]
"""The shares of one child by conditions that decide how easy rows are, such as game and table."""


class Stratum(NamedTuple):
    """A share, and another one under equal conditions with which it is compared."""

    share: Share
    other: Share
    child: Hashable = None  # the child, if several are compared together


@dataclass(frozen=True, slots=True)
class Contrast:
    """A share of a child compared with another one."""

    share: Share
    other: Share
    difference: float  # how many more (or, below 0, fewer) were found than if nothing stood out
    error: float  # the standard error of `difference`
    usual: float  # how many would be found at the rate of the other side

    @property
    def doubt(self) -> float:
        """The probability that luck alone makes the two sides differ so much, in either
        direction."""
        return 2 * NormalDist().cdf(-abs(self.difference) / self.error)

    @property
    def certain_share(self) -> float:
        """The size and the certainty of the difference: the near end of its interval, as a share of
        the chances of this side."""
        return max(0.0, abs(self.difference) - Z * self.error) / self.share.total


def contrast(strata: Iterable[Stratum]) -> Contrast | None:
    """The contrast of the two sides of these strata. A stratum with only one side does not count.
    None if there are too few chances, or if the sides cannot differ."""
    pairs: list[tuple[Share, Share]] = []
    by_child: dict[Hashable, float] = defaultdict(float)
    variances = usual = 0.0
    for share, other, child in strata:
        if not share.total or not other.total:
            continue
        pairs.append((share, other))
        found, total = sum_of_shares((share, other))
        by_child[child] += share.found - share.total * found / total
        variances += (
            share.total * other.total * found * (total - found) / (total * total * (total - 1))
        )
        usual += share.total * other.found / other.total
    sum_of_share = sum_of_shares(share for share, _ in pairs)
    sum_of_other = sum_of_shares(other for _, other in pairs)
    if min(sum_of_share.total, sum_of_other.total) < FEWEST_CHANCES or not variances:
        return None
    error = sqrt(max(VARIANCE_FACTOR * variances, _variance_between(by_child)))
    return Contrast(sum_of_share, sum_of_other, sum(by_child.values()), error, usual)


def _variance_between(by_child: Mapping[Hashable, float]) -> float:
    """The part of the variance of a sum over children that comes from their differences: 0 for a
    contrast of one child, infinite for too few children."""
    if None in by_child:
        return 0.0
    differences = list(by_child.values())
    return len(differences) * variance(differences) if len(differences) >= FEWEST_CHILDREN else inf


def which_stand_out(
    contrasts: Sequence[Contrast | None], false_share: float
) -> list[Contrast | None]:
    """The contrasts that may be stated together, with None in place of the others."""
    certain = iter(which_may_be_made([item.doubt for item in contrasts if item], false_share))
    return [item if item and next(certain) else None for item in contrasts]


def strata_over_time(before: Shares[Kind], after: Shares[Kind]) -> dict[Kind, Stratum]:
    """The strata that compare a child with their own earlier shares."""
    return {kind: Stratum(share, before.get(kind, EMPTY_SHARE)) for kind, share in after.items()}


def strata_among_children(children: Sequence[Shares[Kind]]) -> list[dict[Kind, Stratum]]:
    """The strata that compare each child with the other children."""
    sums: dict[Kind, Share] = defaultdict(lambda: EMPTY_SHARE)
    for shares in children:
        for kind, share in shares.items():
            sums[kind] = sum_of_shares((sums[kind], share))
    return [
        {kind: Stratum(share, _without(sums[kind], share)) for kind, share in shares.items()}
        for shares in children
    ]


def hard_kinds(children: Sequence[tuple[Hashable, Shares[Kind]]]) -> dict[Kind, Contrast]:
    """The kinds of which the class finds fewer rows than of all others. Each child is compared with
    themselves. A child may occur several times, for example with several games."""
    kinds = list(dict.fromkeys(kind for _, by_kind in children for kind in by_kind))
    totals = [(child, by_kind, sum_of_shares(by_kind.values())) for child, by_kind in children]
    contrasts = [
        contrast(
            Stratum(share, _without(total, share), child)
            for child, by_kind, total in totals
            if (share := by_kind.get(kind))
        )
        for kind in kinds
    ]
    certain = zip(kinds, which_stand_out(contrasts, FALSE_OF_CLASS), strict=True)
    return {kind: result for kind, result in certain if result and result.difference < 0}


def _without(whole: Share, part: Share) -> Share:
    return Share(whole.found - part.found, whole.total - part.total)
