from games.coach.missed import MissedRow, missed_row, row_still_there
from games.engine.actions import DrawOpen
from games.engine.match import apply, new_match
from games.engine.ruleset import edition
from games.engine.text.notation import parse_cards, parse_play
from tests.games.positions import after, dealt

TABLES = edition("simplified", tables=(4, 5), offers=False)


def missed(hand: str, *actions: str) -> MissedRow | None:
    """The row shown to the first seat after its turn: it takes the 50, then does these actions."""
    *plays, end = actions
    start = dealt([hand, "1 2 3 6 9 11 13"], "49 50 48", ruleset=TABLES)
    state = after(start, "draw closed", *plays)
    return missed_row(state, after(state, end))


def numbers(shown: MissedRow | None) -> tuple[int, ...] | None:
    return None if shown is None else shown.row.numbers


def test_a_row_of_which_a_card_was_put_down_is_shown() -> None:
    shown = missed("12 16 20 7 31 33 42", "discard 20")
    assert shown is not None
    assert numbers(shown) == (12, 16, 20)
    assert [laid.number for laid in shown.own] == [12, 16, 20]
    assert (shown.row.times_table, shown.put_down) == (4, 20)


def test_a_row_that_is_still_there_is_the_players_to_find() -> None:
    assert missed("12 16 20 7 31 33 42", "discard 7") is None


def test_a_row_is_not_shown_while_another_one_of_its_table_can_be_laid_with_its_cards() -> None:
    assert missed("12 16 20 24 31 33 42", "discard 24") is None
    assert numbers(missed("12 16 20 25 30 31 33", "discard 20")) == (12, 16, 20)


def test_cards_that_fit_on_the_table_are_shown_with_their_row() -> None:
    shown = missed("12 16 20 24 31 33 42", "12 16 20", "discard 24")
    assert shown is not None
    assert numbers(shown) == (12, 16, 20, 24)
    assert [laid.number for laid in shown.own] == [24]


def test_a_row_of_the_hand_comes_before_one_that_takes_from_the_table() -> None:
    shown = missed("30 35 40 24 28 20 45", "30 35 40", "discard 20")
    assert numbers(shown) == (20, 24, 28)


def test_earlier_releases_showed_the_easiest_row_that_was_still_there() -> None:
    start = dealt(["12 16 20 24 5 10 15", "1 2 3 6 9 11 13"], "49 50 48", ruleset=TABLES)
    state = after(start, "draw closed")
    assert numbers(row_still_there(state, after(state, "discard 24"))) == (5, 10, 15)


def test_a_row_that_ends_the_turn_is_not_missed() -> None:
    """Where hands fill up, a play of the last card ends the turn, and the round goes on."""
    rules = edition("simplified", tables=[5, 10], offers=False, refill=True, piles=1)
    hands, rest = "5 10 15 20 30 40 50 2 4 6 8 9 11 13", "25 12 14 16 18 22 24 26 28 32 34"
    cards = f"{hands} {rest}".split()
    state = apply(new_match(rules, 2, parse_cards(cards, rules), 0), DrawOpen())
    state = apply(state, parse_play("5 10 15 20 25", rules))
    after = apply(state, parse_play("30 40 50", rules))
    assert after.turn == 1
    assert missed_row(state, after) is None
