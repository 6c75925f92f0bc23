from collections.abc import Callable
from random import Random

import pytest

from games.bots.beginner import choose
from games.bots.registry import BOTS
from games.engine.actions import Discard, DrawClosed, DrawOpen
from games.engine.cards import deck, is_joker, shuffled
from games.engine.match import apply, first_starter, new_match
from games.engine.notation import action_text
from games.engine.round import State, legal_actions, view
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.table import Play
from tests.counts import times
from tests.games.positions import SIMPLIFIED, after, dealt
from tests.games.rounds import with_unseen_exchanged

Watch = Callable[[State], None]


def play_round(ruleset: Ruleset, seats: int, seed: int, watch: Watch | None = None) -> State:
    """A round among beginners; `watch` sees each state in which one must act."""
    cards = shuffled(deck(ruleset.highest), seed)
    state = new_match(ruleset, seats, cards, first_starter(ruleset, seats, seed), seed)
    moment = 0
    while state.seat is not None:
        if watch is not None:
            watch(state)
        moment += 1
        action = choose(view(state, state.seat), seed * 1000 + moment)
        assert action_text(action) in map(action_text, legal_actions(view(state, state.seat)))
        state = apply(state, action)
    return state


@pytest.mark.parametrize("name", EDITIONS)
def test_beginners_never_act_against_the_rules_and_their_round_ends(name: str) -> None:
    for seed in range(times(3, 300)):
        over = play_round(edition(name, rounds=1), 2 + seed % 3, seed)
        assert over.phase == "match over"


@pytest.mark.parametrize("seed", range(times(3, 300)))
def test_a_beginner_chooses_by_what_its_seat_may_see_alone(seed: int) -> None:
    random = Random(seed)

    def same_choice(state: State) -> None:
        assert state.seat is not None
        other = with_unseen_exchanged(state, state.seat, random)
        assert choose(view(other, state.seat), seed) == choose(view(state, state.seat), seed)

    play_round(SIMPLIFIED, 3, seed, same_choice)


def test_a_beginner_does_the_same_for_the_same_view_and_seed() -> None:
    seen = view(dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"], "11 12"), 0)
    assert choose(seen, 1) == choose(seen, 1)


def test_rounds_last_long_enough_for_a_child_to_lay_rows() -> None:
    lengths = sorted(max(play_round(SIMPLIFIED, 2, seed).turns) for seed in range(times(20, 500)))
    assert lengths[0] >= 4
    assert lengths[len(lengths) // 2] >= 5


def test_a_beginner_lays_one_row_a_turn() -> None:
    def at_most_one(state: State) -> None:
        assert state.plays <= 1

    for seed in range(5):
        play_round(SIMPLIFIED, 2, seed, at_most_one)


def test_a_beginner_overlooks_rows_as_children_do() -> None:
    state = after(dealt(["10 20 30 7 17 33 49", "4 5 6 8 9 11 13"], "50 12"), "draw open")
    laid = [isinstance(choose(view(state, 0), seed), Play) for seed in range(100)]
    assert 0 < laid.count(False) < laid.count(True)


def test_a_beginner_keeps_cards_until_everyone_has_had_some_turns() -> None:
    state = after(dealt(["10 20 30 40 5 15 25", "4 6 8 9 11 13 1"], "50 12"), "draw open")
    for seed in range(50):
        action = choose(view(state, 0), seed)
        if isinstance(action, Play):
            assert apply(state, action).hands[0].bit_count() >= 3


def test_a_beginner_takes_an_open_card_that_makes_a_row_and_else_does_not() -> None:
    hands = ["10 20 7 17 33 49 1", "4 5 6 8 9 11 13"]
    useful, useless = (view(dealt(hands, f"{top} 12"), 0) for top in (30, 44))
    taken = [choose(useful, seed) for seed in range(50)]
    assert taken.count(DrawOpen()) > 25
    opened = {choose(useless, seed) for seed in range(50)}
    assert opened == {DrawClosed()}


def test_a_beginner_always_takes_an_open_joker() -> None:
    seen = view(dealt(["10 20 7 17 33 49 1", "4 5 6 8 9 11 13"], "a 12"), 0)
    assert {choose(seen, seed) for seed in range(20)} == {DrawOpen()}


def test_a_beginner_never_discards_a_joker_while_it_has_a_number() -> None:
    state = after(dealt(["a b 7 17 33 49 1", "4 5 6 8 9 11 13"], "12 14"), "draw open")
    for seed in range(50):
        action = choose(view(state, 0), seed)
        if isinstance(action, Discard):
            assert not is_joker(action.card)


def test_the_registry_knows_it_by_name() -> None:
    assert BOTS["beginner"] is choose
