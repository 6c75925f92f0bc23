"""Cards, rows and number lines as the templates draw them."""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final

from games import wording
from games.coach.times_tables import describe
from games.drawn import (
    LINE_HEIGHT,
    LINE_RISE,
    LINE_WIDTH,
    Face,
    Jump,
    NumberLine,
    Point,
    TableCard,
    TableRow,
)
from games.engine.cards import Card, Laid, colour, is_joker, value
from games.engine.layout import Cell, Layout, Row
from games.engine.notation import card_text, laid_text
from games.engine.ruleset import Ruleset
from games.engine.table import Table

LINE_MARGIN: Final = 24
WIDEST_TAG: Final = 3


def face(card: Card, ruleset: Ruleset, number: int | None = None) -> Face:
    """A card's face; for one on the table with the `number` that it stands for."""
    shown = number if number is not None else (None if is_joker(card) else card)
    pips = value(card) if ruleset.earning == "value" else 0
    return Face(
        value=card_text(card) if number is None else laid_text(Laid(card, number)),
        number="" if shown is None else str(shown),
        colour="block" if ruleset.with_pot else colour(card),
        joker=is_joker(card),
        label=wording.card_label(card, ruleset, number),
        pips=pips,
    )


def number_line(numbers: Sequence[int]) -> NumberLine | None:
    """Numbers on a line with the jumps between them; x in the drawing's own units."""
    if len(numbers) < 2:
        return None
    low, high = min(numbers), max(numbers)
    room = LINE_WIDTH - 2 * LINE_MARGIN
    at = [LINE_MARGIN + round((number - low) * room / (high - low)) for number in numbers]
    points = tuple(Point(x, str(number)) for x, number in zip(at, numbers, strict=True))
    jumps = tuple(
        Jump(
            f"M{a} {LINE_HEIGHT} Q{(a + b) // 2} {LINE_HEIGHT - LINE_RISE} {b} {LINE_HEIGHT}",
            (a + b) // 2,
            f"+{after - before}",
        )
        for (a, b), (before, after) in zip(pairwise(at), pairwise(numbers), strict=True)
    )
    return NumberLine(points, jumps)


def table_cards(
    table: Table, layout: Layout, ruleset: Ruleset, *, new: Collection[int], chosen: Collection[str]
) -> Iterator[TableCard]:
    """The cards that lie on the table; `new`: the numbers that others laid just now."""
    for cell in layout.cells:
        shown = face(cell.laid.card, ruleset, cell.laid.number)
        at = table.lines_at[cell.laid.card]
        yield TableCard(
            shown,
            _place(cell.column, cell.row),
            crossed=len(at) > 1,
            new=cell.laid.number in new,
            rows=" ".join(map(str, at)),
            chosen=shown.value in chosen,
        )


def table_rows(layout: Layout, ruleset: Ruleset, *, chosen: Collection[str]) -> Iterator[TableRow]:
    taken = {(cell.column, cell.row): cell for cell in layout.cells}
    full = set(taken)
    for row in layout.rows_of:
        told = describe(row.line.numbers)
        tag_place, side = _tag_place(row, layout.cells, full)
        (left, top), (right, bottom) = row.start, row.end
        yield TableRow(
            value=str(row.line),
            name=wording.row_name(told, ruleset),
            facts=wording.row_facts(told, ruleset),
            label=wording.row_label(told, ruleset),
            numbers=" ".join(map(str, row.line.numbers)),
            tag_place=f"{tag_place} {side}".strip(),
            bar=f"{_place(left, top)} w{right - left + 1} h{bottom - top + 1}",
            horizontal=row.horizontal,
            ends=tuple(_place(*end) for end in _ends(row) if end not in taken and min(end) >= 0),
            chosen=str(row.line) in chosen,
        )


def _tag_place(row: Row, cells: Sequence[Cell], full: set[tuple[int, int]]) -> tuple[str, str]:
    """Where a row's tag fits, and on which side of its card: a tag is two cells wide, on a phone
    nearly three, and meets neither a card nor another tag. What it covers is added to `full`."""
    own = {laid.card for laid in row.line.cards}
    places = sorted((c.row, c.column) for c in cells if c.laid.card in own)
    tried = [(row, column, row - 1, "") for row, column in places]
    tried += [(row, column, row + 1, "below") for row, column in reversed(places)]
    best = max(tried, key=lambda at: _room(at[1], at[2], full))
    top, column, covered, side = best
    full |= {(column + further, covered) for further in range(WIDEST_TAG)}
    return _place(column, top), side


def _room(column: int, row: int, full: set[tuple[int, int]]) -> int:
    """How many cells from here to the right are free, up to what the widest tag needs."""
    cells = range(column, column + WIDEST_TAG)
    return next((index for index, at in enumerate(cells) if (at, row) in full), WIDEST_TAG)


def _ends(row: Row) -> tuple[tuple[int, int], tuple[int, int]]:
    (left, top), (right, bottom) = row.start, row.end
    if row.horizontal:
        return (left - 1, top), (right + 1, bottom)
    return (left, top - 1), (right, bottom + 1)


def _place(column: int, row: int) -> str:
    return f"c{column + 1} r{row + 1}"
