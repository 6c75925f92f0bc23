from games.coach.missed import MissedRow, missed_row
from games.engine.ruleset import edition
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


def test_a_row_that_was_in_the_hand_is_shown() -> None:
    shown = missed("12 16 20 7 31 33 42", "discard 7")
    assert shown is not None
    assert numbers(shown) == (12, 16, 20)
    assert [laid.number for laid in shown.own] == [12, 16, 20]
    assert shown.row.times_table == 4


def test_where_there_was_none_nothing_is_shown() -> None:
    assert missed("46 7 14 23 31 33 42", "discard 7") is None


def test_only_the_shortest_row_is_shown() -> None:
    assert numbers(missed("12 16 20 24 5 10 15", "discard 24")) == (5, 10, 15)


def test_cards_that_fit_on_the_table_are_shown_with_their_row() -> None:
    shown = missed("12 16 20 24 31 33 42", "12 16 20", "discard 31")
    assert shown is not None
    assert numbers(shown) == (12, 16, 20, 24)
    assert [laid.number for laid in shown.own] == [24]


def test_a_row_of_the_hand_comes_before_one_that_takes_from_the_table() -> None:
    shown = missed("12 16 20 24 35 40 45", "12 16 20", "discard 24")
    assert numbers(shown) == (35, 40, 45)


def test_a_joker_that_could_have_been_swapped_is_not_brought_up() -> None:
    shown = missed("5 10 a 20 15 31 33", "5 10 a=15 20", "discard 31")
    assert numbers(shown) != (5, 10, 15, 20)
    assert shown is None or not shown.play.swaps
