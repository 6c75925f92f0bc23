"""Fitting what the chance of the next answer to a fact is made of, for `manage.py evaluate_mastery
--fit` (docs/mastery.md)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from scipy.optimize import minimize

from games.coach.facts import fact
from games.coach.questions.recall import WEIGHTS, Answered, Recall, Weights
from games.lab.mastery_evaluation import Forecast
from games.lab.regression import Floats

_MOST_STEPS: Final = 80


def predicted(careers: Iterable[Sequence[Answered]], weights: Weights = WEIGHTS) -> Forecast:
    """The chance of each answer, from those before."""
    chances, came = [], []
    for answers in careers:
        recall = Recall(weights=weights)
        for one in answers:
            chances.append(recall.chance(fact(*one.shown), one.day))
            came.append(one.alone)
            recall.add(one)
    return Forecast(chances, came)


def fitted_weights(careers: Sequence[Sequence[Answered]], steps: int = _MOST_STEPS) -> Weights:
    """The weights with the smallest log loss. Two are kept. By the time FSRS asks again model
    children have forgotten so much that freshness would get hardly any weight; and they are always
    as able as at first, so the ability would stop moving."""

    def loss(figures: Floats) -> float:
        return predicted(careers, _weights(figures)).log_loss

    begin = np.array([WEIGHTS.ability, WEIGHTS.rest, np.log(WEIGHTS.first_k)])
    return _weights(minimize(loss, begin, method="Nelder-Mead", options={"maxiter": steps}).x)


def _weights(figures: Floats) -> Weights:
    ability, rest, first_k = figures.tolist()
    return replace(WEIGHTS, ability=ability, rest=rest, first_k=float(np.exp(first_k)))
