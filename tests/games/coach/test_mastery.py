import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.coach.mastery import (
    FACTS,
    ROWS,
    Ability,
    Day,
    Knowledge,
    after_answers,
    chance,
    difficulty,
    folded,
    level,
    reached_of_table,
)

GOOD = {"there": 1, "tenths": 10, "secure": 1, "fluent": 1}
SLOW = {"there": 1, "tenths": 10, "secure": 1, "fluent": 0}
WRONG = {"there": 1, "tenths": 0, "secure": 0, "fluent": 0}


def asked(*days: dict[str, int]) -> Knowledge:
    return folded((Day(day=number, **values) for number, values in enumerate(days)), FACTS)


def found(*days: tuple[int, int]) -> Knowledge:
    """What is known after these days, each with rows found and rows there."""
    return folded((Day(n, there, 10 * own) for n, (own, there) in enumerate(days)), ROWS)


@pytest.mark.parametrize(
    ("days", "reached"),
    [
        ((), "learning"),
        (((9, 9),), "learning"),
        (((3, 3), (3, 3)), "secure"),
        (((3, 3), (3, 3), (3, 3)), "fluent"),
        (((3, 4), (4, 4)), "secure"),
        (((1, 4), (4, 4)), "learning"),
        (((0, 4), (4, 4), (4, 4), (4, 4), (4, 4)), "secure"),
        (((0, 4), *[(4, 4)] * 9), "fluent"),
    ],
)
def test_a_table_is_what_its_late_rows_were(
    days: tuple[tuple[int, int], ...], reached: str
) -> None:
    assert reached_of_table(found(*days)) == reached


def test_a_half_life_doubles_by_success_on_another_day_and_halves_by_failure() -> None:
    lives = [asked(*[GOOD] * n).half_life for n in range(1, 12)]
    assert lives[:4] == [1, 2, 4, 8]
    assert lives[-1] == 274
    assert asked(GOOD, GOOD, WRONG).half_life == 1
    assert asked(*[WRONG] * 20).half_life == pytest.approx(15 / 1440)


def test_what_was_secure_needs_refreshing_when_it_is_likely_forgotten() -> None:
    known = asked(SLOW, SLOW)
    assert known.recall(1) == 1
    assert level("secure", known, 2) == "secure"
    assert known.recall(3) == pytest.approx(0.5)
    assert level("secure", known, 3) == "needs refreshing"
    assert level("learning", known, 300) == "learning"


def test_nothing_seen_is_not_yet_seen_and_little_is_not_enough() -> None:
    assert level("learning", Knowledge(), 0) == "not yet seen"
    assert not asked(GOOD, GOOD).has_enough_evidence
    assert asked(GOOD, GOOD, WRONG).has_enough_evidence


def test_a_day_without_rows_changes_nothing() -> None:
    known = found((2, 3))
    assert folded([Day(5, 0, 0)], ROWS, known) == known


days = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda two: (min(two), max(two))),
    max_size=12,
)


@given(days)
def test_folding_on_from_a_day_is_folding_all(pairs: list[tuple[int, int]]) -> None:
    for cut in range(len(pairs) + 1):
        whole = [Day(n, there, 10 * own) for n, (own, there) in enumerate(pairs)]
        assert folded(whole[cut:], ROWS, folded(whole[:cut], ROWS)) == found(*pairs)


@given(days)
def test_chances_and_shares_are_between_nought_and_one(pairs: list[tuple[int, int]]) -> None:
    known = found(*pairs)
    for kind in (ROWS, FACTS):
        for ability in (Ability(-9), Ability(9)):
            assert 0 <= chance(known, ability, 0.5, kind, 20) <= 1
    assert 0 <= known.share <= 1


def test_more_right_answers_mean_more_ability_and_a_better_chance() -> None:
    good = after_answers(Ability(), [(0.0, Day(0, 3, 30))], FACTS)
    poor = after_answers(Ability(), [(0.0, Day(0, 3, 0))], FACTS)
    assert good.value > 0 > poor.value
    assert chance(Knowledge(), good, 0.0, FACTS, 1) > chance(Knowledge(), poor, 0.0, FACTS, 1)
    assert chance(asked(GOOD), good, 0.0, FACTS, 1) > chance(asked(WRONG), good, 0.0, FACTS, 1)


def test_a_fact_is_as_hard_as_the_easier_of_its_tables() -> None:
    assert difficulty((2, 7), FACTS) == difficulty((2,), FACTS) < difficulty((7, 8), FACTS)
