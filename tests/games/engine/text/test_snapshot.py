import json

from games.engine.round import State
from games.engine.ruleset import ruleset_to_data
from games.engine.text.snapshot import state_from_data, state_to_data
from tests.games.positions import BLOCKS, SIMPLIFIED, after, dealt

TWO = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 a"]
THREE_OF_BLOCKS = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 70", "51 52 53 61 62 63 64"]


def begun() -> State:
    return dealt(TWO, "11 12 13")


def through_json(state: State) -> State:
    return state_from_data(json.loads(json.dumps(state_to_data(state))), state.ruleset)


def test_a_state_survives_json() -> None:
    played = after(begun(), "draw open", "1 2 3", "10 20 30", "40 to 10-20-30")
    assert through_json(played) == played
    assert through_json(played).table.islands == played.table.islands


def test_a_table_with_jokers_and_crossings_survives() -> None:
    state = after(begun(), "draw open", "1 2 3", "discard 40", "draw open", "6 7 a=8")
    assert through_json(after(state, "5 9 across 7")) == after(state, "5 9 across 7")


def test_a_block_on_offer_survives() -> None:
    state = dealt(THREE_OF_BLOCKS, "11 12 13 14", ruleset=BLOCKS)
    state = after(state, "discard 40", "pass 2")
    assert through_json(state) == state


def test_a_match_that_is_over_survives() -> None:
    state = after(begun(), "draw open", "1 2 3", "10 20 30 40", "discard 11")
    assert state.phase == "round over"
    assert through_json(state) == state


def test_the_ruleset_may_be_given_as_data_too() -> None:
    data = state_to_data(begun())
    assert state_from_data(data, ruleset_to_data(SIMPLIFIED)) == begun()


def test_what_is_written_is_all_of_the_state_and_nothing_else() -> None:
    """In the form in which games have always been stored."""
    state = after(begun(), "draw open", "1 2 3", "discard 40", "draw open", "6 7 a=8")
    assert json.loads(json.dumps(state_to_data(state))) == {
        "seed": 0,
        "round": 1,
        "starter": 0,
        "phase": "play",
        "turn": 1,
        "seat": 1,
        "hands": ["40100c00", "10000000330"],
        "lines": ["1-2-3", "6-7-a=8"],
        "island_of": [0, 1],
        "open": [],
        "closed": [13, 12],
        "scores": [23, 23],
        "opened": 3,
        "turns": [1, 0],
        "quiet": [0, 0],
        "idle": 0,
        "active": True,
        "passed": 0,
        "plays": 1,
        "out": [],
        "reshuffles": 0,
        "round_winner": None,
        "winners": None,
    }
