"""A sharp player: it makes the best of all turns, and considers the cards that it keeps and gives
away.

A turn is worth the points that it earns, plus what the kept cards may still earn (by their outs and
friends), plus what it costs the others if it ends the round. Each kept card costs time. The player
discards the card that its hand misses least and the next seat can use least. It takes an open card
if that makes a better turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from games.bots.turns import Turn, turns, with_card
from games.bots.worth import (
    friends_of,
    mean_friends,
    outs_across,
    outs_of_pairs,
    single_cards,
    turns_to_a_row,
    unseen_cards,
    worth_of_a_card,
)
from games.engine.actions import Action, Claim, Discard, Knock, Pass
from games.engine.cards import JOKER_MASK, NUMBER_MASK, Card, cards_in, is_joker
from games.engine.play_application import Position
from games.engine.round import DRAW_PHASES, View
from games.engine.table import Table

MOST_TURNS: Final = 40
MOST_JUDGED: Final = 8
"""How many turns are judged with each discard: those with the most points and the fewest cards
kept."""

QUICK_TURNS: Final = 4.0
"""If a hand waits fewer turns than this for a row, every extra card helps it."""


class SharpWeights(NamedTuple):
    """How much each thing counts, as a multiple of what a card earns on average. Found in
    tournaments."""

    own: float = 4.0  # a row with two cards of the hand, if it is sure to come
    across: float = 3.0  # a row with one card of the hand and one of the table
    friends: float = 2.6  # a card that is a friend of every number
    kept: float = 2.0  # the time that each kept card costs
    joker: float = 5.0  # a joker that is kept or given away
    opened: float = 2.0  # having laid a first row
    laid_next: float = 1.0  # a discard that the next seat can lay as it is
    given: float = 2.0  # a discard that is a friend of every number
    closed: float = 1.0  # what the closed pile promises
    more: float = 2.0  # an extra card if rows come quickly


WEIGHTS: Final = SharpWeights()


class TurnChoice(NamedTuple):
    """A turn with its discard (None if no card is left), and what both are worth together: here in
    points, in `outlook` in log odds."""

    worth: float
    turn: Turn
    discard: Card | None

    @property
    def first(self) -> Action:
        """The first action of the turn."""
        if self.turn.plays:
            return self.turn.plays[0]
        assert self.discard is not None
        return Discard(self.discard)


def choose(view: View, seed: int) -> Action:
    """The bot's action. The seed does not matter. It must be the bot's turn to act."""
    judge = Judge(view)
    if view.phase == "play":
        return judge.best(view.position).first
    card = judge.wanted()
    if view.phase == "offer":
        return Claim() if card else Pass()
    if view.phase == "knock":
        return Knock(view.seat) if card else Pass(view.seat)
    return view.action_to_take(card)


@dataclass
class Judge:
    """How much turns are worth to a seat at one moment."""

    view: View
    weights: SharpWeights = WEIGHTS
    _waiting: dict[tuple[int, int], float] = field(default_factory=dict)
    _across: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        view = self.view
        seats = len(view.counts)
        self.sequences = view.ruleset.sequences
        self.card = worth_of_a_card(view.ruleset)
        self.unseen = unseen_cards(view)
        self.many = max(1, self.unseen.bit_count())
        self.friends = friends_of(self.sequences)
        self.usual = mean_friends(self.sequences)
        self.wait = turns_to_a_row(self.sequences, view.ruleset.hand_size(seats))
        self.left = sum(view.counts) - view.counts[view.seat]
        self.next_lays = view.opened[(view.seat + 1) % seats] or not view.ruleset.opening

    def best(self, position: Position, with_discard: bool = True) -> TurnChoice:
        """The best turn of a position. If `with_discard` is False, no discard follows, as if the
        drawn card were useless and discarded."""
        return max(self.choices(position, with_discard), key=lambda choice: choice.worth)

    def choices(self, position: Position, with_discard: bool = True) -> Iterator[TurnChoice]:
        """The most promising turns, each with every discard."""
        ranked = sorted(turns(position, MOST_TURNS), key=self._promise, reverse=True)
        for turn in ranked[:MOST_JUDGED]:
            yield from self._with_discards(turn, with_discard)

    def wanted(self) -> Card | None:
        """The open card that makes the best turn, if this turn is better than what can be hoped for
        without the card."""
        view, at = self.view, self.view.position
        cards = view.open_cards
        if not cards or any(map(is_joker, cards)):
            return max(cards, default=None)
        hoped = self.weights.closed
        if view.phase not in DRAW_PHASES:
            hoped = -self.weights.more if self.wait < QUICK_TURNS else 0.0
        without = self.best(at, with_discard=False).worth + hoped * self.card
        worth = {card: self.best(with_card(at, card)).worth for card in cards}
        best = max(cards, key=worth.__getitem__)
        return best if worth[best] > without else None

    def _promise(self, turn: Turn) -> float:
        return turn.points - self.weights.kept * self.card * turn.after.hand.bit_count()

    def _with_discards(self, turn: Turn, with_discard: bool) -> Iterator[TurnChoice]:
        hand, after = turn.after.hand, turn.after
        if hand.bit_count() <= with_discard:
            discard = cards_in(hand)[0] if hand else None
            yield TurnChoice(turn.points + self.card * self.left, turn, discard)
            return
        may_cross = after.may_use_table
        across = after.table.takeable.crossable if may_cross else 0
        base = turn.points + self.card * self.weights.opened * may_cross
        if not with_discard:
            yield TurnChoice(base + self._kept(hand, across), turn, None)
            return
        for card in cards_in(hand):
            value = self._kept(hand & ~(1 << card), across)
            yield TurnChoice(base + value - self.given_away(card, after.table), turn, card)

    def _kept(self, hand: int, across: int) -> float:
        """What a hand is worth after the turn, in points; negative for most hands."""
        key = hand, across
        if key not in self._waiting:
            self._waiting[key] = self.card * self._waits(hand, across)
        return self._waiting[key]

    def _waits(self, hand: int, across: int) -> float:
        weights, numbers = self.weights, cards_in(hand & NUMBER_MASK)
        outs = outs_of_pairs(self.sequences, numbers) & self.unseen
        crossing = 0
        for number in numbers:
            crossing |= self._outs_across(number, across)
        crossing &= self.unseen & ~outs
        no_own: float = (1 - outs.bit_count() / self.many) ** self.wait
        no_crossing: float = (1 - crossing.bit_count() / self.many) ** self.wait
        reach = self.unseen | across | hand
        met = sum((self.friends[number] & reach).bit_count() for number in numbers)
        friendly = met / reach.bit_count() - self.usual * len(numbers)
        return (
            weights.own * (1 - no_own)
            + weights.across * no_own * (1 - no_crossing)
            + weights.friends * friendly
            + weights.joker * (hand & JOKER_MASK).bit_count()
            - weights.kept * hand.bit_count()
        )

    def _outs_across(self, number: int, across: int) -> int:
        key = number, across
        if key not in self._across:
            self._across[key] = outs_across(self.sequences, number, cards_in(across))
        return self._across[key]

    def given_away(self, card: Card, table: Table) -> float:
        """How much a discard is worth to the others, in points."""
        if is_joker(card):
            return self.card * self.weights.joker
        value = self.weights.given * (self.friends[card] & self.unseen).bit_count() / self.many
        if self.next_lays and single_cards(self.sequences, table) >> card & 1:
            value += self.weights.laid_next
        return self.card * value
