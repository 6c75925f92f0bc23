"""A match: who starts, what a round earns or costs, when it ends (rules 6, 7)."""

from typing import Unpack

import pytest

from games.engine.actions import Deal, DrawOpen
from games.engine.cards import deck, mask_of, shuffled
from games.engine.errors import ActionRefused, RulesetError
from games.engine.match import apply, first_starter, hand_cost, new_match
from games.engine.round import State
from games.engine.ruleset import Options, Ruleset, edition
from games.engine.text.notation import parse_cards
from tests.counts import for_each
from tests.games.positions import BLOCKS, CLASSIC, SIMPLIFIED, after, dealt

HANDS = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"]
BLOCKS_SIMPLE = edition("blocks-simple", rounds=2)


def won_by_first(**options: Unpack[Options]) -> State:
    return after(
        dealt(HANDS, "11 12 13", ruleset=edition("simplified", **options)),
        "draw open",
        "1 2 3",
        "10 20 30 40",
        "discard 11",
    )


# New match


@for_each(
    [
        (CLASSIC, 1, deck(100), 0, "seats-out-of-range"),
        (CLASSIC, 9, deck(100), 0, "seats-out-of-range"),
        (BLOCKS, 7, deck(100), 0, "seats-out-of-range"),
        (CLASSIC, 2, deck(100), 2, "starter-out-of-range"),
        (SIMPLIFIED, 2, deck(50)[:14], 0, "deck-too-short"),
        (SIMPLIFIED, 2, deck(100), 0, "deck-not-of-this-edition"),
        (SIMPLIFIED, 2, [*deck(50), 7], 0, "deck-not-of-this-edition"),
    ]
)
def test_a_match_needs_the_seats_starter_and_deck_of_its_edition(
    ruleset: Ruleset, seats: int, cards: list[int], starter: int, error: str
) -> None:
    with pytest.raises(RulesetError, match=f"^{error}$"):
        new_match(ruleset, seats, cards, starter)


# First starter


def test_in_card_editions_the_first_starter_is_drawn_by_lot() -> None:
    starters = [first_starter(SIMPLIFIED, 3, seed) for seed in range(60)]
    assert set(starters) == {0, 1, 2}
    assert starters == [first_starter(SIMPLIFIED, 3, seed) for seed in range(60)]


def test_the_highest_draw_starts_in_blocks() -> None:
    blocks = shuffled(deck(100), 1)[:3]
    assert max(blocks) <= 100
    assert blocks[first_starter(BLOCKS, 3, 1)] == max(blocks)


def test_jokers_count_nothing_and_ties_draw_again_in_blocks() -> None:
    seed = next(seed for seed in range(100_000) if min(shuffled(deck(100), seed)[:2]) > 100)
    again = shuffled(deck(100), seed + 1)[:2]
    assert again[first_starter(BLOCKS, 2, seed)] == max(again)


# End of a round


def test_scores_may_go_below_nought() -> None:
    assert won_by_first(start=0).scores == (7, -7)


def test_a_hand_costs_its_values_or_in_simplified_one_a_card() -> None:
    hand = mask_of(parse_cards(["1", "2", "3", "a"], CLASSIC))
    assert hand_cost(CLASSIC, hand) == 1 + 3 + 3
    assert hand_cost(SIMPLIFIED, hand) == 4


# Next round


def test_the_seat_after_the_last_starter_starts_next() -> None:
    state = apply(won_by_first(), Deal(deck(50)))
    assert (state.round, state.starter, state.turn, state.phase) == (2, 1, 1, "draw")
    assert state.scores == (27, 13)


def test_a_round_is_dealt_only_after_the_last_is_over() -> None:
    with pytest.raises(ActionRefused, match="wrong-phase"):
        apply(dealt(HANDS, "11 12"), Deal(deck(50)))


def test_in_blocks_the_winner_starts() -> None:
    state = dealt(["1 2 3 10 20", "4 5 6 7 8"], "49 47 9 50", ruleset=BLOCKS_SIMPLE)
    state = after(state, "discard 49", "pass", "4 5 6 7 8 9", "discard 50")
    assert (state.phase, state.round_winner, state.scores) == ("round over", 1, (0, 1))
    assert apply(state, Deal(deck(50))).starter == 1


# Winning


def test_a_hundred_points_win_after_a_round() -> None:
    assert won_by_first(start=95).winners == (0,)
    assert won_by_first(start=95).phase == "match over"
    assert won_by_first(start=90).winners is None


def test_a_tie_at_the_top_adds_a_round() -> None:
    state = tie(edition("simplified-2010", start=200))
    assert (state.scores, state.winners, state.phase) == ((192, 192), None, "round over")


def test_after_the_agreed_rounds_a_tie_is_shared() -> None:
    state = tie(edition("simplified-2010", start=200, rounds=1))
    assert (state.winners, state.phase) == ((0, 1), "match over")


def test_nothing_is_dealt_after_the_end_of_a_match() -> None:
    with pytest.raises(ActionRefused, match="wrong-phase"):
        apply(won_by_first(rounds=1), Deal(deck(50)))
    with pytest.raises(ActionRefused, match="wrong-phase"):
        apply(won_by_first(rounds=1), DrawOpen())


def test_the_lowest_total_wins_in_blocks() -> None:
    hands = ["1 2 3 10 20 30 40 50 60", "4 5 6 7 8 9 71 80 91"]
    state = dealt(hands, "11 70", ruleset=edition("blocks", rounds=1))
    state = after(state, "1 2 3", "10 20 30 40 50 60 70", "discard 11")
    assert (state.scores, state.winners) == ((0, 9), (0,))


def test_most_rounds_win_in_simple_blocks_which_may_have_no_winner() -> None:
    state = dealt(["1 2 4 9 20", "5 6 8 13 30"], "a", ruleset=edition("blocks-simple"))
    while state.phase != "match over":
        lowest = min(card for card in range(1, 105) if state.hands[state.turn] >> card & 1)
        state = after(state, f"discard {lowest}" if lowest < 101 else "discard a")
        if state.phase == "knock":
            state = after(state, "knock")
    assert (state.turns[0], state.scores, state.winners) == (60, (0, 0), ())


def tie(ruleset: Ruleset) -> State:
    """Both seats have eight cards when idle turns end the round."""
    state = dealt(HANDS, "11 12", ruleset=ruleset)
    state = after(state, "draw open", "end", "draw closed", "end", "draw closed", "end")
    return after(state, "draw closed", "end")
