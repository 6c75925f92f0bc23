"""The characters of the levels: a name, a face of the page's sprite, and a manner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Manner = Literal["dreamy", "calm", "clever", "deep"]


@dataclass(frozen=True, slots=True)
class Character:
    name: str
    face: str  # the symbol `face-…` of the sprite
    manner: Manner  # how it plays, for `games.screen.words`


CHARACTERS: Final[Mapping[str, Character]] = {
    "beginner": Character("Bruno", "bear", "dreamy"),
    "steady": Character("Ollie", "owl", "calm"),
    "sharp": Character("Fenna", "fox", "clever"),
    "expert": Character("Kasper", "cat", "deep"),
}
"""The characters by the names of their levels."""


def cast(bot: str, known: Sequence[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """Up to `count` names and faces for bots of one level: first the level's own, then others of
    `known`."""
    own = CHARACTERS.get(bot)
    first = [] if own is None else [(own.name, own.face)]
    return [*first, *(other for other in known if other not in first)][:count]
