"""What bots say in addition to the row that they laid."""

import json

from games.bots.reasons import reason, seen_of
from games.bots.registry import LEVELS
from games.engine.ruleset import edition
from games.engine.text.notation import parse_play
from games.screen.words import besides, earned, manner
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
    assert earned({"points": 6, "colours": "same"}) == "One colour counts double: 6 points."
    different = earned({"points": 8, "colours": "different"})
    assert different == "Different colours count double: 8 points."
    assert earned({"points": 3}) == "That is 3 points."
    assert earned({"points": 0, "colours": "same"}) == ""


def test_several_jokers_taken_are_named_together() -> None:
    assert besides({"swapped": [12, 24]}) == "I put 12 and 24 where jokers were."


def test_a_joker_taken_and_the_last_card_are_named() -> None:
    text = bot_words("a=28 to 16-20-a=24 swap 24 for a", "24", "16-20-a=24")
    assert "I put the 24 where a joker was." in text
    assert text.endswith("That was my last card.")
