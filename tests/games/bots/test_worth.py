"""What a hand and each of its cards are worth, and the best turn by these figures."""

from games.bots.turns import turns
from games.bots.worth import (
    WORTH_AT_END,
    WORTH_OF_JOKER,
    WORTH_OF_ROWS,
    WORTH_ONE_JUMP_OFF,
    card_with_fewest_friends,
    need_for,
    outs_across,
    outs_of_pairs,
    single_cards,
    turns_to_a_row,
    unseen_cards,
)
from games.engine.cards import cards_in, deck, mask_of, shuffled
from games.engine.play_application import Position
from games.engine.plays import best_points
from games.engine.ruleset import edition
from games.engine.table import Table
from games.engine.view import View, view
from tests.counts import for_each, times
from tests.games.positions import SIMPLIFIED, after, cards_of, dealt, position

TENS = edition("simplified", tables=(10,))
TABLES = edition("simplified", tables=range(2, 11))


def test_a_pair_waits_for_the_numbers_that_make_it_a_row() -> None:
    assert cards_of(outs_of_pairs(SIMPLIFIED.sequences, [10, 20])) == "15 30"
    assert cards_of(outs_of_pairs(TABLES.sequences, [12, 18])) == "6 15 24"
    assert cards_of(outs_of_pairs(TENS.sequences, [10, 20, 30, 40])) == "10 20 30 40 50"
    assert outs_of_pairs(TENS.sequences, [11, 20]) == 0


def test_a_card_waits_with_the_cards_that_it_may_cross() -> None:
    assert cards_of(outs_across(TENS.sequences, 20, [10, 40])) == "30"
    assert outs_across(TENS.sequences, 20, []) == 0


def test_a_single_card_can_go_next_to_a_row_or_across_two() -> None:
    next_to = position("", "20-30-40", ruleset=TENS).table
    assert cards_of(single_cards(TENS.sequences, next_to)) == "10 50"
    across = position("", "4-5-6", "14-15-16").table
    assert 1 << 25 & single_cards(SIMPLIFIED.sequences, across)
    assert 1 << 10 & single_cards(SIMPLIFIED.sequences, across)
    assert not 1 << 40 & single_cards(SIMPLIFIED.sequences, across)


def test_the_fewer_rows_there_are_the_longer_a_hand_waits() -> None:
    waits = [turns_to_a_row(rules.sequences, 7) for rules in (SIMPLIFIED, TABLES, TENS)]
    assert waits == sorted(waits)
    assert waits[0] < 1 < waits[1] < waits[2]


def test_a_seat_sees_only_its_hand_table_and_open_card() -> None:
    state = dealt(["10 20 30 1 2 3 4", "5 6 7 8 9 11 12"], "13 14 15")
    state = after(state, "draw closed", "pass", "10 20 30", "discard 1")
    cards = {10, 20, 30, *cards_in(state.hands[0]), 1}
    assert unseen_cards(view(state, 0)) == mask_of({*range(1, 51), 101, 102, 103, 104} - cards)


def test_the_card_that_fits_fewest_others_is_discarded_and_a_joker_last() -> None:
    def given_up(hand: str) -> int:
        return card_with_fewest_friends(TENS.sequences, position(hand).hand)

    assert given_up("10 20 30 7") == 7
    assert given_up("10 20 30 50") == 50
    assert given_up("a 10") == 10
    assert given_up("a b") == 101


ONLY_TENS = edition("simplified", tables=(10,), offers=False)


def view_with(hand: str) -> View:
    return view(dealt([hand, "4 6 8 9 11 13 17"], "2 12", ruleset=ONLY_TENS), 0)


def test_a_cards_worth_counts_rows_of_three_by_their_missing_cards() -> None:
    none, one, two = WORTH_OF_ROWS
    assert need_for(view_with("10 1 3 7 19 21 23"), 10) == two
    assert need_for(view_with("10 20 1 3 7 19 21"), 10) == one
    assert need_for(view_with("10 20 30 1 3 7 19"), 10) == none
    assert need_for(view_with("10 20 30 1 3 7 19"), 20) == none + one


def test_a_joker_is_needed_more_than_any_row() -> None:
    assert (
        need_for(view_with("10 20 30 a 3 7 19"), 101)
        == WORTH_OF_JOKER
        > need_for(view_with("10 20 30 40 3 7 1"), 20)
    )


def test_after_opening_a_card_is_worth_more_at_the_end_of_a_row() -> None:
    state = dealt(["10 20 30 40 50 7 3", "4 6 8 9 11 13 17"], "2 12", ruleset=ONLY_TENS)
    state = after(state, "draw closed")
    seat_view = view(after(state, "10 20 30"), 0)
    assert need_for(seat_view, 40) == WORTH_AT_END
    assert need_for(seat_view, 50) == WORTH_ONE_JUMP_OFF
    assert need_for(seat_view, 7) == 0


def plays_of_turns(at: Position, most: int = 100) -> set[tuple[str, ...]]:
    return {tuple(map(str, turn.plays)) for turn in turns(at, most)}


def test_plays_in_another_order_are_one_turn() -> None:
    plays = plays_of_turns(position("10 20 30 7 14 21", ruleset=TABLES))
    both = [turn for turn in plays if set(turn) == {"10 20 30", "7 14 21"}]
    assert len(both) == 1


def test_the_number_of_turns_is_limited() -> None:
    assert len(plays_of_turns(position("1 2 3 4 5 6 7 8 9"), most=5)) == 5


def dealt_hand(seed: int) -> Position:
    hand = mask_of(card for card in shuffled(deck(50), seed)[:9] if card <= 50)
    return Position(TABLES, Table(), hand, False)


@for_each(range(times(20, 1000)))
def test_the_best_turn_is_found_if_all_plays_are_followed(seed: int) -> None:
    at = dealt_hand(seed)
    assert max(turn.points for turn in turns(at, 1000, width=1000)) == best_points(at)


def test_the_widest_plays_hardly_ever_miss_the_best_turn() -> None:
    hands = [dealt_hand(seed) for seed in range(times(20, 1000))]
    missed = sum(max(turn.points for turn in turns(at, 100)) < best_points(at) for at in hands)
    assert missed <= len(hands) / 200
