"""What a card is worth to a hand."""

from games.bots.need import AT_AN_END, JOKER, LACKING, ONE_JUMP_OFF, need
from games.engine.round import View, view
from games.engine.ruleset import edition
from tests.games.positions import after, dealt

TENS = edition("simplified", tables=(10,), offers=False)


def seen(hand: str) -> View:
    return view(dealt([hand, "4 6 8 9 11 13 17"], "2 12", ruleset=TENS), 0)


def test_a_card_counts_every_row_of_three_by_what_it_lacks() -> None:
    none, one, two = LACKING
    assert need(seen("10 1 3 7 19 21 23"), 10) == two
    assert need(seen("10 20 1 3 7 19 21"), 10) == one
    assert need(seen("10 20 30 1 3 7 19"), 10) == none
    assert need(seen("10 20 30 1 3 7 19"), 20) == none + one


def test_a_joker_is_needed_more_than_any_row() -> None:
    assert need(seen("10 20 30 a 3 7 19"), 101) == JOKER > need(seen("10 20 30 40 3 7 1"), 20)


def test_who_has_opened_needs_what_fits_at_an_end_of_a_row() -> None:
    state = dealt(["10 20 30 40 50 7 3", "4 6 8 9 11 13 17"], "2 12", ruleset=TENS)
    state = after(state, "draw closed")
    laid = view(after(state, "10 20 30"), 0)
    assert need(laid, 40) == AT_AN_END
    assert need(laid, 50) == ONE_JUMP_OFF
    assert need(laid, 7) == 0
