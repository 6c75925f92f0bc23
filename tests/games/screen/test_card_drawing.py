"""The tags of rows: where they are placed."""

from typing import Final

import pytest

from games.engine.layout import layout
from games.engine.ruleset import edition
from games.engine.text.notation import parse_table
from games.screen.card_drawing import table_rows

CROWDED: Final = (
    "16-43-70 37-46-55 11-12-b=13 19-43-67 37-42-47 47-53-59 68-70-72 7-9-11 12-46-80 55-68-81-94"
)


@pytest.mark.parametrize("widest", [2, 3])
def test_on_a_crowded_table_no_tag_lies_over_a_card_or_another_tag(widest: int) -> None:
    classic = edition("classic")
    placed = layout(parse_table(CROWDED.split(), classic))
    tags = [row.tag_place.split() for row in table_rows(placed, classic, new={}, chosen=())]
    below = [len(place) > 2 for place in tags]
    at = [(int(column[1:]) - 2, int(row[1:]) - 2) for column, row, *_ in tags]
    firsts = [
        (column, row + (1 if under else -1)) for (column, row), under in zip(at, below, strict=True)
    ]
    covered = [(column + step, row) for column, row in firsts for step in range(widest)]
    cards = [(cell.column, cell.row) for cell in placed.cells]
    assert len({*covered, *cards}) == len(covered) + len(cards)
