"""The words for rows, refusals and hints."""

from itertools import pairwise
from typing import Any

import pytest

from games.coach.hints import HintPosition, hint
from games.coach.refusals import Refusal
from games.coach.times_tables import describe
from games.engine.actions import Discard, End, Knock, Pass
from games.engine.cards import mask_of, value
from games.engine.errors import CODES
from games.engine.play_application import Position
from games.engine.ruleset import Ruleset, edition
from games.engine.sequences import step_of
from games.engine.table import Table
from games.screen import hint_words, refusal_words, words

TABLES = edition("simplified", tables=(2, 5, 10), offers=False)
ANYTHING = edition("simplified")


def refused(*numbers: int, code: str = "not-a-sequence") -> Refusal:
    jumps = tuple(after - before for before, after in pairwise(numbers))
    shown = describe(numbers) if len(numbers) > 1 else None
    return Refusal(code, numbers, jumps, step_of(numbers) is not None, shown, jokers=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("numbers", "name", "facts"),
    [
        ((12, 16, 20), "4 times table", "3 × 4, 4 × 4, 5 × 4"),
        ((11, 16, 21), "jumps of 5", "the 5 times table plus 1"),
        ((10, 30, 50), "jumps of 20", "all in the 10, 5 and 2 times tables"),
        ((3, 9, 15), "jumps of 6", "all in the 3 times table"),
        ((4, 5, 6), "jumps of 1", ""),
    ],
)
def test_a_row_says_how_it_relates_to_the_tables(
    numbers: tuple[int, ...], name: str, facts: str
) -> None:
    row = describe(numbers)
    assert words.row_name(row, ANYTHING) == name
    assert words.row_facts(row, ANYTHING) == facts


def test_a_row_is_said_whole() -> None:
    label = words.row_label(describe((12, 16, 20)), ANYTHING)
    assert label == "12, 16 and 20: 4 times table: 3 × 4, 4 × 4, 5 × 4"


def test_unequal_jumps_are_shown() -> None:
    text = refusal_words.refusal(refused(12, 16, 21), ANYTHING)
    assert text == "From 12 to 16 is 4, from 16 to 21 is 5: make all the jumps the same."


def test_jumps_too_wide_for_the_chosen_table_are_explained_with_its_numbers() -> None:
    text = refusal_words.refusal(refused(10, 30, 50), TABLES)
    assert text == "10, 30 and 50 are all in the 10 times table, but your jumps are 20."


def test_equal_jumps_beside_the_table_are_explained() -> None:
    text = refusal_words.refusal(refused(11, 16, 21), TABLES)
    assert (
        text == "11, 16 and 21: your jumps are 5, but these numbers are not in the 5 times table."
    )


def test_a_table_that_is_not_agreed_is_explained() -> None:
    text = refusal_words.refusal(refused(7, 14, 21), TABLES)
    assert (
        text == "Your row has jumps of 7. In this game a row must be in the 2, 5 or 10 times table."
    )


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_words(code: str) -> None:
    assert refusal_words.refusal(refused(1, 2, code=code), ANYTHING)


def test_a_card_is_named_by_number_and_colour() -> None:
    assert words.card_name(101) == "joker, red"
    assert words.card_name(101, 28) == "joker for 28, red"
    assert words.card_name(28).startswith("28, ")


def test_a_game_is_named_by_its_tables() -> None:
    assert words.title(TABLES) == "2, 5 and 10 times tables"
    assert words.title(edition("simplified", tables=(7,))) == "7 times table"
    assert words.title(ANYTHING) == "Any equal jumps"


def test_the_first_row_has_an_example() -> None:
    assert words.first_row(edition("simplified", tables=(4,))) == (
        "Lay the first row: 3 cards or more of the 4 times table, like 4, 8, 12."
    )


def test_rows_of_a_family_are_named_where_it_is_agreed() -> None:
    families = edition("classic", families=("squares", "primes", "triangular"))
    assert words.row_name(describe((9, 16, 25)), families) == "square numbers"
    assert words.row_facts(describe((9, 16, 25)), families) == "3 × 3, 4 × 4, 5 × 5"
    assert words.row_name(describe((5, 7, 11)), families) == "prime numbers"
    assert words.row_name(describe((6, 10, 15)), families) == "triangular numbers"
    assert words.row_name(describe((4, 8, 12)), families) == "4 times table"


def test_uneven_jumps_name_the_families_that_would_do() -> None:
    squares = edition("classic", families=("squares",))
    assert refusal_words.refusal(refused(12, 16, 21), squares).endswith(
        "make all the jumps the same. Or make a row of square numbers."
    )


@pytest.mark.parametrize(
    ("back", "numbers", "text"),
    [
        ((0,), (11, 16, 21), "your jumps are 5, but these numbers are not in the 5 times table."),
        ((0, 1), (14, 20, 26), "count back in jumps of 6. You land on 2, not on 0 or 1."),
        ((1,), (10, 20, 30), "count back in jumps of 10. You land on 0, not on 1."),
    ],
)
def test_rows_that_count_back_elsewhere_are_explained(
    back: tuple[int, ...], numbers: tuple[int, ...], text: str
) -> None:
    ruleset = edition("classic", counts_back_to=back)
    assert refusal_words.refusal(refused(*numbers), ruleset).endswith(text)


@pytest.mark.parametrize("ruleset", [ANYTHING, edition("classic", counts_back_to=(0,))])
def test_a_joker_that_fits_nowhere_is_explained(ruleset: Ruleset) -> None:
    text = refusal_words.refusal(refused(16, 32, 48), ruleset)
    assert text.endswith("With the joker, that is not a row in this game.")


def test_blocks_are_called_blocks() -> None:
    blocks = edition("blocks")
    for code in CODES:
        assert "card" not in refusal_words.refusal(refused(1, 2, code=code), blocks)
    assert words.card_label(28, "block") == "28"
    assert words.card_label(101, "block") == "joker"
    assert words.card_label(101, "block", 28) == "joker for 28"
    assert "3 blocks" in words.first_row(blocks)


def test_bots_speak_of_blocks_too() -> None:
    blocks = edition("blocks")
    assert words.act(Discard(14), {}, blocks) == "I put down a block: 14."
    assert words.act(Knock(1), {"card": "a"}, blocks) == "I took a block: joker."
    assert words.act(Pass(1), {}, blocks) == ""
    assert words.act(End(), {}, edition("simplified-2010")) == ""


def test_a_card_shows_its_points_where_they_differ() -> None:
    assert words.card_label(60, words.kind_of(ANYTHING)) == words.card_name(60)
    label = words.card_label(60, words.kind_of(edition("classic")))
    assert label == f"{words.card_name(60)}, {value(60)} point" + "s" * (value(60) != 1)


def test_what_scores_count_is_said_where_they_are_no_points() -> None:
    assert words.counting(edition("classic")) == ""
    assert "Penalty" in words.counting(edition("blocks"))
    assert words.counting(edition("blocks-simple")) == "Rounds won"


@pytest.mark.parametrize(
    ("name", "options", "title"),
    [
        ("classic", {}, "Classic: Any equal jumps"),
        ("advanced", {}, "Advanced: Equal jumps that count back to 0 or 1"),
        ("blocks", {"tables": [3]}, "Blocks: 3 times table"),
        ("simplified", {"counts_back_to": [0]}, "All times tables"),
        ("simplified", {"families": ["primes"]}, "Any equal jumps, and prime numbers"),
    ],
)
def test_a_game_is_named_by_its_edition_and_its_rows(
    name: str, options: dict[str, Any], title: str
) -> None:
    assert words.title(edition(name, **options)) == title


def test_where_rows_count_back_to_one_the_example_does_too() -> None:
    assert "For example: 5, 9, 13" in words.first_row(edition("classic", counts_back_to=(1,)))


def test_the_last_hint_names_a_family() -> None:
    squares = edition("classic", families=("squares",))
    at = Position(squares, Table(), mask_of((9, 16, 25, 50)), False)
    assert (
        hint_words.hint(hint(HintPosition(at), 4), squares)
        == "Look at 9. It is in a row of square numbers."
    )
    assert "special" in hint_words.hint(hint(HintPosition(at), 3), squares)
    nothing = HintPosition(at._replace(hand=0))
    assert "block" in hint_words.hint(hint(nothing, 1), edition("blocks"))
