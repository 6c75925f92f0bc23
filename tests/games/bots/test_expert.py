"""The expert imagines how a round may go on, within the rules and its limits, to win."""

from dataclasses import replace
from random import Random

import pytest

from games.bots import sharp
from games.bots.expert import CANDIDATES, NODES, ImaginedRound, choose, imagined_state, search
from games.bots.outlook import LOG_ODDS_OF_WIN, WEIGHTS, Outlook, lead_of, pace_of
from games.bots.sharp import TurnChoice
from games.engine.actions import Action
from games.engine.round import State
from games.engine.ruleset import EDITIONS, edition
from games.engine.text.notation import action_text, parse_table
from games.engine.view import View, view
from tests.counts import times
from tests.games.positions import after, dealt
from tests.games.rounds import all_cards, play_round

A_DEAL = CANDIDATES * (1 + 3 + 3)
"""One node for each candidate, and at most three for each of the two turns, draws included."""
TABLES = edition("simplified", tables=range(2, 11), rounds=1)


@pytest.mark.parametrize("name", EDITIONS)
def test_an_imagined_deal_looks_the_same_to_its_seat(name: str) -> None:
    random = Random(name)

    def looks_the_same(state: State, action: Action) -> None:
        assert state.to_act is not None
        seat_view = view(state, state.to_act)
        other = imagined_state(seat_view, random)
        assert view(other, state.to_act) == seat_view
        assert all_cards(other) == all_cards(state)

    for seed in range(times(5, 100)):
        play_round(edition(name, rounds=1), ["steady"] * 3, seed, looks_the_same)


@pytest.mark.parametrize("name", EDITIONS)
def test_an_imagined_round_keeps_the_rules_and_gives_a_chance(name: str) -> None:
    """The engine refuses illegal actions."""
    random = Random(name)

    def imagined(state: State, action: Action) -> None:
        assert state.to_act is not None
        seat_view = view(state, state.to_act)
        if seat_view.phase == "play":
            choice = Outlook(seat_view).best(seat_view.position)
            chance = ImaginedRound(imagined_state(seat_view, random), seat_view.seat).chance_after(
                choice
            )
            assert 0 <= chance <= 1

    for seed in range(times(2, 30)):
        play_round(edition(name, rounds=2), ["steady"] * (2 + seed % 3), seed, imagined)


def test_the_expert_keeps_to_its_limit_of_nodes() -> None:
    spent: list[int] = []

    def count(state: State, action: Action) -> None:
        assert state.to_act is not None
        spent.append(search(view(state, state.to_act), 1).nodes)

    play_round(TABLES, ["sharp", "sharp"], 5, count)
    assert 0 < max(spent) <= NODES + A_DEAL


def test_the_expert_goes_out_with_its_last_row_when_that_wins() -> None:
    state = dealt(["10 20 30 7 14 21 47", "1 11 13 17 19 23 29"], "31 28", ruleset=TABLES)
    state = after(state, "draw closed", "pass")
    while state.to_act == 0:
        state = choose_and_do(state)
    assert state.round_winner == 0


def choose_and_do(state: State) -> State:
    assert state.to_act is not None
    return after(state, action_text(choose(view(state, state.to_act), 1)))


def test_where_rows_come_quickly_the_expert_draws_like_a_sharp_player() -> None:
    def check_like_sharp(state: State, action: Action) -> None:
        assert state.to_act is not None
        if state.phase != "play":
            seat_view = view(state, state.to_act)
            assert choose(seat_view, 1) == sharp.choose(seat_view, 1)

    for seed in range(times(2, 20)):
        play_round(edition("classic", rounds=1), ["steady"] * 3, seed, check_like_sharp)


@pytest.mark.parametrize("other", [32, 33, 34])
def test_the_best_play_is_found_where_every_play_ends_the_round(other: int) -> None:
    """20 and 25 can be laid in three ways, and each ends the round. It is a draw if the other
    player has 32."""
    state = dealt(["2 5 7 13 14 21 47", "1 11 3 17 19 23 29"], "31 41", ruleset=TABLES)
    lines = ["d=32-40-48", "9-c=18-27", "15-c=18-21", "34-36-38-40", "30-36-42"]
    state = replace(
        after(state, "draw closed", "pass"),
        hands=(1 << 8 | 1 << 20 | 1 << 25, 1 << 11),
        table=parse_table(lines, TABLES),
        opened_mask=0b11,
        scores=(29, other),
    )
    assert search(view(state, 0), 1).nodes <= NODES + A_DEAL


def to_play(hand: str, other: str = "1 11 13 17 19 23 29") -> View:
    state = dealt([hand, other], "41 28", ruleset=TABLES)
    return view(after(state, "draw closed", "pass"), 0)


def best(own_view: View) -> TurnChoice:
    return Outlook(own_view).best(own_view.position)


def test_a_turn_that_wins_the_round_is_better_than_all_others() -> None:
    state = to_play("10 20 30 7 14 21 47")
    assert best(state).worth > LOG_ODDS_OF_WIN
    assert best(state).turn.after.hand.bit_count() <= 1


@pytest.mark.parametrize("name", EDITIONS)
def test_the_worth_of_a_choice_is_the_sum_of_its_weighted_notes(name: str) -> None:
    def check_sum(state: State, action: Action) -> None:
        assert state.to_act is not None
        seat_view = view(state, state.to_act)
        if seat_view.phase != "play":
            return
        outlook, weights = Outlook(seat_view), WEIGHTS[pace_of(seat_view.ruleset, 3)]
        for choice in outlook.choices(seat_view.position):
            if choice.turn.after.hand.bit_count() > 1:
                notes = outlook.notes(choice.turn, choice.discard)
                total = sum(weights.get(note, 0) * much for note, much in notes)
                assert choice.worth == pytest.approx(total)

    for seed in range(times(1, 20)):
        play_round(edition(name, rounds=1), ["steady"] * 3, seed, check_sum)


def test_earlier_rounds_of_a_match_do_not_count_as_a_lead() -> None:
    state = dealt(["10 20 30 7 14 21 47", "1 11 13 17 19 23 29"], "41 43", ruleset=TABLES)
    seat_view = view(state, 0)
    earlier = view(_later(state), 0)
    assert lead_of(earlier) == lead_of(seat_view) == 7


def _later(state: State) -> State:
    return replace(state, round=2, scores=(3, 45))
