"""Logistic regression."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import root
from scipy.special import expit

Floats = NDArray[np.float64]
_CLOSE: Final = 1e-8


def logistic_weights(rows: Floats, tries: Floats, won: Floats, penalty: Floats) -> Floats:
    """The weights, one for each column, with which `rows @ weights` best gives the log odds of each
    row, which has `won` successes in `tries`. For each weight, `penalty` is the cost of half its
    square. Raises `ArithmeticError` if no weights are best."""
    count = tries.sum()

    def gradient(weights: Floats) -> Floats:
        wrong = tries * expit(rows @ weights) - won
        return (rows.T @ wrong + penalty * weights) / count

    def hessian(weights: Floats) -> Floats:
        chances = expit(rows @ weights)
        doubt = tries * chances * (1 - chances)
        return ((rows.T * doubt) @ rows + np.diag(penalty)) / count

    result = root(gradient, np.zeros(rows.shape[1]), jac=hessian, method="lm")
    if np.abs(result.fun).max() > _CLOSE:
        raise ArithmeticError("no weights are best")
    weights: Floats = result.x
    return weights
