"""The bot of a guided round: it takes a card, puts one down, and leaves all rows to the player.

If it has a card that lengthens a row, it puts this card down, so that the player can take it.
"""

from typing import Final

from games.engine.actions import Action, Discard, DrawClosed, Pass
from games.engine.cards import Card
from games.engine.plays import open_ends
from games.engine.round import View

NAME: Final = "onlooker"


def choose(view: View, seed: int) -> Action:
    """What the bot does. The seed does not matter."""
    match view.phase:
        case "draw" | "redraw":
            return DrawClosed()
        case "offer":
            return Pass()
        case "knock":
            return Pass(view.seat)
    return Discard(_gift(view))


def _gift(view: View) -> Card:
    ends = open_ends(view.position._replace(opened=True)).values()
    wanted = {number for end in ends for number in (*end.before, *end.after)}
    return next((card for card in view.hand if card in wanted), view.hand[0])
