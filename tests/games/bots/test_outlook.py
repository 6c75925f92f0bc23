"""The notes of the outlook on a turn, and their sum."""

from dataclasses import replace

import pytest

from games.bots.outlook import SURE, WEIGHTS, Outlook, lead_of, pace_of
from games.bots.sharp import TurnChoice
from games.engine.actions import Action
from games.engine.round import State, View, view
from games.engine.ruleset import EDITIONS, edition
from tests.counts import times
from tests.games.positions import after, dealt
from tests.games.rounds import play_round

TABLES = edition("simplified", tables=range(2, 11), rounds=1)


def to_play(hand: str, other: str = "1 11 13 17 19 23 29") -> View:
    state = dealt([hand, other], "41 28", ruleset=TABLES)
    return view(after(state, "draw closed", "pass"), 0)


def best(seen: View) -> TurnChoice:
    return Outlook(seen).best(seen.position)


def test_a_turn_that_wins_the_round_is_beyond_all_others() -> None:
    seen = to_play("10 20 30 7 14 21 47")
    assert best(seen).worth > SURE
    assert best(seen).turn.after.hand.bit_count() <= 1


@pytest.mark.parametrize("name", EDITIONS)
def test_the_worth_of_a_choice_is_the_sum_of_its_weighted_notes(name: str) -> None:
    def same(state: State, action: Action) -> None:
        assert state.seat is not None
        seen = view(state, state.seat)
        if seen.phase != "play":
            return
        outlook, weights = Outlook(seen), WEIGHTS[pace_of(seen.ruleset, 3)]
        for choice in outlook.choices(seen.position):
            if choice.turn.after.hand.bit_count() > 1:
                notes = outlook.notes(choice.turn, choice.discard)
                total = sum(weights.get(note, 0) * much for note, much in notes)
                assert choice.worth == pytest.approx(total)

    for seed in range(times(1, 20)):
        play_round(edition(name, rounds=1), ["steady"] * 3, seed, same)


def test_what_a_match_brought_before_does_not_count_as_a_lead() -> None:
    state = dealt(["10 20 30 7 14 21 47", "1 11 13 17 19 23 29"], "41 43", ruleset=TABLES)
    seen = view(state, 0)
    earlier = view(_later(state), 0)
    assert lead_of(earlier) == lead_of(seen) == 7


def _later(state: State) -> State:
    return replace(state, round=2, scores=(3, 45))
