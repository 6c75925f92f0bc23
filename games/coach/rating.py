"""How strong a child is at the game, judged by their own rounds: an Elo rating.

docs/learning.md (A game that suits the child) says where the figures come from.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log10
from typing import Final

START: Final = 1000.0
FIRST_GAME: Final = 780.0
"""The rating for which the first game of a child is paced: nothing is known about them yet, and it
should encourage them."""
LOWEST: Final = 600.0
HIGHEST: Final = 1240.0
"""The limits of a rating. No opponent is weak or strong enough for ratings beyond them; with
limits, a rating soon follows a change."""
WIN_SHARE: Final = 0.53
"""The share of rounds that a child should win: a little more than half."""
FIRST_K: Final = 120.0
LEAST_K: Final = 24.0
HALVES_AFTER: Final = 5
ELO_SCALE: Final = 400.0
"""A player who is stronger by this much wins ten rounds for each one lost."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating, and the number of rounds that it is based on."""

    value: float = START
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """A round that a child played against an opponent of this strength."""

    strength: float
    won: bool


def chance_to_win(rating: float, strength: float) -> float:
    """The chance (0–1) that the child wins."""
    return float(1 / (1 + 10 ** ((strength - rating) / ELO_SCALE)))


def rating_after_round(rating: Rating, result: Result) -> Rating:
    """The rating after one more round. The first rounds move it most."""
    k = max(LEAST_K, FIRST_K / (1 + rating.rounds / HALVES_AFTER))
    surprise = float(result.won) - chance_to_win(rating.value, result.strength)
    value = min(max(rating.value + k * surprise, LOWEST), HIGHEST)
    return Rating(value, rating.rounds + 1)


def rating_after(results: Iterable[Result], before: Rating | None = None) -> Rating:
    """The rating after these rounds, the oldest first. `before` is the rating before them."""
    rating = before or Rating()
    for result in results:
        rating = rating_after_round(rating, result)
    return rating


def opponent_for(rating: float) -> float:
    """The strength of an opponent against whom the child wins the share `WIN_SHARE` of rounds."""
    return rating - ELO_SCALE * log10(WIN_SHARE / (1 - WIN_SHARE))
