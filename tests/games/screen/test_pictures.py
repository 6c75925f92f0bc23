"""The garden at the end of a match."""

import re
from itertools import product

import pytest

from games.models import Seat
from games.screen.pictures.garden import (
    MOST_FLOWERS,
    garden,
)
from games.screen.pictures.number_line import number_line
from games.screen.pictures.player_faces import ANIMALS, CHOICES, PLAIN, player_face
from tests.repository import text_of


def test_each_row_is_a_flower_with_as_many_petals_as_its_table() -> None:
    grown = garden([7, 2, 10])
    assert grown is not None
    assert [(flower.label, len(flower.petals)) for flower in grown.flowers] == [
        ("2", 2),
        ("7", 7),
        ("10", 10),
    ]


def test_no_flower_stands_outside_the_picture_or_on_another() -> None:
    for number in range(1, MOST_FLOWERS + 5):
        grown = garden([7] * number)
        assert grown is not None
        width, height = grown.width, grown.height
        assert len(grown.flowers) == min(number, MOST_FLOWERS)
        assert len({(flower.x, flower.y // 88) for flower in grown.flowers}) == len(grown.flowers)
        for flower in grown.flowers:
            assert 22 <= flower.x <= width - 22
            assert 22 <= flower.y <= height - 22


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


def test_a_jump_too_narrow_for_its_label_has_none() -> None:
    line = number_line((1, 2, 100))
    assert line is not None
    assert [jump.label for jump in line.jumps] == ["", "+98"]


def test_every_dressed_animal_is_drawn_with_symbols_that_exist() -> None:
    clothes = set(re.findall(r'symbol id="([\w-]+)"', text_of("static/icons/clothes.svg")))
    animals = set(re.findall(r'symbol id="face-(\w+)"', text_of("templates/games/_faces.svg")))
    assert set(ANIMALS) <= animals
    drawn = set()
    for words in product(*(("", *values) for values in CHOICES.values())):
        face = player_face(" ".join(words))
        assert (face is None) == (not words[0])
        if face is not None:
            assert face.text.split() == [word for word in words if word]
            drawn |= {worn.symbol for worn in face.worn}
    assert drawn == clothes


def test_the_longest_face_fits_into_the_seat() -> None:
    longest = " ".join(max(values, key=len) for values in CHOICES.values())
    assert len(longest) <= (Seat._meta.get_field("face").max_length or 0)


@pytest.mark.parametrize(("part", "value"), [("animal", ""), ("animal", "cap"), ("hat", "owl")])
def test_a_part_takes_only_what_belongs_there(part: str, value: str) -> None:
    with pytest.raises(ValueError, match=part):
        PLAIN.changed(part, value)


def test_taking_off_and_putting_on_again_leaves_the_same_face() -> None:
    dressed = PLAIN.changed("hat", "cap").changed("neck", "tie")
    assert dressed.changed("hat", "").changed("hat", "cap") == dressed
    assert player_face(dressed.text) == dressed
