"""How likely a seat is to win the round, by what it sees at the end of its turn (docs/bots.md).

A *note* is a figure with a name for something that the seat sees. Each note has a weight, and the
weighted sum is the log odds of winning.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Final, Literal, NamedTuple, get_args

from games.bots.sharp import MOST_JUDGED, MOST_TURNS, QUICK_TURNS, Observation, TurnChoice
from games.bots.turns import JOKERS_TO_OPEN, PLAYS_CONTINUED, Turn, turns
from games.bots.worth import outs_of_pairs, single_cards, turns_to_a_row, worth_of_a_card
from games.engine.cards import JOKER_MASK, NUMBER_MASK, Card, cards_in, is_joker
from games.engine.play_application import Position
from games.engine.ruleset import Ruleset
from games.engine.table import Table
from games.engine.view import View

Note = tuple[str, float]
Weights = Mapping[str, float]
RowPace = Literal["slow", "quick"]

LOG_ODDS_OF_WIN: Final = 30.0
"""The log odds of a round that is won."""
_COST_OF_KEPT_CARD: Final = 1.5
"""The cost of a kept card, in cards, when the turns to judge are chosen by their points."""
_UNIT: Final = 10
"""Leads and the cards of others are noted in tens, so that all notes have a similar size."""


_NAMES: Final = {
    name: tuple(f"{name} {min(cards, highest)}" for cards in range(105))
    for highest, names in {
        8: ("kept", "rival"),
        5: ("alone", "crossing", "own", "joker", "row"),
        4: ("rival lays", "rival alone", "rival crosses", "lead", "given alone", "given crossing"),
    }.items()
    for name in names
}
"""The names of these notes by the number of cards; `highest` cards or more share one name."""


class Care(NamedTuple):
    turns: int = MOST_TURNS  # how many turns of a position are listed
    judged: int = MOST_JUDGED  # how many of these are judged with each discard
    jokers: int = JOKERS_TO_OPEN  # how many jokers a first row may have
    width: int = PLAYS_CONTINUED  # how many plays of a position are continued by further plays


CARE: Final = Care()


class _OpenTable(NamedTuple):
    single: int  # the mask of the numbers that can be laid as a single card
    crossable_mask: int  # of the numbers that can be crossed
    share: float  # the share of the unseen cards that can be laid as a single card


def _read_weights(pace: RowPace) -> Weights:
    text = files(__package__).joinpath(f"outlook_{pace}.csv").read_text(encoding="utf-8")
    return {row["note"]: float(row["weight"]) for row in csv.DictReader(text.splitlines())}


PACES: Final[tuple[RowPace, ...]] = get_args(RowPace)
WEIGHTS: Final = {pace: _read_weights(pace) for pace in PACES}


def pace_of(ruleset: Ruleset, seats: int) -> RowPace:
    """The pace of a game by these rules: `quick` if a hand soon has a row."""
    wait = turns_to_a_row(ruleset.sequences, ruleset.hand_size(seats))
    return "quick" if wait < QUICK_TURNS else "slow"


def lead_of(view: View) -> float:
    """The seat's lead in points over the best other seat, whose cards count as lost. The scores
    count only in the first round of a match."""
    is_first = view.round == 1
    worth = worth_of_a_card(view.ruleset)
    gains = [is_first * view.ruleset.gain(score) for score in view.scores]
    other_seats = [seat for seat in range(len(view.hand_sizes)) if seat != view.seat]
    return gains[view.seat] - max(
        gains[seat] - worth * view.hand_sizes[seat] for seat in other_seats
    )


class Outlook(Observation):
    """How good the turns of a seat are, as seen at one moment."""

    def __init__(self, view: View, weights: Weights | None = None) -> None:
        super().__init__(view)
        ruleset, seats = view.ruleset, len(view.hand_sizes)
        self._weights = WEIGHTS[pace_of(ruleset, seats)] if weights is None else weights
        self._lead = lead_of(view)
        other_seats = [seat for seat in range(seats) if seat != view.seat]
        self._rival_cards = min(view.hand_sizes[seat] for seat in other_seats)
        self._rival_may_add = any(
            view.opened[seat] or not ruleset.opening
            for seat in other_seats
            if view.hand_sizes[seat] == self._rival_cards
        )
        self._other_cards = sum(view.hand_sizes[seat] for seat in other_seats) - self._rival_cards
        self._next_cards = view.hand_sizes[self.next_seat]

    def best(self, position: Position, with_discard: bool = True, care: Care = CARE) -> TurnChoice:
        """The turn with the best outlook, without a discard if `with_discard` is False."""
        return max(self.choices(position, with_discard, care), key=lambda choice: choice.worth)

    def choices(
        self, position: Position, with_discard: bool = True, care: Care = CARE
    ) -> Iterator[TurnChoice]:
        """The most promising turns, and the one without a play, each with every discard. Their
        worth is the log odds of winning the round."""
        nothing, *other_turns = turns(position, care.turns, care.jokers, care.width)
        yield from self._with_discards(nothing, with_discard)
        for turn in sorted(other_turns, key=self._promise, reverse=True)[: care.judged]:
            yield from self._with_discards(turn, with_discard)

    def notes(self, turn: Turn, discard: Card | None) -> list[Note]:
        """All notes of a turn after which the seat still has cards."""
        hand = turn.after.hand & ~(0 if discard is None else 1 << discard)
        open_table = self._open_table(turn.after.table)
        return [
            *self._table_notes(open_table, turn.points, hand.bit_count()),
            *self._hand_notes(hand, open_table, turn.after.may_use_table),
            *([] if discard is None else self._discard_notes(discard, open_table)),
        ]

    def _promise(self, turn: Turn) -> float:
        return turn.points - _COST_OF_KEPT_CARD * self.card_worth * turn.after.hand.bit_count()

    def _with_discards(self, turn: Turn, with_discard: bool) -> Iterator[TurnChoice]:
        after = turn.after
        hand = after.hand
        if hand.bit_count() <= with_discard:
            discard = cards_in(hand)[0] if hand else None
            yield TurnChoice(self._log_odds_at_end(turn), turn, discard)
            return
        open_table = self._open_table(after.table)
        may_cross = after.may_use_table
        size = hand.bit_count() - with_discard
        base = self._sum(self._table_notes(open_table, turn.points, size))
        if not with_discard:
            worth = base + self._sum(self._hand_notes(hand, open_table, may_cross))
            yield TurnChoice(worth, turn, None)
            return
        for card in cards_in(hand):
            notes_of_hand = self._hand_notes(hand & ~(1 << card), open_table, may_cross)
            notes_of_discard = self._discard_notes(card, open_table)
            worth = base + self._sum(notes_of_hand) + self._sum(notes_of_discard)
            yield TurnChoice(worth, turn, card)

    def _sum(self, notes: Iterable[Note]) -> float:
        weights = self._weights
        return sum([weights.get(name, 0.0) * value for name, value in notes])

    def _log_odds_at_end(self, turn: Turn) -> float:
        """The log odds if the turn ends the round, when only the worth of the others' cards is
        unknown."""
        lead = self._lead + turn.points
        sign = (lead > 0) - (lead < 0)
        return sign * LOG_ODDS_OF_WIN + lead / self.card_worth / _UNIT

    def _open_table(self, table: Table) -> _OpenTable:
        layable = single_cards(self.sequences, table)
        share = (layable & self.unseen).bit_count() / self.unseen_count
        return _OpenTable(layable, table.takeable.crossable_mask, share)

    def _table_notes(self, open_table: _OpenTable, points: int, size: int) -> list[Note]:
        rival = self._rival_cards
        lead = ((self._lead + points) / self.card_worth - size) / _UNIT
        notes = [
            ("any", 1.0),
            ("lead", lead),
            (_NAMES["lead"][min(size, rival)], lead),
            (_NAMES["kept"][size], 1.0),
            (_NAMES["rival"][rival], 1.0),
            ("more hands", self._other_cards / _UNIT),
        ]
        if self._rival_may_add:
            notes += [
                (_NAMES["rival lays"][rival], 1.0),
                (_NAMES["rival alone"][rival], open_table.share),
                (_NAMES["rival crosses"][rival], open_table.crossable_mask.bit_count() / _UNIT),
            ]
        return notes

    def _hand_notes(self, hand: int, open_table: _OpenTable, may_cross: bool) -> list[Note]:
        size = hand.bit_count()
        numbers = cards_in(hand & NUMBER_MASK)
        outs_of_hand = outs_of_pairs(self.sequences, numbers)
        reach = self.unseen | hand
        notes = [(_NAMES["row"][size], float((outs_of_hand & hand).bit_count()))]
        if may_cross:
            reach |= open_table.crossable_mask
            crossing = 0
            for number in numbers:
                crossing |= self.outs_across(number, open_table.crossable_mask)
            crossing &= ~open_table.single
            crossing_outs = crossing & self.unseen & ~outs_of_hand
            notes += [
                ("opened", 1.0),
                (_NAMES["alone"][size], open_table.share),
                ("alone in hand", float((open_table.single & hand).bit_count())),
                ("crossing in hand", float((crossing & hand).bit_count())),
                (_NAMES["crossing"][size], crossing_outs.bit_count() / self.unseen_count),
            ]
            outs_of_hand &= ~open_table.single
        notes.append(
            (_NAMES["own"][size], (outs_of_hand & self.unseen).bit_count() / self.unseen_count)
        )
        if jokers := (hand & JOKER_MASK).bit_count():
            notes.append((_NAMES["joker"][size], float(jokers)))
        met = sum([(self.friends[number] & reach).bit_count() for number in numbers])
        notes.append(("friends", met / reach.bit_count() - self.usual_friends * len(numbers)))
        return notes

    def _discard_notes(self, card: Card, open_table: _OpenTable) -> list[Note]:
        if is_joker(card):
            return [("given joker", 1.0)]
        friends = (self.friends[card] & self.unseen).bit_count()
        notes = [("given friends", friends / self.unseen_count)]
        if self.next_may_add:
            if open_table.single >> card & 1:
                notes.append((_NAMES["given alone"][self._next_cards], 1.0))
            crossing = (self.outs_across(card, open_table.crossable_mask) & self.unseen).bit_count()
            notes.append((_NAMES["given crossing"][self._next_cards], crossing / self.unseen_count))
        return notes
