"""Islands laid out in rows and columns (rules 3.3): numbers grow to the right and downwards, and
lines that share no card neither touch nor cross.

The lines of an island form a tree: each crossing joins a horizontal and a vertical line. So an
island is laid out from one line outwards. The lines that hang on a crossed card get columns (or
rows) of their own, and the cards of the line are spaced as far apart as that needs.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, TypedDict

from games.engine.errors import JsonError
from games.engine.json_values import JsonObject, read_as

from .cards import Card, Laid
from .table import Line, Table

GAP: Final = 2
"""The distance between neighbours that must not touch: one empty cell between them."""


class LayoutCell(NamedTuple):
    """A card at its place; columns and rows from 0."""

    laid: Laid
    column: int
    row: int


class LayoutRow(NamedTuple):
    """A line at its place, from its lowest card to its highest."""

    line: Line
    horizontal: bool
    start: tuple[int, int]
    end: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything lies. `columns` and `rows` are numbers of columns and rows."""

    cells: tuple[LayoutCell, ...] = ()
    rows_of: tuple[LayoutRow, ...] = ()
    columns: int = 0
    rows: int = 0


class _Places(TypedDict):
    """A layout as JSON: the column and row of each card, and the indices of the vertical lines."""

    cells: dict[str, tuple[int, int]]
    standing: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Island:
    """The places of an island's cards, its top left corner at 0, 0.

    `standing`: the indices of its vertical lines. `covered`: all cells that its lines run over,
    including those between cards that are spaced apart.
    """

    places: Mapping[Card, tuple[int, int]]
    standing: frozenset[int]
    covered: frozenset[tuple[int, int]]
    width: int
    height: int


def layout(table: Table, previous: Layout | None = None, columns: int = 12) -> Layout:
    """Place every island: one that did not change stays where it was, the others go where there
    is room; one that grew goes as near to its old place as possible."""
    before = (
        {cell.laid.card: (cell.column, cell.row) for cell in previous.cells} if previous else {}
    )
    lay = {row.line: row.horizontal for row in previous.rows_of} if previous else {}
    groups: dict[int, list[int]] = {}
    for index, label in enumerate(table.island_of):
        groups.setdefault(label, []).append(index)
    placed: dict[Card, tuple[int, int]] = {}
    standing: set[int] = set()
    taken: set[tuple[int, int]] = set()
    changed: list[_Island] = []
    for indices in groups.values():
        island = _drawn(table, indices, lay, columns)
        corner = _old_corner(island, before)
        if corner is not None and _is_same(island, corner, before):
            _put(island, corner, placed, taken)
            standing |= island.standing
        else:
            changed.append(island)
    for island in changed:
        wanted = _old_corner(island, before)
        _put(island, _free_corner(island, taken, columns, wanted), placed, taken)
        standing |= island.standing
    return _arranged(table, placed, standing)


def layout_to_data(placed: Layout) -> dict[str, object]:
    """The part of a layout that `layout` needs as the previous one, for JSON."""
    return {
        "cells": {str(cell.laid.card): [cell.column, cell.row] for cell in placed.cells},
        "standing": [index for index, row in enumerate(placed.rows_of) if not row.horizontal],
    }


def layout_from_data(data: JsonObject, table: Table) -> Layout:
    """The layout of this table, from the data of `layout_to_data`. Raises `JsonError`."""
    places = read_as(_Places, data)
    if places["cells"].keys() != {str(card) for card in table.laid}:
        raise JsonError("a layout of another table")
    cells = {int(card): place for card, place in places["cells"].items()}
    return _arranged(table, cells, places["standing"])


def _arranged(
    table: Table, places: Mapping[Card, tuple[int, int]], standing: Collection[int]
) -> Layout:
    cells = tuple(LayoutCell(table.laid[card], *place) for card, place in sorted(places.items()))
    rows = tuple(
        LayoutRow(
            line,
            index not in standing,
            places[line.cards[0].card],
            places[line.cards[-1].card],
        )
        for index, line in enumerate(table.lines)
    )
    width = max((cell.column for cell in cells), default=-1) + 1
    height = max((cell.row for cell in cells), default=-1) + 1
    return Layout(cells, rows, width, height)


def _drawn(table: Table, indices: Sequence[int], lay: Mapping[Line, bool], columns: int) -> _Island:
    """The best drawing of an island, from any of its lines, horizontal or vertical: it fits the
    width, then keeps the direction of most lines, then takes least room; ties go to the oldest
    line."""
    best: tuple[tuple[int, int, int], _Island] | None = None
    for root in indices:
        for horizontal in (True, False):
            island = _Drawing(table, indices).island(root, horizontal)
            known = [index for index in indices if table.lines[index] in lay]
            turned = sum(lay[table.lines[index]] == (index in island.standing) for index in known)
            unusual = 0 if known or horizontal else 1
            too_wide = max(0, island.width - columns)
            cost = (too_wide, turned + unusual, island.width * island.height)
            if best is None or cost < best[0]:
                best = cost, island
    assert best is not None
    return best[1]


class _Drawing:
    """The drawing of one island, from a root line outwards."""

    def __init__(self, table: Table, indices: Sequence[int]) -> None:
        self._table = table
        self._all = tuple(indices)
        self._undrawn = set(indices)
        self._standing: set[int] = set()

    def island(self, root: int, horizontal: bool) -> _Island:
        places = self._line(root, None, horizontal)
        left = min(column for column, _ in places.values())
        top = min(row for _, row in places.values())
        moved = {card: (column - left, row - top) for card, (column, row) in places.items()}
        return _Island(
            moved,
            frozenset(self._standing),
            frozenset(self._covered(moved)),
            max(column for column, _ in moved.values()) + 1,
            max(row for _, row in moved.values()) + 1,
        )

    def _covered(self, places: Mapping[Card, tuple[int, int]]) -> Iterator[tuple[int, int]]:
        for line in (self._table.lines[index] for index in self._all):
            start, end = places[line.cards[0].card], places[line.cards[-1].card]
            yield from product(range(start[0], end[0] + 1), range(start[1], end[1] + 1))

    def _line(
        self, index: int, crossing: Card | None, horizontal: bool
    ) -> dict[Card, tuple[int, int]]:
        """The places of a line and everything that hangs on it, its `crossing` card at 0, 0."""
        if not horizontal:
            self._standing.add(index)
        axis = 0 if horizontal else 1
        hanging = {
            laid.card: self._hanging(index, laid.card, horizontal)
            for laid in self._table.lines[index].cards
        }
        at = 0
        reach: int | None = None  # how far the crossed cards so far need this axis
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
        """The places of what hangs on the line at a card: its other line and all beyond it."""
        others = [other for other in self._table.lines_at[card] if other != index]
        if not others or others[0] not in self._undrawn:
            return {card: (0, 0)}
        (other,) = others
        self._undrawn.discard(index)
        return self._line(other, card, not horizontal)


def _old_corner(island: _Island, before: Mapping[Card, tuple[int, int]]) -> tuple[int, int] | None:
    """Where the island's corner would be if its first known card stayed where it was."""
    for card, (column, row) in island.places.items():
        if card in before:
            return max(0, before[card][0] - column), max(0, before[card][1] - row)
    return None


def _is_same(
    island: _Island, corner: tuple[int, int], before: Mapping[Card, tuple[int, int]]
) -> bool:
    return all(
        before.get(card) == (column + corner[0], row + corner[1])
        for card, (column, row) in island.places.items()
    )


def _put(
    island: _Island,
    corner: tuple[int, int],
    placed: dict[Card, tuple[int, int]],
    taken: set[tuple[int, int]],
) -> None:
    for card, (column, row) in island.places.items():
        placed[card] = column + corner[0], row + corner[1]
    taken.update((column + corner[0], row + corner[1]) for column, row in island.covered)


def _free_corner(
    island: _Island, taken: set[tuple[int, int]], columns: int, wanted: tuple[int, int] | None
) -> tuple[int, int]:
    """The corner nearest to the wanted one, or the first from the top left, where the island has
    an empty cell between itself and all others on every side."""
    width = max(columns, island.width)
    lowest = max((row for _, row in taken), default=-GAP) + GAP
    corners = [
        (column, row) for row in range(lowest + 1) for column in range(width - island.width + 1)
    ]
    if wanted is not None:
        near = wanted
        corners.sort(key=lambda at: (abs(at[0] - near[0]) + abs(at[1] - near[1]), at[1], at[0]))
    blocked = {(c + dc, r + dr) for c, r in taken for dc in (-1, 0, 1) for dr in (-1, 0, 1)}
    return next(
        corner
        for corner in corners
        if not any(
            (column + corner[0], row + corner[1]) in blocked for column, row in island.covered
        )
    )
