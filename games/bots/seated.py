"""What sits in a bot's seat: a fixed level, a companion with its strength, or an onlooker."""

from games.bots import companion, onlooker
from games.bots.registry import BOTS, Choose


def bot_called(name: str) -> Choose:
    """The bot that a game's log calls so. Raises `KeyError` for a name that is none."""
    if name == onlooker.NAME:
        return onlooker.choose
    strength = companion.strength_in(name)
    return BOTS[name] if strength is None else companion.at(strength)
