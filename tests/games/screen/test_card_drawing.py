"""The tags of rows: where they are placed."""

from typing import Final

from games.engine.layout.table_layout import layout
from games.engine.layout.tags import WIDTH
from games.engine.open_ends import OpenEnds
from games.engine.ruleset import edition
from games.engine.text.notation import parse_table
from games.screen.card_drawing import table_islands, table_rows

CROWDED: Final = (
    "16-43-70 37-46-55 11-12-b=13 19-43-67 37-42-47 47-53-59 68-70-72 7-9-11 12-46-80 55-68-81-94"
)


def test_on_a_crowded_table_no_tag_lies_over_a_card_or_another_tag() -> None:
    classic = edition("classic")
    placed = layout(parse_table(CROWDED.split(), classic))
    for corners in (placed.wide, placed.narrow):
        covered: list[tuple[int, int]] = []
        for island, (x, y) in zip(placed.islands, corners, strict=True):
            for row in island.rows_of:
                first, half_row = x + 2 * row.tag.first, y + row.tag.half_row
                covered += [(first + half, half_row) for half in range(2 * WIDTH)]
            for cell in island.cells:
                left, top = x + 2 * cell.column, y + 2 * cell.row
                covered += [(left + right, top + down) for right in (0, 1) for down in (0, 1)]
        assert len(set(covered)) == len(covered)


def test_an_end_under_a_tag_is_not_open() -> None:
    classic = edition("classic")
    table = parse_table(["10-20-30", "19-20-21"], classic)
    (island,) = layout(table).islands
    everywhere = {line: OpenEnds((1,), (99,)) for line in table.lines}
    rows = list(table_rows(table, island, classic, ends=everywhere))
    under = {place for row in island.rows_of for place in row.tag.covered}
    open_at = {end.place.split(" edge")[0] for row in rows for end in row.ends}
    assert open_at
    assert not open_at & {f"c{column + 2} r{row + 2}" for column, row in under}


def test_each_island_says_where_it_lies_on_both_felts() -> None:
    classic = edition("classic")
    table = parse_table(["10-20-30", "1-2-3"], classic)
    shown = list(table_islands(table, layout(table), classic))
    assert [island.place for island in shown] == [
        "X0 x0 Y0 y0 U0 u0 V0 v0 w3",
        "X0 x8 Y0 y0 U0 u0 V0 v3 w3",
    ]
