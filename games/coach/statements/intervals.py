"""The interval in which a probability lies, by how often something happened (docs/mastery.md)."""

from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends between which a probability, or a difference of two, lies."""

    lower: float
    upper: float


def interval(came: float, of: float, z: float) -> Interval:
    """Wilson's interval for something that `came` this often in `of` cases; its ends are `z`
    standard errors away. The counts may be weighted and so need not be whole. Without any case it
    is 0 to 1."""
    if of <= 0:
        return Interval(0.0, 1.0)
    share, more = came / of, z * z / of
    middle = (share + more / 2) / (1 + more)
    reach = z * sqrt(share * (1 - share) / of + more / (4 * of)) / (1 + more)
    return Interval(max(middle - reach, 0.0), min(middle + reach, 1.0))
