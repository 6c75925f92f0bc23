"""Every legal play of a position, and which of them a tap can mean (rules 3.3–3.5)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from .cards import JOKER_MASK, NUMBER_MASK, Card, Laid, cards_in, is_joker, mask_of
from .forming import Position, hand_after
from .sequences import Sequences, sequences_of
from .table import Line, Play, Table

Place = Line | Laid
"""What can be tapped on the table: a row, or a card of it."""


def legal_plays(position: Position) -> list[Play]:
    """Every legal play, each once, in no promised order."""
    may_empty_hand = position.ruleset.may_empty_hand
    return [play for play in _plays(position) if may_empty_hand or hand_after(position.hand, play)]


def plays_without_jokers(position: Position) -> list[Play]:
    """The legal plays that lay no joker of the hand; one that is swapped in may be laid."""
    return plays_with_jokers(position, 0)


def plays_with_jokers(position: Position, count: int) -> list[Play]:
    """The legal plays that lay so many jokers of the hand; there are ever more of them."""
    may_empty_hand = position.ruleset.may_empty_hand
    numbers = position.hand & ~JOKER_MASK
    return [
        play
        for jokers in combinations(cards_in(position.hand & JOKER_MASK), count)
        for play in _plays(replace(position, hand=numbers | mask_of(jokers)))
        if {laid.card for laid in play.hand}.issuperset(jokers)
        and (may_empty_hand or hand_after(position.hand, play))
    ]


def resolve(position: Position, cards: Collection[Card], places: Collection[Place]) -> list[Play]:
    """The legal plays that tapping these hand cards and these places can mean.

    Exactly the tapped cards are laid or put in for a joker, and every tapped place is part of
    the play: a row is taken whole, a card is crossed, swapped, or lies in a line that is taken.
    With no place tapped a row of the hand alone is meant, where there is one. Plays that take
    nothing from the table but what was tapped come before all others.
    """
    chosen = mask_of(cards)
    if chosen & ~position.hand:
        return []
    candidates = [
        play
        for play in _plays(replace(position, hand=chosen))
        if not hand_after(chosen, play) and _takes(play, places)
    ]
    if chosen == position.hand and not position.ruleset.may_empty_hand:
        return []
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
    tapped = {place.card for place in places if isinstance(place, Laid)}
    return (
        all(
            line in places or any(laid.card in tapped for laid in line.cards) for line in play.lines
        )
        and all(laid.card in tapped for laid in play.across)
        and all(laid.card in tapped for laid in play.swaps)
    )


def _plays(position: Position) -> Iterator[Play]:
    """Every play that is legal but for the last card, which the caller looks after."""
    sequences = sequences_of(position.ruleset)
    if not position.may_use_table:
        yield from _Search(sequences, position.hand, Table(), ()).plays()
        return
    yield from _Search(sequences, position.hand, position.table, ()).plays()
    possible = [
        Laid(laid.card, laid.number)
        for laid in position.table.laid.values()
        if is_joker(laid.card) and position.hand >> laid.number & 1
    ]
    for count in range(1, len(possible) + 1):
        for swaps in combinations(possible, count):
            put_in = mask_of(laid.number for laid in swaps)
            if put_in.bit_count() == count:
                hand = position.hand & ~put_in | mask_of(laid.card for laid in swaps)
                yield from _Search(sequences, hand, position.table, swaps).plays()


@dataclass(frozen=True, slots=True)
class _Search:
    """The plays of one hand on one table that lay every joker swapped in.

    A swap changes the hand alone: the card put in is crossed or taken under the joker's name.
    """

    sequences: Sequences
    hand: int
    table: Table
    swaps: tuple[Laid, ...]

    def plays(self) -> Iterator[Play]:
        numbers = self.hand & NUMBER_MASK
        jokers = tuple(cards_in(self.hand & JOKER_MASK))
        crossable = self._crossable()
        at_hand = numbers | mask_of(crossable)
        for line in self.table.lines:
            at_hand |= line.mask
        for row, mask in self.sequences.within(at_hand, len(jokers)):
            if not jokers and not mask & numbers:
                continue
            for lines in self._taken(mask):
                covered = 0
                for index in lines:
                    covered |= self.table.lines[index].mask
                islands = frozenset(self.table.island_of[index] for index in lines)
                rest = [number for number in row if not covered >> number & 1]
                for hand, across in _fill(rest, numbers, jokers, crossable, islands):
                    if hand and self._lays_swapped(hand):
                        taken = (self.table.lines[index] for index in lines)
                        yield Play.of(hand, taken, across, self.swaps)

    def _crossable(self) -> dict[int, list[tuple[Laid, int]]]:
        """For each number the cards that may be crossed there, with their island."""
        found: dict[int, list[tuple[Laid, int]]] = {}
        for card, at in self.table.lines_at.items():
            if len(at) == 1:
                laid = self.table.laid[card]
                found.setdefault(laid.number, []).append((laid, self.table.island_of[at[0]]))
        return found

    def _taken(self, mask: int) -> Iterable[tuple[int, ...]]:
        """The sets of lines that a row can take whole: apart, and of different islands."""
        inside = [i for i, line in enumerate(self.table.lines) if not line.mask & ~mask]
        sets: list[tuple[tuple[int, ...], int, frozenset[int]]] = [((), 0, frozenset())]
        for index in inside:
            line_mask = self.table.lines[index].mask
            island = self.table.island_of[index]
            sets += [
                ((*taken, index), covered | line_mask, islands | {island})
                for taken, covered, islands in sets
                if not covered & line_mask and island not in islands
            ]
        return (taken for taken, _, _ in sets)

    def _lays_swapped(self, hand: Sequence[Laid]) -> bool:
        return not self.swaps or {swap.card for swap in self.swaps} <= {laid.card for laid in hand}


def _fill(
    numbers: Sequence[int],
    in_hand: int,
    jokers: tuple[Card, ...],
    crossable: dict[int, list[tuple[Laid, int]]],
    islands: frozenset[int],
) -> Iterator[tuple[tuple[Laid, ...], tuple[Laid, ...]]]:
    """Every way to have these numbers, as (hand cards laid, table cards crossed)."""
    if not numbers:
        yield (), ()
        return
    number, rest = numbers[0], numbers[1:]
    if in_hand >> number & 1:
        for hand, across in _fill(rest, in_hand, jokers, crossable, islands):
            yield (Laid(number, number), *hand), across
    for laid, island in crossable.get(number, ()):
        if island not in islands:
            for hand, across in _fill(rest, in_hand, jokers, crossable, islands | {island}):
                yield hand, (laid, *across)
    for joker in jokers:
        others = tuple(other for other in jokers if other != joker)
        for hand, across in _fill(rest, in_hand, others, crossable, islands):
            yield (Laid(joker, number), *hand), across
