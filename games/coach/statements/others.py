"""Each child of a class compared with the others: what it found of its chances, and how many
chances its turns offered.

Like is compared with like. A child's counts come by kind, such as a times table or an assignment,
and what is usual for a kind is applied to the child's own number of that kind. A child who is far
from the middle of the class counts for little among the others, so that nobody else's usual hangs
on it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import Final, Literal, NamedTuple, TypeVar

from games.coach.statements.tails import (
    FIND_SPREAD,
    OFFER_SPREAD,
    tails_of_count,
    tails_of_share,
)

SHRUNK_BY: Final = 2.0
"""What is usual for a kind is moved towards what is usual for all kinds, as if the others had had
so many chances or turns more."""
NEAR: Final = 2.0
"""Up to this distance from the middle of the class, in standard deviations, a child counts fully
among the others; at twice the distance for a quarter."""
DEVIATIONS_A_MEDIAN: Final = 1.4826
"""The standard deviation of a normal distribution, over the median distance from its middle."""
PASSES: Final = 4
"""How often the weights of the children are calculated, each time from the last ones."""

Kind = TypeVar("Kind", bound=Hashable)
What = Literal["finds", "offers"]


class Part(NamedTuple):
    """`own` of `of`: rows found of chances, or chances in turns."""

    own: int
    of: int


Counts = Mapping[Kind, Part]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A child's counts of the kinds that others have too. `usual`: what the others would have of
    `of`, by kind. `others`: how many chances or turns of these kinds the others have. `few` and
    `many`: the probabilities that luck alone makes it so few or so many."""

    own: int
    of: int
    usual_of: Mapping[Hashable, float]
    others: int
    few: float
    many: float

    @property
    def usual(self) -> int:
        return round(sum(self.usual_of.values()))

    @property
    def doubt(self) -> float:
        """How likely luck alone brings a child as far from the others, on either side."""
        return min(1.0, 2 * min(self.few, self.many))


NOTHING: Final = Comparison(0, 0, {}, 0, 1.0, 1.0)
"""No count of a kind that others have too."""


def compared(children: Sequence[Counts[Kind]], what: What) -> list[Comparison]:
    """Each child against the others."""
    sums = _Sums(children, weights(children, what))
    return [_against(child, sums.without(place), what) for place, child in enumerate(children)]


def weights(children: Sequence[Counts[Kind]], what: What) -> list[float]:
    """How much each child counts among the others (0–1)."""
    found = [1.0] * len(children)
    for _ in range(PASSES):
        sums = _Sums(children, found)
        distances = [_distance(child, sums, what) for child in children]
        played = [distance for distance in distances if distance is not None]
        if not played:
            break
        middle = median(played)
        spread = DEVIATIONS_A_MEDIAN * median(abs(distance - middle) for distance in played)
        found = [
            1.0 if distance is None else _weight((distance - middle) / max(1.0, spread))
            for distance in distances
        ]
    return found


def _weight(distance: float) -> float:
    return (NEAR / max(NEAR, abs(distance))) ** 2


class _Sums:
    """The weighted counts of several children, by kind and of all kinds."""

    def __init__(self, children: Sequence[Counts[Kind]], weighed: Sequence[float]) -> None:
        self._children, self._weights = children, weighed
        self._kinds: dict[Hashable, tuple[float, float, int]] = {}
        self._own = self._of = 0.0
        for child, weight in zip(children, weighed, strict=True):
            self._add(child, weight, 1)

    def without(self, place: int) -> "_Sums":
        """The same without one child."""
        others = _Sums((), ())
        others._kinds, others._own, others._of = dict(self._kinds), self._own, self._of
        others._add(self._children[place], -self._weights[place], -1)
        return others

    def _add(self, child: Counts[Kind], weight: float, times: int) -> None:
        for kind, (own, of) in child.items():
            before_own, before_of, count = self._kinds.get(kind, (0.0, 0.0, 0))
            after = before_own + weight * own, before_of + weight * of, count + times * of
            self._kinds[kind] = after
            self._own += weight * own
            self._of += weight * of

    def weight_of(self, kind: Hashable) -> float:
        return self._kinds[kind][1]

    def count_of(self, kind: Hashable) -> int:
        return self._kinds[kind][2]

    def rate(self, kind: Hashable) -> float:
        """Finds a chance or chances a turn, of one kind, shrunk towards all."""
        own, of, _ = self._kinds[kind]
        overall = (self._own + 0.5) / (self._of + 1)
        return (own + SHRUNK_BY * overall) / (of + SHRUNK_BY)


def _distance(child: Counts[Kind], sums: _Sums, what: What) -> float | None:
    """How far a child is from what these sums make usual, in standard deviations; None if it has
    no counts."""
    apart = variance = 0.0
    for kind, (own, of) in child.items():
        rate = sums.rate(kind)
        apart += own - of * rate
        variance += _variance(of, rate, what)
    return apart / sqrt(_spread(what) * variance) if variance else None


def _against(child: Counts[Kind], others: _Sums, what: What) -> Comparison:
    all_own = all_of = of_others = 0
    usual_of: dict[Hashable, float] = {}
    variance = uncertain = 0.0
    for kind, (own, of) in child.items():
        if not of or not others.count_of(kind):
            continue
        rate = others.rate(kind)
        all_own += own
        all_of += of
        of_others += others.count_of(kind)
        usual_of[kind] = of * rate
        own_variance = _variance(of, rate, what)
        variance += own_variance
        uncertain += own_variance * of / others.weight_of(kind)
    if not variance:
        return NOTHING
    usual = sum(usual_of.values())
    spread = _spread(what) * (1 + uncertain / variance)
    if what == "finds":
        few, many = tails_of_share(all_own, all_of, usual / all_of, spread)
    else:
        few, many = tails_of_count(all_own, usual, spread)
    return Comparison(all_own, all_of, usual_of, of_others, few, many)


def _variance(of: int, rate: float, what: What) -> float:
    return of * rate * (1 - rate) if what == "finds" else of * rate


def _spread(what: What) -> float:
    return FIND_SPREAD if what == "finds" else OFFER_SPREAD
