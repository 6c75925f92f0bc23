"""The bots that a game can seat, by the name that its log keeps."""

from collections.abc import Callable, Mapping
from typing import Final

from games.bots import beginner, expert, sharp, steady
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
