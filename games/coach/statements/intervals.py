"""Between which ends a chance lies, by how often something came (docs/mastery.md)."""

from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends between which a chance lies, or a difference of two chances."""

    lower: float
    upper: float


def interval(came: float, of: float, z: float) -> Interval:
    """Wilson's interval; each end is `z` standard errors away. Counts may be weighted, so they need
    not be whole. Of nothing anything may be true."""
    if of <= 0:
        return Interval(0.0, 1.0)
    share, more = came / of, z * z / of
    middle = (share + more / 2) / (1 + more)
    reach = z * sqrt(share * (1 - share) / of + more / (4 * of)) / (1 + more)
    return Interval(max(middle - reach, 0.0), min(middle + reach, 1.0))
