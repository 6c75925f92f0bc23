"""Fitting the parameters of mastery to model children: the figures named "fitted" in
`games.coach.mastery` were printed by `manage.py evaluate_mastery --fit`."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from games.coach.mastery import GROUPS, KEEPS, Parameters, by_table
from games.lab.mastery_evaluation import Record, by_mastery, forecast

SHARES: Final = ("remembers",)
POSITIVE: Final = ("prior", "first_k", "least_k")
HARD: Final = tuple(f"difficulty of {group}" for group in GROUPS)
OTHERS: Final = "difficulty of others"
MOST_PRIOR: Final = 20.0
"""A model child has exactly the strength of its type at every table. A real one varies more, so its
own rows of a table must keep some weight."""
STEPS: Final = (0.4, 0.2, 0.1, 0.05)
LEAST_GAIN: Final = 1e-5

ParameterValues = Mapping[str, float]


def fitted(records: Sequence[Record], kind: Parameters, since: int) -> Parameters:
    """Parameters with a smaller log loss: each figure in turn is moved up or down as long as that
    helps, in smaller and smaller steps."""

    def loss(figures: ParameterValues) -> float:
        return forecast(records, by_mastery(_parameters(figures)), since).log_loss

    figures = _figures(kind)
    best = loss(figures)
    for step in STEPS:
        for name in figures:
            for way in (step, -step):
                tried = {**figures, name: _moved(name, figures[name], way)}
                while (new := loss(tried)) < best - LEAST_GAIN:
                    figures, best = tried, new
                    tried = {**figures, name: _moved(name, figures[name], way)}
    return _parameters(figures)


def _figures(kind: Parameters) -> ParameterValues:
    plain = {name: cast(float, getattr(kind, name)) for name in (*SHARES, *POSITIVE)}
    hard = {name: kind.difficulty[group[0]] for name, group in zip(HARD, GROUPS, strict=True)}
    return {**plain, **hard, OTHERS: kind.difficulty_of_others}


def _moved(name: str, figure: float, step: float) -> float:
    if name in SHARES:
        return min(max(figure + step / 2, 0.0), 1.0)
    if name in POSITIVE:
        return min(figure * (1 + step), MOST_PRIOR)
    return figure + step


def _parameters(figures: ParameterValues) -> Parameters:
    return Parameters(
        keeps=KEEPS,
        **{name: figures[name] for name in (*SHARES, *POSITIVE)},
        difficulty=by_table([figures[name] for name in HARD]),
        difficulty_of_others=figures[OTHERS],
    )
