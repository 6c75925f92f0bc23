"""The words for rows, refusals and hints."""

from itertools import pairwise

import pytest

from games import wording
from games.coach.refusals import Refusal
from games.coach.times_tables import describe
from games.engine.errors import CODES
from games.engine.ruleset import edition
from games.engine.sequences import step_of

TABLES = edition("simplified", tables=(2, 5, 10), offers=False)
ANYTHING = edition("simplified")


def refused(*numbers: int, code: str = "not-a-sequence") -> Refusal:
    jumps = tuple(after - before for before, after in pairwise(numbers))
    shown = describe(numbers) if len(numbers) > 1 else None
    return Refusal(code, numbers, jumps, step_of(numbers) is not None, shown)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("numbers", "name", "facts"),
    [
        ((12, 16, 20), "4 times table", "3 × 4, 4 × 4, 5 × 4"),
        ((11, 16, 21), "steps of 5", "the 5 times table and 1 more"),
        ((10, 30, 50), "steps of 20", "all in the 10, 5 and 2 times tables"),
        ((3, 9, 15), "steps of 6", "all in the 3 times table"),
        ((4, 5, 6), "steps of 1", ""),
    ],
)
def test_a_row_tells_how_it_lies_to_the_tables(
    numbers: tuple[int, ...], name: str, facts: str
) -> None:
    row = describe(numbers)
    assert wording.row_name(row, ANYTHING) == name
    assert wording.row_facts(row, ANYTHING) == facts


def test_a_row_is_said_whole() -> None:
    said = wording.row_label(describe((12, 16, 20)), ANYTHING)
    assert said == "12, 16 and 20: 4 times table: 3 × 4, 4 × 4, 5 × 4"


def test_unequal_jumps_are_shown() -> None:
    told = wording.refusal(refused(12, 16, 21), ANYTHING)
    assert told == "12 → 16 is 4, 16 → 21 is 5: the jumps must be the same."


def test_jumps_too_wide_for_the_chosen_table_are_told_from_its_numbers() -> None:
    told = wording.refusal(refused(10, 30, 50), TABLES)
    assert told == "10, 30 and 50 are all in the 10 times table, but you jump 20."


def test_equal_jumps_beside_the_table_are_told_so() -> None:
    told = wording.refusal(refused(11, 16, 21), TABLES)
    assert told == "11, 16 and 21: you jump 5, but they are not in the 5 times table."


def test_a_table_that_is_not_agreed_is_told_so() -> None:
    told = wording.refusal(refused(7, 14, 21), TABLES)
    assert told == "You jump 7. In this game a row must be in the 2, 5 or 10 times table."


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_words(code: str) -> None:
    assert wording.refusal(refused(1, 2, code=code), ANYTHING)


def test_a_card_is_named_by_number_and_colour() -> None:
    assert wording.card_name(101) == "joker, red"
    assert wording.card_name(101, 28) == "joker for 28, red"
    assert wording.card_name(28).startswith("28, ")


def test_a_game_is_named_by_its_tables() -> None:
    assert wording.title(TABLES) == "2, 5 and 10 times tables"
    assert wording.title(edition("simplified", tables=(7,))) == "7 times table"
    assert wording.title(ANYTHING) == "Any equal jumps"


def test_the_first_row_has_an_example() -> None:
    assert wording.first_row(edition("simplified", tables=(4,))) == (
        "Lay the first row: 3 cards or more of the 4 times table, like 4, 8, 12."
    )
