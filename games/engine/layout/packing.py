"""Packs islands on the felt, so that cards are large and islands move little. Places are counted in
halves of a card's room, because half a row is enough for the tags between two islands. The felt of
a phone and that of a computer are packed separately."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

Corner = tuple[int, int]
"""A place on the felt: halves of columns from the left, and halves of rows from the top."""


@dataclass(frozen=True, slots=True)
class Felt:
    """The room for the cards of a table, and the least and the most width of a card, all in CSS
    pixels."""

    width: int
    height: int
    gap: int
    most: int
    columns: int  # how many halves of columns go side by side if the table has to scroll
    least: int

    def card_width(self, columns: int, rows: int) -> float:
        """The width of the cards if this many halves of columns and rows have to fit."""
        across = 2 * self.width / columns - self.gap
        down = (2 * self.height / rows - self.gap) * CARD_RATIO
        return min(across, down, self.most)

    def is_wide_enough_for(self, columns: int, rows: int) -> bool:
        """Whether this many halves of columns and rows can be seen as a whole."""
        return self.card_width(columns, rows) >= self.least


CARD_RATIO: Final = 84 / 116
WIDE: Final = Felt(width=786, height=423, gap=8, most=62, columns=30, least=28)
NARROW: Final = Felt(width=255, height=312, gap=6, most=52, columns=10, least=28)
LOW: Final = replace(NARROW, height=264)
"""The felt of a phone while the hand takes two rows."""
GOOD_WIDTH: Final = 44
"""While cards are at least this wide, unchanged islands do not move."""
GAIN: Final = 4
"""All islands move only if cards become this many pixels wider, or if the table takes this many
fewer halves of rows."""


class Shape(NamedTuple):
    """The room that an island takes."""

    runs: tuple[tuple[tuple[int, int], ...], ...]
    """Where the island lies in each half row, as (start, length); the first half row is the one
    above its cards. `width` leaves out the space to the next island."""
    width: int

    @property
    def height(self) -> int:
        return len(self.runs)


def shape_of(masks: Sequence[int], width: int) -> Shape:
    """The shape with these masks of halves of columns, one for each half row."""
    return Shape(tuple([tuple(_runs(mask)) for mask in masks]), width)


def pack(
    shapes: Sequence[Shape], corners: Sequence[Corner | None], unchanged: Sequence[bool], felt: Felt
) -> list[Corner]:
    """The corner of each island. `corners` says where each was, None for a new one. Unchanged
    islands stay, unless cards would be small and become larger if all islands move."""
    packing = _Packing(felt, max((shape.width for shape in shapes), default=0))
    for shape, corner, stays in zip(shapes, corners, unchanged, strict=True):
        if stays and corner is not None:
            packing.put(shape, corner)
    moved: dict[int, Corner] = {}
    for index in _by_size(shapes):
        corner = corners[index]
        if not unchanged[index] or corner is None:
            moved[index] = packing.place(shapes[index], corner)
    found = [moved.get(index, corner or (0, 0)) for index, corner in enumerate(corners)]
    if packing.is_good or len(shapes) == 1:
        return found
    anew = _Packing(felt, packing.widest)
    fresh = {index: anew.place(shapes[index], None) for index in _by_size(shapes)}
    if any(corner is not None for corner in corners) and not anew.is_much_better_than(packing):
        return found
    return [fresh[index] for index in range(len(shapes))]


def extent(shapes: Sequence[Shape], corners: Sequence[Corner]) -> Corner:
    """How many halves of columns and rows the packed islands take."""
    both = list(zip(shapes, corners, strict=True))
    return (
        max((x + shape.width for shape, (x, _) in both), default=0),
        max((y + shape.height for shape, (_, y) in both), default=0),
    )


def _by_size(shapes: Sequence[Shape]) -> list[int]:
    """The indices of the shapes, the largest first: the others fill the room that it leaves."""
    return sorted(range(len(shapes)), key=lambda index: -shapes[index].width * shapes[index].height)


class _Packing:
    """Puts islands on a felt, one after another."""

    def __init__(self, felt: Felt, widest: int) -> None:
        self.widest = widest
        self._felt = felt
        self._most = max(int(2 * felt.width / (felt.least + felt.gap)), widest)
        self._full: list[int] = []
        self._columns = self._rows = 1

    def put(self, shape: Shape, corner: Corner) -> None:
        x, y = corner
        self._full += [0] * (y + shape.height - len(self._full))
        for row, runs in enumerate(shape.runs, start=y):
            for start, length in runs:
                self._full[row] |= ((1 << length) - 1) << (start + x)
        self._columns = max(self._columns, x + shape.width)
        self._rows = max(self._rows, y + shape.height)

    def place(self, shape: Shape, wanted: Corner | None) -> Corner:
        """Put the island where the cards stay largest; of equal places, into the nearest one to
        `wanted`. Return its corner."""
        best: tuple[tuple[int, int, int, int, int], Corner] | None = None
        fits = (1 << self._most - shape.width + 1) - 1
        for y in range(len(self._full) + 1):
            free = fits & ~self._blocked(shape, y)
            for x in _nearest(free, wanted[0] if wanted else 0):
                far = abs(x - wanted[0]) + abs(y - wanted[1]) if wanted else 0
                cost = (*self._cost(x + shape.width, y + shape.height), far, y)
                if best is None or cost < best[0]:
                    best = cost, (x, y)
        assert best is not None
        self.put(shape, best[1])
        return best[1]

    def _cost(self, columns: int, rows: int) -> tuple[int, int, int]:
        columns, rows = max(columns, self._columns), max(rows, self._rows)
        width = self._felt.card_width(columns, rows)
        if width >= self._felt.least:
            return 0, 0, -int(width) // 2
        return 1, max(0, columns - self._felt.columns), rows

    @property
    def is_good(self) -> bool:
        return self._felt.card_width(self._columns, self._rows) >= GOOD_WIDTH

    def is_much_better_than(self, other: "_Packing") -> bool:
        (large, wide, here), (others_large, others_wide, there) = self._own_cost, other._own_cost
        if (large, wide) != (others_large, others_wide):
            return (large, wide) < (others_large, others_wide)
        return there - here >= (GAIN if large else GAIN // 2)

    @property
    def _own_cost(self) -> tuple[int, int, int]:
        return self._cost(0, 0)

    def _blocked(self, shape: Shape, y: int) -> int:
        """The mask of the corners in this half row where the island would lie on another."""
        blocked = 0
        for full, runs in zip(self._full[y:], shape.runs, strict=False):
            if full:
                for start, length in runs:
                    reach, done = full >> start, 1
                    while done < length:
                        step = min(done, length - done)
                        reach |= reach >> step
                        done += step
                    blocked |= reach
        return blocked


def _nearest(free: int, x: int) -> list[int]:
    """The free places nearest to x: at most one on the left, or x itself, and one on the right."""
    left = free & (2 << x) - 1
    right = free >> x + 1
    found = [left.bit_length() - 1] if left else []
    return [*found, x + (right & -right).bit_length()] if right else found


def _runs(mask: int) -> list[tuple[int, int]]:
    runs = []
    start = 0
    while mask:
        skip = (mask & -mask).bit_length() - 1
        start, mask = start + skip, mask >> skip
        length = (~mask & mask + 1).bit_length() - 1
        runs.append((start, length))
        start, mask = start + length, mask >> length
    return runs
