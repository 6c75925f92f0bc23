"""Legal plays, the plays that a tap can mean, and the most points of a turn (rules 3.3–3.5, 4)."""

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from games.engine.cards import JOKER_MASK, JOKERS, NUMBER_MASK, Card, LaidCard, cards_in, mask_of
from games.engine.play_application import Position, hand_after, points
from games.engine.play_generation import Finder
from games.engine.sequences import Sequences
from games.engine.table import Line, Play, Table

TapTarget = Line | LaidCard
"""What can be tapped on the table: a row, or a card of it."""


def cards_at(place: TapTarget) -> tuple[LaidCard, ...]:
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
    """The legal plays that lay exactly `count` jokers of the hand. Their number grows fast with
    `count`."""
    return _without_last_card(position, _plays(position, (count,)))


def plays_of_tap(
    position: Position, cards: Collection[Card], places: Collection[TapTarget]
) -> list[Play]:
    """The legal plays that a player can mean by tapping these hand cards and places.

    Such a play lays all tapped hand cards, or puts them in for jokers, and no others. It uses every
    tapped place: it takes a tapped row whole; it crosses a tapped card, swaps it, or takes a line
    with it. If some of these plays take nothing else from the table, only these are returned. So if
    no place is tapped, a row from the hand alone is preferred.
    """
    tapped = mask_of(cards)
    if tapped & ~position.hand:
        return []
    if tapped == position.hand and not position.ruleset.may_empty_hand:
        return []
    jokers = (tapped & JOKER_MASK).bit_count()
    candidates = [
        play
        for play in _plays(position._replace(hand=tapped), (jokers,))
        if not hand_after(tapped, play) and _uses_all(play, places)
    ]
    exact = [play for play in candidates if _uses_only(play, places)]
    return exact or candidates


def _uses_all(play: Play, places: Collection[TapTarget]) -> bool:
    touched = {card for card, _ in (*play.across, *play.swaps)}
    touched |= {card for line in play.lines for card, _ in line.cards}
    return all(
        place in play.lines if isinstance(place, Line) else place.card in touched
        for place in places
    )


def _uses_only(play: Play, places: Collection[TapTarget]) -> bool:
    tapped = {place.card for place in places if isinstance(place, LaidCard)}
    return (
        all(line in places or any(card in tapped for card, _ in line.cards) for line in play.lines)
        and all(card in tapped for card, _ in play.across)
        and all(card in tapped for card, _ in play.swaps)
    )


def _plays(position: Position, counts: Collection[int]) -> list[Play]:
    """The plays that lay one of these numbers of jokers of the hand, including plays that lay the
    last card."""
    ruleset, table, hand, _ = position
    sequences = ruleset.sequences
    takeable = table.takeable if position.may_use_table else _EMPTY_TABLE
    numbers = hand & NUMBER_MASK
    finder = Finder(sequences, takeable, numbers)
    plays = finder.plays_without_jokers() if 0 in counts else []
    joker_sets: list[tuple[Card, ...]] = [()] if 0 in counts else []
    if hand != numbers:
        jokers = cards_in(hand & JOKER_MASK)
        sets_of_hand = [
            joker_set for count in counts if count for joker_set in combinations(jokers, count)
        ]
        for joker_set in sets_of_hand:
            plays += finder.plays_with(joker_set, ())
        joker_sets += sets_of_hand
    if takeable.jokers:
        for put_in, swaps in _swaps(takeable.jokers, numbers):
            finder = Finder(sequences, takeable, numbers & ~put_in)
            for joker_set in joker_sets:
                plays += finder.plays_with((*[joker for joker, _ in swaps], *joker_set), swaps)
    return plays


def _swaps(jokers: Iterable[LaidCard], numbers: int) -> Iterator[tuple[int, tuple[LaidCard, ...]]]:
    """The sets of swaps that these number cards of the hand allow (3.5), each with the mask of the
    cards put in."""
    possible = [joker for joker in jokers if numbers >> joker.number & 1]
    for count in range(1, len(possible) + 1):
        for swaps in combinations(possible, count):
            put_in = mask_of([number for _, number in swaps])
            if put_in.bit_count() == count:
                yield put_in, tuple(sorted(swaps, key=lambda joker: joker.number))


def _without_last_card(position: Position, plays: list[Play]) -> list[Play]:
    """Drop the plays that lay the last card, if a card must be kept (5.3). A swap puts in a hand
    card and lays the joker instead, so the hand loses as many cards as the play lays."""
    if position.ruleset.may_empty_hand:
        return plays
    cards = position.hand.bit_count()
    return [play for play in plays if len(play.hand) < cards]


class OpenEnds(NamedTuple):
    """The numbers that the hand can lay next to a row, before its lowest card and after its
    highest."""

    before: tuple[int, ...]
    after: tuple[int, ...]


def open_ends(position: Position) -> dict[Line, OpenEnds]:
    """The rows of the table that one hand card can lengthen, each with the numbers that fit. There
    are none while the player may not add to rows."""
    ruleset, table, hand, _ = position
    if not position.may_use_table or (hand.bit_count() == 1 and not ruleset.may_empty_hand):
        return {}
    ends: dict[Line, OpenEnds] = {}
    for line in table.lines:
        free = numbers_beside(ruleset.sequences, line.mask)
        fitting = free if hand & JOKER_MASK else free & hand
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


def best_points(position: Position) -> int:
    """The most points that the plays of one turn can earn together. The result is exact, but leaves
    out the points that draws, discards and the end of the round may bring."""
    return _Search(position).best(position) if position.ruleset.rows_earn else 0


class _Search:
    """A depth-first search that tries the plays with the most points first and cuts branches that
    cannot earn more. It remembers the result of each position, because the same plays in another
    order lead to the same position."""

    def __init__(self, position: Position) -> None:
        self._known: dict[tuple[int, bool, frozenset[Line]], int] = {}
        self._ruleset = position.ruleset
        self._layable = _layable(position)

    def best(self, position: Position) -> int:
        key = (position.hand, position.has_opened, frozenset(position.table.lines))
        best = self._known.get(key)
        if best is None:
            best = self._known[key] = self._search(position)
        return best

    def _search(self, position: Position) -> int:
        ruleset, table = self._ruleset, position.table
        plays = [
            (points(ruleset, play.hand, table.line_of(play)), play)
            for play in legal_plays(position)
        ]
        plays.sort(key=lambda entry: (-entry[0], str(entry[1])))
        best = 0
        for earned, play in plays:
            hand = hand_after(position.hand, play)
            if earned + self._bound(hand) <= best:
                continue
            has_opened = position.has_opened or not play.touches_table
            next_position = Position(ruleset, table.with_play(play)[0], hand, has_opened)
            best = max(best, earned + self.best(next_position))
        return best

    def _bound(self, hand: int) -> int:
        """An upper bound of the points: those of all hand cards that can be laid at all, doubled if
        the rules double any. A swap never earns more, because it lays a joker instead of a card."""
        ruleset, cards = self._ruleset, cards_in(hand & self._layable)
        earned = ruleset.points_of(cards)
        if cards and not ruleset.may_empty_hand and not hand & ~self._layable:
            earned -= min(ruleset.points_of([card]) for card in cards)
        return (2 if ruleset.doubling else 1) * earned


def _layable(position: Position) -> int:
    """The mask of the hand cards that a play of this turn may use: jokers, numbers that can be
    swapped for a joker, and numbers of a row of three. The hand and the table together must have
    all numbers of that row, or jokers for those that are missing.

    Plays only move numbers from the hand to the table, so the mask holds for the whole turn.
    """
    table = position.table
    swappable = [joker for joker in table.takeable.jokers if position.hand >> joker.number & 1]
    jokers = (position.hand & JOKER_MASK).bit_count() + len(swappable)
    available = position.hand & NUMBER_MASK | table.takeable.numbers_mask
    layable = position.hand & JOKER_MASK
    for joker in swappable:
        layable |= 1 << joker.number
    for row in position.ruleset.sequences.threes:
        if (row & ~available).bit_count() <= jokers:
            layable |= row & position.hand
    return layable
