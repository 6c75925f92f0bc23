"""Wilson's interval: how often its ends are wrong."""

from math import comb

import pytest

from games.coach.statements.intervals import Interval, interval
from games.coach.statements.table_levels import Z

TENTH = 0.1


def below_lower(chance: float, of: int) -> float:
    """How likely the lower end lies above the true chance."""
    return sum(
        comb(of, came) * chance**came * (1 - chance) ** (of - came)
        for came in range(of + 1)
        if interval(came, of, Z).lower > chance
    )


def test_of_nothing_anything_may_be_true() -> None:
    assert interval(0, 0, Z) == Interval(0, 1)


@pytest.mark.parametrize("of", [5, 12, 20, 60])
def test_the_lower_end_is_seldom_above_the_true_chance(of: int) -> None:
    wrong = [below_lower(tenths / 20, of) for tenths in range(8, 20)]
    assert sum(wrong) / len(wrong) < 1.5 * TENTH
    assert max(wrong) < 2.5 * TENTH


def test_more_of_the_same_makes_it_narrower() -> None:
    ends = [interval(9 * times, 10 * times, Z) for times in (1, 2, 4, 8)]
    assert [one.lower for one in ends] == sorted(one.lower for one in ends)
    assert [one.upper for one in ends] == sorted((one.upper for one in ends), reverse=True)
    assert ends[0].lower < 0.9 < ends[0].upper


def test_all_or_nothing_leaves_a_doubt() -> None:
    assert interval(3, 3, Z).lower == pytest.approx(3 / (3 + Z * Z))
    assert interval(3, 3, Z).upper == pytest.approx(1)
    assert interval(0, 3, Z).lower == pytest.approx(0, abs=1e-9)
    assert interval(0, 3, Z).upper == pytest.approx(Z * Z / (3 + Z * Z))


def test_counts_may_be_weighted() -> None:
    whole, weighted = interval(4, 5, Z), interval(4.5, 5.5, Z)
    assert whole.lower < weighted.lower < interval(5, 6, Z).lower
