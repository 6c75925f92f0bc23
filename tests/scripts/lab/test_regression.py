"""Logistic regression."""

from math import log

import numpy as np
import pytest

from scripts.lab.regression import Floats, logistic_weights


def weights(rows: list[list[float]], tries: list[float], won: list[float], cost: float) -> Floats:
    given = np.array(rows)
    penalty = np.full(given.shape[1], cost)
    return logistic_weights(given, np.array(tries), np.array(won), penalty)


def test_a_weight_is_the_log_odds_of_what_was_won() -> None:
    assert weights([[1]], [10], [7], 0).tolist() == pytest.approx([log(7 / 3)])


def test_each_column_has_its_own_weight() -> None:
    found = weights([[1, 0], [1, 1]], [10, 10], [2, 9], 0)
    assert found.tolist() == pytest.approx([log(2 / 8), log(9 / 1) - log(2 / 8)])


def test_a_penalty_keeps_a_weight_small() -> None:
    assert 0 < weights([[1]], [10], [7], 1)[0] < log(7 / 3)
    assert 1 < weights([[1]], [10], [10], 1)[0] < 2
