"""Draws an island in rows and columns (rules 3.3). Numbers grow to the right and downwards. Lines
that share no card neither cross nor touch, except side by side on a line that crosses both.

The lines of an island form a tree: each crossing joins a horizontal and a vertical line. So an
island is drawn from one line outwards. The lines that hang on a crossed card get columns (or rows)
of their own, and the cards of the line lie as far apart as these need.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from games.engine.cards import Card, LaidCard, is_joker
from games.engine.layout.packing import NARROW, WIDE, FeltSize, Shape, shape_of
from games.engine.layout.tags import WIDTH, GridPlace, Tag, place_tags
from games.engine.table import Line, Table

GAP: Final = 2
"""The distance, in cells, of neighbours that must not touch: one cell between them is empty."""
ROOTS: Final = 3
"""From how many of its longest lines an island is drawn, to find the best drawing."""


class LayoutCell(NamedTuple):
    """A card at its place; columns and rows from 0."""

    laid_card: LaidCard
    column: int
    row: int


class LayoutRow(NamedTuple):
    """A line at its place, from its lowest card to its highest, and its tag."""

    line: Line
    is_horizontal: bool
    start: GridPlace
    end: GridPlace
    tag: Tag


@dataclass(frozen=True, slots=True)
class Island:
    cells: tuple[LayoutCell, ...]
    layout_rows: tuple[LayoutRow, ...]
    columns: int  # how many columns it has
    rows: int  # how many rows of cells it has
    shape: Shape  # its room on the felt
    full_places: frozenset[GridPlace]  # where a card lies, or a line between two cards

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple([row.line for row in self.layout_rows])


@dataclass(frozen=True, slots=True)
class Drawing:
    """The places of an island's cards, counted from its top left corner."""

    places: Mapping[Card, GridPlace]
    vertical: frozenset[int]  # the indices of its vertical lines
    columns: int
    rows: int

    def card_size_on(self, felt: FeltSize) -> int:
        """How large the cards are on this felt, in steps of 6 pixels; 0 if they are too small."""
        if not self.is_seen_whole_on(felt):
            return 0
        width = felt.mean_card_width(2 * self.columns, 2 * self.rows + 1)
        return int(min(width, felt.enough_width)) // 6

    def is_seen_whole_on(self, felt: FeltSize) -> bool:
        return felt.is_wide_enough_for(2 * self.columns, 2 * self.rows + 1)


class EarlierLayout(NamedTuple):
    """The places of cards and the directions of lines before the last play."""

    places: Mapping[Card, tuple[int, GridPlace]]
    """The island of each number card and its place there. Jokers are left out, because a swap may
    have moved them."""
    directions: Mapping[Line, int]
    """How many cards of each line lay side by side; negative if it was vertical."""


def earlier_layout(table: Table, before: Sequence[Island]) -> EarlierLayout:
    places = {
        cell.laid_card.card: (index, (cell.column, cell.row))
        for index, island in enumerate(before)
        for cell in island.cells
        if not is_joker(cell.laid_card.card)
    }
    rows = [row for island in before for row in island.layout_rows]
    return EarlierLayout(places, {line: _direction(line, rows) for line in table.lines})


def _direction(line: Line, rows: Sequence[LayoutRow]) -> int:
    return sum(
        len(row.line.cards) * (1 if row.is_horizontal else -1)
        for row in rows
        if has_grown_into(row.line, line)
    )


def has_grown_into(row: Line, line: Line) -> bool:
    """Whether a line is this row of the earlier table with cards added or swapped."""
    lost_cards = set(row.cards) - set(line.cards)
    return len(row.cards) - len(lost_cards) > 1 and all(is_joker(card) for card, _ in lost_cards)


def draw_island(
    table: Table,
    indices: Sequence[int],
    earlier: EarlierLayout,
    felts: Sequence[FeltSize] = (NARROW, WIDE),
) -> Island:
    """The island in its best drawing. In this order:

    1. Rows keep their direction.
    2. The island is seen as a whole on each of the `felts`.
    3. Cards stay where they are in it.
    4. They are large on the last felt.
    5. Its longest row is horizontal.
    6. It takes few rows and columns.

    Of equal drawings, the one from the longest line, then from the oldest, is chosen."""
    lines = table.lines
    roots = sorted(indices, key=lambda index: -len(lines[index].cards))

    def cost(drawing: Drawing) -> tuple[int, ...]:
        return _cost(drawing, table, indices, earlier, felts)

    best = min(drawings(table, roots[:ROOTS]), key=cost)
    if len(roots) > ROOTS and not best.is_seen_whole_on(felts[0]):
        best = min(best, *drawings(table, roots[ROOTS:]), key=cost)
    island_lines = tuple([lines[index] for index in indices])
    horizontal = tuple([index not in best.vertical for index in indices])
    return place_island(island_lines, horizontal, tuple(sorted(best.places.items())))


def drawings(table: Table, roots: Sequence[int]) -> Iterator[Drawing]:
    """The drawings of an island from each of these lines, horizontal and vertical."""
    for root in roots:
        for horizontal in (True, False):
            yield _Tree(table).draw(root, horizontal)


def _cost(
    drawing: Drawing,
    table: Table,
    indices: Sequence[int],
    earlier: EarlierLayout,
    felts: Sequence[FeltSize],
) -> tuple[int, ...]:
    lines = table.lines
    longest = max([len(lines[index].cards) for index in indices])
    is_horizontal = any(
        len(lines[index].cards) == longest and index not in drawing.vertical for index in indices
    )
    directions = [
        (earlier.directions[lines[index]], index in drawing.vertical) for index in indices
    ]
    return (
        sum([abs(way) for way, is_vertical in directions if way and (way < 0) != is_vertical]),
        *[not drawing.is_seen_whole_on(felt) for felt in felts],
        _moved_cards(drawing, earlier),
        -drawing.card_size_on(felts[-1]),
        not is_horizontal,
        drawing.rows,
        drawing.columns,
    )


def _moved_cards(drawing: Drawing, earlier: EarlierLayout) -> int:
    """How many cards move differently from most of those that lay beside them."""
    shifts_of: dict[int, Counter[GridPlace]] = {}
    for card, (column, row) in drawing.places.items():
        if place := earlier.places.get(card):
            island, (old_column, old_row) = place
            shifts_of.setdefault(island, Counter())[column - old_column, row - old_row] += 1
    return sum([shifts.total() - max(shifts.values()) for shifts in shifts_of.values()])


@lru_cache(maxsize=4096)
def place_island(
    lines: tuple[Line, ...],
    horizontal: tuple[bool, ...],
    places: tuple[tuple[Card, GridPlace], ...],
    taken: frozenset[GridPlace] = frozenset(),
) -> Island:
    """The island of these lines with its cards in these places; `taken` are places that its tags
    leave free. Cached, because a move changes few islands."""
    place_of = dict(places)
    card_of = {laid_card.card: laid_card for line in lines for laid_card in line.cards}
    columns = max([column for column, _ in place_of.values()]) + 1
    rows = max([row for _, row in place_of.values()]) + 1
    row_places = [[place_of[card] for card, _ in line.cards] for line in lines]
    full_places = frozenset(_full(row_places))
    tags = place_tags(row_places, {*place_of.values(), *taken}, full_places, columns)
    layout_rows = tuple(
        LayoutRow(line, is_horizontal, cards[0], cards[-1], tag)
        for line, is_horizontal, cards, tag in zip(lines, horizontal, row_places, tags, strict=True)
    )
    cells = tuple(LayoutCell(card_of[card], *place) for card, place in places)
    shape = _shape(layout_rows, columns, rows)
    return Island(
        cells=cells,
        layout_rows=layout_rows,
        columns=columns,
        rows=rows,
        shape=shape,
        full_places=full_places,
    )


def _full(rows: Iterable[Sequence[GridPlace]]) -> Iterator[GridPlace]:
    for (left, top), *_, (right, bottom) in rows:
        yield from product(range(left, right + 1), range(top, bottom + 1))


def _shape(layout_rows: Collection[LayoutRow], columns: int, rows: int) -> Shape:
    """The room of an island. A line keeps a column on its right and half a row above it empty. The
    places under vertical rows take half a row, and so do tags; under a tag, no other one stands."""
    masks = [0] * (2 * rows + 3)
    width = 2 * columns
    for row in layout_rows:
        (left, top), (right, bottom) = row.start, row.end
        row_mask = (1 << 2 * (right - left + GAP)) - 1 << 2 * left
        for half_row in range(2 * top, 2 * bottom + 3):
            masks[half_row] |= row_mask
        if not row.is_horizontal:
            masks[2 * bottom + 3] |= 3 << 2 * left
        for half_row in (row.tag.half_row + 1, row.tag.half_row + 2):
            masks[half_row] |= (1 << 2 * WIDTH) - 1 << 2 * row.tag.first
        width = max(width, 2 * (row.tag.first + WIDTH))
    while not masks[-1]:
        masks.pop()
    return shape_of(masks, width)


class _Part(NamedTuple):
    """A drawing of the lines that hang on a card: the places of their cards, and all places that
    they cover, also between cards. Places are counted from that card."""

    places: dict[Card, GridPlace]
    covered: frozenset[GridPlace]


class _Tree:
    """Draws one island, from a root line outwards."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._vertical: set[int] = set()

    def draw(self, root: int, horizontal: bool) -> Drawing:
        places = self._line(root, None, horizontal).places
        left = min([column for column, _ in places.values()])
        top = min([row for _, row in places.values()])
        cells = {card: (column - left, row - top) for card, (column, row) in places.items()}
        columns = max([column for column, _ in cells.values()]) + 1
        rows = max([row for _, row in cells.values()]) + 1
        return Drawing(cells, frozenset(self._vertical), columns, rows)

    def _line(self, index: int, crossing: Card | None, horizontal: bool) -> _Part:
        """A line and all lines that hang on it, counted from its `crossing` card, or from its
        lowest card if there is none. The line that crosses it there may have any length, so no
        other card comes near that line."""
        if not horizontal:
            self._vertical.add(index)
        line = self._table.lines[index].cards
        hanging = {
            card: self._line(other_index, card, not horizontal)
            for card, _ in line
            if card != crossing
            for other_index in self._table.lines_at[card]
            if other_index != index
        }
        axis, cross_axis = (0, 1) if horizontal else (1, 0)
        near_cells: set[GridPlace] = set()  # the covered places, and those beside them
        reach: int | None = None  # how far the covered places reach along this line
        wall: int | None = None  # where the crossing card lies
        at, places, covered = 0, dict[Card, GridPlace](), set[GridPlace]()
        for card, _ in line:
            cells = set[GridPlace]()
            if card == crossing:
                wall = at = at if reach is None else max(at, reach + GAP)
            elif card in hanging:
                part = hanging[card].covered
                if wall is not None:
                    at = max(at, wall + GAP - min([place[axis] for place in part]))
                cells = _moved(part, at, horizontal)
                while any(place in near_cells for place in cells if place[cross_axis]):
                    at += 1
                    cells = _moved(part, at, horizontal)
                reach = max([place[axis] for place in cells] + ([] if reach is None else [reach]))
                for column, row in cells:
                    near_cells |= {(column + x, row) for x in (-1, 0, 1)}
                    near_cells |= {(column, row - 1), (column, row + 1)}
                for hanging_card, place in hanging[card].places.items():
                    places[hanging_card] = _shifted(place, at, horizontal)
            places[card] = (at, 0) if horizontal else (0, at)
            covered |= cells
            at += 1
        covered |= {(n, 0) if horizontal else (0, n) for n in range(at)}
        by = -(wall or 0)
        return _Part(
            {card: _shifted(place, by, horizontal) for card, place in places.items()},
            frozenset(_moved(covered, by, horizontal)),
        )


def _shifted(place: GridPlace, by: int, horizontal: bool) -> GridPlace:
    column, row = place
    return (column + by, row) if horizontal else (column, row + by)


def _moved(places: Collection[GridPlace], by: int, horizontal: bool) -> set[GridPlace]:
    return {_shifted(place, by, horizontal) for place in places}
