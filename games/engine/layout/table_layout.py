"""The layout of a table: its islands, and the place of each on a wide and on a narrow felt."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Final, NamedTuple, TypedDict

from msgspec import Meta

from games.engine.errors import JsonError
from games.engine.json_values import JsonObject, read_as
from games.engine.layout.islands import (
    EarlierLayout,
    Island,
    draw_island,
    earlier_layout,
    place_island,
)
from games.engine.layout.packing import NARROW, WIDE, Corner, FeltSize, extent, pack
from games.engine.table import Table


@dataclass(frozen=True, slots=True)
class Layout:
    """The islands, in the order in which they were formed, and their corners on both felts."""

    islands: tuple[Island, ...] = ()
    wide: tuple[Corner, ...] = ()
    narrow: tuple[Corner, ...] = ()

    @property
    def wide_extent(self) -> Corner:
        """How many halves of columns and rows the table takes on the wide felt."""
        return extent([island.shape for island in self.islands], self.wide)

    @property
    def narrow_extent(self) -> Corner:
        return extent([island.shape for island in self.islands], self.narrow)


MOST_COORDINATE: Final = 1000
"""The highest column, row or half of one. A hundred cards take far less room."""
_Coordinate = Annotated[int, Meta(ge=0, le=MOST_COORDINATE)]


class _Places(TypedDict):
    """A layout as JSON: the column and row of each card in its island, the indices of the vertical
    lines among the lines of all islands, and the corners of the islands."""

    cells: dict[str, tuple[_Coordinate, _Coordinate]]
    standing: frozenset[int]
    wide: list[tuple[_Coordinate, _Coordinate]]
    narrow: list[tuple[_Coordinate, _Coordinate]]


def layout(table: Table, previous: Layout | None = None, only: FeltSize | None = None) -> Layout:
    """Place all islands. An unchanged island keeps its drawing and its place relative to the
    others, unless the cards are small and moving all islands makes them larger. An island that
    grew stays as near to its old place as possible, and a new one goes where cards stay large. With
    `only`, islands are drawn for this felt alone, which takes the place of the wide one."""
    previous = previous or Layout()
    felts = (only,) if only else (NARROW, WIDE)
    index_of = {island.lines: index for index, island in enumerate(previous.islands)}
    earlier = earlier_layout(table, previous.islands)
    islands: list[Island] = []
    moves: list[_Move] = []
    for indices in table.islands:
        origin = index_of.get(tuple([table.lines[index] for index in indices]))
        if origin is not None:
            islands.append(previous.islands[origin])
            moves.append(_Move(origin, (0, 0)))
        else:
            islands.append(draw_island(table, indices, earlier, felts))
            moves.append(_move(islands[-1], earlier))
    shapes = [island.shape for island in islands]
    unchanged = [
        move.origin is not None
        and move.shift == (0, 0)
        and previous.islands[move.origin].shape == island.shape
        for move, island in zip(moves, islands, strict=True)
    ]

    def corners(felt: FeltSize, last_corners: Sequence[Corner]) -> tuple[Corner, ...]:
        return tuple(
            pack(shapes, [move.corner_from(last_corners) for move in moves], unchanged, felt)
        )

    return Layout(
        tuple(islands), corners(felts[-1], previous.wide), corners(NARROW, previous.narrow)
    )


def layout_of_part(larger: Layout, table: Table) -> Layout | None:
    """The layout of a table with each card at its place in `larger`, the layout of a table with
    more cards; None if `larger` lacks a card."""
    cell_of = {
        cell.laid_card: (index, cell)
        for index, island in enumerate(larger.islands)
        for cell in island.cells
    }
    # The parts of an island leave one another's cards and tags free.
    taken = [{(cell.column, cell.row) for cell in each.cells} for each in larger.islands]
    islands: list[Island] = []
    wide: list[Corner] = []
    narrow: list[Corner] = []
    for indices in table.islands:
        lines = tuple([table.lines[index] for index in indices])
        cards = sorted({card for line in lines for card in line.cards})
        if not all(card in cell_of for card in cards):
            return None
        cells = [cell_of[card][1] for card in cards]
        left = min(cell.column for cell in cells)
        top = min(cell.row for cell in cells)
        horizontal = tuple(
            [cell_of[line.cards[0]][1].row == cell_of[line.cards[-1]][1].row for line in lines]
        )
        places = tuple(
            [(cell.laid_card.card, (cell.column - left, cell.row - top)) for cell in cells]
        )
        index = cell_of[cards[0]][0]
        own_taken = frozenset((x - left, y - top) for x, y in taken[index])
        islands.append(place_island(lines, horizontal, places, own_taken))
        tags = [row.tag for row in islands[-1].layout_rows]
        taken[index] |= {(x + left, y + top) for tag in tags for x, y in tag.covered}
        for corners, last_corners in ((wide, larger.wide), (narrow, larger.narrow)):
            x, y = last_corners[index]
            corners.append((x + 2 * left, y + 2 * top))
    return Layout(tuple(islands), tuple(wide), tuple(narrow))


def layout_to_data(placed: Layout) -> dict[str, object]:
    """What `layout` needs of the previous layout, as data for JSON."""
    rows = [row for island in placed.islands for row in island.layout_rows]
    cells = [cell for island in placed.islands for cell in island.cells]
    return {
        "cells": {str(cell.laid_card.card): [cell.column, cell.row] for cell in cells},
        "standing": [index for index, row in enumerate(rows) if not row.is_horizontal],
        "wide": [list(corner) for corner in placed.wide],
        "narrow": [list(corner) for corner in placed.narrow],
    }


def layout_from_data(data: JsonObject, table: Table) -> Layout:
    """The layout of this table, from the data of `layout_to_data`. Raises `JsonError`."""
    places = read_as(_Places, data)
    has_its_cards = places["cells"].keys() == {str(card) for card in table.laid_cards}
    groups = table.islands
    if not has_its_cards or not len(groups) == len(places["wide"]) == len(places["narrow"]):
        raise JsonError("a layout of another table")
    islands: list[Island] = []
    first = 0
    for indices in groups:
        lines = tuple([table.lines[index] for index in indices])
        horizontal = tuple([first + i not in places["standing"] for i in range(len(lines))])
        for line, is_horizontal in zip(lines, horizontal, strict=True):
            _check_straight([places["cells"][str(card)] for card, _ in line.cards], is_horizontal)
        cards = sorted({card for line in lines for card, _ in line.cards})
        cells = tuple([(card, places["cells"][str(card)]) for card in cards])
        islands.append(place_island(lines, horizontal, cells))
        first += len(lines)
    return Layout(tuple(islands), tuple(places["wide"]), tuple(places["narrow"]))


def _check_straight(cells: Sequence[tuple[int, int]], is_horizontal: bool) -> None:
    along_axis, across_axis = (0, 1) if is_horizontal else (1, 0)
    grows = all(before[along_axis] < after[along_axis] for before, after in pairwise(cells))
    if not grows or len({cell[across_axis] for cell in cells}) > 1:
        raise JsonError("a line that does not lie straight")


class _Move(NamedTuple):
    """Where an island should go so that most of its old cards stay in their places: to the corner
    of island `origin` in the previous layout, plus `shift`. `origin` is None for a new island."""

    origin: int | None
    shift: Corner

    def corner_from(self, last_corners: Sequence[Corner]) -> Corner | None:
        if self.origin is None:
            return None
        x, y = last_corners[self.origin]
        return x + self.shift[0], y + self.shift[1]


def _move(island: Island, earlier: EarlierLayout) -> _Move:
    moves: Counter[_Move] = Counter()
    for cell in island.cells:
        if earlier_place := earlier.places.get(cell.laid_card.card):
            origin, (column, row) = earlier_place
            moves[_Move(origin, (2 * (column - cell.column), 2 * (row - cell.row)))] += 1
    return moves.most_common(1)[0][0] if moves else _Move(None, (0, 0))
