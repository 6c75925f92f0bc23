"""Finds all plays of a hand on a table (docs/plays.md, How plays are found).

Most of the time there are none. So bit masks first look for two hand cards with a third number, for
one hand card with cards of two islands, and for a line with numbers beside it. A row is built card
by card only where the masks find something.
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
    """Finds the plays with the number cards of the mask `numbers` on a table."""

    def __init__(self, sequences: Sequences, takeable: Takeable, numbers: int) -> None:
        self._sequences = sequences
        self._takeable = takeable
        self._numbers = numbers
        self._cards = cards_in(numbers)
        self._reach = numbers | takeable.numbers_mask
        self._ambiguous = takeable.ambiguous_mask | numbers & takeable.crossable_mask
        self._to_fill: dict[int, list[PlayToFill]] = {}

    def plays_without_jokers(self) -> list[Play]:
        """Every play that lays only number cards."""
        plays: list[Play] = []
        sequences, takeable = self._sequences, self._takeable
        rows = self._add_threes_of_pairs(plays)
        if takeable.lines:
            if self._numbers & takeable.linking_mask(sequences):
                self._add_links(rows, plays)
            self._add_to_lines(plays)
        reach, threes = self._numbers | takeable.crossable_mask, sequences.threes
        runs = {
            self._longest_run(place, reach)
            for row in rows
            for place in threes[row]
            if place.beside & reach
        }
        for index, first, last in runs:
            self._add_longer(sequences.progressions[index][first : last + 1], plays)
        return plays

    def _add_links(self, rows: set[int], plays: list[Play]) -> None:
        """Add the plays of one hand card and two table cards of different islands. Add the masks
        of their rows to `rows`."""
        thirds, islands = self._sequences.third_masks, self._takeable.islands
        for card in cards_in(self._numbers & self._takeable.linking_mask(self._sequences)):
            bit = 1 << card
            for index, (_, island) in enumerate(islands):
                for first in cards_in(island):
                    for _, other_island in islands[index + 1 :]:
                        for second in cards_in(thirds[card][first] & other_island):
                            row = bit | 1 << first | 1 << second
                            if row not in rows:
                                rows.add(row)
                                self._add_plays_for(row, (), 0, plays)

    def _add_threes_of_pairs(self, plays: list[Play]) -> set[int]:
        """Add the plays of rows of three with at least two hand cards. Return the masks of their
        rows."""
        rows: set[int] = set()
        thirds, by_number = self._sequences.third_masks, self._takeable.crossable_by_number
        numbers, ambiguous = self._numbers, self._ambiguous
        reach = numbers | self._takeable.crossable_mask
        for card, other in combinations(self._cards, 2):
            candidates = thirds[card][other] & reach
            while candidates:
                third = candidates.bit_length() - 1
                bit = 1 << third
                candidates ^= bit
                row = bit | 1 << card | 1 << other
                if row in rows:
                    continue
                rows.add(row)
                if ambiguous & row:
                    self._add_plays_for(row, (), 0, plays)
                elif numbers & bit:
                    plays.append(_new_tuple(Play, (_laid_cards(row), (), (), ())))
                else:
                    hand = (LAID_CARDS[card][0], LAID_CARDS[other][0])
                    plays.append(_new_tuple(Play, (hand, (), (by_number[third][0][0],), ())))
        return rows

    def _longest_run(self, place: ProgressionPlace, reach: int) -> tuple[int, int, int]:
        """The longest run of numbers of the mask `reach` around a place: its progression, and its
        first and last index."""
        progression = self._sequences.progressions[place.progression]
        first, last = place.first, place.last
        while first and reach >> progression[first - 1] & 1:
            first -= 1
        while last + 1 < len(progression) and reach >> progression[last + 1] & 1:
            last += 1
        return place.progression, first, last

    def _add_longer(self, run: Sequence[int], plays: list[Play]) -> None:
        """Add the plays that form rows of four or more numbers of a run and take no line."""
        numbers, most = self._numbers, len(self._takeable.islands)
        for first in range(len(run) - SHORTEST):
            row = mask_of(run[first : first + SHORTEST])
            for number in run[first + SHORTEST :]:
                row |= 1 << number
                if (row & ~numbers).bit_count() > most:
                    break
                if row & numbers:
                    self._add_plays_for(row, (), 0, plays)

    def _add_to_lines(self, plays: list[Play]) -> None:
        """Add the plays that take whole lines."""
        numbers, takeable = self._numbers, self._takeable
        is_one_island = len(takeable.islands) == 1
        reach = numbers if is_one_island else self._reach
        rows: set[int] = set()
        places, indices_by_number = takeable.places(self._sequences)
        indices: set[int] = set()
        for number in self._cards if is_one_island else cards_in(reach):
            if number in indices_by_number:
                indices.update(indices_by_number[number])
        for index in indices:
            place, line = places[index]
            if place.between & ~reach:
                continue
            progression, first, last = self._longest_run(place, reach)
            run = self._sequences.progressions[progression]
            for low in range(first, place.first + 1):
                for high in range(place.last, last + 1):
                    row = mask_of(run[low : high + 1])
                    if is_one_island and row != line.mask:
                        plays.append(
                            _new_tuple(Play, (_laid_cards(row ^ line.mask), (line,), (), ()))
                        )
                    elif row & numbers:
                        rows.add(row)
        for row in rows:
            for lines, rest, islands in self._line_sets(row)[1:]:
                self._add_plays_for(rest, lines, islands, plays)

    def _add_plays_for(
        self, rest: int, lines: tuple[Line, ...], islands: int, plays: list[Play]
    ) -> None:
        """Add the plays that take these lines and make the other numbers of the row, the mask
        `rest`, from hand cards and crossed cards. `islands` has the bits of the lines' islands."""
        for hand, across in self._ways_to_make(rest, islands):
            if hand:
                plays.append(_new_tuple(Play, (hand, lines, across, ())))

    def plays_with_jokers(self, jokers: Sequence[Card], swaps: tuple[LaidCard, ...]) -> list[Play]:
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
        """The table cards that may be crossed, sorted by number, each with the bit of its
        island."""
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
            for row in sequences.threes:
                yield (), (), (), cards_in(row)

    def _longer(self, count: int) -> list[PlayToFill]:
        """The plays that form a row of four or more with `count` jokers."""
        plays: list[PlayToFill] = []
        takeable = self._takeable
        without_lines, most = self._numbers | takeable.crossable_mask, len(takeable.islands)
        for row, lacking in self._sequences.longer_rows(self._reach, count):
            jokers = count - lacking.bit_count()
            for lines, rest, islands in self._line_sets(row ^ lacking):
                gaps = rest & ~without_lines
                spare = jokers - gaps.bit_count()
                crossed = rest & without_lines & ~self._numbers
                if spare < 0 or crossed.bit_count() > most - len(lines) + spare:
                    continue
                for extra in combinations(cards_in(rest ^ gaps), spare):
                    spots = mask_of(extra) | gaps
                    if ways := self._ways_to_make(rest ^ spots, islands):
                        joker_numbers = cards_in(lacking | spots)
                        plays += [(hand, lines, across, joker_numbers) for hand, across in ways]
        return plays

    def _ways_to_make(self, rest: int, islands: int) -> Sequence[HandAndCrossed]:
        """All ways to make these numbers from the hand and from islands outside the mask
        `islands`."""
        if rest & self._ambiguous:
            return self._ways_by_number(cards_in(rest), islands)
        crossed = rest & ~self._numbers
        if not crossed:
            return ((_laid_cards(rest), ()),)
        if crossed & ~self._takeable.crossable_mask or not self._on_different_islands(
            crossed, islands
        ):
            return ()
        by_number = self._takeable.crossable_by_number
        across = tuple([by_number[number][0][0] for number in cards_in(crossed)])
        return ((_laid_cards(rest ^ crossed), across),)

    def _on_different_islands(self, crossed: int, islands: int) -> bool:
        """Whether these numbers lie on different islands, none of which is taken (3.3)."""
        if not islands and not crossed & crossed - 1:
            return True
        for island, mask in self._takeable.islands:
            overlap = crossed & mask
            if overlap and (island & islands or overlap & overlap - 1):
                return False
        return True

    def _line_sets(self, row: int) -> list[tuple[tuple[Line, ...], int, int]]:
        """The sets of whole lines that a row can take: lines of different islands that share no
        number. Each set comes with the mask of the other numbers of the row and that of the
        islands. The first set is empty."""
        takeable = self._takeable
        sets: list[tuple[tuple[Line, ...], int, int]] = [((), row, 0)]
        if (row & takeable.numbers_mask).bit_count() >= SHORTEST:
            for line, island in takeable.lines:
                if not line.mask & ~row:
                    sets += [
                        (_sorted_lines((*lines, line)), rest ^ line.mask, islands | island)
                        for lines, rest, islands in sets
                        if not line.mask & ~rest and not islands & island
                    ]
        return sets

    def _ways_by_number(self, numbers: Sequence[int], islands: int) -> list[HandAndCrossed]:
        """As `_ways_to_make`, but number by number."""
        if not numbers:
            return [((), ())]
        number, rest = numbers[0], numbers[1:]
        ways = []
        if self._numbers >> number & 1:
            hand_card = LAID_CARDS[number][0]
            ways += [
                ((hand_card, *hand), across) for hand, across in self._ways_by_number(rest, islands)
            ]
        for crossed, island in self._takeable.crossable_by_number.get(number, ()):
            if not islands & island:
                ways += [
                    (hand, (crossed, *across))
                    for hand, across in self._ways_by_number(rest, islands | island)
                ]
        return ways


def _sorted_lines(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    return lines if len(lines) < 2 else tuple(sorted(lines, key=lambda line: line.sort_key))


def _laid_cards(row: int) -> tuple[LaidCard, ...]:
    return tuple([LAID_CARDS[card][0] for card in cards_in(row)])
