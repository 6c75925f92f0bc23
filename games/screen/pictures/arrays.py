"""Draws a product as an array of dots: the known part, and the part that is added or taken away."""

from dataclasses import dataclass
from typing import Final

from games.coach.facts import Derivation

DOT: Final = 16
GAP: Final = 6


@dataclass(frozen=True, slots=True)
class Array:
    """Two blocks of dots, one under the other, in the drawing's own units: the known block, and the
    other one, which is added or, if `away`, taken away."""

    width: int
    known_height: int
    other_top: int
    other_height: int
    away: bool

    @property
    def height(self) -> int:
        return self.other_top + self.other_height


def array_of(way: Derivation) -> Array:
    """The array for a derivation. Each row has `table` dots, and there are as many rows as the
    larger of the two facts has times."""
    kept = min(way.known, way.times)
    return Array(
        width=way.table * DOT,
        known_height=kept * DOT,
        other_top=kept * DOT + GAP,
        other_height=abs(way.times - way.known) * DOT,
        away=way.times < way.known,
    )
