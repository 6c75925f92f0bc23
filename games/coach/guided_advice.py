"""What to do next in a guided round, whatever the player has done so far.

While the prepared plays can still be made, the advice leads to them. After that, it is any row that
the hand and the table allow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from games.coach.guided_lessons import planned, to_come
from games.coach.hints import HintPosition, hidden_row
from games.engine.cards import NUMBER_MASK, Card, is_joker, mask_of
from games.engine.errors import ActionRefused
from games.engine.play_application import Position, form
from games.engine.plays import plays_without_jokers
from games.engine.round import TO_TAKE, View
from games.engine.ruleset import Ruleset
from games.engine.table import Play

AdviceKind = Literal["take", "play", "put down", "answer", "wait"]


@dataclass(frozen=True, slots=True)
class Advice:
    """What the player should do next."""

    kind: AdviceKind
    play: Play | None = None  # what to lay
    card: Card | None = None
    """The card to put down; or the open card or the block on offer, if the player should take
    it."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The hand cards that the player needs for it, including those to put in for a joker."""
        if self.play is not None:
            freed = {swap.card for swap in self.play.swaps}
            own = [laid.card for laid in self.play.hand if laid.card not in freed]
            return (*own, *(swap.number for swap in self.play.swaps))
        return () if self.card is None or self.kind != "put down" else (self.card,)


def advice(view: View) -> Advice:
    """The best thing to do next in this guided round."""
    if not view.may_act:
        return Advice("wait")
    if view.phase in TO_TAKE:
        return Advice("take", card=_card_to_take(view))
    if view.phase in ("offer", "knock"):
        return Advice("answer", card=_card_to_take(view))
    return _planned_step(view) if to_do(view) and goes_as_planned(view) else _free_step(view)


def goes_as_planned(view: View) -> bool:
    """Whether all remaining prepared plays can still be made, one after the other."""
    table = view.table
    hand = mask_of((*view.hand, *to_come(view)))
    for play in to_do(view):
        position = Position(view.ruleset, table, hand, view.opened[view.seat] or bool(table.lines))
        try:
            formed = form(position, play)
        except ActionRefused:
            return False
        table, hand = formed.table, formed.hand
    return True


def is_planned(card: Card, ruleset: Ruleset) -> bool:
    """Whether a prepared play lays this card."""
    return any(laid.card == card for play in planned(ruleset) for laid in play.hand)


def to_do(view: View) -> list[Play]:
    """The remaining prepared plays: those with a card that does not lie on the table yet."""
    lying = view.table.laid
    return [play for play in planned(view.ruleset) if any(c.card not in lying for c in play.hand)]


def _planned_step(view: View) -> Advice:
    plays = to_do(view)
    if _is_legal(view, plays[0]):
        return Advice("play", plays[0])
    kept = {laid.card for play in plays for laid in play.hand}
    spare = [card for card in view.hand if card not in kept]
    return Advice("put down", card=max(spare or view.hand))


def _free_step(view: View) -> Advice:
    row = hidden_row(HintPosition(view.position))
    if row is not None:
        return Advice("play", row.play)
    return Advice("put down", card=_least_useful(view.hand, view.ruleset))


def _card_to_take(view: View) -> Card | None:
    """The open card or the block on offer, if a row with it but without a joker can be laid at
    once, and the prepared plays can no longer be made; else None."""
    card = view.open_top
    if card is None or is_joker(card) or goes_as_planned(view):
        return None
    hand = mask_of((*view.hand, card)) & NUMBER_MASK
    plays = plays_without_jokers(view.position._replace(hand=hand))
    return card if any(laid.card == card for play in plays for laid in play.hand) else None


def _is_legal(view: View, play: Play) -> bool:
    try:
        form(view.position, play)
    except ActionRefused:
        return False
    return True


def _least_useful(hand: Sequence[Card], ruleset: Ruleset) -> Card:
    """The highest number card that is in no row of the round's tables; else the highest one."""
    tables = ruleset.tables or ()
    own = [card for card in hand if not is_joker(card)] or list(hand)
    odd = [card for card in own if not any(card % table == 0 for table in tables)]
    return max(odd or own)
