"""Growth is called so only where the interval and the chance of it say so."""

from random import Random

import numpy as np
import pytest
from scipy import stats

from classrooms.checkups import words
from classrooms.checkups.results import (
    CheckUpScore,
    by_chance,
    class_growth,
    difference,
    growths,
    interval,
)
from games.coach.facts import fact
from games.coach.questions.check_up_questions import QUESTIONS, check_up_questions
from tests.counts import for_each, times

TABLES = [3, 4, 6, 7, 8, 9]
Pair = tuple[CheckUpScore, CheckUpScore]


def of(right: int, of: int = QUESTIONS) -> CheckUpScore:
    return CheckUpScore(right, of)


@for_each(range(QUESTIONS + 1))
def test_the_interval_of_a_score_is_wilsons(right: int) -> None:
    expected = stats.binomtest(right, QUESTIONS).proportion_ci(method="wilson")
    found = interval(of(right))
    assert (found.lower, found.upper) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_the_interval_of_a_difference_is_newcombes() -> None:
    """His own example: 56 of 70 against 48 of 80 (Newcombe 1998, method 10)."""
    found = difference(of(48, 80), of(56, 70))
    assert (round(found.lower, 4), round(found.upper, 4)) == (0.0524, 0.3339)


def test_the_examples_under_the_table_are_worked_out() -> None:
    """“18 (13–21)” and “+7 (+1 to +12)” in templates/checkups/_growth.html."""
    (growth,) = growths([(of(2), of(9))])
    assert words.between(interval(of(18))) == "13–21"
    assert words.growth(growth) == "+7 (+1 to +12)"


@pytest.mark.parametrize(("before", "after"), [(10, 20), (20, 10), (0, 25), (12, 12), (25, 25)])
def test_the_chance_of_a_difference_is_fishers_with_half_of_this_one(
    before: int, after: int
) -> None:
    whole = np.array([[after, QUESTIONS - after], [before, QUESTIONS - before]])
    at_least = stats.fisher_exact(whole, "greater").pvalue
    at_most = stats.fisher_exact(whole, "less").pvalue
    here = at_least + at_most - 1
    expected = min(1, 2 * (min(at_least, at_most) - here / 2))
    assert by_chance(of(before), of(after)) == pytest.approx(expected, abs=1e-9)


def test_much_more_is_growth_a_little_more_may_be_chance_and_less_is_said_too() -> None:
    much, little, less = growths([(of(6), of(22)), (of(12), of(16)), (of(22), of(6))])
    assert (much.direction, little.direction, less.direction) == ("more", "open", "fewer")
    assert much.between.lower > 0 > little.between.lower
    assert less.between.upper < 0


def test_a_class_whose_children_all_changed_alike_still_has_an_interval() -> None:
    found = class_growth([(of(12), of(13))] * 6)
    assert found is not None
    assert found.direction == "open"
    assert found.between.lower < 0 < found.between.upper


def chances_of(random: Random) -> dict[tuple[int, int], float]:
    """The chance of each fact for one child, who is better at some than at others."""
    able = random.gauss(0.6, 0.2)
    return {
        fact(table, factor): min(max(random.gauss(able, 0.25), 0.02), 0.98)
        for table in range(2, 13)
        for factor in range(2, 13)
    }


def score(
    random: Random, known: dict[tuple[int, int], float], child: str, nth: int
) -> CheckUpScore:
    questions = check_up_questions(TABLES, child, nth)
    return of(sum(random.random() < known[fact(*pair)] for pair in questions))


def the_same_children_again(random: Random, children: int = 24) -> list[Pair]:
    pairs = []
    for child in range(children):
        known, seed = chances_of(random), f"{random.random()} {child}"
        pairs.append((score(random, known, seed, 0), score(random, known, seed, 1)))
    return pairs


@pytest.mark.parametrize("seed", range(times(1, 5)))
def test_in_classes_in_which_nobody_has_changed_almost_nobody_is_said_to_have(seed: int) -> None:
    """Classes of 24: of a child in at most one of twenty, of the class in as many."""
    random, classes = Random(seed), times(20, 200)
    children = whole = 0
    for _ in range(classes):
        pairs = the_same_children_again(random)
        children += any(each.direction != "open" for each in growths(pairs))
        of_class = class_growth(pairs)
        assert of_class is not None
        whole += of_class.direction != "open"
    print(f"seed {seed}: {children} and {whole} of {classes} classes")
    assert children <= 0.05 * classes
    assert whole <= 0.08 * classes  # 5 % are 10; 16 or more come by chance in 4 % of the runs.


def children_who_grow(random: Random, by: float, children: int = 24) -> list[Pair]:
    """The same, but each child's chance at each fact has become greater by so much."""
    pairs = []
    for child in range(children):
        known, seed = chances_of(random), f"{random.random()} {child}"
        grown = {one: min(chance + by, 0.98) for one, chance in known.items()}
        pairs.append((score(random, known, seed, 0), score(random, grown, seed, 1)))
    return pairs


@pytest.mark.parametrize(
    ("by", "least_children", "least_classes"), [(0.1, 0, 0.7), (0.2, 0.02, 1), (0.3, 0.15, 1)]
)
def test_growth_of_a_class_is_found_and_of_a_child_if_large(
    by: float, least_children: float, least_classes: float
) -> None:
    """Each child needs a change that 25 questions can show; a class has many more answers."""
    random, classes = Random(1), times(20, 200)
    children = whole = 0
    grown = 0.0
    for _ in range(classes):
        pairs = children_who_grow(random, by)
        grown += sum(after.share - before.share for before, after in pairs) / len(pairs)
        children += sum(each.direction == "more" for each in growths(pairs))
        of_class = class_growth(pairs)
        whole += of_class is not None and of_class.direction == "more"
    print(
        f"by {grown / classes:.2f}: {children / classes:.1f} of 24 children, {whole} of {classes}"
    )
    assert children >= least_children * 24 * classes
    assert whole >= least_classes * classes
