"""The bots that a game can seat, by their names in a game's log, and the characters of the
levels."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from games.bots import beginner, companion, expert, onlooker, sharp, steady
from games.engine.actions import Action
from games.engine.view import View

Bot = Callable[[View, int], Action]
"""A bot: it chooses an action from its seat's view and a seed, when it is the one to act, and never
sees a state. The same view and seed always give the same action."""


def _level_or_helper(level: Bot, strength: float) -> Bot:
    """This level or, at a table that plays together, a companion of this strength."""
    helper = companion.companion_of(strength)
    return lambda view, seed: (helper if view.ruleset.is_together else level)(view, seed)


BOTS: Final[Mapping[str, Bot]] = {
    "beginner": _level_or_helper(beginner.choose, 600.0),
    "steady": _level_or_helper(steady.choose, 800.0),
    "sharp": _level_or_helper(sharp.choose, 1000.0),
    "expert": _level_or_helper(expert.choose, 1200.0),
}
LEVELS: Final = tuple(BOTS)
"""The names of the levels, the weakest first."""
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
"""The names and faces of bots: as many as an edition can seat besides a child."""
_FACES: Final = {"beginner": "bear", "steady": "owl", "sharp": "fox", "expert": "cat"}
CHARACTERS: Final = {level: (_NAMES[face], face) for level, face in _FACES.items()}
"""The name and face of the bot of each level."""
STAND_IN: Final = "stand-in"
"""The bot that plays for a player who is away."""


def find_bot(name: str) -> Bot:
    """The bot with this name in a game's log: a level, a companion with its strength, the stand-in
    or the onlooker. Raises `KeyError` for an unknown name."""
    if name == onlooker.NAME:
        return onlooker.choose
    if name == STAND_IN:
        return steady.choose_for_absent
    strength = companion.strength_of(name)
    return BOTS[name] if strength is None else companion.companion_of(strength)


def cast_of(bot: str, characters: Sequence[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """Up to `count` names and faces for bots of one level: its own first, then other
    `characters`."""
    first = [CHARACTERS[bot]] if bot in CHARACTERS else []
    return [*first, *(candidate for candidate in characters if candidate not in first)][:count]
