"""The places of the tags of an island's rows: above, below or beside their cards."""

from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple, get_args

GridPlace = tuple[int, int]
"""A column and a row of an island, from 0."""

Side = Literal["above", "below"]

WIDTH: Final = 3
"""How many columns a tag may take."""
TRIES: Final = 4


class Tag(NamedTuple):
    """The place of a tag: above or below this cell, from its left edge to the right or, if
    `leftwards`, from its right edge to the left."""

    column: int
    row: int
    side: Side
    leftwards: bool

    @property
    def first(self) -> int:
        return self.column - (WIDTH - 1 if self.leftwards else 0)

    @property
    def covered(self) -> tuple[GridPlace, ...]:
        row = self.row - 1 if self.side == "above" else self.row + 1
        return tuple([(self.first + further, row) for further in range(WIDTH)])

    @property
    def half_row(self) -> int:
        """The half row of the tag; 0 is the upper half of the highest card."""
        return 2 * self.row - 1 if self.side == "above" else 2 * self.row + 2


def place_tags(
    rows: Sequence[Sequence[GridPlace]],
    cells: Collection[GridPlace],
    bars: frozenset[GridPlace],
    width: int,
) -> list[Tag]:
    """A tag for each row. `rows` has the places of each row's cards, `cells` those of all cards,
    `bars` those that the rows cover, and `width` is the number of columns of the island. A tag
    should neither touch a card or another tag nor make the island wider. Short rows choose first. A
    row that finds no room chooses first in the next attempt."""
    tags = [sorted(_tags_for(row), key=lambda tag: _cost(tag, row, cells, width)) for row in rows]
    order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
    best, fewest = _choose_tags(order, tags, cells, bars)
    cramped = fewest
    for _ in range(TRIES):
        if not cramped:
            break
        order = [*cramped, *(index for index in order if index not in cramped)]
        choice, cramped = _choose_tags(order, tags, cells, bars)
        if len(cramped) < len(fewest):
            best, fewest = choice, cramped
    return [best[index] for index in range(len(rows))]


def _choose_tags(
    order: Sequence[int],
    tags: Sequence[Sequence[Tag]],
    cells: Collection[GridPlace],
    bars: frozenset[GridPlace],
) -> tuple[dict[int, Tag], list[int]]:
    """The tag of each row if the rows choose in this order, and the rows that find no room. A tag
    lies on a bar only if all other places touch a card or another tag."""
    full_cells = set(cells)
    choice: dict[int, Tag] = {}
    cramped: list[int] = []
    for index in order:
        free = [tag for tag in tags[index] if full_cells.isdisjoint(tag.covered)]
        tag = next((tag for tag in free if bars.isdisjoint(tag.covered)), free[0] if free else None)
        if tag is None:
            cramped.append(index)
            tag = max(tags[index], key=lambda tag: _room(tag, full_cells))
        full_cells.update(tag.covered)
        choice[index] = tag
    return choice, cramped


def _tags_for(row: Sequence[GridPlace]) -> list[Tag]:
    (left, top), *_, (right, bottom) = row
    tags = [
        Tag(column + shift, cell_row, side, leftwards)
        for column, cell_row in row
        for shift, leftwards in ((0, False), (1, False), (0, True))
        for side in get_args(Side)
    ]
    if left == right:  # beside the row, also where its cards stand apart
        for below in range(top + 1, bottom + 2):
            tags += Tag(left + 1, below, "above", False), Tag(left - 1, below, "above", True)
    return [tag for tag in tags if tag.first >= 0]


def _cost(tag: Tag, row: Sequence[GridPlace], cells: Collection[GridPlace], width: int) -> int:
    """How bad the place of a tag is. The best one is right above the row, takes no extra room,
    leaves the ends of the row free and cannot be mistaken for that of another row's tag."""
    beyond = max(0, tag.first + WIDTH - width)
    (left, top), (right, bottom) = row[0], row[-1]
    ends = (left, top - 1), (right, bottom + 1)
    upright = top < bottom
    over_end = upright and any(cell in ends for cell in tag.covered)
    shift = 0
    if tag.column not in {column for column, _ in row}:
        shift = 1 if top < tag.row <= bottom + 1 and tag.side == "above" else 9
    near = [(tag.first + further, tag.row) for further in range(WIDTH)]
    if upright and not shift:  # another row may lie along the tag, through the card of this one
        near += [(tag.column - 1, tag.row), (tag.column + 1, tag.row)]
    beside = [(tag.first - 1, tag.covered[0][1]), (tag.first + WIDTH, tag.covered[0][1])]
    misleads = sum(any(cell in cells and cell not in row for cell in of) for of in (near, beside))
    return 2 * beyond + 3 * over_end + (tag.side == "below") + shift + tag.leftwards + 7 * misleads


def _room(tag: Tag, full_cells: Collection[GridPlace]) -> int:
    """How many cells of a tag are free from the left to the first full one."""
    return next((index for index, cell in enumerate(tag.covered) if cell in full_cells), WIDTH)
