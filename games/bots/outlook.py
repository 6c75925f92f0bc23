"""How likely a seat is to win the round, judged by what it sees at the end of its turn.

A *note* is a figure with a name for something that the seat sees: how many cards it keeps and which
cards they wait for, how soon others may go out, what the discard gives away, who leads. Each note
has a weight, and the weighted sum is the log odds of winning. The weights are learned from rounds
that bots played against each other (`python -m scripts.lab.learn_outlook`): one set for rules under
which rows come quickly, one for all others.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Final, Literal, NamedTuple, get_args

from games.bots.sharp import MOST_JUDGED, MOST_TURNS, QUICK_TURNS, TurnChoice
from games.bots.turns import JOKERS_TO_OPEN, PLAYS_CONTINUED, Turn, turns
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
from games.engine.cards import JOKER_MASK, NUMBER_MASK, Card, cards_in, is_joker
from games.engine.play_application import Position
from games.engine.round import View
from games.engine.ruleset import Ruleset
from games.engine.table import Table

Note = tuple[str, float]
Weights = Mapping[str, float]
Pace = Literal["slow", "quick"]

LOG_ODDS_OF_WIN: Final = 30.0
"""The log odds of a round that is won."""
_COST_OF_KEPT_CARD: Final = 1.5
"""Which turns are judged depends on their points, less the worth of this many cards for each card
kept."""
_UNIT: Final = 10
"""Leads and the cards of others are noted in tens, so that all notes have a similar size."""


def _by_count(name: str, highest: int) -> tuple[str, ...]:
    """The names of a note, one for each number of cards; `highest` cards or more share one name."""
    return tuple(f"{name} {min(cards, highest)}" for cards in range(105))


_KEPT, _RIVAL = _by_count("kept", 8), _by_count("rival", 8)
_ALONE, _CROSSING, _OWN = _by_count("alone", 5), _by_count("crossing", 5), _by_count("own", 5)
_JOKER, _ROW = _by_count("joker", 5), _by_count("row", 5)
_LAYS, _LAYS_ALONE = _by_count("rival lays", 4), _by_count("rival alone", 4)
_CROSSES, _LEAD_NEAR_END = _by_count("rival crosses", 4), _by_count("lead", 4)
_GIVEN_ALONE, _GIVEN_CROSSING = _by_count("given alone", 4), _by_count("given crossing", 4)


class Care(NamedTuple):
    """How thorough the search is: how many turns of a position are listed, how many of these are
    judged with each discard, how many jokers a first row may have, and after how many plays of a
    position further plays are tried."""

    turns: int = MOST_TURNS
    judged: int = MOST_JUDGED
    jokers: int = JOKERS_TO_OPEN
    wide: int = PLAYS_CONTINUED


CARE: Final = Care()


class _Open(NamedTuple):
    """What a seat can use of the table: the mask of the numbers that can be laid as a single card,
    the mask of the numbers that can be crossed, and the share of the unseen cards that can be laid
    as a single card."""

    single: int
    crossable: int
    share: float


def _read_weights(pace: Pace) -> Weights:
    text = files(__package__).joinpath(f"outlook_{pace}.csv").read_text(encoding="utf-8")
    return {row["note"]: float(row["weight"]) for row in csv.DictReader(text.splitlines())}


PACES: Final[tuple[Pace, ...]] = get_args(Pace)
WEIGHTS: Final = {pace: _read_weights(pace) for pace in PACES}


def pace_of(ruleset: Ruleset, seats: int) -> Pace:
    """Which weights to use under these rules: `quick` if a hand soon has a row."""
    wait = turns_to_a_row(ruleset.sequences, ruleset.hand_size(seats))
    return "quick" if wait < QUICK_TURNS else "slow"


def lead_of(view: View) -> float:
    """The seat's lead in points over the best other seat, after the loss for cards in its hand.
    After the first round of a match, the scores do not count."""
    gain = view.ruleset.gain
    counts = view.round == 1
    card = worth_of_a_card(view.ruleset)
    other_seats = [seat for seat in range(len(view.counts)) if seat != view.seat]
    best = max(counts * gain(view.scores[seat]) - card * view.counts[seat] for seat in other_seats)
    return counts * gain(view.scores[view.seat]) - best


class Outlook:
    """How good the turns of a seat are, as seen at one moment."""

    def __init__(self, view: View, weights: Weights | None = None) -> None:
        ruleset, seats = view.ruleset, len(view.counts)
        self._weights = WEIGHTS[pace_of(ruleset, seats)] if weights is None else weights
        self._sequences = ruleset.sequences
        self._card = worth_of_a_card(ruleset)
        self._friends = friends_of(self._sequences)
        self._usual = mean_friends(self._sequences)
        self.unseen = unseen_cards(view)
        self._many = max(1, self.unseen.bit_count())
        self._lead = lead_of(view)
        other_seats = [seat for seat in range(seats) if seat != view.seat]
        lays = [has_opened or not ruleset.opening for has_opened in view.opened]
        self._rival = min(view.counts[seat] for seat in other_seats)
        self._rival_lays = any(
            lays[seat] for seat in other_seats if view.counts[seat] == self._rival
        )
        self._more = sum(view.counts[seat] for seat in other_seats) - self._rival
        following = (view.seat + 1) % seats
        self._next, self._next_lays = view.counts[following], lays[following]
        self._across: dict[tuple[int, int], int] = {}

    def best(self, position: Position, with_discard: bool = True, care: Care = CARE) -> TurnChoice:
        """The turn with the best outlook. If `with_discard` is False, no discard follows."""
        return max(self.choices(position, with_discard, care), key=lambda choice: choice.worth)

    def choices(
        self, position: Position, with_discard: bool = True, care: Care = CARE
    ) -> Iterator[TurnChoice]:
        """The most promising turns, and laying nothing, each with every discard. Their worth is the
        log odds of winning the round."""
        nothing, *other_turns = turns(position, care.turns, care.jokers, care.wide)
        yield from self._with_discards(nothing, with_discard)
        for turn in sorted(other_turns, key=self._promise, reverse=True)[: care.judged]:
            yield from self._with_discards(turn, with_discard)

    def notes(self, turn: Turn, discard: Card | None) -> list[Note]:
        """All notes of a turn after which the seat still has cards."""
        hand = turn.after.hand & ~(0 if discard is None else 1 << discard)
        open_table = self._open(turn.after.table)
        return [
            *self._of_table(open_table, turn.points, hand.bit_count()),
            *self._of_hand(hand, open_table, turn.after.may_use_table),
            *([] if discard is None else self._of_discard(discard, open_table)),
        ]

    def _promise(self, turn: Turn) -> float:
        return turn.points - _COST_OF_KEPT_CARD * self._card * turn.after.hand.bit_count()

    def _with_discards(self, turn: Turn, with_discard: bool) -> Iterator[TurnChoice]:
        after = turn.after
        hand = after.hand
        if hand.bit_count() <= with_discard:
            discard = cards_in(hand)[0] if hand else None
            yield TurnChoice(self._log_odds_at_end(turn), turn, discard)
            return
        open_table, may_cross = self._open(after.table), after.may_use_table
        base = self._sum(self._of_table(open_table, turn.points, hand.bit_count() - with_discard))
        if not with_discard:
            yield TurnChoice(
                base + self._sum(self._of_hand(hand, open_table, may_cross)), turn, None
            )
            return
        for card in cards_in(hand):
            notes_of_hand = self._of_hand(hand & ~(1 << card), open_table, may_cross)
            worth = base + self._sum(notes_of_hand) + self._sum(self._of_discard(card, open_table))
            yield TurnChoice(worth, turn, card)

    def _sum(self, notes: Iterable[Note]) -> float:
        weights = self._weights
        return sum([weights.get(name, 0.0) * value for name, value in notes])

    def _log_odds_at_end(self, turn: Turn) -> float:
        """The log odds if the turn ends the round. Only the worth of the others' cards is then
        unknown."""
        lead = self._lead + turn.points
        return (
            (lead > 0) * LOG_ODDS_OF_WIN - (lead < 0) * LOG_ODDS_OF_WIN + lead / self._card / _UNIT
        )

    def _open(self, table: Table) -> _Open:
        layable = single_cards(self._sequences, table)
        share = (layable & self.unseen).bit_count() / self._many
        return _Open(layable, table.takeable.crossable, share)

    def _of_table(self, open_table: _Open, points: int, size: int) -> list[Note]:
        """The notes that do not depend on which card is put down."""
        rival = self._rival
        lead = ((self._lead + points) / self._card - size) / _UNIT
        notes = [
            ("any", 1.0),
            ("lead", lead),
            (_LEAD_NEAR_END[min(size, rival)], lead),
            (_KEPT[size], 1.0),
            (_RIVAL[rival], 1.0),
            ("more hands", self._more / _UNIT),
        ]
        if self._rival_lays:
            notes += [
                (_LAYS[rival], 1.0),
                (_LAYS_ALONE[rival], open_table.share),
                (_CROSSES[rival], open_table.crossable.bit_count() / _UNIT),
            ]
        return notes

    def _of_hand(self, hand: int, open_table: _Open, may_cross: bool) -> list[Note]:
        """The notes on the cards kept and on the cards that they wait for."""
        size, numbers = hand.bit_count(), cards_in(hand & NUMBER_MASK)
        outs_of_hand = outs_of_pairs(self._sequences, numbers)
        reach = self.unseen | hand
        notes = [(_ROW[size], float((outs_of_hand & hand).bit_count()))]
        if may_cross:
            reach |= open_table.crossable
            crossing = 0
            for number in numbers:
                crossing |= self._outs_across(number, open_table.crossable)
            crossing &= ~open_table.single
            notes += [
                ("opened", 1.0),
                (_ALONE[size], open_table.share),
                ("alone in hand", float((open_table.single & hand).bit_count())),
                ("crossing in hand", float((crossing & hand).bit_count())),
                (
                    _CROSSING[size],
                    (crossing & self.unseen & ~outs_of_hand).bit_count() / self._many,
                ),
            ]
            outs_of_hand &= ~open_table.single
        notes.append((_OWN[size], (outs_of_hand & self.unseen).bit_count() / self._many))
        if jokers := (hand & JOKER_MASK).bit_count():
            notes.append((_JOKER[size], float(jokers)))
        met = sum([(self._friends[number] & reach).bit_count() for number in numbers])
        notes.append(("friends", met / reach.bit_count() - self._usual * len(numbers)))
        return notes

    def _of_discard(self, card: Card, open_table: _Open) -> list[Note]:
        """The notes on what the discard is worth to the next seat."""
        if is_joker(card):
            return [("given joker", 1.0)]
        notes = [("given friends", (self._friends[card] & self.unseen).bit_count() / self._many)]
        if self._next_lays:
            if open_table.single >> card & 1:
                notes.append((_GIVEN_ALONE[self._next], 1.0))
            crossing = self._outs_across(card, open_table.crossable) & self.unseen
            notes.append((_GIVEN_CROSSING[self._next], crossing.bit_count() / self._many))
        return notes

    def _outs_across(self, number: int, across: int) -> int:
        key = number, across
        if key not in self._across:
            self._across[key] = outs_across(self._sequences, number, cards_in(across))
        return self._across[key]
