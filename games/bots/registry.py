"""The bots that a game can seat, by the name that its log keeps."""

from collections.abc import Callable, Mapping
from typing import Final

from games.bots import beginner, companion, expert, onlooker, sharp, steady
from games.engine.actions import Action
from games.engine.round import View

Choose = Callable[[View, int], Action]
"""A bot: what it does for its seat's view and a seed. It never sees a state."""

BOTS: Final[Mapping[str, Choose]] = {
    "beginner": beginner.choose,
    "steady": steady.choose,
    "sharp": sharp.choose,
    "expert": expert.choose,
}
LEVELS: Final = tuple(BOTS)
"""Their names, the weakest first."""


def bot_called(name: str) -> Choose:
    """The bot that a game's log calls by this name: a level, a companion with its strength, or an
    onlooker. Raises `KeyError` for a name that is none."""
    if name == onlooker.NAME:
        return onlooker.choose
    strength = companion.strength_in(name)
    return BOTS[name] if strength is None else companion.at(strength)
