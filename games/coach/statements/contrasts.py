"""What stands out: counts compared with others under equal conditions, such as what a child has
found of a times table recently and before, or of one table and of all others (docs/mastery.md).

Within each stratum, such as a child and an assignment, conditions are equal: the two sides would
have the same share if nothing stood out. The deviations from this are added up (Mantel and Haenszel
1959).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist, variance
from typing import Final, NamedTuple, TypeVar

from games.coach.statements.certainty import FALSE_OF_CLASS, which_may_be_made

FEWEST_CHANCES: Final = 6
"""A statement needs at least this many chances on each side."""
FEWEST_CHILDREN: Final = 3
"""The fewest children for a statement about several."""
VARIANCE_FACTOR: Final = 1.6
"""The variance of a count, as a multiple of the variance of independent chances: the chances of a
round depend on each other, and a child has good and bad days."""
Z: Final = NormalDist().inv_cdf(0.95)
"""The difference lies beyond each end of an interval in one case of twenty."""


class Part(NamedTuple):
    """A part of a whole, `own` of `of`: the rows found of all chances, or the right answers of all
    answers."""

    own: int
    of: int


NOTHING: Final = Part(0, 0)


def sum_of_parts(parts: Iterable[Part]) -> Part:
    parts = list(parts)
    return Part(sum(part.own for part in parts), sum(part.of for part in parts))


Kind = TypeVar("Kind", bound=Hashable)
Counts = Mapping[Kind, Part]
"""The counts of one child by conditions that decide how easy they are, such as game and table."""


class Stratum(NamedTuple):
    """A count, and another one to compare it with, under equal conditions."""

    looked_at: Part
    against: Part
    child: Hashable = None  # the child, if several are compared together


@dataclass(frozen=True, slots=True)
class Contrast:
    """A part of a child's chances compared with other chances."""

    looked_at: Part
    against: Part
    difference: float  # how many more (or, below 0, fewer) were found than if nothing stood out
    error: float  # the standard error of `difference`
    usual: float  # how many of these chances the other side would find

    @property
    def doubt(self) -> float:
        """How likely it is that luck alone brings the two sides so far apart, in either
        direction."""
        return 2 * NormalDist().cdf(-abs(self.difference) / self.error)

    @property
    def surely(self) -> float:
        """The near end of the interval of the difference, as a share of this side's chances: one
        figure for how large and how certain the difference is."""
        return max(0.0, abs(self.difference) - Z * self.error) / self.looked_at.of


def contrast(strata: Iterable[Stratum]) -> Contrast | None:
    """The contrast of the two sides of these strata. A stratum with only one side does not count.
    None if there are too few chances, or if the sides cannot differ."""
    pairs: list[tuple[Part, Part]] = []
    by_child: dict[Hashable, float] = defaultdict(float)
    squares = usual = 0.0
    for ours, theirs, child in strata:
        if not ours.of or not theirs.of:
            continue
        pairs.append((ours, theirs))
        total, of = sum_of_parts((ours, theirs))
        by_child[child] += ours.own - ours.of * total / of
        squares += ours.of * theirs.of * total * (of - total) / (of * of * (of - 1))
        usual += ours.of * theirs.own / theirs.of
    looked_at, against = (
        (sum_of_parts(parts) for parts in zip(*pairs, strict=True)) if pairs else _NONE
    )
    if min(looked_at.of, against.of) < FEWEST_CHANCES or not squares:
        return None
    square = max(VARIANCE_FACTOR * squares, _variance_between(by_child))
    return Contrast(looked_at, against, sum(by_child.values()), sqrt(square), usual)


_NONE: Final = (NOTHING, NOTHING)


def _variance_between(by_child: Mapping[Hashable, float]) -> float:
    """The part of the variance of a sum over children that comes from their differences; 0 for a
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


def before_and_after(before: Counts[Kind], after: Counts[Kind]) -> dict[Kind, Stratum]:
    """The strata that compare a child with their own earlier counts."""
    return {kind: Stratum(part, before.get(kind, NOTHING)) for kind, part in after.items()}


def among_others(children: Sequence[Counts[Kind]]) -> list[dict[Kind, Stratum]]:
    """The strata that compare each child with the other children."""
    sums: dict[Kind, Part] = defaultdict(lambda: NOTHING)
    for counts in children:
        for kind, part in counts.items():
            sums[kind] = sum_of_parts((sums[kind], part))
    return [
        {kind: Stratum(part, _without(sums[kind], part)) for kind, part in counts.items()}
        for counts in children
    ]


def fewer_of_class(children: Sequence[tuple[Hashable, Counts[Kind]]]) -> dict[Kind, Contrast]:
    """The kinds of which the class finds fewer rows than of all others. Each child is compared with
    themselves. A child may occur several times, for example with several games."""
    kinds = list(dict.fromkeys(kind for _, by_kind in children for kind in by_kind))
    totals = [(child, by_kind, sum_of_parts(by_kind.values())) for child, by_kind in children]
    contrasts = [
        contrast(
            Stratum(part, _without(total, part), child)
            for child, by_kind, total in totals
            if (part := by_kind.get(kind))
        )
        for kind in kinds
    ]
    certain = zip(kinds, which_stand_out(contrasts, FALSE_OF_CLASS), strict=True)
    return {kind: result for kind, result in certain if result and result.difference < 0}


def _without(total: Part, part: Part) -> Part:
    return Part(total.own - part.own, total.of - part.of)
