"""Model children at the table: what they notice, draw and throw away."""

import pytest

from classrooms.demo.model_children import MIDDLE, MODEL_CHILDREN, STRONG, WEAK
from classrooms.demo.model_player import ModelPlayer
from games.engine.actions import Discard, DrawClosed, DrawOpen
from games.engine.cards import JOKERS, deck, shuffled
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


def test_the_next_turn_is_a_new_look() -> None:
    state = played("7 14 21 3 17 33 41", "49 1 23 27 31 37")
    overlooked, noticed_later = 0, 0
    for seed in range(300):
        player = ModelPlayer(MIDDLE, seed)
        if isinstance(player.choose(view(state, 0)), Play):
            continue
        later = after(state, "discard 3", "draw closed", "discard 13")
        later = after(later, "draw closed")
        overlooked += 1
        noticed_later += isinstance(player.choose(view(later, 0)), Play)
    assert noticed_later / overlooked == pytest.approx(MIDDLE.chance(7), abs=0.12)


def test_it_lays_rows_until_it_notices_no_more_most_cards_first() -> None:
    begun = played("5 10 15 20 7 14 21")
    ways = set()
    for seed in range(50):
        player, state, laid = ModelPlayer(STRONG, seed), begun, []
        while isinstance(action := player.choose(view(state, 0)), Play):
            laid.append(action_text(action))
            state = apply(state, action)
        ways.add(tuple(laid))
    both = ("5 10 15 20", "7 14 21")
    assert both in ways
    assert ways <= {both, both[:1], both[1:], ()}


def test_it_draws_the_open_card_if_that_makes_a_row_it_notices() -> None:
    useful = state_with("10 20 3 9 17 33 41", "30 1")
    useless = state_with("10 20 3 9 17 33 41", "49 1")
    drawn = [ModelPlayer(STRONG, seed).choose(view(useful, 0)) for seed in range(300)]
    assert drawn.count(DrawOpen()) / 300 == pytest.approx(STRONG.chance(10), abs=0.06)
    assert {ModelPlayer(STRONG, seed).choose(view(useless, 0)) for seed in range(50)} == {
        DrawClosed()
    }


def test_any_child_takes_an_open_joker_and_keeps_it() -> None:
    joker = state_with("10 20 3 9 17 33 41", "a 1")
    for seed in range(30):
        player = ModelPlayer(WEAK, seed)
        assert player.choose(view(joker, 0)) == DrawOpen()
        action = player.choose(view(after(joker, "draw open"), 0))
        assert not (isinstance(action, Discard) and action.card in JOKERS)


def test_it_throws_away_what_it_does_not_know_to_be_in_an_agreed_table() -> None:
    state = played("14 35 49 3 17 33 41", "28 1")
    thrown = [ModelPlayer(STRONG, seed).choose(view(state, 0)) for seed in range(300)]
    cards = [action.card for action in thrown if isinstance(action, Discard)]
    assert sum(card in (14, 35, 49) for card in cards) < 0.05 * len(cards)
    weak = [ModelPlayer(WEAK, seed).choose(view(state, 0)) for seed in range(300)]
    thrown_by_weak = [action.card for action in weak if isinstance(action, Discard)]
    assert sum(card in (35, 49) for card in thrown_by_weak) > 0.1 * len(thrown_by_weak)


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
