"""What bots say in addition to the row that they laid."""

import json

from games.bots.reasons import reason, seen_of
from games.bots.registry import LEVELS
from games.engine.ruleset import edition
from games.engine.text.notation import parse_play
from games.screen.words import besides, doubled, earned, manner
from tests.games.positions import SIMPLIFIED, position

CLASSIC = edition("classic")
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


def test_points_are_said_with_what_they_are_for() -> None:
    assert earned({"points": 3, "laid": [12, 16, 20]}, SIMPLIFIED) == "+3 for 3 cards."
    assert earned({"points": 2, "laid": [24]}, SIMPLIFIED) == "+2 for 1 card."
    assert earned({"points": 7, "laid": [3, 6]}, CLASSIC) == "+7 for the dots on 2 cards."
    assert earned({"points": 0, "laid": [3]}, CLASSIC) == ""


def test_colours_that_count_double_are_named() -> None:
    assert doubled({"points": 6, "colours": "same"}) == "All one colour: double!"
    assert doubled({"points": 8, "colours": "different"}) == "All colours different: double!"
    assert doubled({"points": 3}) == ""
    assert doubled({"points": 0, "colours": "same"}) == ""


def test_several_jokers_taken_are_named_together() -> None:
    assert besides({"swapped": [12, 24]}) == "I put 12 and 24 where jokers were."


def test_a_joker_taken_and_the_last_card_are_named() -> None:
    text = bot_words("a=28 to 16-20-a=24 swap 24 for a", "24", "16-20-a=24")
    assert "I put the 24 where a joker was." in text
    assert text.endswith("That was my last card.")
