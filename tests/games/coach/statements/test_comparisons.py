"""What is said of the children of a class, from plain counts."""

from collections.abc import Sequence

import pytest
from scipy.stats import betabinom, nbinom

from games.coach.statements.certainty import (
    FALSE_FINDS,
    FALSE_OFFERS,
    FALSE_ON_PAGES,
    FALSE_STUCK,
    STUCK_CHANCES,
    below,
    held,
    stuck,
    verdict_of_one,
    verdicts,
)
from games.coach.statements.others import NOTHING, Part, compared, weights
from games.coach.statements.tails import tails_of_count, tails_of_share

CHILDREN = 24


def finds(*shares: tuple[int, int]) -> list[dict[int, Part]]:
    """Finds of chances of one table."""
    return [{7: Part(*share)} for share in shares]


@pytest.mark.parametrize(
    ("found", "chances", "share", "spread"),
    [
        (3, 40, 0.6, 1.3),
        (24, 40, 0.6, 1.3),
        (5, 5, 0.9, 1.1),
        (0, 5, 0.9, 2),
        (900, 4000, 0.3, 1.3),
    ],
)
def test_the_tails_of_a_share_are_beta_binomial(
    found: int, chances: int, share: float, spread: float
) -> None:
    alike = (spread - 1) / (chances - 1)
    law = betabinom(chances, share * (1 / alike - 1), (1 - share) * (1 / alike - 1))
    half = law.pmf(found) / 2
    few, many = tails_of_share(found, chances, share, spread)
    assert few == pytest.approx(law.cdf(found) - half, rel=1e-6, abs=1e-12)
    assert many == pytest.approx(law.sf(found) + half, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("count", "expected", "spread"), [(3, 10, 1.65), (30, 10, 1.65), (0, 0.5, 1.1), (800, 1000, 2)]
)
def test_the_tails_of_a_count_are_negative_binomial(
    count: int, expected: float, spread: float
) -> None:
    law = nbinom(expected / (spread - 1), 1 / spread)
    half = law.pmf(count) / 2
    few, many = tails_of_count(count, expected, spread)
    assert few == pytest.approx(law.cdf(count) - half, rel=1e-6, abs=1e-12)
    assert many == pytest.approx(law.sf(count) + half, rel=1e-6, abs=1e-12)


def test_the_variance_of_a_share_is_spread_times_that_of_independent_chances() -> None:
    chances, share, spread = 30, 0.7, 1.3
    probabilities: list[float] = []
    for found in range(chances + 1):
        few, _many = tails_of_share(found, chances, share, spread)
        probabilities.append(2 * (few - sum(probabilities)))
    mean = sum(found * each for found, each in enumerate(probabilities))
    variance = sum((found - mean) ** 2 * each for found, each in enumerate(probabilities))
    assert sum(probabilities) == pytest.approx(1)
    assert mean == pytest.approx(share * chances)
    assert variance == pytest.approx(spread * chances * share * (1 - share))


def test_the_false_statements_of_a_class_add_up_to_one_in_twenty() -> None:
    assert sum((FALSE_FINDS, FALSE_OFFERS, FALSE_ON_PAGES, FALSE_STUCK)) == pytest.approx(0.05)


def test_statements_are_held_together_by_benjamini_and_hochberg() -> None:
    assert held([0.011, 0.02, 0.9, 0.03], 0.05) == [True, True, False, True]
    assert held([0.02, 0.9, 0.9, 0.9], 0.05) == [False] * 4
    assert held([0.04], 0.05) == [True]
    assert held([], 0.05) == []


def test_a_child_is_compared_with_the_others_at_the_same_tables() -> None:
    easy_and_hard = [{2: Part(18, 20), 7: Part(4, 10)}] * 10
    only_hard = {7: Part(16, 40)}
    comparisons = compared([*easy_and_hard, only_hard], "finds")
    last = comparisons[-1]
    assert (last.own, last.of, last.usual, last.others) == (16, 40, 16, 100)
    assert verdicts(comparisons, FALSE_FINDS) == ["as many"] * 11


def test_who_finds_far_less_than_the_others_is_named_and_nobody_else() -> None:
    comparisons = compared(finds(*[(30, 40)] * (CHILDREN - 1), (10, 40)), "finds")
    assert verdicts(comparisons, FALSE_FINDS) == ["as many"] * (CHILDREN - 1) + ["fewer"]
    assert (comparisons[-1].usual, comparisons[-1].others) == (30, 40 * (CHILDREN - 1))
    more = compared(finds(*[(10, 40)] * (CHILDREN - 1), (30, 40)), "finds")
    assert verdicts(more, FALSE_FINDS)[-1] == "more"


def test_few_chances_name_nobody() -> None:
    comparisons = compared(finds(*[(4, 5)] * (CHILDREN - 1), (0, 3)), "finds")
    assert set(verdicts(comparisons, FALSE_FINDS)) == {"as many"}


@pytest.mark.parametrize("size", [3, 5, CHILDREN])
def test_a_child_who_never_lays_a_row_moves_nobody_elses_usual(size: int) -> None:
    shares = [(26 + number % 8, 40) for number in range(size)]
    without = compared(finds(*shares), "finds")
    beside = compared(finds(*shares, (0, 60)), "finds")
    assert weights(finds(*shares, (0, 60)), "finds")[-1] < 0.1
    for before, after in zip(without, beside, strict=False):
        assert abs(after.usual - before.usual) <= 1
    assert verdicts(beside, FALSE_FINDS) == ["as many"] * size + ["fewer"]


def test_a_class_of_two_strengths_keeps_its_middle() -> None:
    half = [(10, 40)] * 12 + [(34, 40)] * 12
    assert weights(finds(*half), "finds") == [1] * 24
    assert 21 <= compared(finds(*half), "finds")[0].usual <= 23


def test_more_chances_in_as_many_turns_are_more() -> None:
    classmates = [{0: Part(60, 200)}] * (CHILDREN - 1)
    comparisons = compared([*classmates, {0: Part(140, 200)}], "offers")
    assert verdicts(comparisons, FALSE_OFFERS) == ["as many"] * (CHILDREN - 1) + ["more"]
    assert (comparisons[-1].own, comparisons[-1].of, comparisons[-1].usual) == (140, 200, 60)


@pytest.mark.parametrize(
    "children", [[{7: Part(2, 9)}], [{7: Part(2, 9)}, {8: Part(2, 9)}], [{}, {7: Part(2, 9)}], [{}]]
)
def test_without_others_at_the_same_table_nothing_is_compared(
    children: Sequence[dict[int, Part]],
) -> None:
    assert compared(children, "finds") == [NOTHING] * len(children)
    assert verdicts([NOTHING], FALSE_FINDS) == ["as many"]


def test_a_table_that_all_others_always_found_proves_nothing_by_itself() -> None:
    comparison, *_ = compared(finds((4, 5), (3, 3), (2, 2)), "finds")
    assert comparison.doubt > 0.05


def test_a_page_of_one_child_asks_for_more_certainty_in_a_larger_class() -> None:
    comparison = compared(finds(*[(30, 40)] * 9, (16, 40)), "finds")[-1]
    assert FALSE_ON_PAGES / 60 < comparison.doubt < FALSE_ON_PAGES / 4
    assert verdict_of_one(comparison, 2) == "fewer"
    assert verdict_of_one(comparison, 30) == "as many"


def test_stuck_takes_many_chances_and_few_finds() -> None:
    assert stuck([(4, 30)] + [(20, 30)] * 40) == [True] + [False] * 40
    assert stuck([(0, STUCK_CHANCES - 1), (1, STUCK_CHANCES)]) == [False, True]
    assert stuck([(13, 30)]) == [False]
    assert stuck([]) == []


def test_below_a_bar_is_said_only_where_luck_is_no_reason() -> None:
    assert below([(1, 8), (6, 8), (5, 8)], 0.75, 0.05) == [True, False, False]
    assert below([(0, 1), (0, 0)], 0.75, 0.05) == [False, False]
