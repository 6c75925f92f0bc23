import json
from itertools import combinations, product

import pytest

from games.engine.errors import JsonError
from games.engine.layout import Layout, layout, layout_from_data, layout_to_data
from games.engine.table import Table
from games.engine.text.notation import parse_play, parse_table
from tests.games.positions import CLASSIC


def table(*lines: str) -> Table:
    return parse_table(lines, CLASSIC)


def built(*plays: str) -> Table:
    at = Table()
    for play in plays:
        at, _ = at.with_play(parse_play(play, CLASSIC))
    return at


def drawn(placed: Layout) -> str:
    """The layout as text: a row of cards a line, `.` for an empty cell."""
    grid = [["."] * placed.columns for _ in range(placed.rows)]
    for cell in placed.cells:
        grid[cell.row][cell.column] = str(cell.laid.number)
    return "\n".join(" ".join(row) for row in grid)


def cells_of(start: tuple[int, int], end: tuple[int, int]) -> set[tuple[int, int]]:
    return set(product(range(start[0], end[0] + 1), range(start[1], end[1] + 1)))


def check(placed: Layout, at: Table) -> None:
    """Everything that must hold for a layout (rules 3.3)."""
    places = {cell.laid: (cell.column, cell.row) for cell in placed.cells}
    assert set(places) == set(at.laid.values())
    assert len(set(places.values())) == len(places), "two cards in one place"
    assert len(placed.rows_of) == len(at.lines)
    covered = []
    for row, line in zip(placed.rows_of, at.lines, strict=True):
        assert row.line == line
        own = [places[laid] for laid in line.cards]
        assert (own[0], own[-1]) == (row.start, row.end)
        assert own == sorted(set(own)), "numbers grow to the right and downwards"
        fixed, along = (1, 0) if row.horizontal else (0, 1)
        assert len({place[fixed] for place in own}) == 1, "a line is straight"
        assert len({place[along] for place in own}) == len(own)
        covered.append(cells_of(row.start, row.end))
        others = {place for laid, place in places.items() if laid not in line.cards}
        assert not covered[-1] & others, "a bar runs over a card of another line"
    for first, second in combinations(range(len(at.lines)), 2):
        shared = set(at.lines[first].cards) & set(at.lines[second].cards)
        met = covered[first] & covered[second]
        assert met == {places[laid] for laid in shared}, "lines meet only where they cross"
        if shared:
            assert placed.rows_of[first].horizontal != placed.rows_of[second].horizontal
        else:
            beside = {
                (column + dc, row + dr)
                for column, row in covered[first]
                for dc, dr in ((1, 0), (-1, 0), (0, 1), (0, -1))
            }
            assert not beside & covered[second], "lines that do not cross touch"
    assert all(0 <= column < placed.columns for column, _ in places.values())
    assert all(0 <= row < placed.rows for _, row in places.values())


def test_an_empty_table_takes_no_room() -> None:
    assert layout(Table()) == Layout()


def test_a_row_lies_from_left_to_right() -> None:
    assert drawn(layout(table("10-20-30"))) == "10 20 30"


def test_a_crossing_row_stands_from_top_to_bottom() -> None:
    assert drawn(layout(table("10-20-30", "19-20-21"))) == ". 19 .\n10 20 30\n. 21 ."


def test_rows_of_different_islands_keep_a_cell_between_them() -> None:
    at = table("10-20-30", "1-2-3", "40-41-42")
    check(layout(at), at)
    assert drawn(layout(at)) == "10 20 30 . 1 2 3 . 40 41 42"


def test_where_the_width_is_full_islands_go_below() -> None:
    at = table("10-20-30", "1-2-3")
    assert drawn(layout(at, columns=6)) == "10 20 30\n. . .\n1 2 3"


def test_crossing_rows_side_by_side_stretch_the_row_that_they_cross() -> None:
    at = table("10-20-30", "9-10-11", "19-20-21")
    placed = layout(at)
    check(placed, at)
    assert drawn(placed) == "9 . 19 .\n10 . 20 30\n11 . 21 ."


def test_a_row_too_wide_stands() -> None:
    at = table("-".join(str(number) for number in range(1, 16)))
    placed = layout(at, columns=12)
    assert (placed.columns, placed.rows) == (1, 15)


def test_joined_and_linked_islands_are_drawn_as_one() -> None:
    at = built("10 20 30", "1 2 3", "48 49 50", "40 to 10-20-30 across 50")
    check(layout(at), at)
    assert len(at.islands) == 2


def test_deep_islands_never_touch_themselves() -> None:
    at = built(
        "10 20 30",
        "11 12 across 10",
        "9 13 across 11",
        "14 15 across 13",
        "19 21 across 20",
        "22 23 across 21",
        "29 31 across 30",
        "41 51 across 31",
    )
    check(layout(at), at)
    assert len(at.islands) == 1


class TestStaying:
    def test_an_island_that_did_not_change_stays_where_it_was(self) -> None:
        before = built("10 20 30", "1 2 3", "40 41 42")
        old = layout(before)
        after, _ = before.with_play(parse_play("4 5 6 to 1-2-3", CLASSIC))
        new = layout(after, old)
        check(new, after)
        places = {cell.laid: (cell.column, cell.row) for cell in new.cells}
        for cell in old.cells:
            if cell.laid.number in (10, 20, 30, 40, 41, 42):
                assert places[cell.laid] == (cell.column, cell.row)

    def test_an_island_grows_where_it_lies_when_there_is_room(self) -> None:
        before = built("10 20 30", "1 2 3")
        old = layout(before)
        after, _ = before.with_play(parse_play("4 to 1-2-3", CLASSIC))
        assert drawn(layout(after, old)) == "10 20 30 . 1 2 3 4"

    def test_the_rest_stays_when_one_island_is_joined(self) -> None:
        before = built("10 20 30", "1 2 3", "50 60 70")
        old = layout(before)
        after, _ = before.with_play(parse_play("40 to 10-20-30 50-60-70", CLASSIC))
        new = layout(after, old)
        check(new, after)
        kept = {cell for cell in old.cells if cell.laid.number < 4}
        assert kept <= set(new.cells)

    def test_a_swapped_joker_leaves_the_other_cards_in_their_places(self) -> None:
        before = built("10 a=20 30", "1 2 3", "19 21 across a=20")
        old = layout(before)
        after, _ = before.with_play(parse_play("5 6 a=7 swap 20 for a", CLASSIC))
        new = layout(after, old)
        check(new, after)
        kept = {cell for cell in old.cells if cell.laid.card != 101}
        assert kept <= set(new.cells)

    def test_a_new_round_begins_anew(self) -> None:
        old = layout(table("1-2-3", "10-20-30"))
        assert drawn(layout(table("40-41-42"), old)) == "40 41 42"


class TestData:
    def test_a_layout_survives_json(self) -> None:
        at = built("10 20 30", "1 2 3", "19 21 across 20", "a=4 to 1-2-3")
        placed = layout(at)
        assert layout_from_data(json.loads(json.dumps(layout_to_data(placed))), at) == placed

    def test_the_layout_of_another_table_is_not_read(self) -> None:
        data = layout_to_data(layout(table("10-20-30")))
        for other in ("10-20-30-40", "10-20", "40-41-42"):
            with pytest.raises(JsonError, match="another table"):
                layout_from_data(data, table(other))
