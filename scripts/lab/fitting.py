"""For `evaluate_mastery --fit`, fits to model children the parameters of mastery, and the weights
of the chance that the next answer to a fact is right (docs/mastery.md)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from scipy.optimize import Bounds, minimize

from games.coach.mastery import TABLE_GROUPS, Parameters, difficulty_by_table
from games.coach.questions.recall import WEIGHTS, FactAnswer, Recall, Weights
from games.coach.times_tables import fact_of
from scripts.lab.mastery_evaluation import Forecast, Record, by_mastery, forecast
from scripts.lab.regression import Floats

_MOST_STEPS: Final = 80
MOST_PRIOR: Final = 20.0
"""A model child has exactly the strength of their type at every table. Real children vary more, so
their own rows of a table must keep some weight."""
_CLOSE: Final = 1e-7
_EASIEST: Final = 4
"""The place of the easiest tables' difficulty among the figures."""


def predictions_of(careers: Iterable[Sequence[FactAnswer]], weights: Weights = WEIGHTS) -> Forecast:
    """The predicted chance of each answer, from the answers before it."""
    chances, outcomes = [], []
    for answers in careers:
        recall = Recall(weights=weights)
        for one in answers:
            chances.append(recall.chance(fact_of(*one.factors), one.day))
            outcomes.append(one.is_right_alone)
            recall.add(one)
    return Forecast(chances, outcomes)


def fit_weights(careers: Sequence[Sequence[FactAnswer]], steps: int = _MOST_STEPS) -> Weights:
    """The weights with the smallest log loss. Two are not fitted. When FSRS asks again, model
    children have forgotten so much that freshness would get hardly any weight. Their ability never
    changes, so its last step would become 0."""

    def loss(figures: Floats) -> float:
        return predictions_of(careers, _weights(figures)).log_loss

    begin = np.array([WEIGHTS.ability, WEIGHTS.rest, np.log(WEIGHTS.first_k)])
    return _weights(minimize(loss, begin, method="Nelder-Mead", options={"maxiter": steps}).x)


def _weights(figures: Floats) -> Weights:
    ability, rest, first_k = figures.tolist()
    return replace(WEIGHTS, ability=ability, rest=rest, first_k=float(np.exp(first_k)))


def fit_parameters(records: Sequence[Record], kind: Parameters, since: int) -> Parameters:
    """The parameters with the smallest log loss, searched from the present ones of `kind`. The
    difficulty of the easiest tables is fixed, because if all difficulties move together the ability
    just follows."""

    def loss(figures: Floats) -> float:
        return forecast(records, by_mastery(_parameters(figures)), since).log_loss

    figures = _figures(kind)
    least, most = np.full_like(figures, -np.inf), np.full_like(figures, np.inf)
    least[0], most[:2] = 0, (1, np.log(MOST_PRIOR))
    least[_EASIEST] = most[_EASIEST] = figures[_EASIEST]
    result = minimize(loss, figures, method="L-BFGS-B", bounds=Bounds(least, most), tol=_CLOSE)
    return _parameters(result.x)


def _figures(kind: Parameters) -> Floats:
    """The figures to fit. Those that cannot be negative are given as logarithms."""
    positive = np.log([kind.prior, kind.first_k, kind.least_k])
    hard = [kind.difficulty[group[0]] for group in TABLE_GROUPS]
    return np.array([kind.memory_share, *positive, *hard, kind.difficulty_of_others])


def _parameters(figures: Floats) -> Parameters:
    memory_share, *_, ability = figures.tolist()
    prior, first_k, least_k = np.exp(figures[1:_EASIEST]).tolist()
    return Parameters(
        prior=prior,
        memory_share=memory_share,
        first_k=first_k,
        least_k=least_k,
        difficulty=difficulty_by_table(figures[_EASIEST:-1].tolist()),
        difficulty_of_others=ability,
    )
