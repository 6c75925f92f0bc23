"""What a bot says of its rows: short, and a crossing is said as one."""

from random import Random

import pytest

from games.bots.reasons import reason, seen_of
from games.engine.actions import Action, Deal
from games.engine.round import State
from games.engine.table import Play
from games.engine.text.notation import action_text, card_text, parse_action, parse_play
from games.screen import words
from tests.counts import times
from tests.games.positions import SIMPLIFIED, position
from tests.games.rounds import random_match

MOST_WORDS = 12


def said(play: str, hand: str, *lines: str) -> str:
    """The first sentence about a play."""
    parsed = parse_play(play, SIMPLIFIED)
    seen = seen_of(reason(position(hand, *lines), parsed))
    return words.act(parsed, seen, SIMPLIFIED).split(". ")[0] + "."


def said_of(before: State, action: Action) -> str:
    seen = {"card": card_text(before.open[-1])} if before.open else {}
    if isinstance(action, Play):
        seen = seen_of(reason(before.position(before.turn), action))
    return words.act(parse_action(action_text(action), before.ruleset), seen, before.ruleset)


@pytest.mark.parametrize("seed", Random(12).sample(range(10**6), times(12, 1000)))
def test_sentences_have_at_most_twelve_words_and_a_crossing_is_told_as_one(seed: int) -> None:
    for before, _, action in random_match(seed).moments:
        if action is None or isinstance(action, Deal):
            continue
        text = said_of(before, action)
        for sentence in text.split(". "):
            assert len(sentence.split()) <= MOST_WORDS, sentence
        if isinstance(action, Play) and action.across:
            assert not text.startswith("I added"), text
            assert "across" in text or len(action.across) > words.MOST_CROSSED, text


def test_a_row_that_goes_on_across_another_names_what_it_crosses() -> None:
    text = said("8 to 2-4-6 across 10", "8", "2-4-6", "10-15-20")
    assert text == "I laid 8 across 10: 2 times table."


def test_a_row_that_goes_on_is_told_as_cards_added() -> None:
    assert said("16 to 4-8-12", "16", "4-8-12") == "I added 16 to a row: 4 times table."


def test_a_long_row_is_told_by_its_ends() -> None:
    laid = "4 8 12 16 20 24 28"
    assert said(laid, laid) == "I made a row from 4 to 28: 4 times table."
