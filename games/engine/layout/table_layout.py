"""The layout of a table: its islands, and where each lies on a wide felt and on a narrow one."""

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
    island_at,
)
from games.engine.layout.packing import NARROW, WIDE, Corner, Felt, extent, pack
from games.engine.table import Table


@dataclass(frozen=True, slots=True)
class Layout:
    """The islands, in the order in which they were formed, and their corners on both felts, in
    halves of columns and rows."""

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
"""The highest number of a column, a row or a half of one; a hundred cards take far less room."""
_At = Annotated[int, Meta(ge=0, le=MOST_COORDINATE)]


class _Cells(TypedDict):
    """A layout as JSON from a release that had one felt only."""

    cells: dict[str, tuple[_At, _At]]
    standing: frozenset[int]


class _Places(_Cells):
    """A layout as JSON: the column and row of each card in its island, the indices of the vertical
    lines among the lines of all islands, and the corners of the islands."""

    wide: list[tuple[_At, _At]]
    narrow: list[tuple[_At, _At]]


def layout(table: Table, previous: Layout | None = None, only: Felt | None = None) -> Layout:
    """Place all islands. An unchanged island keeps its drawing and its place relative to the
    others; one that grew stays as near to its old place as possible; a new one goes where cards
    stay large.
    `only` is the felt for which the table is drawn as large as it can be, instead of the wide one
    and whatever a phone needs."""
    previous = previous or Layout()
    felts = (only,) if only else (NARROW, WIDE)
    index_of = {island.lines: index for index, island in enumerate(previous.islands)}
    earlier = earlier_layout(table, previous.islands)
    islands: list[Island] = []
    moves: list[_Move] = []
    for indices in _islands_of(table):
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
        and move.by == (0, 0)
        and previous.islands[move.origin].shape == island.shape
        for move, island in zip(moves, islands, strict=True)
    ]

    def corners(felt: Felt, last_corners: Sequence[Corner]) -> tuple[Corner, ...]:
        return tuple(
            pack(shapes, [move.corner_from(last_corners) for move in moves], unchanged, felt)
        )

    return Layout(
        tuple(islands), corners(felts[-1], previous.wide), corners(NARROW, previous.narrow)
    )


def part_of(larger: Layout, table: Table) -> Layout | None:
    """The layout of a table with every card at its place in `larger`, a table with more cards; None
    if `larger` lacks one of them."""
    cell_of = {
        cell.laid_card: (index, cell)
        for index, island in enumerate(larger.islands)
        for cell in island.cells
    }
    islands: list[Island] = []
    wide: list[Corner] = []
    narrow: list[Corner] = []
    for indices in _islands_of(table):
        lines = tuple([table.lines[index] for index in indices])
        cards = sorted({card for line in lines for card in line.cards})
        if not all(card in cell_of for card in cards):
            return None
        cells = [cell_of[card][1] for card in cards]
        left, top = min(cell.column for cell in cells), min(cell.row for cell in cells)
        across = tuple(
            [cell_of[line.cards[0]][1].row == cell_of[line.cards[-1]][1].row for line in lines]
        )
        places = tuple(
            [(cell.laid_card.card, (cell.column - left, cell.row - top)) for cell in cells]
        )
        islands.append(island_at(lines, across, places))
        for corners, last_corners in ((wide, larger.wide), (narrow, larger.narrow)):
            x, y = last_corners[cell_of[cards[0]][0]]
            corners.append((x + 2 * left, y + 2 * top))
    return Layout(tuple(islands), tuple(wide), tuple(narrow))


def layout_to_data(placed: Layout) -> dict[str, object]:
    """The part of a layout that `layout` needs next time, as data for JSON."""
    rows = [row for island in placed.islands for row in island.rows_of]
    cells = [cell for island in placed.islands for cell in island.cells]
    return {
        "cells": {str(cell.laid_card.card): [cell.column, cell.row] for cell in cells},
        "standing": [index for index, row in enumerate(rows) if not row.horizontal],
        "wide": [list(corner) for corner in placed.wide],
        "narrow": [list(corner) for corner in placed.narrow],
    }


def layout_from_data(data: JsonObject, table: Table) -> Layout:
    """The layout of this table, from the data of `layout_to_data`. Raises `JsonError`."""
    if isinstance(data, dict) and data.keys() == _Cells.__annotations__.keys():
        _check_cards(read_as(_Cells, data), table)
        return layout(table)
    places = read_as(_Places, data)
    _check_cards(places, table)
    groups = _islands_of(table)
    if not len(groups) == len(places["wide"]) == len(places["narrow"]):
        raise JsonError("a layout of another table")
    islands: list[Island] = []
    first = 0
    for indices in groups:
        lines = tuple([table.lines[index] for index in indices])
        across = tuple([first + at not in places["standing"] for at in range(len(lines))])
        for line, is_horizontal in zip(lines, across, strict=True):
            _check_straight([places["cells"][str(card)] for card, _ in line.cards], is_horizontal)
        cards = sorted({card for line in lines for card, _ in line.cards})
        islands.append(
            island_at(lines, across, tuple([(card, places["cells"][str(card)]) for card in cards]))
        )
        first += len(lines)
    return Layout(tuple(islands), tuple(places["wide"]), tuple(places["narrow"]))


def _check_cards(places: _Cells, table: Table) -> None:
    if places["cells"].keys() != {str(card) for card in table.laid_cards}:
        raise JsonError("a layout of another table")


def _check_straight(cells: Sequence[tuple[int, int]], across: bool) -> None:
    along_axis, across_axis = (0, 1) if across else (1, 0)
    grows = all(before[along_axis] < after[along_axis] for before, after in pairwise(cells))
    if not grows or len({cell[across_axis] for cell in cells}) > 1:
        raise JsonError("a line that does not lie straight")


class _Move(NamedTuple):
    """Where an island should go: `by` away from the corner of island `origin` in the previous
    layout, so that most cards that it kept stay in their places. `origin` is None for a new
    island."""

    origin: int | None
    by: Corner

    def corner_from(self, last_corners: Sequence[Corner]) -> Corner | None:
        if self.origin is None:
            return None
        x, y = last_corners[self.origin]
        return x + self.by[0], y + self.by[1]


def _move(island: Island, earlier: EarlierLayout) -> _Move:
    ways: Counter[_Move] = Counter()
    for cell in island.cells:
        if was := earlier.places.get(cell.laid_card.card):
            origin, (column, row) = was
            ways[_Move(origin, (2 * (column - cell.column), 2 * (row - cell.row)))] += 1
    return ways.most_common(1)[0][0] if ways else _Move(None, (0, 0))


def _islands_of(table: Table) -> list[list[int]]:
    """The indices of the lines of each island."""
    groups: dict[int, list[int]] = {}
    for index, label in enumerate(table.island_of):
        groups.setdefault(label, []).append(index)
    return list(groups.values())
