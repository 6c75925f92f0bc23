import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.coach.mastery import (
    FACTS,
    ROWS,
    Ability,
    Day,
    Knowledge,
    Reached,
    after_answers,
    chance,
    difficulty,
    folded,
    is_reached_anew,
    predictions,
)
from tests.counts import for_each
from tests.games.engine.test_properties import tries

GOOD, WRONG = (1, 1), (0, 1)


def known_after(*days: tuple[int, int]) -> Knowledge:
    """What is known after these days, each with successes and pieces of evidence."""
    return folded((Day(n, count, right) for n, (right, count) in enumerate(days)), FACTS)


def test_a_half_life_doubles_by_success_on_another_day_and_halves_by_failure() -> None:
    lives = [known_after(*[GOOD] * n).half_life for n in range(1, 12)]
    assert lives[:4] == [1, 2, 4, 8]
    assert lives[-1] == 274
    assert known_after(GOOD, GOOD, WRONG).half_life == 1
    assert known_after(*[WRONG] * 20).half_life == pytest.approx(15 / 1440)


def test_what_was_right_is_less_likely_remembered_from_day_to_day() -> None:
    known = known_after(GOOD, GOOD)
    assert [known.recall(day) for day in (1, 3, 5)] == [1, pytest.approx(0.5), pytest.approx(0.25)]


days = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda two: (min(two), max(two))),
    max_size=12,
)


@tries(60, 1000)
@given(days)
def test_folding_on_from_a_day_is_folding_all(pairs: list[tuple[int, int]]) -> None:
    for cut in range(len(pairs) + 1):
        whole = [Day(n, count, right) for n, (right, count) in enumerate(pairs)]
        assert folded(whole[cut:], FACTS, folded(whole[:cut], FACTS)) == known_after(*pairs)


def test_more_right_answers_mean_more_ability_and_a_better_chance() -> None:
    good = after_answers(Ability(), [(0.0, Day(0, 3, 3))], FACTS)
    poor = after_answers(Ability(), [(0.0, Day(0, 3, 0))], FACTS)
    assert good.value > 0 > poor.value
    assert chance(Knowledge(), good, 0.0, FACTS, 1) > chance(Knowledge(), poor, 0.0, FACTS, 1)
    assert chance(known_after(GOOD), good, 0.0, FACTS, 1) > chance(
        known_after(WRONG), good, 0.0, FACTS, 1
    )


def test_a_fact_is_as_hard_as_the_easier_of_its_tables() -> None:
    assert difficulty((2, 7), FACTS) == difficulty((2,), FACTS) < difficulty((7, 8), FACTS)


def test_what_is_predicted_for_a_day_comes_from_the_days_before() -> None:
    """The first prediction is for a child of middling ability; a bad day lowers the next."""
    days = [(1, {(7,): Day(1, 6, 1)}), (4, {(7,): Day(4, 2, 2), (5,): Day(4, 3, 3)})]
    first, second = predictions(days, ROWS)
    hard = difficulty((7,), ROWS)
    assert first == {(7,): chance(Knowledge(), Ability(), hard, ROWS, 1)}
    ability = after_answers(Ability(), [(hard, Day(1, 6, 1))], ROWS)
    known = folded([Day(1, 6, 1)], ROWS)
    assert second == {
        (7,): chance(known, ability, hard, ROWS, 4),
        (5,): chance(Knowledge(), ability, difficulty((5,), ROWS), ROWS, 4),
    }
    assert second[7,] < first[7,] < second[5,]
    same_day = [days[0], (4, {(7,): Day(4, 9, 0), (5,): Day(4, 3, 0)})]
    assert list(predictions(same_day, ROWS)) == [first, second]


@for_each(
    [
        ("learning", "secure", True),
        ("learning", "fluent", True),
        ("secure", "fluent", True),
        ("fluent", "secure", False),
        ("secure", "learning", True),
        ("fluent", "learning", True),
        ("secure", "secure", False),
    ]
)
def test_a_level_is_reached_anew_unless_it_only_drops_to_secure(
    before: Reached, after: Reached, is_anew: bool
) -> None:
    assert is_reached_anew(after, before) == is_anew
