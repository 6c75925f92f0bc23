"""The beginner: what it overlooks, and how long it lets others play."""

from games.bots.beginner import choose
from games.engine.actions import Discard, DrawOpen
from games.engine.cards import is_joker
from games.engine.match import apply
from games.engine.round import view
from games.engine.table import Play
from tests.counts import times
from tests.games.positions import SIMPLIFIED, after, dealt
from tests.games.rounds import play_round

PAIR = ["beginner", "beginner"]


def test_rounds_last_long_enough_for_a_child_to_lay_rows() -> None:
    lengths = sorted(
        max(play_round(SIMPLIFIED, PAIR, seed).turns) for seed in range(times(20, 500))
    )
    assert lengths[0] >= 4
    assert lengths[len(lengths) // 2] >= 5


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


def test_a_beginner_always_takes_an_open_joker() -> None:
    seen = view(dealt(["10 20 7 17 33 49 1", "4 5 6 8 9 11 13"], "a 12"), 0)
    assert {choose(seen, seed) for seed in range(20)} == {DrawOpen()}


def test_a_beginner_never_discards_a_joker_while_it_has_a_number() -> None:
    state = after(dealt(["a b 7 17 33 49 1", "4 5 6 8 9 11 13"], "12 14"), "draw open")
    for seed in range(50):
        action = choose(view(state, 0), seed)
        if isinstance(action, Discard):
            assert not is_joker(action.card)
