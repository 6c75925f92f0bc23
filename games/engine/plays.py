"""Every legal play of a position, and which of them a tap can mean (rules 3.3–3.5)."""

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from games.engine.cards import (
    HIGHEST_NUMBER,
    JOKER_MASK,
    JOKERS,
    NUMBER_MASK,
    VALUES,
    Card,
    LaidCard,
    cards_in,
    mask_of,
)
from games.engine.play_application import Position, hand_after, points
from games.engine.play_generation import Finder
from games.engine.ruleset import Ruleset
from games.engine.sequences import Sequences
from games.engine.table import Line, Play, Table

Place = Line | LaidCard
"""What can be tapped on the table: a row, or a card of it."""


def cards_of(place: Place) -> tuple[LaidCard, ...]:
    """The cards of a place: all cards of a line, or the card itself."""
    return place.cards if isinstance(place, Line) else (place,)


_EMPTY_TABLE = Table().takeable
_JOKER_COUNTS = range(len(JOKERS) + 1)


def legal_plays(position: Position) -> list[Play]:
    """All legal plays, each once, in no particular order."""
    return _without_last_card(position, _plays(position, _JOKER_COUNTS))


def plays_without_jokers(position: Position) -> list[Play]:
    """The legal plays that lay no joker of the hand; they may lay a joker that is swapped in."""
    return plays_with_jokers(position, 0)


def plays_with_jokers(position: Position, count: int) -> list[Play]:
    """The legal plays that lay exactly `count` jokers of the hand. With each joker there are many
    more plays."""
    return _without_last_card(position, _plays(position, (count,)))


def resolve(position: Position, cards: Collection[Card], places: Collection[Place]) -> list[Play]:
    """The legal plays that a player can mean by tapping these hand cards and places.

    Such a play lays exactly the tapped cards or puts them in for jokers, and it uses every tapped
    place: it takes a tapped row whole, and it crosses or swaps a tapped card, or takes a line with
    that card. If some of these plays take nothing else from the table, only these are returned. So
    if no place is tapped, a row from the hand alone is preferred.
    """
    chosen = mask_of(cards)
    if chosen & ~position.hand:
        return []
    if chosen == position.hand and not position.ruleset.may_empty_hand:
        return []
    jokers = (chosen & JOKER_MASK).bit_count()
    candidates = [
        play
        for play in _plays(position._replace(hand=chosen), (jokers,))
        if not hand_after(chosen, play) and _takes(play, places)
    ]
    exact = [play for play in candidates if _takes_only(play, places)]
    return exact or candidates


def _takes(play: Play, places: Collection[Place]) -> bool:
    touched = {laid.card for laid in (*play.across, *play.swaps)}
    touched |= {laid.card for line in play.lines for laid in line.cards}
    return all(
        place in play.lines if isinstance(place, Line) else place.card in touched
        for place in places
    )


def _takes_only(play: Play, places: Collection[Place]) -> bool:
    tapped = {place.card for place in places if isinstance(place, LaidCard)}
    return (
        all(
            line in places or any(laid.card in tapped for laid in line.cards) for line in play.lines
        )
        and all(laid.card in tapped for laid in play.across)
        and all(laid.card in tapped for laid in play.swaps)
    )


def _plays(position: Position, counts: Collection[int]) -> list[Play]:
    """The plays that lay any of these counts of jokers of the hand, including plays that lay the
    last card."""
    ruleset, table, hand, _ = position
    sequences = ruleset.sequences
    takeable = table.takeable if position.may_use_table else _EMPTY_TABLE
    numbers = hand & NUMBER_MASK
    finder = Finder(sequences, takeable, numbers)
    plays = finder.without_jokers() if 0 in counts else []
    own: list[tuple[Card, ...]] = [()] if 0 in counts else []
    if hand != numbers:
        jokers = cards_in(hand & JOKER_MASK)
        chosen = [laid for count in counts if count for laid in combinations(jokers, count)]
        for laid in chosen:
            plays += finder.with_jokers(laid, ())
        own += chosen
    if takeable.jokers:
        for put_in, swaps in _swaps(takeable.jokers, numbers):
            finder = Finder(sequences, takeable, numbers & ~put_in)
            for laid in own:
                plays += finder.with_jokers((*[joker for joker, _ in swaps], *laid), swaps)
    return plays


def _swaps(jokers: Iterable[LaidCard], numbers: int) -> Iterator[tuple[int, tuple[LaidCard, ...]]]:
    """Yields each set of swaps that these number cards of the hand allow (3.5), after the mask of
    the cards that it puts in."""
    possible = [laid for laid in jokers if numbers >> laid.number & 1]
    for count in range(1, len(possible) + 1):
        for swaps in combinations(possible, count):
            put_in = mask_of([laid.number for laid in swaps])
            if put_in.bit_count() == count:
                yield put_in, tuple(sorted(swaps, key=lambda laid: laid.number))


def _without_last_card(position: Position, plays: list[Play]) -> list[Play]:
    """Drops the plays that lay the last card, if a card must be kept (5.3). A swap puts in a hand
    card and lays the joker instead, so a play costs the hand as many cards as it lays."""
    if position.ruleset.may_empty_hand:
        return plays
    cards = position.hand.bit_count()
    return [play for play in plays if len(play.hand) < cards]


# The ends of rows where the player can lay a card of their hand


class OpenEnds(NamedTuple):
    """The numbers that the hand can lay next to a row, before its lowest card and after its
    highest."""

    before: tuple[int, ...]
    after: tuple[int, ...]


def open_ends(position: Position) -> dict[Line, OpenEnds]:
    """The rows of the table that one hand card can lengthen, each with the numbers that fit. Empty
    while the player may not add to rows at all."""
    ruleset, table, hand, _ = position
    if not position.may_use_table or (hand.bit_count() == 1 and not ruleset.may_empty_hand):
        return {}
    has_joker = bool(hand >> HIGHEST_NUMBER + 1)
    ends: dict[Line, OpenEnds] = {}
    for line in table.lines:
        free = numbers_beside(ruleset.sequences, line.mask)
        fitting = free if has_joker else free & hand
        if fitting:
            lowest = line.cards[0].number
            numbers = cards_in(fitting)
            before = tuple([number for number in numbers if number < lowest])
            ends[line] = OpenEnds(before, tuple(numbers[len(before) :]))
    return ends


def numbers_beside(sequences: Sequences, row: int) -> int:
    """The mask of the numbers that lengthen a row by one."""
    numbers = 0
    for place in sequences.places(row):
        if not place.between:
            numbers |= place.beside
    return numbers


# The most points that the plays of one turn can earn together


def best_points(position: Position) -> int:
    """The most points that the plays of one turn earn together. What draws, discards and the end of
    the round may bring is not counted; otherwise the result is exact."""
    return _Search(position).best(position) if position.ruleset.rows_earn else 0


class _Search:
    """A depth-first search that tries the plays with most points first. It keeps the most points of
    each position, because the same plays in another order lead to the same position. It cuts
    branches that cannot earn more."""

    def __init__(self, position: Position) -> None:
        self._known: dict[tuple[int, bool, frozenset[Line]], int] = {}
        self._ruleset = position.ruleset
        self._layable = _layable(position)

    def best(self, position: Position) -> int:
        key = (position.hand, position.opened, frozenset(position.table.lines))
        best = self._known.get(key)
        if best is None:
            best = self._known[key] = self._search(position)
        return best

    def _search(self, position: Position) -> int:
        ruleset, table = self._ruleset, position.table
        plays = [
            (points(ruleset, play.hand, table.formed_by(play)), play)
            for play in legal_plays(position)
        ]
        plays.sort(key=lambda entry: (-entry[0], str(entry[1])))
        best = 0
        for earned, play in plays:
            left = hand_after(position.hand, play)
            if earned + self._at_most(left) <= best:
                continue
            opened = position.opened or not play.touches_table
            following = Position(ruleset, table.with_play(play)[0], left, opened)
            best = max(best, earned + self.best(following))
        return best

    def _at_most(self, hand: int) -> int:
        """An upper bound of the points: those of all cards that can be laid at all, doubled if the
        rules double any. A swap lays a joker instead of a card, which never earns more."""
        worth = _worth(self._ruleset, hand & self._layable)
        if not self._ruleset.may_empty_hand and not hand & ~self._layable and worth:
            worth.remove(min(worth))
        return (2 if self._ruleset.doubling else 1) * sum(worth)


def _worth(ruleset: Ruleset, hand: int) -> list[int]:
    cards = cards_in(hand)
    return [VALUES[card] for card in cards] if ruleset.cards_differ else [1] * len(cards)


def _layable(position: Position) -> int:
    """The mask of the hand cards that some play of this turn may use: jokers, numbers that can be
    swapped for a joker, and the numbers of each row of three that lacks no more numbers, in the
    hand and on the table together, than jokers can stand for.

    Plays only move numbers from the hand to the table, so the mask holds for the whole turn.
    """
    table = position.table
    swappable = [laid for laid in table.takeable.jokers if position.hand >> laid.number & 1]
    wild = (position.hand & JOKER_MASK).bit_count() + len(swappable)
    reach = position.hand & NUMBER_MASK | table.takeable.numbers
    layable = position.hand & JOKER_MASK
    for laid in swappable:
        layable |= 1 << laid.number
    for row in position.ruleset.sequences.threes:
        if (row & ~reach).bit_count() <= wild:
            layable |= row & position.hand
    return layable
