from games.engine.best_turn import best_points
from games.engine.ruleset import edition
from tests.games.positions import BLOCKS, CLASSIC, position

PLAIN = edition("simplified", doubling=[])


def test_a_hand_without_a_row_earns_nothing() -> None:
    assert best_points(position("1 10 12 30")) == 0


def test_plays_of_a_turn_earn_together() -> None:
    assert best_points(position("1 2 3 4 50", ruleset=PLAIN)) == 4
    assert best_points(position("4 8 12 31 32 33", ruleset=PLAIN)) == 6


def test_opening_lets_the_same_turn_go_on_at_the_table() -> None:
    closed = position("1 2 3 40", "10-20-30", ruleset=PLAIN, opened=False)
    assert best_points(closed) == 4
    assert best_points(position("40", "10-20-30", ruleset=PLAIN, opened=False)) == 0


def test_two_short_rows_can_earn_more_than_a_long_one() -> None:
    """6-7-8 are orange and double, 9 is blue and would spoil it."""
    assert best_points(position("6 7 8 9", ruleset=edition("simplified"))) == 7


def test_a_card_is_kept_where_the_last_is_owed() -> None:
    assert best_points(position("10 20 30", ruleset=CLASSIC)) == 0
    assert best_points(position("10 20 30 9", ruleset=CLASSIC)) == 10


def test_a_swapped_joker_earns_again() -> None:
    assert best_points(position("20", "10-a=20-30", ruleset=PLAIN)) == 1


def test_in_blocks_no_play_earns() -> None:
    assert best_points(position("10 20 30 9", ruleset=BLOCKS)) == 0
