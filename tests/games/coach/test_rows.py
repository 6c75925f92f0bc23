"""All rows that the rules allow."""

from games.coach.rows import all_rows, rows_of_three
from games.engine.cards import mask_of
from games.engine.ruleset import edition


def test_the_rows_of_a_table_are_all_its_runs_of_three_and_more() -> None:
    tens = edition("simplified", tables=(10,))
    runs = [(10, 20, 30), (20, 30, 40), (30, 40, 50), (10, 20, 30, 40), (20, 30, 40, 50)]
    assert set(all_rows(tens)) == {*map(mask_of, runs), mask_of((10, 20, 30, 40, 50))}
    assert set(rows_of_three(tens)) == set(map(mask_of, runs[:3]))


def test_every_edition_has_its_own_rows() -> None:
    assert len(rows_of_three(edition("simplified", tables=range(2, 11)))) == 76
    assert len(rows_of_three(edition("simplified"))) == 600
    assert len(rows_of_three(edition("classic"))) == 2450
