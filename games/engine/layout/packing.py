"""Packs islands on the felt so that they keep their places relative to each other and cards are
large. Places are counted in halves of columns and rows, because half a row is enough for the tags
between two islands. The felts of a phone and of a computer are packed separately."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

Corner = tuple[int, int]
"""A place on the felt: halves of columns from the left, and halves of rows from the top."""


@dataclass(frozen=True, slots=True)
class FeltSize:
    """The room for the cards of a table, and the widths that a card may have. Lengths are in CSS
    pixels."""

    width: int
    height: int
    most_width: int
    least_width: int = 28  # narrower cards cannot be read without a closer look
    enough_width: int = 44  # cards of this width need not be larger
    tablet_width: int | None = None  # the width of the same felt on a tablet

    def card_width(self, columns: int, rows: int) -> float:
        """The width of a card if this many halves of columns and rows have to fit."""
        by_width = 2 * self.width / columns / (1 + SPACE)
        by_height = 2 * self.height / rows / (1 / CARD_RATIO + SPACE)
        return min(by_width, by_height, self.most_width)

    def mean_card_width(self, columns: int, rows: int) -> float:
        """The mean of a card's widths on a computer and on a tablet, if the felt is for both."""
        width = self.card_width(columns, rows)
        tablet_width = 2 * (self.tablet_width or self.width) / columns / (1 + SPACE)
        return (width + min(width, tablet_width)) / 2

    def is_wide_enough_for(self, columns: int, rows: int) -> bool:
        """Whether this many halves of columns and rows can be seen as a whole."""
        return self.card_width(columns, rows) >= self.least_width


CARD_RATIO: Final = 84 / 92
SPACE: Final = 0.13
"""The room between cards, in card widths."""
_LARGER: Final = 1.1
"""Islands are packed afresh if that makes small cards at least this many times as wide."""
WIDE: Final = FeltSize(width=762, height=448, most_width=62, enough_width=56, tablet_width=494)
NARROW: Final = FeltSize(width=326, height=267, most_width=52)
PROJECTOR: Final = FeltSize(width=900, height=600, most_width=112, enough_width=96)
"""The felt of a screen at which a class looks together."""
_ORIGIN: Final = 256
"""The bit of the first column of a table. An island may grow to the left of it."""


class Shape(NamedTuple):
    """The room that an island takes. `runs` has the runs of halves of columns that it covers in
    each half row, as (start, length). The first half row is the one above its cards."""

    runs: tuple[tuple[tuple[int, int], ...], ...]
    width: int  # without the space to the next island

    @property
    def height(self) -> int:
        return len(self.runs)


def shape_of(masks: Sequence[int], width: int) -> Shape:
    """The shape with these masks of halves of columns, one for each half row."""
    return Shape(tuple([tuple(_runs(mask)) for mask in masks]), width)


def pack(
    shapes: Sequence[Shape],
    corners: Sequence[Corner | None],
    unchanged: Sequence[bool],
    felt: FeltSize,
) -> list[Corner]:
    """The corner of each island. `corners` are the earlier ones, None for a new island. Unchanged
    islands keep their places relative to each other, changed ones stay as near to theirs as
    possible, and new ones go where the cards stay largest. Where this makes cards small, all are
    packed afresh if they then are larger."""
    packing = _Packing(felt, max((shape.width for shape in shapes), default=0))
    places: dict[int, Corner] = {}
    for index, corner in enumerate(corners):
        if corner is not None and unchanged[index]:
            packing.put(shapes[index], corner)
            places[index] = corner
    # The largest first, because small ones fit into what is left.
    by_size = sorted(range(len(shapes)), key=lambda i: -shapes[i].width * shapes[i].height)
    moving = [index for index in by_size if index not in places]
    for index in sorted(moving, key=lambda index: corners[index] is None):
        places[index] = packing.place(shapes[index], corners[index])
    left = min([x for x, _ in places.values()], default=0)
    top = min([y for _, y in places.values()], default=0)
    packed = [(x - left, y - top) for _, (x, y) in sorted(places.items())]
    width = felt.mean_card_width(*extent(shapes, packed)) if any(corners) else felt.enough_width
    if width < felt.enough_width:
        fresh = pack(shapes, [None] * len(shapes), [False] * len(shapes), felt)
        return fresh if felt.mean_card_width(*extent(shapes, fresh)) >= _LARGER * width else packed
    return packed


def extent(shapes: Sequence[Shape], corners: Sequence[Corner]) -> Corner:
    """How many halves of columns and rows the packed islands take."""
    placed = list(zip(shapes, corners, strict=True))
    return (
        max((x + shape.width for shape, (x, _) in placed), default=0),
        max((y + shape.height for shape, (_, y) in placed), default=0),
    )


class _Packing:
    """Puts islands on a felt, one after another."""

    def __init__(self, felt: FeltSize, widest: int) -> None:
        self._felt = felt
        self._most_columns = max(int(2 * felt.width / (felt.least_width * (1 + SPACE))), widest)
        self._full: dict[int, int] = {}  # by half row, the mask of halves of columns, from _ORIGIN
        self._edges: tuple[int, int, int, int] | None = None

    def put(self, shape: Shape, corner: Corner) -> None:
        x, y = corner
        for row, runs in enumerate(shape.runs, start=y):
            for start, length in runs:
                mask = ((1 << length) - 1) << start + x + _ORIGIN
                self._full[row] = self._full.get(row, 0) | mask
        self._edges = self._edges_with(shape, corner)

    def place(self, shape: Shape, target: Corner | None) -> Corner:
        """Put an island as near to `target` as the felt allows; without a target, where the cards
        stay largest. Return its corner."""
        left, top, right, bottom = self._edges or (0, 0, 0, 0)
        x, y = target or (left, top)
        widest = max(self._most_columns, right - left)
        first, highest = left, top
        if target:
            first, highest = right - widest, min(top - shape.height, y)
        starts = (1 << left + widest - shape.width + 1 - first) - 1 << first + _ORIGIN
        best: tuple[tuple[int, ...], Corner] | None = None
        for row in range(highest, max(bottom, y) + 1):
            for bit in _nearest(starts & ~self._blocked(shape, row), x + _ORIGIN):
                place = bit - _ORIGIN, row
                distance = abs(place[0] - x) + abs(row - y) if target else 0
                scrolls, size = self._cost(shape, place)
                cost = (scrolls, distance, *size, row < top, row)
                if best is None or cost < best[0]:
                    best = cost, place
        assert best is not None
        self.put(shape, best[1])
        return best[1]

    def _edges_with(self, shape: Shape, corner: Corner) -> tuple[int, int, int, int]:
        x, y = corner
        left, top, right, bottom = self._edges or (x, y, x, y)
        return (
            min(left, x),
            min(top, y),
            max(right, x + shape.width),
            max(bottom, y + shape.height),
        )

    def _cost(self, shape: Shape, corner: Corner) -> tuple[bool, tuple[int, ...]]:
        """Whether the table has to scroll with this island there; then how far it scrolls, or how
        small its cards are."""
        left, top, right, bottom = self._edges_with(shape, corner)
        columns, rows = right - left, bottom - top
        if self._felt.is_wide_enough_for(columns, rows):
            return False, (-int(self._felt.mean_card_width(columns, rows)) // 2,)
        return True, (rows,)

    def _blocked(self, shape: Shape, y: int) -> int:
        """The mask of the corners in half row `y` at which the island would overlap another."""
        blocked = 0
        for row, runs in enumerate(shape.runs, start=y):
            if mask := self._full.get(row):
                for start, length in runs:
                    reach, size = mask >> start, 1
                    while size < length:
                        step = min(size, length - size)
                        reach |= reach >> step
                        size += step
                    blocked |= reach
        return blocked


def _nearest(free: int, x: int) -> list[int]:
    """The free places nearest to `x`: at most one on the left, or `x` itself, and one on the
    right."""
    left = free & (2 << x) - 1
    right = free >> x + 1
    places = [left.bit_length() - 1] if left else []
    return [*places, x + (right & -right).bit_length()] if right else places


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
