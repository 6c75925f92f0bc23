"""The bots that a game can seat, by their names in its log, and the characters of the levels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.bots import beginner, companion, expert, onlooker, sharp, steady
from games.engine.actions import Action
from games.engine.round import View

Bot = Callable[[View, int], Action]
"""A bot chooses an action from its seat's view and a seed. It never sees a state."""
Manner = Literal["dreamy", "calm", "clever", "deep"]


def _helper_if_together(level: Bot, strength: float) -> Bot:
    """This level, except at a table that plays together: there it helps as a companion of this
    strength does."""
    helper = companion.of_strength(strength)
    return lambda view, seed: (helper if view.ruleset.is_together else level)(view, seed)


BOTS: Final[Mapping[str, Bot]] = {
    "beginner": _helper_if_together(beginner.choose, 600.0),
    "steady": _helper_if_together(steady.choose, 800.0),
    "sharp": _helper_if_together(sharp.choose, 1000.0),
    "expert": _helper_if_together(expert.choose, 1200.0),
}
LEVELS: Final = tuple(BOTS)
"""The names of the levels, the weakest first."""


@dataclass(frozen=True, slots=True)
class Character:
    """Who a bot is for the children."""

    name: str
    face: str  # the symbol `face-…` of the sprite
    manner: Manner  # how it plays, for `games.screen.words`


_NAMES: Final[Mapping[str, str]] = {
    "owl": "Ollie",
    "fox": "Fenna",
    "bear": "Bruno",
    "hare": "Hanna",
    "cat": "Kasper",
    "frog": "Filip",
    "penguin": "Pippa",
}
CAST: Final = tuple((name, face) for face, name in _NAMES.items())
"""The names and faces of the bots: as many as an edition can seat besides a child."""
CHARACTERS: Final[Mapping[str, Character]] = {
    "beginner": Character(_NAMES["bear"], "bear", "dreamy"),
    "steady": Character(_NAMES["owl"], "owl", "calm"),
    "sharp": Character(_NAMES["fox"], "fox", "clever"),
    "expert": Character(_NAMES["cat"], "cat", "deep"),
}
"""The characters by the names of their levels."""


def bot_called(name: str) -> Bot:
    """The bot with this name in a game's log: a level, a companion with its strength, or the
    onlooker. Raises `KeyError` for an unknown name."""
    if name == onlooker.NAME:
        return onlooker.choose
    strength = companion.strength_of(name)
    return BOTS[name] if strength is None else companion.of_strength(strength)


def cast(bot: str, characters: Sequence[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """Up to `count` names and faces for bots of one level: first the level's own, then others of
    `characters`."""
    character = CHARACTERS.get(bot)
    first = [] if character is None else [(character.name, character.face)]
    return [*first, *(candidate for candidate in characters if candidate not in first)][:count]
