"""Positions and matches for tests, in the notation of docs/plays.md."""

from collections.abc import Sequence

import pytest

from games.engine.cards import mask_of
from games.engine.errors import ActionRefused
from games.engine.match import apply, new_match
from games.engine.play_application import PlayResult, Position, make_play
from games.engine.plays import legal_plays
from games.engine.round import State
from games.engine.ruleset import Ruleset, edition
from games.engine.text.notation import hand_text, parse_action, parse_cards, parse_play, parse_table

SIMPLIFIED = edition("simplified")
CLASSIC = edition("classic")
BLOCKS = edition("blocks")


def position(
    hand: str, *lines: str, ruleset: Ruleset = SIMPLIFIED, opened: bool = True
) -> Position:
    """A hand and the lines on the table: `position("40 50", "10-20-30")`."""
    table = parse_table(lines, ruleset)
    return Position(ruleset, table, mask_of(parse_cards(hand.split(), ruleset)), opened)


def result_of(at: Position, play: str) -> PlayResult:
    return make_play(at, parse_play(play, at.ruleset))


def plays_of(at: Position) -> set[str]:
    return {str(play) for play in legal_plays(at)}


def refusal(at: Position, play: str) -> str:
    """The code with which a play is refused."""
    with pytest.raises(ActionRefused) as refused:
        result_of(at, play)
    return refused.value.code


def dealt(
    hands: Sequence[str], rest: str, *, ruleset: Ruleset = SIMPLIFIED, starter: int = 0
) -> State:
    """A match in which the seats hold these hands. `rest` is the open card and the closed pile (in
    blocks, the pot), top first. Hands have as many cards as the edition deals."""
    cards = parse_cards([*" ".join(hands).split(), *rest.split()], ruleset)
    return new_match(ruleset, len(hands), cards, starter)


def after(state: State, *actions: str) -> State:
    for action in actions:
        state = apply(state, parse_action(action, state.ruleset))
    return state


def action_refusal(state: State, action: str) -> str:
    """The code with which an action is refused."""
    with pytest.raises(ActionRefused) as refused:
        after(state, action)
    return refused.value.code


def cards_of(mask: int) -> str:
    return " ".join(hand_text(card for card in range(1, 105) if mask >> card & 1))
