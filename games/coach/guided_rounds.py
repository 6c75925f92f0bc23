"""Guided first rounds: three prepared deals for each edition, one for each step of learning it.

In the first step a player takes, lays, adds and puts down. In the second, a row crosses another
one, and in editions with cards its points are doubled. In the third, a joker helps, and the cards
left at the end count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from games.coach.hints import HintPosition, hidden_row
from games.coach.times_tables import FIRST_TABLES
from games.engine.cards import NUMBER_MASK, Card, deck, is_joker, mask_of
from games.engine.errors import ActionRefused
from games.engine.play_application import Position, make_play
from games.engine.plays import plays_without_jokers
from games.engine.round import DRAW_PHASES, View
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Play
from games.engine.text.notation import parse_cards, parse_play

SEATS: Final = 2
STEPS: Final = 3


@dataclass(frozen=True, slots=True)
class _Plan:
    """One guided round. Until the last card of `cards_to_take`, no other card of the pile fits a
    row of its tables."""

    hand: str  # the player's cards
    cards_to_take: str  # the cards that they take, turn by turn
    plays: tuple[str, ...]  # the plays that they should make, in order, as text


_LAY: Final = _Plan("15 25 43 37", "20 30", ("15 20 25", "30 to 15-20-25"))
"""Its colours double no points, which a player learns in the next step."""
_POINTS: Final = _Plan("25 35 10 43 37", "30 20", ("25 30 35", "10 20 across 30"))
_JOKER_WITH_SEVEN: Final = _Plan(
    "10 30 15 a 43 37 33",
    "20 40 25",
    ("10 20 30", "40 to 10-20-30", "15 25 across 20", "a=50 to 10-20-30-40"),
)
_JOKER_WITH_NINE: Final = _Plan(
    "10 30 15 2 4 a 43 37 33",
    "20 40 25",
    ("10 20 30", "40 to 10-20-30", "15 25 across 20", "2 4 a=6"),
)
_LAY_BLOCKS: Final = _Plan("10 30 43", "20 37 40 50", ("10 20 30", "40 50 to 10-20-30"))
_CROSS_BLOCKS: Final = _Plan(
    "10 30 15 43", "20 37 25 40", ("10 20 30", "15 25 across 20", "40 to 10-20-30")
)
_PLANS: Final = {
    "simplified": (_LAY, _POINTS, _JOKER_WITH_SEVEN),
    "simplified-2010": (_LAY, _POINTS, _JOKER_WITH_SEVEN),
    "classic": (_LAY, _POINTS, _JOKER_WITH_NINE),
    "advanced": (_LAY, _POINTS, _JOKER_WITH_NINE),
    "blocks": (
        _LAY_BLOCKS,
        _CROSS_BLOCKS,
        _Plan(
            "10 30 15 2 4 a 43 37 33",
            "20 44 40 25 46 48",
            ("10 20 30", "40 to 10-20-30", "15 25 across 20", "44 46 48", "2 4 a=6"),
        ),
    ),
    "blocks-simple": (
        _LAY_BLOCKS,
        _CROSS_BLOCKS,
        _Plan(
            "10 30 15 a 43",
            "20 37 25 50",
            ("10 20 30", "15 25 across 20", "a=40 to 10-20-30", "50 to 10-20-30-a=40"),
        ),
    ),
}


def guided_ruleset(name: str, step: int = 1, like: Ruleset | None = None) -> Ruleset:
    """The ruleset of one step of learning an edition. Rows, colours and the end of a round follow
    the game that the player is about to play (`like`). Each step has a hand of its own size. Raises
    `RulesetError` for an unknown edition."""
    base = edition(name, tables=FIRST_TABLES, offers=False, rounds=1)
    if like is not None:
        base = replace(base, doubling=like.doubling, piles=like.piles and 1, start=like.start)
        if like.tables is None and 0 in (like.counts_back_to or (0,)):
            base = replace(base, tables=None, counts_back_to=like.counts_back_to)
    return replace(base, hand_of_two=len(_PLANS[name][step - 1].hand.split()))


def guided_step(ruleset: Ruleset) -> int:
    """The step of a guided round, from 1, by the size of its hands."""
    sizes = [len(plan.hand.split()) for plan in _PLANS[ruleset.edition]]
    return sizes.index(ruleset.hand_of_two) + 1


def guided_deck(ruleset: Ruleset) -> tuple[Card, ...]:
    """The whole deck in its prepared order. The player sits in seat 0 and begins."""
    plan = _plan(ruleset)
    hand, cards_to_take = _cards(plan.hand, ruleset), _cards(plan.cards_to_take, ruleset)
    rest = [card for card in deck(ruleset.highest) if card not in (*hand, *cards_to_take)]
    fillers = [card for card in rest if card % 2 and card % 5 and card <= ruleset.highest]
    other_cards = iter(fillers)
    bots = [next(other_cards) for _ in hand]
    on_top = [] if ruleset.has_pot else [next(other_cards)]
    pile = _pile(cards_to_take, other_cards, _cards_a_turn(ruleset))
    used = {*hand, *bots, *on_top, *pile}
    undealt = [card for card in rest if card not in used]
    jokers = [card for card in undealt if is_joker(card)]
    numbers = sorted((card for card in undealt if not is_joker(card)), key=_usefulness)
    undealt = [*jokers[:2], *numbers[:6], *jokers[2:], *numbers[6:]]
    return (*hand, *bots, *on_top, *pile, *undealt)


def planned_plays(ruleset: Ruleset) -> Iterator[Play]:
    """The plays that the player should make, in order."""
    for text in _plan(ruleset).plays:
        yield parse_play(text, ruleset)


def cards_to_come(view: View) -> tuple[Card, ...]:
    """The prepared cards that the player has yet to take. Empty if the next ones may go to the bot,
    because a block was knocked for."""
    ruleset, at_once = view.ruleset, _cards_a_turn(view.ruleset)
    cards_to_take = _cards(_plan(ruleset).cards_to_take, ruleset)
    dealt = SEATS * ruleset.hand_of_two + (not ruleset.has_pot)
    drawn = len(deck(ruleset.highest)) - dealt - view.closed_count
    drawn_by_player = (drawn + at_once) // (2 * at_once) * at_once
    if ruleset.has_pot:
        as_prepared = drawn % at_once == 0 and _takes_as_prepared(view, drawn // at_once)
    else:  # for each open card that the player takes, the bot takes one too
        as_prepared = view.phase not in DRAW_PHASES or drawn % SEATS == 0
    return tuple(cards_to_take[drawn_by_player:]) if as_prepared else ()


def _takes_as_prepared(view: View, takes: int) -> bool:
    """Whether the player and the bot have taken from the pile in each of their turns."""
    has_taken = view.phase not in DRAW_PHASES and view.turn == view.seat
    other_seat = 1 - view.seat
    return takes == view.turns[view.seat] + view.turns[other_seat] + has_taken


def _usefulness(card: Card) -> int:
    """The key that sorts the remaining cards for a player who has not followed the plan: those that
    fit the most rows come first."""
    return next((at for at, table in enumerate((10, 5, 2)) if card % table == 0), 3)


def _plan(ruleset: Ruleset) -> _Plan:
    return _PLANS[ruleset.edition][guided_step(ruleset) - 1]


def _cards_a_turn(ruleset: Ruleset) -> int:
    """How many cards a player takes at the beginning of a turn."""
    return 2 if ruleset.has_pot else 1


def _cards(text: str, ruleset: Ruleset) -> tuple[Card, ...]:
    return tuple(parse_cards(text.split(), ruleset))


def _pile(cards_to_take: Sequence[Card], other_cards: Iterator[Card], at_once: int) -> list[Card]:
    """The closed pile, top first, alternating between the player's cards and the bot's."""
    pile: list[Card] = []
    for first in range(0, len(cards_to_take), at_once):
        pile += cards_to_take[first : first + at_once]
        pile += [next(other_cards) for _ in range(at_once)]
    return pile


# What to do next, whatever the player has done so far. While the prepared plays can still be made,
# the advice leads to them. After that, it is any row that the hand and the table allow.


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
            hand_cards = [card for card, _ in self.play.hand if card not in freed]
            return (*hand_cards, *(swap.number for swap in self.play.swaps))
        return () if self.card is None or self.kind != "put down" else (self.card,)


def advice_for(view: View) -> Advice:
    """The best thing to do next in this guided round."""
    if not view.may_act:
        return Advice("wait")
    if view.phase in DRAW_PHASES:
        return Advice("take", card=_card_to_take(view))
    if view.phase in ("offer", "knock"):
        return Advice("answer", card=_card_to_take(view))
    return _planned_step(view) if plays_to_do(view) and goes_as_planned(view) else _free_step(view)


def goes_as_planned(view: View) -> bool:
    """Whether the player can still make all remaining prepared plays, one after the other."""
    table = view.table
    hand = mask_of((*view.hand, *cards_to_come(view)))
    for play in plays_to_do(view):
        position = Position(view.ruleset, table, hand, view.opened[view.seat] or bool(table.lines))
        try:
            result = make_play(position, play)
        except ActionRefused:
            return False
        table, hand = result.table, result.hand
    return True


def is_for_planned_play(card: Card, ruleset: Ruleset) -> bool:
    """Whether a prepared play lays this card."""
    return any(hand_card.card == card for play in planned_plays(ruleset) for hand_card in play.hand)


def plays_to_do(view: View) -> list[Play]:
    """The remaining prepared plays: those with a card that does not lie on the table yet."""
    on_table = view.table.laid_cards
    return [
        play
        for play in planned_plays(view.ruleset)
        if any(c.card not in on_table for c in play.hand)
    ]


def _planned_step(view: View) -> Advice:
    plays = plays_to_do(view)
    if _is_legal(view, plays[0]):
        return Advice("play", plays[0])
    needed_cards = {card for play in plays for card, _ in play.hand}
    spare = [card for card in view.hand if card not in needed_cards]
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
    return card if any(on_hand.card == card for play in plays for on_hand in play.hand) else None


def _is_legal(view: View, play: Play) -> bool:
    try:
        make_play(view.position, play)
    except ActionRefused:
        return False
    return True


def _least_useful(hand: Sequence[Card], ruleset: Ruleset) -> Card:
    """The highest number card that is in no row of the round's tables; else the highest one."""
    tables = ruleset.tables or ()
    numbers = [card for card in hand if not is_joker(card)] or list(hand)
    outside_tables = [card for card in numbers if not any(card % table == 0 for table in tables)]
    return max(outside_tables or numbers)
