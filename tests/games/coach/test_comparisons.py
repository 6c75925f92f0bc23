"""What is said of the children of a class, from plain counts."""

from collections.abc import Sequence
from math import comb, exp
from random import Random

import pytest
from scipy.stats import betabinom

from games.coach.statements.certainty import (
    FALSE_APART,
    FALSE_CHANGES,
    STUCK_CHANCES,
    are_below,
    may_be_made,
    which_are_stuck,
)
from games.coach.statements.contrasts import (
    NOTHING,
    Contrast,
    Part,
    among_others,
    before_and_after,
    contrast,
    fewer_of_class,
    standing_out,
    together,
)
from games.coach.statements.intervals import interval
from games.coach.statements.table_levels import Z
from games.coach.statements.tails import tails_of_share
from tests.counts import times

CHILDREN = 24


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


def test_statements_are_held_together_by_benjamini_and_hochberg() -> None:
    assert may_be_made([0.011, 0.02, 0.9, 0.03], 0.05) == [True, True, False, True]
    assert may_be_made([0.02, 0.9, 0.9, 0.9], 0.05) == [False] * 4
    assert may_be_made([0.04], 0.05) == [True]
    assert may_be_made([], 0.05) == []


def said(
    before: Sequence[dict[int, Part]], after: Sequence[dict[int, Part]]
) -> list[Contrast | None]:
    changes = [before_and_after(one, other) for one, other in zip(before, after, strict=True)]
    return standing_out([contrast(one.values()) for one in changes], FALSE_CHANGES)


def others(children: Sequence[dict[int, Part]]) -> list[bool]:
    """Which of these children find fewer than the others."""
    contrasts = [contrast(own.values()) for own in among_others(children)]
    out = standing_out(contrasts, FALSE_APART)
    return [one is not None and one.apart < 0 for one in out]


def test_a_child_who_falls_from_every_row_to_fewer_than_half_has_changed() -> None:
    steady = [{5: Part(8, 14)}] * 11
    *same, fallen = said([*steady, {5: Part(14, 14)}], [*steady, {5: Part(18, 47)}])
    assert fallen
    assert (fallen.looked_at, fallen.against) == ((18, 47), (14, 14))
    assert fallen.apart < 0
    assert fallen.usual == 47
    assert set(same) == {None}


def test_who_finds_far_less_than_the_others_is_named_and_nobody_else() -> None:
    assert others([{7: Part(30, 40)}] * (CHILDREN - 1) + [{7: Part(10, 40)}]) == [
        *[False] * (CHILDREN - 1),
        True,
    ]
    assert others([{7: Part(10, 40)}] * (CHILDREN - 1) + [{7: Part(40, 40)}]) == [False] * CHILDREN


def test_a_child_is_held_against_the_others_in_the_same_games_only() -> None:
    easy_and_hard = [{2: Part(18, 20), 7: Part(4, 10)}] * 10
    assert others([*easy_and_hard, {7: Part(16, 40)}]) == [False] * 11
    assert among_others([{7: Part(2, 9)}, {8: Part(2, 9)}])[0][7].against == (0, 0)


def test_a_table_stands_out_if_all_but_not_if_few_find_fewer() -> None:
    plain = {2: Part(20, 30), 5: Part(21, 30), 10: Part(20, 30)}
    hard = plain | {10: Part(4, 20)}
    said = fewer_of_class([(child, hard) for child in range(12)])
    assert list(said) == [10]
    assert (said[10].looked_at, said[10].against) == ((48, 240), (12 * 41, 12 * 60))
    worst = plain | {10: Part(0, 60)}
    assert not fewer_of_class([*((child, plain) for child in range(11)), (11, worst)])
    assert not fewer_of_class([(child, worst) for child in range(2)])


@pytest.mark.parametrize("form", [0.0, 0.8])
def test_where_nobody_changes_or_differs_hardly_a_class_has_a_statement(form: float) -> None:
    """With good and bad days, whose strength varies by `form` in logits."""
    random = Random(1)
    classes, false = times(60, 1000), 0
    for _ in range(classes):
        periods = [
            [counts_of_days(random, form) for _ in range(CHILDREN)] for _period in ("before", "now")
        ]
        false += any(said(*periods)) or any(others(periods[1]))
    assert false <= times(3, 25)


def counts_of_days(random: Random, form: float) -> dict[int, Part]:
    """The rows that one child finds on some days, of four tables that are not equally hard."""
    sums = dict.fromkeys(range(4), NOTHING)
    for _ in range(random.randint(5, 9)):
        today = random.gauss(0, form)
        for _ in range(random.randint(2, 8)):
            table = random.randrange(4)
            chance = 1 / (1 + exp(1.5 - table - today))
            sums[table] = together((sums[table], Part(int(random.random() < chance), 1)))
    return sums


def test_stuck_takes_many_chances_and_few_finds() -> None:
    assert which_are_stuck([(4, 30)] + [(20, 30)] * 40) == [True] + [False] * 40
    assert which_are_stuck([(0, STUCK_CHANCES - 1), (1, STUCK_CHANCES)]) == [False, True]
    assert which_are_stuck([(13, 30)]) == [False]
    assert which_are_stuck([]) == []


def test_below_a_bar_is_said_only_where_luck_is_no_reason() -> None:
    assert are_below([(1, 8), (6, 8), (5, 8)], 0.75, 0.05) == [True, False, False]
    assert are_below([(0, 1), (0, 0)], 0.75, 0.05) == [False, False]


TENTH = 0.1


def below_lower(chance: float, of: int) -> float:
    """How often the lower end lies above the true chance."""
    return sum(
        comb(of, came) * chance**came * (1 - chance) ** (of - came)
        for came in range(of + 1)
        if interval(came, of, Z).lower > chance
    )


@pytest.mark.parametrize("of", [5, 12, 20, 60])
def test_the_lower_end_is_seldom_above_the_true_chance(of: int) -> None:
    wrong = [below_lower(tenths / 20, of) for tenths in range(8, 20)]
    assert sum(wrong) / len(wrong) < 1.5 * TENTH
    assert max(wrong) < 2.5 * TENTH


def test_counts_may_be_weighted() -> None:
    whole, weighted = interval(4, 5, Z), interval(4.5, 5.5, Z)
    assert whole.lower < weighted.lower < interval(5, 6, Z).lower
