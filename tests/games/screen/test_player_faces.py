"""Every face that can be chosen has its drawings, and fits into its column."""

import re
from itertools import product

import pytest

from games.models import Seat
from games.screen.pictures.player_faces import ANIMALS, CHOICES, PLAIN, player_face
from tests.documents import text_of


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
