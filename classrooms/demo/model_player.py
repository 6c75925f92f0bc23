"""A model child at the table, who plays from the view of their seat, with the chances of their
strength. Only for simulations.

A row that they overlook stays overlooked for the turn; in the next turn they look again. They lay
the rows that they notice, those with the most cards first. Without foresight they discard a card
that, as far as they know, is in no agreed table. They know each card with the chance of its table,
and which cards they know stays fixed for the round.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from classrooms.demo.model_children import ModelChild
from games.bots.sight import Sight, jokers_of, noticed_sights, sights_of
from games.bots.turns import with_card
from games.coach.times_tables import TABLES_TO_12
from games.engine.actions import Action, Claim, Discard, Knock, Pass
from games.engine.cards import Card, is_joker
from games.engine.round import View
from games.engine.table import Play

# How many seconds each act takes. These are guesses until somebody measures them.
RECALLS_PER_LOOK: Final = 6
"""One look over the hand for rows takes as long as six short questions: one for nearly every card.
A child looks once a turn, and again after each row that they lay."""
DRAWING_SECONDS: Final = 4.0
"""Looking at the open card and tapping a pile."""
LAYING_SECONDS: Final = 6.0
"""Tapping three cards and a place, and seeing the row there."""
WRONG_TRY_SECONDS: Final = 10.0
"""Trying cards that make no row: the same taps as for a row, and reading why not."""
DISCARDING_SECONDS: Final = 4.0
WATCHING_SECONDS: Final = 3.0
"""Watching a bot's turn."""
BETWEEN_ROUNDS_SECONDS: Final = 15.0
"""Reading how the round ended, and beginning the next one."""


@dataclass(frozen=True, slots=True)
class ModelPlayer:
    """A model child with a seed, from which follows what they notice and know."""

    child: ModelChild
    seed: int

    def choose(self, view: View) -> Action:
        """The child's next action. It must be their turn."""
        match view.phase:
            case "draw" | "redraw":
                cards = view.open_cards
                return view.action_to_take(
                    next((card for card in cards if self._wants(view, card)), None)
                )
            case "offer":
                return Claim() if self._wants(view, view.open_top) else Pass()
            case "knock":
                wants_open_card = self._wants(view, view.open_top)
                return Knock(view.seat) if wants_open_card else Pass(view.seat)
        sights = self._noticed(sights_of(view.position), view)
        if sights:
            return max(sights, key=lambda play: (len(play.hand), -jokers_of(play), str(play)))
        return Discard(self._least_needed(view))

    def tries_wrongly(self, view: View) -> bool:
        """Whether they try cards that make no row in this turn."""
        return Random(f"{self._turn(view)}/wrong try").random() < self.child.wrong_tries

    def _turn(self, view: View) -> str:
        return f"{self.seed}/{view.round}/{view.turns}"

    def _wants(self, view: View, card: Card | None) -> bool:
        """Whether they want this card, because it is a joker or makes a row that they notice."""
        if card is None:
            return False
        position = with_card(view.position, card)
        return is_joker(card) or bool(self._noticed(sights_of(position, card), view))

    def _noticed(self, sights: Iterable[Sight], view: View) -> list[Play]:
        def chance(sight: Sight) -> float:
            return self.child.chance(
                sight.table, adds=sight.adds, crosses=sight.crosses, joker=sight.needs_joker
            )

        noticed = noticed_sights(sights, chance, self._look(view))
        return [play for sight in noticed for play in sight.plays]

    def _look(self, view: View) -> str:
        """The seed from which follows what they notice. As long as it stays the same, they overlook
        the same rows."""
        looks_again = Random(f"{self._turn(view)}/again").random() < self.child.overlooks
        return f"{self.seed}/{view.round}" if looks_again else self._turn(view)

    def _least_needed(self, view: View) -> Card:
        numbers = [card for card in view.hand if not is_joker(card)]
        random = Random(f"{self._turn(view)}/discard")
        return min(
            numbers or view.hand, key=lambda card: (self._knows(card, view), random.random())
        )

    def _knows(self, card: Card, view: View) -> bool:
        """Whether they know that this number is in an agreed table; a joker is in any."""
        return is_joker(card) or any(
            card % table == 0
            and Random(f"{self.seed}/{view.round}/{card}/{table}").random()
            < self.child.chance(table)
            for table in view.ruleset.tables or TABLES_TO_12
        )
