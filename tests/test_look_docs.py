"""The colours that docs/look.md names are those that the pages use."""

import re
from itertools import pairwise

from tests.documents import text_of
from tests.servers import ROOT

PAGE = text_of("docs/look.md")
STYLES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "static/css").glob("*.css"))
SPRITE = text_of("templates/games/_sprite.svg")


def lightness(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((lightness(one), lightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_colour_named_is_used() -> None:
    named = set(re.findall(r"`(#[0-9a-f]{3,6})`", PAGE))
    assert len(named) > 15
    assert [colour for colour in named if colour not in STYLES + SPRITE] == []


def test_every_token_has_the_colour_that_the_page_gives_it() -> None:
    colour_of: dict[str, str] = {}
    for colours, tokens in re.findall(r"\| ((?:`#\w+`(?:, )?|, ink )+) \| (`--[^|]+) \|", PAGE):
        colour_of |= zip(re.findall(r"--[\w-]+", tokens), re.findall(r"#\w+", colours), strict=True)
    assert len(colour_of) >= 10
    for token, colour in colour_of.items():
        assert re.search(rf"{token}: {colour};", STYLES), token


def test_each_suit_has_its_colour_in_the_sprite() -> None:
    suits = re.findall(r"^\| (red|green|blue|orange) \| `(#\w+)`", PAGE, re.MULTILINE)
    assert len(suits) == 4
    for suit, colour in suits:
        assert re.search(rf'id="stripes-{suit}"[^\n]+fill="{colour}"', SPRITE), suit


def test_contrast_is_as_the_page_says() -> None:
    assert contrast("#256b73", "#ffffff") >= 4.5
    assert contrast("#256b73", "#fbf6ec") >= 4.5
    assert contrast("#c77f00", "#ffffff") < 4.5


def test_the_steps_of_the_map_grow_darker() -> None:
    (steps,) = re.findall(r": ((?:`#\w+`(?:,\s)?){4})", PAGE)
    shades = [lightness(colour) for colour in re.findall(r"#\w+", steps)]
    assert all(lighter > darker for lighter, darker in pairwise(shades))
