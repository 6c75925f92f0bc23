"""Pictures: the garden at the end of a match, jumps, faces, tags."""

import re
from itertools import product
from typing import Final

import pytest

from games.engine.layout.table_layout import layout
from games.engine.layout.tags import WIDTH
from games.engine.plays import OpenEnds
from games.engine.ruleset import edition
from games.engine.text.notation import parse_play, parse_table
from games.models import Seat
from games.screen.card_drawing import TableDrawing, new_cards
from games.screen.garden import MOST_FLOWERS, garden
from games.screen.hint_pictures import number_line
from games.screen.player_faces import ANIMALS, CHOICES, PLAIN_FACE, player_face
from tests.repository import text_of


def test_a_flower_has_as_many_petals_as_the_table_of_its_row() -> None:
    grown = garden([7, 2, 10])
    assert [(flower.label, len(flower.petals)) for flower in grown.flowers] == [
        ("2", 2),
        ("7", 7),
        ("10", 10),
    ]


def test_as_many_flowers_have_a_star_as_are_marked() -> None:
    grown = garden([7, 2, 7, 7, 10], new_tables=[7, 10, 7])
    stars = [flower.label for flower in grown.flowers if flower.star]
    assert stars == ["7", "7", "10"]


def test_flowers_stand_inside_the_picture_and_apart() -> None:
    for number in range(1, MOST_FLOWERS + 5):
        grown = garden([7] * number)
        width, height = grown.width, grown.height
        assert len(grown.flowers) == min(number, MOST_FLOWERS)
        assert len({(flower.x, flower.y // 88) for flower in grown.flowers}) == len(grown.flowers)
        for flower in grown.flowers:
            assert 22 <= flower.x <= width - 22
            assert 22 <= flower.y <= height - 22


def test_labels_with_room_stand_at_one_height() -> None:
    line = number_line((35, 40, 45))
    assert len({point.y for point in line.points}) == 1
    assert not line.is_close


def test_labels_too_close_take_turns() -> None:
    line = number_line((2, 4, 6, 50))
    first, second, third, _ = (point.y for point in line.points)
    assert first == third != second
    _, top, width, height = map(int, line.box.split())
    assert all(top <= point.y <= top + height and 0 <= point.x <= width for point in line.points)
    assert all(top < jump.y for jump in line.jumps)


def test_a_joker_is_marked_on_the_line() -> None:
    line = number_line((9, 18, 27), (18, 27))
    assert [point.label for point in line.points] == ["9★", "18", "27"]


def test_a_jump_that_is_too_narrow_has_no_label() -> None:
    line = number_line((1, 2, 100))
    assert [jump.label for jump in line.jumps] == ["", "+98"]


def test_every_dressed_animal_is_drawn_with_symbols_that_exist() -> None:
    clothes = set(re.findall(r'symbol id="([\w-]+)"', text_of("static/icons/clothes.svg")))
    animals = set(re.findall(r'symbol id="face-(\w+)"', text_of("templates/games/_faces.svg")))
    assert set(ANIMALS) <= animals
    drawings = set()
    for words in product(*(("", *values) for values in CHOICES.values())):
        face = player_face(" ".join(words))
        assert (face is None) == (not words[0])
        if face is not None:
            assert face.text.split() == [word for word in words if word]
            drawings |= {clothing.symbol for clothing in face.clothes}
    assert drawings == clothes


def test_the_longest_face_fits_into_the_seat() -> None:
    longest = " ".join(max(values, key=len) for values in CHOICES.values())
    assert len(longest) <= (Seat._meta.get_field("face").max_length or 0)


@pytest.mark.parametrize(("part", "value"), [("animal", ""), ("animal", "cap"), ("hat", "owl")])
def test_a_part_of_a_face_takes_only_what_belongs_there(part: str, value: str) -> None:
    with pytest.raises(ValueError, match=part):
        PLAIN_FACE.with_part(part, value)


def test_taking_off_and_putting_on_again_leaves_the_same_face() -> None:
    dressed = PLAIN_FACE.with_part("hat", "cap").with_part("neck", "tie")
    assert dressed.with_part("hat", "").with_part("hat", "cap") == dressed
    assert player_face(dressed.text) == dressed


CROWDED: Final = (
    "16-43-70 37-46-55 11-12-b=13 19-43-67 37-42-47 47-53-59 68-70-72 7-9-11 12-46-80 55-68-81-94"
)


def test_no_tag_covers_a_card_or_another_tag() -> None:
    classic = edition("classic")
    placed = layout(parse_table(CROWDED.split(), classic))
    for corners in (placed.wide, placed.narrow):
        covered: list[tuple[int, int]] = []
        for island, (x, y) in zip(placed.islands, corners, strict=True):
            for row in island.layout_rows:
                first, half_row = x + 2 * row.tag.first, y + row.tag.half_row
                covered += [(first + half, half_row) for half in range(2 * WIDTH)]
            for cell in island.cells:
                left, top = x + 2 * cell.column, y + 2 * cell.row
                covered += [(left + right, top + down) for right in (0, 1) for down in (0, 1)]
        assert len(set(covered)) == len(covered)


def test_a_tag_that_ends_under_a_card_is_tight() -> None:
    classic = edition("classic")
    lines = "2-4-6-8-10 8-12-16-20 14-17-20-23-26-29 26-34-42 33-36-39-42-45 45-47-49 3-4-5"
    table = parse_table(lines.split(), classic)
    (island,) = layout(table).islands
    under = [not island.full_places.isdisjoint(row.tag.covered) for row in island.layout_rows]
    rows = TableDrawing(table, classic).rows(island)
    assert ["tight" in row.tag_place for row in rows] == under
    assert any(under)


def test_only_the_tag_in_another_column_than_its_upright_row_is_beside_it() -> None:
    classic = edition("classic")
    table = parse_table(["8-12-16", "16-20-24-28", "24-27-30-33"], classic)
    (island,) = layout(table).islands
    rows = TableDrawing(table, classic).rows(island)
    beside = [row.start[0] == row.end[0] != row.tag.column for row in island.layout_rows]
    assert ["beside" in row.tag_place for row in rows] == beside
    assert any(beside)


def test_between_cards_that_stand_apart_there_is_no_ground() -> None:
    """A ground as wide as a card there would look like a card that is missing."""
    ruleset = edition("simplified")
    rows = ("9-23-37", "26-37-48", "b=19-20-21", "c=7-23-39", "c=7-20-33")
    table = parse_table(rows, ruleset)
    placed = layout(table)
    apart = 0
    for island, drawing in zip(
        placed.islands, TableDrawing(table, ruleset).islands(placed), strict=True
    ):
        places = {f"c{cell.column + 2} r{cell.row + 2}" for cell in island.cells}
        for row in drawing.rows:
            sizes = [tuple(map(int, re.findall(r"\d+", part))) for part in row.grounds]
            under = {
                f"c{column + right} r{top + down}"
                for column, top, wide, high in sizes
                for right, down in product(range(wide), range(high))
            }
            assert under <= places
            assert not under or len(under) == len(row.numbers)
            apart += bool(under)
    assert apart


def test_a_free_end_names_the_tag_that_covers_it() -> None:
    classic = edition("classic")
    table = parse_table(["20-25-30-35", "20-22-24"], classic)
    (island,) = layout(table).islands
    everywhere = {line: OpenEnds((1,), (99,)) for line in table.lines}
    rows = list(TableDrawing(table, classic, ends=everywhere).rows(island))
    tags = {
        f"c{column + 2} r{row + 2}": table.lines.index(layout_row.line)
        for layout_row in island.layout_rows
        for column, row in layout_row.tag.covered
    }
    ends = [end for row in rows for end in row.ends]
    assert len(ends) == 4
    assert any(end.covered_rows for end in ends)
    for end in ends:
        lies = tags.get(end.place.split(" edge")[0])
        assert end.covered_rows == (() if lies is None else (lies,))


def test_a_place_above_or_below_a_row_takes_less_room_than_a_card() -> None:
    classic = edition("classic")
    table = parse_table(["2-4-6", "6-8-10-12", "10-15-20-25-30", "28-30-32"], classic)
    (island,) = layout(table).islands
    everywhere = {line: OpenEnds((1,), (99,)) for line in table.lines}
    row = next(r for r in island.layout_rows if r.line.numbers == (28, 30, 32))
    assert not row.is_horizontal
    assert row.start[1] > 0
    rows = TableDrawing(table, classic, ends=everywhere).rows(island)
    (ends,) = [row.ends for row in rows if row.numbers == (28, 30, 32)]
    assert [end.place.split()[-1] for end in ends] == ["edge-top", "edge-bottom"]


def test_each_island_says_where_it_lies_on_both_felts() -> None:
    classic = edition("classic")
    table = parse_table(["10-20-30", "1-2-3"], classic)
    islands = list(TableDrawing(table, classic).islands(layout(table)))
    assert [island.place for island in islands] == [
        "X0 x0 Y0 y0 U0 u0 V0 v0 w3",
        "X0 x8 Y0 y0 U0 u0 V0 v3 w3",
    ]


def test_only_the_laid_card_of_a_number_that_lies_there_twice_is_new() -> None:
    classic = edition("classic")
    play = parse_play("a=26 28 across 30", classic)
    table, _ = parse_table(["25-30-35", "22-24-26"], classic).with_play(play)
    new = dict.fromkeys(new_cards(play), (1, 1))
    islands = list(TableDrawing(table, classic, new).islands(layout(table)))
    marked = {card.face.card for island in islands for card in island.cards if card.laid_at_step}
    assert marked == {"28", "a"}
    assert [row.numbers for island in islands for row in island.rows if row.laid_at_step] == [
        (26, 28, 30)
    ]
