"""Who sits behind a level: a name, a face of the page's sprite, and a manner."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Manner = Literal["dreamy", "calm", "clever", "deep"]


@dataclass(frozen=True, slots=True)
class Character:
    """`face`: the symbol `face-…` of the sprite. `manner`: how it plays, for `games.sayings`."""

    name: str
    face: str
    manner: Manner


CHARACTERS: Final[Mapping[str, Character]] = {
    "beginner": Character("Bruno", "bear", "dreamy"),
    "steady": Character("Ollie", "owl", "calm"),
    "sharp": Character("Fenna", "fox", "clever"),
    "expert": Character("Rani", "raven", "deep"),
}
"""By the level's name."""
