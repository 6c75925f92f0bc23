"""Guided rounds, played through in the engine: each edition's deal goes as it was prepared."""

import pytest

from games.bots import onlooker
from games.coach.guided_lessons import advice, lesson_deck, lesson_ruleset
from games.engine.actions import Action, Discard, DrawClosed, Pass
from games.engine.cards import deck
from games.engine.match import apply, new_match
from games.engine.plays import plays_without_jokers
from games.engine.round import State, view
from games.engine.ruleset import EDITIONS
from games.engine.table import Play

MOST_TURNS = 3


def start(name: str) -> State:
    ruleset = lesson_ruleset(name)
    return new_match(ruleset, 2, lesson_deck(ruleset), starter=0)


def advised(state: State) -> Action:
    next_advice = advice(view(state, 0))
    match next_advice.kind:
        case "take":
            return DrawClosed()
        case "answer":
            return Pass()
        case "play":
            assert next_advice.play is not None
            return next_advice.play
    assert next_advice.card is not None
    return Discard(next_advice.card)


def played(state: State, *, turns: int = 20) -> tuple[State, list[Action]]:
    """The lesson, followed to the letter."""
    done = []
    while state.seat is not None and state.turns[0] < turns:
        action = onlooker.choose(view(state, 1), 0) if state.seat else advised(state)
        if state.seat == 0:
            done.append(action)
        state = apply(state, action)
    return state, done


@pytest.mark.parametrize("name", EDITIONS)
def test_the_deal_is_a_whole_deck(name: str) -> None:
    ruleset = lesson_ruleset(name)
    assert sorted(lesson_deck(ruleset)) == sorted(deck(ruleset.highest))


@pytest.mark.parametrize("name", EDITIONS)
def test_a_player_who_follows_the_advice_lays_adds_crosses_uses_a_joker_and_wins(name: str) -> None:
    over, done = played(start(name))
    plays = [action for action in done if isinstance(action, Play)]
    assert over.phase == "match over"
    assert over.round_winner == 0
    assert over.turns[0] <= MOST_TURNS
    assert not plays[0].touches_table
    jokers = [any(laid.card > 100 for laid in play.hand) for play in plays]
    assert sum(jokers) == 1
    assert not any(jokers[:2])
    assert any(play.lines for play in plays)
    assert any(play.across for play in plays)


@pytest.mark.parametrize("name", EDITIONS)
def test_only_the_advised_play_is_possible_without_the_joker(name: str) -> None:
    state = start(name)
    while state.seat is not None:
        if state.seat == 0 and state.phase == "play":
            next_advice = advice(view(state, 0))
            able = set(plays_without_jokers(state.position(0)))
            assert next_advice.kind == "play" or not able, (name, able)
        action = onlooker.choose(view(state, 1), 0) if state.seat else advised(state)
        state = apply(state, action)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_player_who_does_something_else_is_advised_all_the_same(name: str) -> None:
    state = start(name)
    if state.phase == "draw":
        state = apply(state, DrawClosed())
    state = apply(state, Discard(20))
    over, _ = played(state, turns=12)
    assert over.phase == "match over" or over.turns[0] == 12


def test_the_onlooker_leaves_everything_to_the_player() -> None:
    over, _ = played(start("simplified"))
    assert over.scores[0] > over.scores[1]
    assert over.hands[1].bit_count() == 7
