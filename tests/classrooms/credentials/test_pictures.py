import re

from classrooms.credentials import PICTURES
from tests.documents import text_of


def test_every_picture_is_drawn_once() -> None:
    sprite = text_of("templates/signin/_pictures.svg")
    assert re.findall(r'<symbol id="picture-(\w+)"', sprite) == list(PICTURES)


def test_no_drawing_needs_an_inline_style() -> None:
    sprite = text_of("templates/signin/_pictures.svg")
    assert "style" not in sprite
