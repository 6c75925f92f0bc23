from games.bots.worth import (
    alone,
    least_befriended,
    outs_across,
    outs_of_pairs,
    turns_to_a_row,
    unseen,
)
from games.engine.cards import cards_in, mask_of
from games.engine.round import view
from games.engine.ruleset import edition
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


def test_a_card_alone_can_go_next_to_a_row_or_across_two() -> None:
    next_to = position("", "20-30-40", ruleset=TENS).table
    assert cards_of(alone(TENS.sequences, next_to)) == "10 50"
    across = position("", "4-5-6", "14-15-16").table
    assert 1 << 25 & alone(SIMPLIFIED.sequences, across)
    assert 1 << 10 & alone(SIMPLIFIED.sequences, across)
    assert not 1 << 40 & alone(SIMPLIFIED.sequences, across)


def test_the_fewer_rows_there_are_the_longer_a_hand_waits() -> None:
    waits = [turns_to_a_row(rules.sequences, 7) for rules in (SIMPLIFIED, TABLES, TENS)]
    assert waits == sorted(waits)
    assert waits[0] < 1 < waits[1] < waits[2]


def test_what_a_seat_does_not_see_is_everything_but_its_hand_the_table_and_the_open_card() -> None:
    state = dealt(["10 20 30 1 2 3 4", "5 6 7 8 9 11 12"], "13 14 15")
    state = after(state, "draw closed", "pass", "10 20 30", "discard 1")
    seen = {10, 20, 30, *cards_in(state.hands[0]), 1}
    assert unseen(view(state, 0)) == mask_of({*range(1, 51), 101, 102, 103, 104} - seen)


def test_the_least_befriended_card_is_given_up_and_a_joker_last() -> None:
    def given_up(hand: str) -> int:
        return least_befriended(TENS.sequences, position(hand).hand)

    assert given_up("10 20 30 7") == 7
    assert given_up("10 20 30 50") == 50
    assert given_up("a 10") == 10
    assert given_up("a b") == 101
