from games.coach.facts import Derivation
from games.coach.hints import Hint, hint
from games.engine.ruleset import edition
from tests.games.positions import CLASSIC, position


def row_of(shown: Hint) -> str:
    return str(shown.play)


def test_each_step_shows_one_thing_more() -> None:
    at = position("7 12 16 20 31")
    hints = [hint(at, step) for step in (1, 2, 3, 4)]
    assert [one.rows for one in hints] == [1, 1, 1, 1]
    assert [one.card for one in hints] == [None, 12, 12, 12]
    assert [one.jump for one in hints] == [None, None, 4, 4]
    tables = [one.row_table and one.row_table.times_table for one in hints]
    assert tables == [None, None, None, 4]


def test_every_step_of_a_position_is_about_the_same_row() -> None:
    at = position("5 10 12 15 16 20 30 a", "21-24-27")
    assert len({row_of(hint(at, step)) for step in (1, 2, 3, 4)}) == 1


def test_where_there_is_no_row_the_hint_has_none() -> None:
    assert hint(position("1 10 12"), 4) == Hint(4, 0, None)


def test_the_jumps_are_drawn_with_numbers_of_the_row_and_no_others() -> None:
    at = position("7 12 16 20 31")
    assert hint(at, 2).line == ()
    assert hint(at, 3).line == (12, 16, 20)
    long = hint(position("40", "5-10-15-20-25-30-35"), 3)
    assert long.line == (20, 25, 30, 35, 40)


def test_a_number_is_derived_from_a_fact_that_this_child_is_secure_in() -> None:
    at = position("7 24 30 36")
    assert [hint(at, step, {(5, 6)}).derivation is None for step in (4, 5, 6)] == [
        True,
        False,
        True,
    ]
    way = hint(at, 5, {(5, 6)}).derivation
    assert way == Derivation(times=6, table=6, known=5, way="more", steps=1)
    other = hint(at, 5, {(6, 7)}).derivation
    assert other == Derivation(times=6, table=6, known=7, way="less", steps=1)


def test_a_row_in_no_table_is_derived_from_nothing() -> None:
    shown = hint(position("9 13 17 40"), 5, {(2, 4)})
    assert (shown.derivation, shown.row_table and shown.row_table.times_table) == (None, None)


def test_the_last_step_shows_the_row() -> None:
    at = position("40 7", "10-20-30")
    assert (hint(at, 5).cards, hint(at, 5).whole) == ((), ())
    shown = hint(at, 6)
    assert shown.cards == (40,)
    assert [laid.number for laid in shown.whole] == [10, 20, 30, 40]


def test_rows_are_counted_by_their_numbers() -> None:
    assert hint(position("10 20 30 40"), 1).rows == 3


def test_a_row_of_a_times_table_comes_before_another() -> None:
    assert row_of(hint(position("11 16 21 12 18 24"), 1)) == "12 18 24"


def test_the_hand_comes_before_the_table_and_a_long_row_before_a_short_one() -> None:
    assert row_of(hint(position("5 7 9 40", "10-20-30"), 1)) == "40 to 10-20-30"
    assert row_of(hint(position("3 6 9 12"), 1)) == "3 6 9 12"


def test_jokers_are_kept_out_where_there_is_a_row_without() -> None:
    assert row_of(hint(position("10 20 30 a"), 1)) == "10 20 30"
    shown = hint(position("10 20 a"), 2)
    assert shown.card == 10
    assert "a=" in row_of(shown)


def test_for_a_swap_the_card_that_is_put_in_lights_up() -> None:
    shown = hint(position("20", "10-a=20-30"), 2)
    assert (row_of(shown), shown.card) == ("a=40 to 10-a=20-30 swap 20 for a", 20)


def test_for_a_swap_the_last_step_lights_up_what_lies_in_the_hand() -> None:
    assert hint(position("20", "10-a=20-30"), 6).cards == (20,)


def test_a_family_has_no_jump() -> None:
    squares = edition("classic", families=["squares"])
    shown = hint(position("4 9 16 90", ruleset=squares), 4)
    assert (row_of(shown), shown.jump) == ("4 9 16", None)


def test_before_opening_only_rows_of_the_hand_are_hinted() -> None:
    assert hint(position("40", "10-20-30", opened=False), 1).rows == 0


def test_a_row_that_would_lay_the_last_card_is_not_hinted() -> None:
    assert hint(position("10 20 30", ruleset=CLASSIC), 1).rows == 0
