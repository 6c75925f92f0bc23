"""How strong a child is at the game, judged by their own rounds: an Elo rating.

docs/learning.md (A game that suits the child) has the sources of the figures.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from math import log10
from typing import Final

START_RATING: Final = 1000.0
FIRST_GAME_RATING: Final = 780.0
"""The rating for which a child's first game is paced. Nothing is known about them yet, and the game
should encourage them."""
LOWEST_RATING: Final = 600.0
HIGHEST_RATING: Final = 1240.0
"""The limits of a rating. No opponent suits a child beyond them, and within limits a rating soon
follows a change."""
WIN_SHARE: Final = 0.53  # the share of rounds that a child should win
FIRST_K: Final = 120.0
LEAST_K: Final = 24.0
HALVES_AFTER: Final = 5
ELO_SCALE: Final = 400.0
"""A player who is stronger by this much wins ten rounds for each one lost."""


@dataclass(frozen=True, slots=True)
class Rating:
    value: float = START_RATING
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
    value = min(max(rating.value + k * surprise, LOWEST_RATING), HIGHEST_RATING)
    return Rating(value, rating.rounds + 1)


def rating_after(results: Iterable[Result], before: Rating | None = None) -> Rating:
    """The rating after these rounds, the oldest first. `before` is the rating before them."""
    return reduce(rating_after_round, results, before or Rating())


def opponent_for(rating: float) -> float:
    """The strength of an opponent against whom the child wins `WIN_SHARE` of the rounds."""
    return rating - ELO_SCALE * log10(WIN_SHARE / (1 - WIN_SHARE))
