"""How strong a child is at the game, from the child's own rounds: Elo.

Where the figures come from: docs/learning.md (A game that suits the child).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log10
from typing import Final

START: Final = 1000.0
LOWEST: Final = 600.0
HIGHEST: Final = 1240.0
"""Ratings stop where no opponent is strong or weak enough, so that a rating never lags far."""
WINS: Final = 0.53
"""The share of rounds that a child should win: a little more than half."""
FIRST_K: Final = 120.0
LEAST_K: Final = 24.0
HALVES_AFTER: Final = 5
ELO_SCALE: Final = 400.0
"""A player who is stronger by this much wins ten rounds for each one lost."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating, and the number of rounds that it comes from."""

    value: float = START
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """A round that a child played against an opponent of this strength."""

    strength: float
    won: bool


def expected(rating: float, strength: float) -> float:
    """The chance (0–1) that the child wins."""
    return float(1 / (1 + 10 ** ((strength - rating) / ELO_SCALE)))


def updated(rating: Rating, result: Result) -> Rating:
    """The rating after one more round; each round moves it less than the one before."""
    k = max(LEAST_K, FIRST_K / (1 + rating.rounds / HALVES_AFTER))
    surprise = float(result.won) - expected(rating.value, result.strength)
    value = min(max(rating.value + k * surprise, LOWEST), HIGHEST)
    return Rating(value, rating.rounds + 1)


def rated(results: Iterable[Result], before: Rating | None = None) -> Rating:
    """The rating after these rounds, in order; `before`: the rating before them."""
    rating = before or Rating()
    for result in results:
        rating = updated(rating, result)
    return rating


def opponent_for(rating: float) -> float:
    """The strength of an opponent against whom the child wins as often as it should."""
    return rating - ELO_SCALE * log10(WINS / (1 - WINS))
