"""Model children at the table: what they notice, draw and throw away."""

import pytest

from classrooms.demo.model_children import MODEL_CHILDREN, WEAK
from classrooms.demo.model_player import ModelPlayer
from games.engine.cards import deck, shuffled
from games.engine.match import apply, first_starter, new_match
from games.engine.round import State, legal_actions, view
from games.engine.ruleset import EDITIONS, edition
from games.engine.table import Play
from games.engine.text.notation import action_text
from tests.counts import times
from tests.games.positions import after, dealt

TABLES = edition("simplified", tables=(2, 5, 7, 10), offers=False)
MANY = 2000


def state_with(hand: str, rest: str = "49 1") -> State:
    """It is seat 0's turn to draw, with this hand."""
    return dealt([hand, "4 6 8 12 11 13 22"], rest, ruleset=TABLES)


def played(hand: str, rest: str = "49 1") -> State:
    return after(state_with(hand, rest), "draw closed")


def share_of_plays(state: State, child: str) -> float:
    actions = [
        ModelPlayer(MODEL_CHILDREN[child], seed).choose(view(state, 0)) for seed in range(MANY)
    ]
    return sum(isinstance(action, Play) for action in actions) / MANY


@pytest.mark.parametrize("child", MODEL_CHILDREN)
def test_a_row_is_noticed_as_often_as_the_figures_say(child: str) -> None:
    figures = MODEL_CHILDREN[child]
    tens = played("10 20 30 3 17 33 41")
    sevens = played("7 14 21 3 17 33 41")
    with_joker = played("7 14 a 3 17 33 41")
    assert share_of_plays(tens, child) == pytest.approx(figures.chance(10), abs=0.04)
    assert share_of_plays(sevens, child) == pytest.approx(figures.chance(7), abs=0.04)
    assert share_of_plays(with_joker, child) == pytest.approx(
        figures.chance(7, joker=True), abs=0.04
    )


def test_what_is_overlooked_stays_overlooked_for_the_turn() -> None:
    state = played("7 14 21 3 17 33 41")
    for seed in range(50):
        player = ModelPlayer(WEAK, seed)
        looks = {action_text(player.choose(view(state, 0))) for _ in range(5)}
        assert len(looks) == 1


def test_wrong_tries_come_as_often_as_the_figures_say() -> None:
    seen = view(played("10 20 30 3 17 33 41"), 0)
    for child in MODEL_CHILDREN.values():
        tries = sum(ModelPlayer(child, seed).tries_wrongly(seen) for seed in range(MANY))
        assert tries / MANY == pytest.approx(child.wrong_tries, abs=0.02)


@pytest.mark.parametrize("name", EDITIONS)
def test_it_keeps_the_rules_of_every_edition(name: str) -> None:
    for seed in range(times(2, 100)):
        ruleset = edition(name, rounds=1)
        seats = 2 + seed % 2
        cards = shuffled(deck(ruleset.highest), seed)
        state = new_match(ruleset, seats, cards, first_starter(ruleset, seats, seed), seed)
        players = [ModelPlayer(child, seed) for child in MODEL_CHILDREN.values()]
        while state.seat is not None:
            seat = state.seat
            action = players[seat].choose(view(state, seat))
            assert action_text(action) in map(action_text, legal_actions(view(state, seat)))
            state = apply(state, action)
        assert state.phase == "match over"
