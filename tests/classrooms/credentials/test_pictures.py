import re
from pathlib import Path

from django.conf import settings

from classrooms.credentials.pictures import PICTURES


def test_every_picture_is_drawn_once() -> None:
    sprite = Path(settings.BASE_DIR, "templates/signin/_pictures.svg").read_text()
    assert re.findall(r'<symbol id="picture-(\w+)"', sprite) == list(PICTURES)


def test_no_drawing_needs_an_inline_style() -> None:
    sprite = Path(settings.BASE_DIR, "templates/signin/_pictures.svg").read_text()
    assert "style" not in sprite
