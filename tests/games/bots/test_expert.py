from random import Random

import pytest

from games.bots.expert import NODES, choose, dealt_like, searched
from games.bots.rollout import hurried
from games.engine.actions import Action
from games.engine.match import apply
from games.engine.notation import action_text
from games.engine.round import State, view
from games.engine.ruleset import EDITIONS, edition
from tests.counts import times
from tests.games.bots.rounds_of import play_round
from tests.games.positions import after, dealt
from tests.games.rounds import all_cards

TABLES = edition("simplified", tables=range(2, 11), rounds=1)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_deal_that_it_imagines_looks_the_same_to_its_seat(name: str) -> None:
    random = Random(name)

    def looks_the_same(state: State, action: Action) -> None:
        assert state.seat is not None
        seen = view(state, state.seat)
        other = dealt_like(seen, random)
        assert view(other, state.seat) == seen
        assert all_cards(other) == all_cards(state)

    for seed in range(times(5, 100)):
        play_round(edition(name, rounds=1), ["steady"] * 3, seed, looks_the_same)


@pytest.mark.parametrize("name", EDITIONS)
def test_players_in_a_hurry_keep_the_rules_and_come_to_an_end(name: str) -> None:
    for seed in range(times(10, 300)):
        state = dealt_for(name, seed)
        while state.seat is not None:
            state = apply(state, hurried(state))
        assert state.phase == "match over"


def dealt_for(name: str, seed: int) -> State:
    states: list[State] = []
    play_round(
        edition(name, rounds=1),
        ["steady"] * (2 + seed % 3),
        seed,
        lambda state, action: states.append(state),
    )
    return states[0]


def test_it_spends_no_more_nodes_than_it_has() -> None:
    def within(state: State, action: Action) -> None:
        assert state.seat is not None
        seen = view(state, state.seat)
        longest = 60 * 8 * state.seats
        assert searched(seen, 1).nodes <= NODES + longest

    play_round(TABLES, ["sharp", "sharp"], 5, within)


def test_it_goes_out_with_its_last_row_when_that_wins() -> None:
    state = dealt(["10 20 30 7 14 21 47", "1 11 13 17 19 23 29"], "31 41", ruleset=TABLES)
    state = after(state, "draw closed", "pass")
    while state.seat == 0:
        state = apply(state, choose(view(state, 0), 1))
    assert state.hands[0].bit_count() <= 1


def test_it_tells_the_same_for_the_same_seed() -> None:
    state = dealt(["10 20 30 7 14 24 47", "1 11 13 17 19 23 29"], "31 41", ruleset=TABLES)
    seen = view(after(state, "draw closed", "pass"), 0)
    assert {action_text(choose(seen, 3)) for _ in range(3)} == {action_text(choose(seen, 3))}
