import pytest

from games.coach.times_tables import common_tables, describe


def row(text: str) -> list[int]:
    return [int(number) for number in text.split("-")]


def test_a_row_of_multiples_of_its_step_is_in_that_table() -> None:
    row_table = describe(row("12-16-20"))
    assert (row_table.step, row_table.offset, row_table.times_table) == (4, 0, 4)
    assert row_table.facts == ((3, 4), (4, 4), (5, 4))


def test_it_is_in_the_table_of_every_divisor_too() -> None:
    assert describe(row("20-30-40")).common == (10, 5, 2)


def test_a_row_beside_a_table_says_how_far() -> None:
    row_table = describe(row("11-16-21"))
    assert (row_table.step, row_table.offset, row_table.times_table, row_table.facts) == (
        5,
        1,
        None,
        (),
    )


def test_steps_of_twenty_can_all_be_in_smaller_tables() -> None:
    row_table = describe(row("10-30-50"))
    assert (row_table.step, row_table.offset, row_table.times_table) == (20, 10, None)
    assert row_table.common == (10, 5, 2)


def test_the_table_of_one_is_never_named() -> None:
    row_table = describe(row("4-5-6"))
    assert (row_table.step, row_table.offset, row_table.times_table, row_table.common) == (
        1,
        0,
        None,
        (),
    )


@pytest.mark.parametrize("text", ["1-4-9", "2-3-5-7"])
def test_a_family_has_no_step_and_no_facts(text: str) -> None:
    row_table = describe(row(text))
    assert (row_table.step, row_table.offset, row_table.times_table, row_table.facts) == (
        None,
        None,
        None,
        (),
    )


def test_common_tables_go_from_high_to_low() -> None:
    assert common_tables([24, 36, 60]) == (12, 6, 4, 3, 2)
    assert common_tables([7, 9]) == ()
