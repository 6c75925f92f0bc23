"""Islands and whole tables of random rounds, laid out on both felts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Final

import pytest

from games.engine.cards import LaidCard
from games.engine.errors import JsonError
from games.engine.layout.islands import ROOTS, Drawing, Island, drawings, has_grown_into
from games.engine.layout.packing import NARROW, PROJECTOR, WIDE, FeltSize, pack
from games.engine.layout.table_layout import (
    Layout,
    layout,
    layout_from_data,
    layout_of_part,
    layout_to_data,
)
from games.engine.layout.tags import WIDTH
from games.engine.table import Table
from games.engine.text.notation import parse_play, parse_table
from tests.counts import times
from tests.games.engine.layouts import cells_of, check, random_rounds
from tests.games.positions import CLASSIC


def table(*lines: str) -> Table:
    return parse_table(lines, CLASSIC)


def built(*plays: str) -> Table:
    at = Table()
    for play in plays:
        at, _ = at.with_play(parse_play(play, CLASSIC))
    return at


def island_text(placed: Layout) -> str:
    """The only island as text: one line for each row of cards, `.` for an empty cell."""
    (island,) = placed.islands
    grid = [["."] * island.columns for _ in range(island.rows)]
    for cell in island.cells:
        grid[cell.row][cell.column] = str(cell.laid_card.number)
    return "\n".join(" ".join(row) for row in grid)


def test_rows_of_different_islands_keep_their_distance() -> None:
    at = table("10-20-30", "1-2-3", "40-41-42")
    check(layout(at), at)


def test_rows_lie_beside_each_other_only_on_a_wide_felt() -> None:
    placed = layout(table("10-20-30", "1-2-3"))
    assert placed.wide == ((0, 0), (8, 0))
    assert placed.narrow == ((0, 0), (0, 3))


def test_cards_of_four_rows_are_large_on_a_computer_and_on_a_tablet() -> None:
    placed, rows = Layout(), ("2-4-6", "24-26-28", "30-40-50", "33-36-39")
    for count in range(1, len(rows) + 1):
        placed = layout(table(*rows[:count]), placed)
        for width in (WIDE.width, WIDE.tablet_width or 0):
            assert replace(WIDE, width=width).card_width(*placed.wide_extent) >= 55


def test_the_longest_row_lies_across() -> None:
    at = built("6 8 10", "15 20 across 10", "25 30 35 across 20")
    assert island_text(layout(at)) == "6 8 10 . . .\n. . 15 . . .\n. . 20 25 30 35"


@pytest.mark.parametrize(
    "plays",
    [
        ("9 12 15", "6 18 24 30 36 across 12"),
        ("5 10 15", "26 28 30", "20 across 10 30"),
    ],
)
def test_the_name_of_a_row_touches_no_other_row(plays: Sequence[str]) -> None:
    (island,) = layout(built(*plays)).islands
    places = {cell.laid_card: (cell.column, cell.row) for cell in island.cells}
    for row in island.layout_rows:
        own = {places[card] for card in row.line.cards}
        (left, at), *_ = row.tag.covered
        touched = {(left - 1, at), (left, row.tag.row), (left + 1, row.tag.row)}
        assert touched & own
        assert not touched & {*places.values()} - own


def test_the_name_of_a_column_lies_over_no_other_row() -> None:
    """Where its cards stand apart, it would have stood over 39 and 42, as if it were theirs."""
    across = ("9-12-15-18-21-24-27", "30-33-36-39-42-45", "32-a=36-40")
    (island,) = layout(table(*across, "24-28-32-36", "40-44-48")).islands
    places = {cell.laid_card: (cell.column, cell.row) for cell in island.cells}
    for row in island.layout_rows:
        under = {(column, at + 1) for column, at in row.tag.covered}
        others = {*places.values()} - {places[card] for card in row.line.cards}
        assert row.is_horizontal or not under & others


def test_the_name_of_a_row_stands_under_no_other_name() -> None:
    lines = ("20-30-40", "30-32-34-a=36-b=38", "42-44-46")
    placed = layout(parse_table(lines, CLASSIC))
    for corners in (placed.wide, placed.narrow):
        names = [
            (x + 2 * row.tag.first, y + row.tag.half_row)
            for island, (x, y) in zip(placed.islands, corners, strict=True)
            for row in island.layout_rows
        ]
        for (left, top), (other, below) in permutations(names, 2):
            assert abs(left - other) >= 2 * WIDTH or abs(top - below) > 1


def test_the_name_of_a_row_lies_on_no_other_row_of_a_part() -> None:
    """Without 18-27-36, the row of 12 is an island of its own, right beside the row of 26."""
    rows = ("16-24-32-40-48", "24-30-36", "26-28-30", "12-15-18-21", "18-27-36")
    whole = layout(table(*rows))
    for missing in rows:
        part = layout_of_part(whole, table(*(row for row in rows if row != missing)))
        assert part
        cells = {*places_of(part, part.wide).values()}
        for island, (x, y) in zip(part.islands, part.wide, strict=True):
            for row in island.layout_rows:
                covered = {(x + 2 * column, y + 2 * at) for column, at in row.tag.covered}
                assert not covered & cells, missing


def test_the_name_of_a_row_leaves_the_bar_of_another_row_free() -> None:
    (island,) = layout(table("28-30-32-34", "24-30-36", "9-18-27-36")).islands
    bars = {row.line: cells_of(row.start, row.end) for row in island.layout_rows}
    for row in island.layout_rows:
        others = set[tuple[int, int]]().union(*(bars[line] for line in bars if line != row.line))
        assert not others & {*row.tag.covered}


def places_of(placed: Layout, corners: Sequence[tuple[int, int]]) -> dict[LaidCard, object]:
    return {
        cell.laid_card: (x + 2 * cell.column, y + 2 * cell.row)
        for island, (x, y) in zip(placed.islands, corners, strict=True)
        for cell in island.cells
    }


def test_a_part_of_a_table_lies_as_in_the_whole() -> None:
    rows = ("10-20-30", "9-10-11", "19-20-21", "1-2-3")
    whole = layout(table(*rows))
    for count in range(1, len(rows) + 1):
        for chosen in combinations(rows, count):
            part = layout_of_part(whole, table(*chosen))
            for own, all_of_them in ((part.wide, whole.wide), (part.narrow, whole.narrow)):
                inside = places_of(whole, all_of_them)
                assert places_of(part, own).items() <= inside.items(), chosen
    assert layout_of_part(whole, table("4-5-6")) is None


def test_crossing_rows_stretch_the_row_that_they_cross() -> None:
    at = table("10-20-30", "9-10-11", "19-20-21")
    placed = layout(at)
    check(placed, at)
    assert island_text(placed) == "9 . 19 .\n10 . 20 30\n11 . 21 ."


def test_crossing_rows_on_two_sides_lie_beside_each_other() -> None:
    at = table("10-20-30", "8-9-10", "20-21-22")
    placed = layout(at)
    check(placed, at)
    assert island_text(placed) == "8 9 10 . .\n. . 20 21 22\n. . 30 . ."


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


Spots = dict[LaidCard, tuple[int, int]]


# Staying


def places(placed: Layout) -> Spots:
    """The place of each card on the wide felt."""
    return {
        cell.laid_card: (x + 2 * cell.column, y + 2 * cell.row)
        for island, (x, y) in zip(placed.islands, placed.wide, strict=True)
        for cell in island.cells
    }


def moved(before: Table, play: str) -> tuple[Spots, Spots]:
    """The place of each card before and after a play."""
    old = layout(before)
    after, _ = before.with_play(parse_play(play, CLASSIC))
    new = layout(after, old)
    check(new, after)
    return places(old), places(new)


def test_an_unchanged_island_stays_where_it_was() -> None:
    before = built("10 20 30", "1 2 3", "40 41 42")
    was, now = moved(before, "4 to 1-2-3")
    assert all(now[card] == was[card] for card in was if card.number > 9)


def test_an_island_grows_in_place_if_there_is_room() -> None:
    before = built("10 20 30", "1 2 3")
    old = layout(before)
    after, _ = before.with_play(parse_play("4 to 1-2-3", CLASSIC))
    assert layout(after, old).wide == old.wide


def test_islands_make_room_for_a_long_row_on_a_phone() -> None:
    at = built("35 40 45", "20 22 24", "42 44 46", "2 4 6")
    placed = layout(at)
    for number in range(8, 20, 2):
        row = "-".join(map(str, range(2, number, 2)))
        at, _ = at.with_play(parse_play(f"{number} to {row}", CLASSIC))
        placed = layout(at, placed)
    assert NARROW.is_wide_enough_for(*placed.narrow_extent)


def test_the_other_islands_stay_when_two_are_joined() -> None:
    before = built("10 20 30", "1 2 3", "50 60 70")
    was, now = moved(before, "40 to 10-20-30 50-60-70")
    assert all(now[card] == was[card] for card in was if card.number < 4)


def test_a_swapped_joker_leaves_the_other_cards_in_their_places() -> None:
    before = built("10 a=20 30", "1 2 3", "19 21 across a=20")
    was, now = moved(before, "5 6 a=7 swap 20 for a")
    assert all(now[card] == was[card] for card in was if card.card != 101)


def test_a_new_round_ignores_the_old_layout() -> None:
    old = layout(table("1-2-3", "10-20-30"))
    assert layout(table("40-41-42"), old) == layout(table("40-41-42"))


# Data


def test_a_layout_survives_json() -> None:
    at = built("10 20 30", "1 2 3", "19 21 across 20", "a=4 to 1-2-3")
    placed = layout(at)
    assert layout_from_data(json.loads(json.dumps(layout_to_data(placed))), at) == placed


def test_the_layout_of_another_table_is_not_read() -> None:
    data = layout_to_data(layout(table("10-20-30")))
    for other in ("10-20-30-40", "10-20", "40-41-42"):
        with pytest.raises(JsonError, match="another table"):
            layout_from_data(data, table(other))


def test_corners_for_another_number_of_islands_are_not_read() -> None:
    at = table("10-20-30")
    data = layout_to_data(layout(at)) | {"wide": []}
    with pytest.raises(JsonError, match="another table"):
        layout_from_data(data, at)


# Tables of random rounds, of up to 40 cards


TABLES: Final = times(150, 5000)


def fits_on(island: Island, felt: FeltSize) -> bool:
    return felt.is_wide_enough_for(2 * island.columns, 2 * island.rows + 1)


def lies_across(island: Island) -> bool:
    longest = max(len(line.cards) for line in island.lines)
    return any(row.is_horizontal for row in island.layout_rows if len(row.line.cards) == longest)


def layouts_of_random_rounds() -> Iterator[tuple[Table, Layout, Layout]]:
    """Tables, each laid out after the one before."""
    for tables in random_rounds(TABLES):
        before = Layout()
        for table in tables:
            placed = layout(table, before)
            yield table, before, placed
            before = placed


def origins(island: Island, before: Layout) -> list[Island]:
    """The islands of the earlier layout that have become part of this one."""
    cards = {cell.laid_card for cell in island.cells}
    return [old for old in before.islands if any(cell.laid_card in cards for cell in old.cells)]


def test_no_island_that_fits_a_felt_is_cut_off() -> None:
    whole = count = 0
    for table, before, placed in layouts_of_random_rounds():
        check(placed, table)
        for indices, island in zip(by_island(table), placed.islands, strict=True):
            standing = {
                at
                for at, row in zip(indices, island.layout_rows, strict=True)
                if not row.is_horizontal
            }
            is_new = not origins(island, before)
            possible = [
                (2 * drawing.columns, 2 * drawing.rows + 1)
                for drawing in drawings(table, indices)
                if is_new or drawing.vertical == standing
            ]
            for felt in (WIDE, NARROW):
                could = any(felt.is_wide_enough_for(*size) for size in possible)
                assert fits_on(island, felt) == could
            assert (
                not is_new
                or lies_across(island)
                or fits_on(island, NARROW)
                or fits_on(island, WIDE)
            )
        whole += WIDE.is_wide_enough_for(*placed.wide_extent)
        count += 1
    assert whole / count > 0.6


def test_a_table_for_one_felt_is_drawn_as_large_as_that_allows() -> None:
    """The felt of a phone, on which a long row would have to stand, does not influence it."""
    for tables in random_rounds(TABLES):
        for table in tables:
            placed = layout(table, only=PROJECTOR)
            check(placed, table)
            for indices, island in zip(by_island(table), placed.islands, strict=True):
                drawing = Drawing({}, frozenset(), island.columns, island.rows)
                roots = sorted(indices, key=lambda index: -len(table.lines[index].cards))
                best = max(
                    other.card_size_on(PROJECTOR) for other in drawings(table, roots[:ROOTS])
                )
                assert drawing.card_size_on(PROJECTOR) >= best


def test_islands_keep_their_places_unless_cards_become_larger() -> None:
    for _, before, placed in layouts_of_random_rounds():
        shapes = [island.shape for island in placed.islands]
        felts = (before.wide, placed.wide, WIDE), (before.narrow, placed.narrow, NARROW)
        for was, now, felt in felts:
            none = [None] * len(shapes)
            if list(now) == pack(shapes, none, [False] * len(shapes), felt):
                continue
            old = dict(zip([island.lines for island in before.islands], was, strict=True))
            new = dict(zip([island.lines for island in placed.islands], now, strict=True))
            shifts = {
                (new[lines][0] - old[lines][0], new[lines][1] - old[lines][1])
                for lines in old.keys() & new.keys()
            }
            assert len(shifts) <= 1


def test_a_row_never_turns_unless_islands_are_joined() -> None:
    for _, before, placed in layouts_of_random_rounds():
        for island in placed.islands:
            origins_before = origins(island, before)
            for old in origins_before[0].layout_rows if len(origins_before) == 1 else ():
                now = [
                    row.is_horizontal
                    for row in island.layout_rows
                    if has_grown_into(old.line, row.line)
                ]
                # A joker that was swapped and laid across can look like a part of both rows.
                assert len(now) > 1 or now in ([], [old.is_horizontal])


def by_island(table: Table) -> list[list[int]]:
    labels = list(dict.fromkeys(table.island_of))
    return [[at for at, own in enumerate(table.island_of) if own == label] for label in labels]
