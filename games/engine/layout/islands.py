"""Draws an island in rows and columns (rules 3.3): numbers grow to the right and downwards, and
lines that share no card neither touch nor cross.

The lines of an island form a tree: each crossing joins a horizontal and a vertical line. So an
island is drawn from one line outwards. The lines that hang on a crossed card get columns (or
rows) of their own, and the cards of the line are spaced as far apart as that needs.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from games.engine.cards import Card, LaidCard
from games.engine.layout.packing import NARROW, WIDE, Felt, Shape, shape_of
from games.engine.layout.tags import WIDTH, Place, Tag, place_tags
from games.engine.table import Line, Table

GAP: Final = 2
"""The distance between neighbours that must not touch: one empty cell between them."""


ROOTS: Final = 3
"""To find the best drawing, an island is drawn from this many of its longest lines."""


class LayoutCell(NamedTuple):
    """A card at its place; columns and rows from 0."""

    laid: LaidCard
    column: int
    row: int


class LayoutRow(NamedTuple):
    """A line at its place, from its lowest card to its highest, and its tag."""

    line: Line
    horizontal: bool
    start: Place
    end: Place
    tag: Tag


@dataclass(frozen=True, slots=True)
class Island:
    """Where the cards and lines of an island lie. `columns` and `rows` say how many it has, `shape`
    is the room that it takes on the felt."""

    cells: tuple[LayoutCell, ...]
    rows_of: tuple[LayoutRow, ...]
    columns: int
    rows: int
    shape: Shape
    full: frozenset[Place]
    """The cells in which something lies: a card, a tag, or a row between its cards."""

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple([row.line for row in self.rows_of])


@dataclass(frozen=True, slots=True)
class Drawing:
    """The places of an island's cards, counted from its top left corner."""

    places: Mapping[Card, Place]
    standing: frozenset[int]  # the indices of its vertical lines
    columns: int
    rows: int

    def is_seen_whole_on(self, felt: Felt) -> bool:
        return felt.is_wide_enough_for(2 * self.columns, 2 * self.rows + 1)


def draw_island(
    table: Table, indices: Sequence[int], was_horizontal: Mapping[Line, bool]
) -> Island:
    """The island in its best drawing, from any of its lines, horizontal or vertical. In this order,
    it should be seen as a whole, its longest row should be horizontal, most lines should keep their
    direction, and it should take few rows and columns. Among equals, the drawing from the longest
    line, then from the oldest, is chosen."""
    lines = table.lines
    roots = sorted(indices, key=lambda index: -len(lines[index].cards))

    def cost(drawing: Drawing) -> tuple[int, ...]:
        return _cost(drawing, table, indices, was_horizontal)

    best = min(drawings(table, indices, roots[:ROOTS]), key=cost)
    if len(roots) > ROOTS and not best.is_seen_whole_on(NARROW):
        best = min(best, *drawings(table, indices, roots[ROOTS:]), key=cost)
    own = tuple([lines[index] for index in indices])
    across = tuple([index not in best.standing for index in indices])
    return island_at(own, across, tuple(sorted(best.places.items())))


def drawings(table: Table, indices: Sequence[int], roots: Sequence[int]) -> Iterator[Drawing]:
    """The drawings of an island from each of these lines, horizontal and vertical."""
    for root in roots:
        for horizontal in (True, False):
            yield _Tree(table, indices).draw(root, horizontal)


def _cost(
    drawing: Drawing, table: Table, indices: Sequence[int], was_horizontal: Mapping[Line, bool]
) -> tuple[int, ...]:
    lines = table.lines
    longest = max([len(lines[index].cards) for index in indices])
    lies = any(
        len(lines[index].cards) == longest and index not in drawing.standing for index in indices
    )
    known = [index for index in indices if lines[index] in was_horizontal]
    turned = sum([was_horizontal[lines[index]] == (index in drawing.standing) for index in known])
    return (
        not drawing.is_seen_whole_on(NARROW),
        not drawing.is_seen_whole_on(WIDE),
        not lies,
        turned,
        drawing.rows,
        drawing.columns,
    )


@lru_cache(maxsize=4096)
def island_at(
    lines: tuple[Line, ...], across: tuple[bool, ...], places: tuple[tuple[Card, Place], ...]
) -> Island:
    """The island of these lines with its cards in these places. The result is cached, because a
    move changes few islands."""
    at = dict(places)
    on = {laid.card: laid for line in lines for laid in line.cards}
    columns = max([column for column, _ in at.values()]) + 1
    rows = max([row for _, row in at.values()]) + 1
    own = [[at[laid.card] for laid in line.cards] for line in lines]
    found = place_tags(own, set(at.values()), columns)
    laid_out = tuple(
        LayoutRow(line, lies, cards[0], cards[-1], tag)
        for line, lies, cards, tag in zip(lines, across, own, found, strict=True)
    )
    cells = tuple(LayoutCell(on[card], *place) for card, place in places)
    shape = _shape(laid_out, columns, rows)
    return Island(cells, laid_out, columns, rows, shape, frozenset(_full(laid_out)))


def _full(rows_of: Collection[LayoutRow]) -> Iterator[Place]:
    for row in rows_of:
        (left, top), (right, bottom) = row.start, row.end
        yield from product(range(left, right + 1), range(top, bottom + 1))
        yield from row.tag.covered


def _shape(rows_of: Collection[LayoutRow], columns: int, rows: int) -> Shape:
    """The room of an island. Each line keeps an empty column on its right and half a row above.
    Tags and the places under vertical rows take half a row."""
    masks = [0] * (2 * rows + 3)
    width = 2 * columns
    for row in rows_of:
        (left, top), (right, bottom) = row.start, row.end
        own = (1 << 2 * (right - left + GAP)) - 1 << 2 * left
        for at in range(2 * top, 2 * bottom + 3):
            masks[at] |= own
        if not row.horizontal:
            masks[2 * bottom + 3] |= 3 << 2 * left
        masks[row.tag.half_row + 1] |= (1 << 2 * WIDTH) - 1 << 2 * row.tag.first
        width = max(width, 2 * (row.tag.first + WIDTH))
    while not masks[-1]:
        masks.pop()
    return shape_of(masks, width)


class _Tree:
    """Draws one island, from a root line outwards."""

    def __init__(self, table: Table, indices: Sequence[int]) -> None:
        self._table = table
        self._undrawn = set(indices)
        self._standing: set[int] = set()

    def draw(self, root: int, horizontal: bool) -> Drawing:
        places = self._line(root, None, horizontal)
        left = min([column for column, _ in places.values()])
        top = min([row for _, row in places.values()])
        moved = {card: (column - left, row - top) for card, (column, row) in places.items()}
        columns = max([column for column, _ in moved.values()]) + 1
        rows = max([row for _, row in moved.values()]) + 1
        return Drawing(moved, frozenset(self._standing), columns, rows)

    def _line(
        self, index: int, crossing: Card | None, horizontal: bool
    ) -> dict[Card, tuple[int, int]]:
        """The places of a line and of everything that hangs on it, counted from its `crossing`
        card, or else from its lowest card."""
        if not horizontal:
            self._standing.add(index)
        axis = 0 if horizontal else 1
        hanging = {
            laid.card: self._hanging(index, laid.card, horizontal)
            for laid in self._table.lines[index].cards
        }
        at = 0
        reach: int | None = None  # how far what hangs so far reaches along this axis
        positions: dict[Card, int] = {}
        for laid in self._table.lines[index].cards:
            card = laid.card
            is_crossed = len(self._table.lines_at[card]) > 1
            extent = [place[axis] for place in hanging[card].values()] if is_crossed else []
            low, high = min(extent, default=0), max(extent, default=0)
            if is_crossed and reach is not None:
                at = max(at, reach + GAP - low)
            positions[card] = at
            if is_crossed:
                reach = at + high
            at += 1
        origin = positions[crossing] if crossing is not None else 0
        places: dict[Card, tuple[int, int]] = {}
        for card, position in positions.items():
            shift = position - origin
            places[card] = (shift, 0) if horizontal else (0, shift)
            for other, (column, row) in hanging[card].items():
                if other != card and card != crossing:
                    moved = (column + shift, row) if horizontal else (column, row + shift)
                    places[other] = moved
        return places

    def _hanging(self, index: int, card: Card, horizontal: bool) -> dict[Card, tuple[int, int]]:
        """The places of all that hangs on the line at a card, relative to the card: the card
        itself, its other line and everything beyond."""
        others = [other for other in self._table.lines_at[card] if other != index]
        if not others or others[0] not in self._undrawn:
            return {card: (0, 0)}
        (other,) = others
        self._undrawn.discard(index)
        return self._line(other, card, not horizontal)
