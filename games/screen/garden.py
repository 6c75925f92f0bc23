"""A garden with a flower for each row. The page shows it at the end of a round and, at a table of
several players, also during the round.

The flower of a times table has the number of the table in its middle and as many petals.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from math import cos, pi, sin
from typing import Final

STEP: Final = 44
LEAST_WIDTH: Final = 8 * STEP
FLOWERS_IN_BED: Final = 12
BED: Final = 88
MOST_FLOWERS: Final = 2 * FLOWERS_IN_BED
"""A garden has no more flowers than this, even for more rows."""
MOST_PETALS: Final = 12
PETALS_OF_OTHERS: Final = 3
COLOURS: Final = 4
HEADS: Final = (30, 40, 24, 36)
ORDER_IN_BED: Final = 14
STAR: Final = 24


@dataclass(frozen=True, slots=True)
class Flower:
    """A flower whose middle is at `x`, `y`. `colour` is the number of its colour. `label` is its
    table, empty for none."""

    x: int
    y: int
    stem: str
    leaf: str
    petals: tuple[tuple[int, int], ...]
    size: int
    colour: int
    label: str
    star: tuple[int, int] | None  # the place of its star; None unless the flower is marked


@dataclass(frozen=True, slots=True)
class Garden:
    """A garden. Each bed has one of the `hills` and one of the `grounds`, both given as paths. Sky
    and sun are above the first bed; the other beds are meadows in front of it."""

    flowers: tuple[Flower, ...]
    hills: tuple[str, ...]
    grounds: tuple[str, ...]
    width: int
    height: int

    @property
    def rows(self) -> int:
        return len(self.flowers)


def garden(tables: Sequence[int], new_tables: Iterable[int] = ()) -> Garden | None:
    """The garden for rows of these tables (0 for a row of no table); None without rows. For each
    of the `new_tables`, which are also in `tables`, one flower is marked."""
    if not tables:
        return None
    plain = Counter(tables) - Counter(new_tables)
    heads = [
        (table, number >= plain[table])
        for table, count in sorted(Counter(tables).items())
        for number in range(count)
    ][:MOST_FLOWERS]
    beds = [heads[first : first + FLOWERS_IN_BED] for first in range(0, len(heads), FLOWERS_IN_BED)]
    width = max(LEAST_WIDTH, STEP * len(beds[0]))
    tops = [number * BED for number in range(len(beds))]
    flowers = []
    for top, bed in zip(tops, beds, strict=True):
        left = (width - STEP * len(bed) + STEP) // 2
        for place, ((table, is_marked), head) in enumerate(zip(bed, cycle(HEADS), strict=False)):
            x, y = left + place * STEP, top + head
            flowers.append(_flower(table, x, y, _ground(top), is_marked=is_marked))
    half = width // 2
    meadows = [f"M0 {top}H{width}V{top + BED}H0z" for top in tops[1:]]
    hills = (f"M0 62q{half // 2} -30 {half} -4t{half} -8V{BED}H0z", *meadows)
    grounds = tuple(f"M0 {_ground(top)}q{half} -8 {width} 0V{top + BED}H0z" for top in tops)
    return Garden(tuple(flowers), hills, grounds, width, len(beds) * BED)


def _ground(top: int) -> int:
    return top + BED - 6


def _flower(table: int, x: int, y: int, ground: int, *, is_marked: bool) -> Flower:
    number = min(table, MOST_PETALS) or PETALS_OF_OTHERS
    turns = [2 * pi * petal / number - pi / 2 for petal in range(number)]
    petals = [
        (round(x + ORDER_IN_BED * cos(turn)), round(y + ORDER_IN_BED * sin(turn))) for turn in turns
    ]
    return Flower(
        x,
        y,
        stem=f"M{x} {y}V{ground}",
        leaf=f"M{x} {ground - 4}q10 -2 12 -12q-12 2 -12 12",
        petals=tuple(petals),
        size=8 if number < MOST_PETALS // 2 else 5,
        colour=table % COLOURS,
        label=str(table) if table else "",
        star=(x - STAR // 2, ground - STAR) if is_marked else None,
    )
