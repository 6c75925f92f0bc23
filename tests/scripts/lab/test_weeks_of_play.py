"""The weeks of a model child at play, with what it learns by playing."""

import pytest

from classrooms.demo.model_children import MIDDLE, WEAK, school_days
from scripts.lab.fact_evaluation import PLANS
from scripts.lab.weeks_of_play import PlayedDay, weeks_of_play

WEEKS = 2


def played(memory: str | None, seed: int = 1, plan: int = 0) -> list[PlayedDay]:
    days = weeks_of_play(WEAK, memory, PLANS[plan], seed, school_days(WEEKS))  # type: ignore[arg-type]
    return list(days)


def test_weeks_are_decided_by_their_seed() -> None:
    assert played("spacing") == played("spacing")
    assert played("spacing") != played("spacing", seed=2)


def test_three_days_a_week_with_two_rounds() -> None:
    days = played(None)
    assert [one.day for one in days] == [0, 2, 4, 7, 9, 11]
    assert all(tuple(one.tables) == (2, 5, 10) for one in days)
    assert all(2 <= one.turns <= 80 for one in days)
    assert all(0 <= one.hint_turns <= one.turns for one in days)


def test_its_chances_are_of_the_tables_that_it_plays() -> None:
    met = {chance.table for one in played(None) for chance in one.chances}
    assert {2, 5} <= met
    assert all(table % 2 == 0 or table % 5 == 0 for table in met)


def test_without_memory_it_notices_what_it_always_does() -> None:
    for one in played(None):
        assert one.notices == {table: WEAK.chance(table) for table in one.notices}


@pytest.mark.parametrize("memory", ["doubling", "spacing"])
def test_what_it_finds_it_notices_better_and_forgets_again(memory: str) -> None:
    days = list(
        weeks_of_play(MIDDLE, memory, PLANS[0], 3, [*school_days(WEEKS), 400])  # type: ignore[arg-type]
    )
    before, practised, late = days[0].notices, days[5].notices, days[6].notices
    assert practised[2] > before[2] == MIDDLE.chance(2)
    assert before[2] <= late[2] < practised[2]
    assert practised[7] == before[7]
