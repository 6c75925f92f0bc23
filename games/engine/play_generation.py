"""Finds all plays of a hand on a table (docs/plays.md, How plays are found).

Most positions have none, so cheap bit masks first rule out what cannot be a row: two hand cards
need a third number, one hand card needs cards of two islands, a line needs a number beside it.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from operator import getitem
from typing import Final

from games.engine.cards import LAID_CARDS, Card, LaidCard, cards_in, mask_of
from games.engine.sequences import SHORTEST, ProgressionPlace, Sequences
from games.engine.table import Line, Play, Takeable, number_of

_new_tuple: Final = tuple.__new__  # makes a `Play` in 40 % of the time of `Play(…)`

PlayToFill = tuple[tuple[LaidCard, ...], tuple[Line, ...], tuple[LaidCard, ...], tuple[int, ...]]
"""A play whose jokers are not chosen yet: its other hand cards, its lines, its crossed cards, and
the numbers that jokers will stand for."""
HandAndCrossed = tuple[tuple[LaidCard, ...], tuple[LaidCard, ...]]
"""The hand cards that are laid and the table cards that are crossed, each from low to high."""


class Finder:
    """Finds the plays with the number cards of `hand_mask` on a table."""

    def __init__(self, sequences: Sequences, takeable: Takeable, hand_mask: int) -> None:
        self._sequences = sequences
        self._takeable = takeable
        self._hand_mask = hand_mask
        self._cards = cards_in(hand_mask)
        self._reachable_mask = hand_mask | takeable.numbers_mask
        self._ambiguous_mask = takeable.ambiguous_mask | hand_mask & takeable.crossable_mask
        self._to_fill: dict[int, list[PlayToFill]] = {}

    def plays_without_jokers(self) -> list[Play]:
        """Every play that lays only number cards."""
        plays: list[Play] = []
        sequences, takeable = self._sequences, self._takeable
        rows = self._add_threes_of_pairs(plays)
        if takeable.lines:
            if self._hand_mask & takeable.linking_mask(sequences):
                self._add_links(rows, plays)
            self._add_to_lines(plays)
        reachable_mask, threes = self._hand_mask | takeable.crossable_mask, sequences.threes
        runs = {
            self._longest_run(place, reachable_mask)
            for row_mask in rows
            for place in threes[row_mask]
            if place.beside & reachable_mask
        }
        for index, first, last in runs:
            self._add_longer(sequences.progressions[index][first : last + 1], plays)
        return plays

    def _add_links(self, rows: set[int], plays: list[Play]) -> None:
        """Add the plays of one hand card and two table cards of different islands. Add the masks
        of their rows to `rows`."""
        thirds, crossable = self._sequences.third_masks, self._takeable.crossable_by_island
        for card in cards_in(self._hand_mask & self._takeable.linking_mask(self._sequences)):
            bit = 1 << card
            for index, (_, island) in enumerate(crossable):
                for first in cards_in(island):
                    for _, other_island in crossable[index + 1 :]:
                        for second in cards_in(thirds[card][first] & other_island):
                            row_mask = bit | 1 << first | 1 << second
                            if row_mask not in rows:
                                rows.add(row_mask)
                                self._add_plays_for(row_mask, (), 0, plays)

    def _add_threes_of_pairs(self, plays: list[Play]) -> set[int]:
        """Add the plays of rows of three with at least two hand cards. Return the masks of their
        rows."""
        rows: set[int] = set()
        thirds, by_number = self._sequences.third_masks, self._takeable.crossable_by_number
        hand_mask, ambiguous_mask = self._hand_mask, self._ambiguous_mask
        reachable_mask = hand_mask | self._takeable.crossable_mask
        for card, other in combinations(self._cards, 2):
            candidates = thirds[card][other] & reachable_mask
            while candidates:
                third = candidates.bit_length() - 1
                bit = 1 << third
                candidates ^= bit
                row_mask = bit | 1 << card | 1 << other
                if row_mask in rows:
                    continue
                rows.add(row_mask)
                if ambiguous_mask & row_mask:
                    self._add_plays_for(row_mask, (), 0, plays)
                elif hand_mask & bit:
                    plays.append(_new_tuple(Play, (_laid_cards(row_mask), (), (), ())))
                else:
                    hand = (LAID_CARDS[card][0], LAID_CARDS[other][0])
                    plays.append(_new_tuple(Play, (hand, (), (by_number[third][0][0],), ())))
        return rows

    def _longest_run(self, place: ProgressionPlace, reachable_mask: int) -> tuple[int, int, int]:
        """The longest run of numbers of `reachable_mask` around a place: its progression, and its
        first and last index."""
        progression = self._sequences.progressions[place.progression]
        first, last = place.first, place.last
        while first and reachable_mask >> progression[first - 1] & 1:
            first -= 1
        while last + 1 < len(progression) and reachable_mask >> progression[last + 1] & 1:
            last += 1
        return place.progression, first, last

    def _add_longer(self, run: Sequence[int], plays: list[Play]) -> None:
        """Add the plays that form rows of four or more numbers of a run and take no line."""
        hand_mask, most = self._hand_mask, len(self._takeable.crossable_by_island)
        for first in range(len(run) - SHORTEST):
            row_mask = mask_of(run[first : first + SHORTEST])
            for number in run[first + SHORTEST :]:
                row_mask |= 1 << number
                if (row_mask & ~hand_mask).bit_count() > most:
                    break
                if row_mask & hand_mask:
                    self._add_plays_for(row_mask, (), 0, plays)

    def _add_to_lines(self, plays: list[Play]) -> None:
        """Add the plays that take whole lines."""
        hand_mask, takeable = self._hand_mask, self._takeable
        is_one_island = len(takeable.crossable_by_island) == 1
        reachable_mask = hand_mask if is_one_island else self._reachable_mask
        rows: set[int] = set()
        places, indices_by_number = takeable.places(self._sequences)
        indices: set[int] = set()
        for number in self._cards if is_one_island else cards_in(reachable_mask):
            if number in indices_by_number:
                indices.update(indices_by_number[number])
        for index in indices:
            place, line = places[index]
            if place.between & ~reachable_mask:
                continue
            progression, first, last = self._longest_run(place, reachable_mask)
            run = self._sequences.progressions[progression]
            for low in range(first, place.first + 1):
                for high in range(place.last, last + 1):
                    row_mask = mask_of(run[low : high + 1])
                    if is_one_island and row_mask != line.mask:
                        hand = _laid_cards(row_mask ^ line.mask)
                        plays.append(_new_tuple(Play, (hand, (line,), (), ())))
                    elif row_mask & hand_mask:
                        rows.add(row_mask)
        for row_mask in rows:
            for lines, numbers_left, island_bits in self._line_sets(row_mask)[1:]:
                self._add_plays_for(numbers_left, lines, island_bits, plays)

    def _add_plays_for(
        self, numbers_left: int, lines: tuple[Line, ...], island_bits: int, plays: list[Play]
    ) -> None:
        """Add the plays that take these lines, of the islands `island_bits`, and make the numbers
        left of the row from hand cards and crossed cards."""
        for hand, across in self._ways_to_make(numbers_left, island_bits):
            if hand:
                plays.append(_new_tuple(Play, (hand, lines, across, ())))

    def plays_with(self, jokers: Sequence[Card], swaps: tuple[LaidCard, ...]) -> list[Play]:
        """Every play that lays all these jokers, including the swapped ones. Each joker may stand
        for any of the numbers that the jokers fill."""
        count = len(jokers)
        if count not in self._to_fill:
            self._to_fill[count] = [*self._threes(count), *self._longer(count)]
        orders = list(permutations([LAID_CARDS[joker] for joker in jokers]))
        plays: list[Play] = []
        for hand, lines, across, spots in self._to_fill[count]:
            for order in orders:
                laid_cards = sorted((*hand, *map(getitem, order, spots)), key=number_of)
                plays.append(_new_tuple(Play, (tuple(laid_cards), lines, across, swaps)))
        return plays

    @property
    def _crossable_cards(self) -> list[tuple[LaidCard, int]]:
        """The table cards that may be crossed, by number, each with the bit of its island."""
        by_number = self._takeable.crossable_by_number
        return [pair for number in sorted(by_number) for pair in by_number[number]]

    def _threes(self, count: int) -> Iterator[PlayToFill]:
        """The plays that form a row of three with `count` jokers."""
        sequences, crossable = self._sequences, self._crossable_cards
        hand = [LAID_CARDS[card][0] for card in self._cards]
        if count == 1:
            thirds = sequences.thirds
            for low, high in combinations(hand, 2):
                for spot in thirds[low.card][high.card]:
                    yield (low, high), (), (), (spot,)
            for card, (crossed, _) in product(hand, crossable):
                for spot in thirds[card.card][crossed.number]:
                    yield (card,), (), (crossed,), (spot,)
            for (low, island), (high, other_island) in combinations(crossable, 2):
                if island != other_island:
                    for spot in thirds[low.number][high.number]:
                        yield (), (), (low, high), (spot,)
        elif count == 2:
            for card in hand:
                for pair in sequences.pairs_with(card.card):
                    yield (card,), (), (), pair
            for crossed, _ in crossable:
                for pair in sequences.pairs_with(crossed.number):
                    yield (), (), (crossed,), pair
        elif count == SHORTEST:
            for row_mask in sequences.threes:
                yield (), (), (), cards_in(row_mask)

    def _longer(self, count: int) -> list[PlayToFill]:
        """The plays that form a row of four or more with `count` jokers."""
        plays: list[PlayToFill] = []
        takeable = self._takeable
        without_lines = self._hand_mask | takeable.crossable_mask
        most = len(takeable.crossable_by_island)
        for row_mask, lacking in self._sequences.longer_rows(self._reachable_mask, count):
            jokers = count - lacking.bit_count()
            for lines, numbers_left, island_bits in self._line_sets(row_mask ^ lacking):
                gaps = numbers_left & ~without_lines
                spare = jokers - gaps.bit_count()
                crossed = numbers_left & without_lines & ~self._hand_mask
                if spare < 0 or crossed.bit_count() > most - len(lines) + spare:
                    continue
                for extra in combinations(cards_in(numbers_left ^ gaps), spare):
                    spots = mask_of(extra) | gaps
                    if ways := self._ways_to_make(numbers_left ^ spots, island_bits):
                        joker_numbers = cards_in(lacking | spots)
                        plays += [(hand, lines, across, joker_numbers) for hand, across in ways]
        return plays

    def _ways_to_make(self, numbers_left: int, island_bits: int) -> Sequence[HandAndCrossed]:
        """All ways to make these numbers from the hand and from islands not in `island_bits`."""
        if numbers_left & self._ambiguous_mask:
            return self._ways_by_number(cards_in(numbers_left), island_bits)
        crossed = numbers_left & ~self._hand_mask
        if not crossed:
            return ((_laid_cards(numbers_left), ()),)
        if crossed & ~self._takeable.crossable_mask or not self._on_different_islands(
            crossed, island_bits
        ):
            return ()
        by_number = self._takeable.crossable_by_number
        across = tuple([by_number[number][0][0] for number in cards_in(crossed)])
        return ((_laid_cards(numbers_left ^ crossed), across),)

    def _on_different_islands(self, crossed: int, island_bits: int) -> bool:
        """Whether these numbers lie on different islands, none of which is taken (3.3)."""
        if not island_bits and not crossed & crossed - 1:
            return True
        for island, mask in self._takeable.crossable_by_island:
            overlap = crossed & mask
            if overlap and (island & island_bits or overlap & overlap - 1):
                return False
        return True

    def _line_sets(self, row_mask: int) -> list[tuple[tuple[Line, ...], int, int]]:
        """The sets of whole lines that a row can take: lines of different islands that share no
        number. Each set comes with the mask of the other numbers of the row and that of the
        islands. The first set is empty."""
        takeable = self._takeable
        sets: list[tuple[tuple[Line, ...], int, int]] = [((), row_mask, 0)]
        if (row_mask & takeable.numbers_mask).bit_count() >= SHORTEST:
            for line, island in takeable.lines:
                if not line.mask & ~row_mask:
                    sets += [
                        (_sorted_lines((*lines, line)), left ^ line.mask, island_bits | island)
                        for lines, left, island_bits in sets
                        if not line.mask & ~left and not island_bits & island
                    ]
        return sets

    def _ways_by_number(self, numbers: Sequence[int], island_bits: int) -> list[HandAndCrossed]:
        """As `_ways_to_make`, but number by number."""
        if not numbers:
            return [((), ())]
        number, other_numbers = numbers[0], numbers[1:]
        ways = []
        if self._hand_mask >> number & 1:
            hand_card = LAID_CARDS[number][0]
            ways += [
                ((hand_card, *hand), across)
                for hand, across in self._ways_by_number(other_numbers, island_bits)
            ]
        for crossed, island in self._takeable.crossable_by_number.get(number, ()):
            if not island_bits & island:
                ways += [
                    (hand, (crossed, *across))
                    for hand, across in self._ways_by_number(other_numbers, island_bits | island)
                ]
        return ways


def _sorted_lines(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    return lines if len(lines) < 2 else tuple(sorted(lines, key=lambda line: line.sort_key))


def _laid_cards(row_mask: int) -> tuple[LaidCard, ...]:
    return tuple([LAID_CARDS[card][0] for card in cards_in(row_mask)])
