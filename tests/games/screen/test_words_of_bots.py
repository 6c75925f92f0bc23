"""What bots say in addition to the row that they laid."""

import json

from games.bots.reasons import reason, seen_of
from games.bots.registry import LEVELS
from games.engine.ruleset import edition
from games.engine.text.notation import parse_play
from games.screen.words import besides, manner
from tests.games.positions import SIMPLIFIED, position

SAME = edition("simplified", doubling=("same",))


def bot_words(play: str, hand: str, *lines: str) -> str:
    at = position(hand, *lines)
    seen = seen_of(reason(at, parse_play(play, SIMPLIFIED)))
    return besides(json.loads(json.dumps(seen)))


def test_every_level_says_how_it_plays() -> None:
    assert len({manner(level) for level in LEVELS}) == len(LEVELS)
    assert manner("companion-1000") == ""


def test_nothing_is_said_of_a_plain_play() -> None:
    assert besides({"numbers": [12, 16, 20], "laid": [12, 16, 20], "points": 3}) == ""


def test_colours_that_count_double_are_named() -> None:
    assert besides({"colours": "same"}) == "All cards have the same colour: that counts double."
    different = besides({"colours": "different"})
    assert different == "All cards have different colours: that counts double."


def test_a_joker_taken_and_the_last_card_are_named() -> None:
    text = bot_words("a=28 to 16-20-a=24 swap 24 for a", "24", "16-20-a=24")
    assert "I put the 24 where a joker was." in text
    assert text.endswith("That was my last card.")
