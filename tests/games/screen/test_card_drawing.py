"""Number lines and the tags of rows: where everything is placed."""

from typing import Final

import pytest

from games.engine.layout import layout
from games.engine.ruleset import edition
from games.engine.text.notation import parse_table
from games.screen.card_drawing import number_line, table_rows


def test_numbers_stand_as_far_apart_as_they_are() -> None:
    line = number_line((10, 20, 40))
    assert line is not None
    first, second, third = (point.x for point in line.points)
    assert abs((third - second) - 2 * (second - first)) <= 2
    assert [jump.label for jump in line.jumps] == ["+10", "+20"]


def test_labels_that_have_room_stand_at_one_height() -> None:
    line = number_line((35, 40, 45))
    assert line is not None
    assert len({point.y for point in line.points}) == 1
    assert not line.close


def test_labels_that_are_too_close_take_turns_and_all_lie_in_the_picture() -> None:
    line = number_line((2, 4, 6, 50))
    assert line is not None
    first, second, third, _ = (point.y for point in line.points)
    assert first == third != second
    _, top, width, height = map(int, line.box.split())
    assert all(top <= point.y <= top + height and 0 <= point.x <= width for point in line.points)
    assert all(top < jump.y for jump in line.jumps)


def test_one_number_alone_makes_no_line() -> None:
    assert number_line((5,)) is None


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
