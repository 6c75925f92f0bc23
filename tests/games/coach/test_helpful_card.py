"""Which card helps most where there is no row to lay yet."""

import pytest

from games.coach.helpful_card import helps_most
from games.engine.ruleset import edition
from tests.games.positions import position

TABLES = edition("simplified", tables=(2, 5, 10))


@pytest.mark.parametrize(
    ("hand", "lines", "open_card", "expected"),
    [
        ("13 20 40", (), 40, "open card"),  # 30 is all that it lacks.
        ("1 13 37", (), 37, "pile"),  # In no table.
        ("13 17 a", (), 101, "open card"),  # A joker.
        ("18 20 44 48 1", (), 1, "pile"),  # 16, 22 and 46 make a row at once.
        ("1 7 11 45", ("5-10-15-20-25",), 11, "pile"),  # 30 goes on with the row.
    ],
)
def test_it_is_the_one_with_which_more_cards_make_a_row(
    hand: str, lines: tuple[str, ...], open_card: int, expected: str
) -> None:
    assert helps_most(position(hand, *lines, ruleset=TABLES), open_card) == expected


def test_without_an_open_card_it_is_the_pile() -> None:
    assert helps_most(position("13 20", ruleset=TABLES), None) == "pile"
