"""The bots that a game can seat, by their names in its log."""

from collections.abc import Callable, Mapping
from typing import Final

from games.bots import beginner, companion, expert, onlooker, sharp, steady
from games.engine.actions import Action
from games.engine.round import View

Bot = Callable[[View, int], Action]
"""A bot chooses an action by its seat's view and a seed. It never sees a state."""

BOTS: Final[Mapping[str, Bot]] = {
    "beginner": beginner.choose,
    "steady": steady.choose,
    "sharp": sharp.choose,
    "expert": expert.choose,
}
LEVELS: Final = tuple(BOTS)
"""The names of the levels, the weakest first."""


def bot_called(name: str) -> Bot:
    """The bot with this name in a game's log: a level, a companion with its strength, or the
    onlooker. Raises `KeyError` for an unknown name."""
    if name == onlooker.NAME:
        return onlooker.choose
    strength = companion.strength_in(name)
    return BOTS[name] if strength is None else companion.at(strength)
