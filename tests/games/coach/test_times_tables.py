from games.coach.facts import derive, fact, facts_of
from games.coach.rows import all_rows, rows_of_three
from games.coach.times_tables import common_tables, describe
from games.engine.cards import mask_of
from games.engine.ruleset import edition


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


def test_the_table_of_one_is_never_named() -> None:
    row_table = describe(row("4-5-6"))
    assert (row_table.step, row_table.offset, row_table.times_table, row_table.common) == (
        1,
        0,
        None,
        (),
    )


def test_common_tables_go_from_high_to_low() -> None:
    assert common_tables([24, 36, 60]) == (12, 6, 4, 3, 2)
    assert common_tables([7, 9]) == ()


def test_a_fact_is_the_same_in_either_order() -> None:
    assert fact(8, 6) == fact(6, 8) == (6, 8)


def test_two_to_twelve_have_66_facts() -> None:
    assert len(facts_of(range(2, 13))) == 66


def way_to(times: int, table: int, *secure: tuple[int, int]) -> tuple[int, str, int]:
    way = derive(times, table, set(secure))
    assert way.times * way.table == times * table
    return way.known, way.way, way.steps


def test_one_table_more_than_a_fact_that_the_child_knows() -> None:
    assert way_to(6, 6, (5, 6)) == (5, "more", 1)


def test_a_secure_fact_comes_before_a_stepping_stone() -> None:
    assert way_to(6, 8, (7, 8), (4, 9)) == (7, "less", 1)


def test_one_table_is_nearer_than_doubling_and_doubling_nearer_than_two() -> None:
    assert way_to(8, 7, (4, 7), (6, 7)) == (4, "double", 0)
    assert way_to(8, 7, (4, 7), (7, 9), (7, 7)) == (7, "more", 1)


def test_without_secure_facts_the_way_begins_at_what_all_learn_first() -> None:
    assert way_to(9, 7) == (10, "less", 1)
    assert way_to(4, 7) == (5, "less", 1)
    assert way_to(3, 7) == (2, "more", 1)
    assert way_to(5, 7) == (10, "half", 0)
    assert way_to(2, 7) == (1, "more", 1)


def test_every_fact_has_a_way() -> None:
    for table in range(2, 13):
        for times in range(1, 13):
            way = derive(times, table, ())
            moved = {"more": way.steps, "less": -way.steps, "double": way.known, "half": -times}[
                way.way
            ]
            assert way.known + moved == times, (times, table)


def test_the_rows_of_a_table_are_all_its_runs_of_three_and_more() -> None:
    tens = edition("simplified", tables=(10,))
    runs = [(10, 20, 30), (20, 30, 40), (30, 40, 50), (10, 20, 30, 40), (20, 30, 40, 50)]
    assert set(all_rows(tens)) == {*map(mask_of, runs), mask_of((10, 20, 30, 40, 50))}
    assert set(rows_of_three(tens)) == set(map(mask_of, runs[:3]))


def test_every_edition_has_its_own_rows() -> None:
    assert len(rows_of_three(edition("simplified", tables=range(2, 11)))) == 76
    assert len(rows_of_three(edition("simplified"))) == 600
    assert len(rows_of_three(edition("classic"))) == 2450
