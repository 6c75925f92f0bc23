"""A sharp player: it makes the best of all turns, and considers the cards that it keeps and gives
away. The worth of a turn is the points that it earns, plus what the kept cards may still earn (by
their outs and friends) less the time that they cost, plus what the end of the round costs."""

from collections.abc import Iterator
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
from games.engine.actions import Action, Discard
from games.engine.cards import JOKER_MASK, NUMBER_MASK, Card, cards_in, is_joker
from games.engine.play_application import Position
from games.engine.round import DRAW_PHASES
from games.engine.table import Table
from games.engine.view import View

MOST_TURNS: Final = 40
MOST_JUDGED: Final = 8
"""How many turns are judged with each discard: those with the most points and the fewest kept
cards."""

QUICK_TURNS: Final = 4.0
"""Every further card helps a hand that waits fewer turns than this for a row."""


# How much each of these counts, as a multiple of what a card earns on average, by tournaments.

OWN_ROW: Final = 4.0  # a row with two cards of the hand, if it is certain to come
CROSSING_ROW: Final = 3.0  # a row with one card of the hand and one of the table
FRIEND: Final = 2.6  # a card that is a friend of every number
CARD_COST: Final = 2.0  # the time that each kept card costs
JOKER: Final = 5.0  # a joker that is kept or given away
FIRST_ROW: Final = 2.0  # a first row
CARD_FOR_NEXT: Final = 1.0  # a discard that the next seat can lay as a single card
FRIENDLY_DISCARD: Final = 2.0  # a discard that is a friend of every number
CLOSED_CARD: Final = 1.0  # what the closed pile promises
FURTHER_CARD: Final = 2.0  # a further card if rows come quickly


class TurnChoice(NamedTuple):
    """A turn with its discard, and the worth of both together."""

    worth: float  # in points, or in log odds if `outlook` makes it
    turn: Turn
    discard: Card | None  # None if no card is left

    @property
    def first_action(self) -> Action:
        if self.turn.plays:
            return self.turn.plays[0]
        assert self.discard is not None
        return Discard(self.discard)


def choose(view: View, seed: int) -> Action:
    judge = Judge(view)
    if view.phase == "play":
        return judge.best(view.position).first_action
    return view.action_to_take(judge.wanted_card())


class Observation:
    """What a seat sees at one moment."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.sequences = view.ruleset.sequences
        self.card_worth = worth_of_a_card(view.ruleset)
        self.unseen = unseen_cards(view)
        self.unseen_count = max(1, self.unseen.bit_count())
        self.friends = friends_of(self.sequences)
        self.usual_friends = mean_friends(self.sequences)
        self.next_seat = (view.seat + 1) % len(view.hand_sizes)
        self.next_may_add = view.opened[self.next_seat] or not view.ruleset.opening
        self._known_outs: dict[tuple[int, int], int] = {}

    def outs_across(self, number: int, across: int) -> int:
        """As `worth.outs_across`, with the crossable numbers as a mask."""
        key = number, across
        if key not in self._known_outs:
            self._known_outs[key] = outs_across(self.sequences, number, cards_in(across))
        return self._known_outs[key]


class Judge(Observation):
    """The worth of turns to a seat at one moment."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self.wait = turns_to_a_row(self.sequences, view.ruleset.hand_size(len(view.hand_sizes)))
        self.cards_of_others = sum(view.hand_sizes) - view.hand_sizes[view.seat]
        self._known_worths: dict[tuple[int, int], float] = {}

    def best(self, position: Position, with_discard: bool = True) -> TurnChoice:
        """The best turn of a position. Without a discard (`with_discard` is False) it is as if the
        drawn card were useless and discarded."""
        return max(self.choices(position, with_discard), key=lambda choice: choice.worth)

    def choices(self, position: Position, with_discard: bool = True) -> Iterator[TurnChoice]:
        """The most promising turns, each with every discard."""
        ranked = sorted(turns(position, MOST_TURNS), key=self._promise, reverse=True)
        for turn in ranked[:MOST_JUDGED]:
            yield from self._with_discards(turn, with_discard)

    def wanted_card(self) -> Card | None:
        """The open card that allows the best turn, if that turn is worth more than the turn that
        can be expected without the card."""
        view = self.view
        cards = view.open_cards
        if not cards or any(map(is_joker, cards)):
            return max(cards, default=None)
        hope = CLOSED_CARD
        if view.phase not in DRAW_PHASES:
            hope = -FURTHER_CARD if self.wait < QUICK_TURNS else 0.0
        least = self.best(view.position, with_discard=False).worth + hope * self.card_worth
        worth = {card: self.best(with_card(view.position, card)).worth for card in cards}
        best = max(cards, key=worth.__getitem__)
        return best if worth[best] > least else None

    def _promise(self, turn: Turn) -> float:
        return turn.points - CARD_COST * self.card_worth * turn.after.hand.bit_count()

    def _with_discards(self, turn: Turn, with_discard: bool) -> Iterator[TurnChoice]:
        after = turn.after
        hand = after.hand
        if hand.bit_count() <= with_discard:
            discard = cards_in(hand)[0] if hand else None
            yield TurnChoice(turn.points + self.card_worth * self.cards_of_others, turn, discard)
            return
        may_cross = after.may_use_table
        across = after.table.takeable.crossable_mask if may_cross else 0
        base = turn.points + self.card_worth * FIRST_ROW * may_cross
        if not with_discard:
            yield TurnChoice(base + self._hand_worth(hand, across), turn, None)
            return
        for card in cards_in(hand):
            worth = self._hand_worth(hand & ~(1 << card), across)
            yield TurnChoice(base + worth - self.worth_to_others(card, after.table), turn, card)

    def _hand_worth(self, hand: int, across: int) -> float:
        """The worth of a hand after the turn, in points; negative for most hands."""
        key = hand, across
        if key not in self._known_worths:
            self._known_worths[key] = self.card_worth * self._hand_worth_in_cards(hand, across)
        return self._known_worths[key]

    def _hand_worth_in_cards(self, hand: int, across: int) -> float:
        numbers = cards_in(hand & NUMBER_MASK)
        outs = outs_of_pairs(self.sequences, numbers) & self.unseen
        crossing = 0
        for number in numbers:
            crossing |= self.outs_across(number, across)
        crossing &= self.unseen & ~outs
        no_own: float = (1 - outs.bit_count() / self.unseen_count) ** self.wait
        no_crossing: float = (1 - crossing.bit_count() / self.unseen_count) ** self.wait
        reach = self.unseen | across | hand
        met = sum((self.friends[number] & reach).bit_count() for number in numbers)
        further_friends = met / reach.bit_count() - self.usual_friends * len(numbers)
        return (
            OWN_ROW * (1 - no_own)
            + CROSSING_ROW * no_own * (1 - no_crossing)
            + FRIEND * further_friends
            + JOKER * (hand & JOKER_MASK).bit_count()
            - CARD_COST * hand.bit_count()
        )

    def worth_to_others(self, card: Card, table: Table) -> float:
        """The worth of a discard to the others, in points."""
        if is_joker(card):
            return self.card_worth * JOKER
        friends = (self.friends[card] & self.unseen).bit_count()
        worth = FRIENDLY_DISCARD * friends / self.unseen_count
        if self.next_may_add and single_cards(self.sequences, table) >> card & 1:
            worth += CARD_FOR_NEXT
        return self.card_worth * worth
