"""The bot of a guided round: it takes a card, puts one down, and lays only its prepared row.

If it has a card that lengthens a row, it puts this card down, so that the player can take it. If
the player has taken an open card, it takes one too, because the cards of the closed pile are
prepared for the two by turns.
"""

from typing import Final

from games.coach.guided_rounds import BOT_ROW
from games.engine.actions import Action, Discard, DrawClosed, DrawOpen, Pass
from games.engine.cards import LaidCard
from games.engine.plays import open_ends
from games.engine.table import Play
from games.engine.view import View

NAME: Final = "onlooker"


def choose(view: View, seed: int) -> Action:
    match view.phase:
        case "draw" | "redraw":
            # One open card lay there at first, and each turn adds one.
            open_cards_taken = 1 + sum(view.turns) - view.open_count
            return DrawOpen() if open_cards_taken % 2 else DrawClosed()
        case "offer":
            return Pass()
        case "knock":
            return Pass(view.seat)
    if view.table.lines and set(BOT_ROW) <= set(view.hand):
        return Play(tuple(LaidCard(card, card) for card in BOT_ROW))
    ends = open_ends(view.position._replace(has_opened=True)).values()
    numbers_at_ends = {number for end in ends for number in (*end.before, *end.after)}
    return Discard(next((card for card in view.hand if card in numbers_at_ends), view.hand[0]))
