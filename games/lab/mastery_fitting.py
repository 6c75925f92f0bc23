"""Fitting the parameters of mastery to model children, for `manage.py evaluate_mastery --fit`
(docs/mastery.md)."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.optimize import Bounds, minimize

from games.coach.mastery import GROUPS, KEEPS, Parameters, by_table
from games.lab.mastery_evaluation import Record, by_mastery, forecast
from games.lab.regression import Floats

MOST_PRIOR: Final = 20.0
"""A model child has exactly the strength of its type at every table. A real one varies more, so its
own rows of a table must keep some weight."""
_CLOSE: Final = 1e-7
_EASIEST: Final = 4
"""The place of the difficulty of the easiest tables among the figures."""


def fitted(records: Sequence[Record], kind: Parameters, since: int) -> Parameters:
    """The parameters with the smallest log loss, searched from the present ones of `kind`. The
    easiest tables keep their difficulty, because the ability follows when all difficulties move
    together."""

    def loss(figures: Floats) -> float:
        return forecast(records, by_mastery(_parameters(figures)), since).log_loss

    figures = _figures(kind)
    least, most = np.full_like(figures, -np.inf), np.full_like(figures, np.inf)
    least[0], most[:2] = 0, (1, np.log(MOST_PRIOR))
    least[_EASIEST] = most[_EASIEST] = figures[_EASIEST]
    found = minimize(loss, figures, method="L-BFGS-B", bounds=Bounds(least, most), tol=_CLOSE)
    return _parameters(found.x)


def _figures(kind: Parameters) -> Floats:
    """What can be fitted; the logarithm of what cannot be negative."""
    positive = np.log([kind.prior, kind.first_k, kind.least_k])
    hard = [kind.difficulty[group[0]] for group in GROUPS]
    return np.array([kind.remembers, *positive, *hard, kind.difficulty_of_others])


def _parameters(figures: Floats) -> Parameters:
    remembers, *_, others = figures.tolist()
    prior, first_k, least_k = np.exp(figures[1:_EASIEST]).tolist()
    return Parameters(
        keeps=KEEPS,
        prior=prior,
        remembers=remembers,
        first_k=first_k,
        least_k=least_k,
        difficulty=by_table(figures[_EASIEST:-1].tolist()),
        difficulty_of_others=others,
    )
