"""Guided first rounds: three prepared deals for each edition, one for each step of learning it.

In the first step a player takes, lays, adds and puts down. In the second, a row crosses another one
and, except in blocks, has its points doubled. In the third, a joker helps, which the simplified
editions also swap, and the cards left at the end count.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Literal

from games.coach.hints import HintPosition, hidden_row
from games.coach.times_tables import FIRST_TABLES
from games.engine.cards import NUMBER_MASK, Card, deck, is_joker, mask_of
from games.engine.errors import ActionRefused
from games.engine.play_application import Position, make_play
from games.engine.plays import legal_plays, plays_without_jokers
from games.engine.round import DRAW_PHASES
from games.engine.ruleset import Ruleset, edition
from games.engine.table import Play
from games.engine.text.notation import parse_play
from games.engine.text.record import parse_deck
from games.engine.view import View

SEATS: Final = 2
STEPS: Final = 3
MOST_TURNS: Final = 6
"""The turns of a guided round of a game in which the most points win, whatever the player lays."""
BOT_ROW: Final = (44, 46, 48)
"""The row that the bot lays in the second step; no card of the player lengthens or crosses it."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """One guided round. Until the last of `cards_to_take` is drawn, no other drawn card fits a row
    of the tables."""

    hand: str  # the player's cards
    cards_to_take: str  # the cards that they take, turn by turn
    plays: tuple[str, ...]  # the texts of the plays that they should make, in order


_LAY: Final = _Plan("15 25 43 37", "20 30", ("15 20 25", "30 to 15-20-25"))
"""The colours double no points here, because a player learns that in the next step."""
_POINTS: Final = _Plan("25 35 10 43 37", "30 20", ("25 30 35", "10 20 across 30"))
_JOKER_WITH_SEVEN: Final = _Plan(
    "20 5 15 a 43 37 33",
    "40 50 30",
    ("20 a=30 40", "50 to 20-a=30-40", "5 15 a=10 swap 30 for a"),
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


def guided_ruleset(name: str, step: int = 1, game: Ruleset | None = None) -> Ruleset:
    """The ruleset of one step of learning an edition. Rows, colours and the end of the round are as
    in the `game` that the player is about to play. The hand has another size in each step. Raises
    `RulesetError` for an unknown edition."""
    base = edition(name, tables=FIRST_TABLES, offers=False, rounds=1)
    if game is not None:
        base = replace(base, doubling=game.doubling, start=game.start)
        if game.earnings_decide:
            base = replace(base, piles=1, most_turns=MOST_TURNS)
        if game.tables is None and 0 in (game.counts_back_to or (0,)):
            base = replace(base, tables=None, counts_back_to=game.counts_back_to)
    return replace(base, hand_of_two=len(_PLANS[name][step - 1].hand.split()))


def guided_step(ruleset: Ruleset) -> int:
    """The step of a guided round, from 1, found by the size of its hands."""
    sizes = [len(plan.hand.split()) for plan in _PLANS[ruleset.edition]]
    return sizes.index(ruleset.hand_of_two) + 1


def guided_deck(ruleset: Ruleset) -> tuple[Card, ...]:
    """The whole deck in its prepared order. The player sits in seat 0 and begins."""
    plan = _plan(ruleset)
    hand = parse_deck(plan.hand, ruleset)
    cards_to_take = parse_deck(plan.cards_to_take, ruleset)
    rest = [card for card in deck(ruleset.highest) if card not in (*hand, *cards_to_take)]
    fillers = iter([card for card in rest if card % 2 and card % 5 and card <= ruleset.highest])
    bot_row = BOT_ROW if guided_step(ruleset) == 2 and not ruleset.has_pot else ()
    bot_hand = [*bot_row, *(next(fillers) for _ in hand[len(bot_row) :])]
    open_card = [] if ruleset.has_pot else [next(fillers)]
    pile: list[Card] = []  # top first: by turns the player's cards and the bot's
    cards_a_turn = _cards_a_turn(ruleset)
    for first in range(0, len(cards_to_take), cards_a_turn):
        pile += cards_to_take[first : first + cards_a_turn]
        pile += [next(fillers) for _ in range(cards_a_turn)]
    used = {*hand, *bot_hand, *open_card, *pile}
    undealt = [card for card in rest if card not in used]
    jokers = [card for card in undealt if is_joker(card)]

    def usefulness(card: Card) -> int:
        # For a player who has not followed the plan, cards that fit the most rows come first.
        return next((rank for rank, table in enumerate((10, 5, 2)) if card % table == 0), 3)

    numbers = sorted((card for card in undealt if not is_joker(card)), key=usefulness)
    undealt = [*jokers[:2], *numbers[:6], *jokers[2:], *numbers[6:]]
    return (*hand, *bot_hand, *open_card, *pile, *undealt)


def planned_plays(ruleset: Ruleset) -> Iterator[Play]:
    for text in _plan(ruleset).plays:
        yield parse_play(text, ruleset)


def _cards_left_to_take(view: View) -> tuple[Card, ...]:
    """The prepared cards that the player has not taken yet. Empty if the bot may get the next ones,
    because somebody has knocked for a block."""
    ruleset = view.ruleset
    cards_a_turn = _cards_a_turn(ruleset)
    cards_to_take = parse_deck(_plan(ruleset).cards_to_take, ruleset)
    dealt = SEATS * ruleset.hand_of_two + (not ruleset.has_pot)
    drawn = len(deck(ruleset.highest)) - dealt - view.closed_count
    drawn_by_player = (drawn + cards_a_turn) // (2 * cards_a_turn) * cards_a_turn
    if ruleset.has_pot:
        has_taken = view.phase not in DRAW_PHASES and view.turn == view.seat
        is_pile_prepared = drawn == cards_a_turn * (sum(view.turns) + has_taken)
    else:  # for each open card that the player takes, the bot takes one too
        is_pile_prepared = view.phase not in DRAW_PHASES or drawn % SEATS == 0
    return tuple(cards_to_take[drawn_by_player:]) if is_pile_prepared else ()


def _plan(ruleset: Ruleset) -> _Plan:
    return _PLANS[ruleset.edition][guided_step(ruleset) - 1]


def _cards_a_turn(ruleset: Ruleset) -> int:
    return 2 if ruleset.has_pot else 1


AdviceKind = Literal["take", "play", "put down", "answer", "wait"]


@dataclass(frozen=True, slots=True)
class Advice:
    """Leads to the prepared plays while these can still be made, and then to any row that the hand
    and the table allow."""

    kind: AdviceKind
    play: Play | None = None  # the play to make
    card: Card | None = None  # the card to put down, or the open card or block to take

    @property
    def cards(self) -> tuple[Card, ...]:
        """The hand cards that the player needs, including those to put in for a joker."""
        if self.play is not None:
            swapped = {swap.card for swap in self.play.swaps}
            hand_cards = [card for card, _ in self.play.hand if card not in swapped]
            return (*hand_cards, *(swap.number for swap in self.play.swaps))
        return () if self.card is None or self.kind != "put down" else (self.card,)


def advice_for(view: View) -> Advice:
    if not view.may_act:
        return Advice("wait")
    if view.phase in DRAW_PHASES:
        return Advice("take", card=_card_to_take(view))
    if view.phase in ("offer", "knock"):
        return Advice("answer", card=_card_to_take(view))
    plays = _remaining_plays(view)
    if not plays or not can_follow_plan(view):
        row = hidden_row(HintPosition(view.position))
        if play := _play_like(plays, view) or (row and row.play):
            return Advice("play", play)
        return Advice("put down", card=_least_useful(view.hand, view.ruleset))
    with suppress(ActionRefused):
        make_play(view.position, plays[0])
        return Advice("play", plays[0])
    needed_cards = {card for play in plays for card, _ in play.hand}
    spare = [card for card in view.hand if card not in needed_cards]
    return Advice("put down", card=max(spare or view.hand))


def can_follow_plan(view: View) -> bool:
    """Whether the player can still make all remaining prepared plays, one after the other."""
    table = view.table
    hand = mask_of((*view.hand, *_cards_left_to_take(view)))
    for play in _remaining_plays(view):
        position = Position(view.ruleset, table, hand, view.opened[view.seat] or bool(table.lines))
        try:
            result = make_play(position, play)
        except ActionRefused:
            return False
        table, hand = result.table, result.hand
    return True


def is_in_planned_play(card: Card, ruleset: Ruleset) -> bool:
    return any(hand_card.card == card for play in planned_plays(ruleset) for hand_card in play.hand)


def _remaining_plays(view: View) -> list[Play]:
    """The prepared plays with a card that does not lie on the table yet."""
    on_table = view.table.laid_cards
    return [
        play
        for play in planned_plays(view.ruleset)
        if any(c.card not in on_table for c in play.hand)
    ]


def _play_like(plays: Sequence[Play], view: View) -> Play | None:
    """Another play that crosses or swaps as one of the `plays` that can no longer be made, with as
    few jokers as possible; None if rows cross already, and in blocks, where it would take many
    turns. So a lesson is taught, whatever the player has laid instead."""
    cards = [card for line in view.table.lines for card in line.cards]
    wanted = {(bool(play.across), bool(play.swaps)) for play in plays} - {(False, False)}
    if not wanted or view.ruleset.has_pot or len(set(cards)) < len(cards):
        return None
    found = [p for p in legal_plays(view.position) if (bool(p.across), bool(p.swaps)) in wanted]
    return min(found, key=lambda p: (sum(is_joker(c) for c, _ in p.hand), str(p)), default=None)


def _card_to_take(view: View) -> Card | None:
    """The open card or block on offer, if the player can no longer follow the plan and can lay a
    row with it, without a joker, at once; otherwise None."""
    card = view.open_top
    if card is None or is_joker(card) or can_follow_plan(view):
        return None
    hand = mask_of((*view.hand, card)) & NUMBER_MASK
    plays = plays_without_jokers(view.position._replace(hand=hand))
    return card if any(laid.card == card for play in plays for laid in play.hand) else None


def _least_useful(hand: Sequence[Card], ruleset: Ruleset) -> Card:
    """The highest number card that is in none of the round's tables, or the highest of all."""
    tables = ruleset.tables or ()
    numbers = [card for card in hand if not is_joker(card)] or list(hand)
    outside_tables = [card for card in numbers if not any(card % table == 0 for table in tables)]
    return max(outside_tables or numbers)
