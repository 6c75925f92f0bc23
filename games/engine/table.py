"""The table: lines, islands, and plays on it (rules 3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Final, NamedTuple, Self

from games.engine.cards import (
    HIGHEST_NUMBER,
    JOKERS,
    Card,
    LaidCard,
    card_text,
    cards_in,
    laid_card_text,
    mask_of,
)
from games.engine.sequences import ProgressionPlace, Sequences

number_of: Final = itemgetter(1)
"""The key that sorts laid cards by their number."""


class Line(NamedTuple):
    """Cards that lie in a row, from low to high. On the table they are a valid sequence (3.1).

    `mask` has a bit for each number, whichever card stands for it.
    """

    cards: tuple[LaidCard, ...]
    mask: int

    @classmethod
    def of(cls, cards: Iterable[LaidCard]) -> Self:
        """The line of these cards, put in order."""
        ordered = tuple(sorted(cards, key=number_of))
        return cls(ordered, mask_of([number for _, number in ordered]))

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(number for _, number in self.cards)

    @property
    def sort_key(self) -> tuple[tuple[int, ...], str]:
        """The key that sorts lines by their numbers, then by their text."""
        return self.numbers, str(self)

    def __str__(self) -> str:
        return "-".join(map(laid_card_text, self.cards))


class Play(NamedTuple):
    """A play: it forms exactly one line from hand cards and what it takes from the table (3.3).

    Lines and cards of the table are those before the play. Jokers of the hand have their numbers.
    """

    hand: tuple[LaidCard, ...]  # the cards that are laid, with the jokers that are swapped in
    lines: tuple[Line, ...] = ()  # lines of the table that become part of the new line
    across: tuple[LaidCard, ...] = ()  # table cards that the new line crosses
    swaps: tuple[LaidCard, ...] = ()  # jokers taken off, with the numbers of the cards put in (3.5)

    @classmethod
    def of(
        cls,
        hand: Iterable[LaidCard],
        lines: Iterable[Line] = (),
        across: Iterable[LaidCard] = (),
        swaps: Iterable[LaidCard] = (),
    ) -> Self:
        """The play with its cards and lines in canonical order."""
        return cls(
            tuple(sorted(hand, key=number_of)),
            tuple(sorted(lines, key=lambda line: line.sort_key)),
            tuple(sorted(across, key=number_of)),
            tuple(sorted(swaps, key=number_of)),
        )

    @property
    def moved_jokers(self) -> tuple[LaidCard, ...]:
        """The jokers that are swapped in, with their new numbers."""
        jokers = {card for card, _ in self.swaps}
        return tuple([joker for joker in self.hand if joker.card in jokers])

    @property
    def is_well_formed(self) -> bool:
        """Whether this can be a play: it lays at least one card, uses nothing twice, and only
        jokers stand for other numbers or are swapped."""
        laid_mask = 0
        for card, number in self.hand:
            bit = 1 << card
            if laid_mask & bit or (card != number and card not in JOKERS):
                return False
            laid_mask |= bit
        return laid_mask > 0 and (not self.touches_table or self._takes_each_once(laid_mask))

    def _takes_each_once(self, laid_mask: int) -> bool:
        put_in = [number for _, number in self.swaps]
        swapped = [joker for joker, _ in self.swaps]
        each_once = (self.lines, [card for card, _ in self.across], swapped, put_in)
        return (
            all(len(set(items)) == len(items) for items in each_once)
            and all(joker in JOKERS for joker in swapped)
            and not any(number in JOKERS or laid_mask >> number & 1 for number in put_in)
        )

    @property
    def touches_table(self) -> bool:
        return bool(self.lines or self.across or self.swaps)

    def __str__(self) -> str:
        parts = list(map(laid_card_text, self.hand))
        if self.lines:
            parts += ["to", *map(str, self.lines)]
        if self.across:
            parts += ["across", *(card_text(card) for card, _ in self.across)]
        if self.swaps:
            swaps = (f"{number} for {card_text(joker)}" for joker, number in self.swaps)
            parts += ["swap", ", ".join(swaps)]
        return " ".join(parts)


@dataclass(frozen=True)
class Table:
    """All lines, the oldest first, and the island of each."""

    lines: tuple[Line, ...] = ()
    island_of: tuple[int, ...] = ()  # a number for each line, equal for the lines of an island

    @classmethod
    def of(cls, lines: Iterable[Line]) -> Self:
        """The table of these lines. Lines that share a card are one island (3.2)."""
        lines = tuple(lines)
        island_of: list[int] = []
        for index, line in enumerate(lines):
            cards = {card for card, _ in line.cards}
            touched = {
                island_of[earlier]
                for earlier in range(index)
                if any(card in cards for card, _ in lines[earlier].cards)
            }
            island_of = [index if island in touched else island for island in island_of]
            island_of.append(index)
        return cls(lines, tuple(island_of))

    @cached_property
    def lines_at(self) -> dict[Card, tuple[int, ...]]:
        """For each card on the table, the indices of its one or two lines."""
        indices: dict[Card, tuple[int, ...]] = {}
        for index, line in enumerate(self.lines):
            for card, _ in line.cards:
                indices[card] = (indices[card][0], index) if card in indices else (index,)
        return indices

    @cached_property
    def laid_cards(self) -> dict[Card, LaidCard]:
        """The cards on the table, each as it was laid: a joker with the number for which it
        stands."""
        return {card.card: card for line in self.lines for card in line.cards}

    @cached_property
    def takeable(self) -> "Takeable":
        return Takeable(self)

    @property
    def card_mask(self) -> int:
        return mask_of(self.laid_cards)

    @property
    def islands(self) -> list[list[int]]:
        """The indices of the lines of each island, both in the order in which they were formed."""
        indices: dict[int, list[int]] = {}
        for index, island in enumerate(self.island_of):
            indices.setdefault(island, []).append(index)
        return list(indices.values())

    def line_of(self, play: Play) -> Line:
        """The line that a legal play forms."""
        hand, taken_lines, across, swaps = play
        if not (taken_lines or across):
            return Line.of(hand)
        table_cards = [*(card for line in taken_lines for card in line.cards), *across]
        if swaps:
            swapped = {joker: LaidCard(number, number) for joker, number in swaps}
            table_cards = [swapped.get(laid_card.card, laid_card) for laid_card in table_cards]
        return Line.of((*hand, *table_cards))

    def with_play(self, play: Play) -> "tuple[Table, Line]":
        """The table after a legal play, and the line that it formed."""
        _, taken_lines, across, swaps = play
        new_line = self.line_of(play)
        new_island = max(self.island_of) + 1 if self.lines else 0
        if not (taken_lines or across or swaps):
            return Table((*self.lines, new_line), (*self.island_of, new_island)), new_line
        pairs = list(zip(self.lines, self.island_of, strict=True))
        touched = {island for line, island in pairs if line in taken_lines}
        if across:
            takeable = self.takeable
            touched.update(
                [takeable.island_of_bit[takeable.crossable_cards[card][1]] for card, _ in across]
            )
        other_pairs = [
            (line, new_island if island in touched else island)
            for line, island in pairs
            if line not in taken_lines
        ]
        if swaps:
            swapped = {joker: LaidCard(number, number) for joker, number in swaps}
            other_pairs = [(_with_swaps(line, swapped), island) for line, island in other_pairs]
        lines, island_of = zip(*other_pairs, (new_line, new_island), strict=True)
        return Table(lines, island_of), new_line


class Takeable:
    """What a play may take from a table: whole lines, and the cards that it may cross because they
    lie in only one line (3.3). Each island has a bit."""

    def __init__(self, table: Table) -> None:
        bits: dict[int, int] = {}
        jokers: dict[Card, LaidCard] = {}
        self.lines: list[tuple[Line, int]] = []
        """Each line with the bit of its island."""
        self.numbers_mask = 0
        """The mask of all numbers on the table."""
        self.crossable_cards: dict[Card, tuple[LaidCard, int]] = {}
        """The cards that may be crossed, each with the bit of its island."""
        cards = self.crossable_cards
        for line, island in zip(table.lines, table.island_of, strict=True):
            bit = bits.setdefault(island, 1 << len(bits))
            self.lines.append((line, bit))
            self.numbers_mask |= line.mask
            for laid_card in line.cards:
                card = laid_card[0]
                if cards.pop(card, None) is None:
                    cards[card] = (laid_card, bit)
                if card > HIGHEST_NUMBER:
                    jokers[card] = laid_card
        self.jokers = tuple(jokers.values())
        """All jokers on the table."""
        self.island_of_bit = {bit: island for island, bit in bits.items()}
        """The number of each island in `Table.island_of`, by its bit."""
        masks = dict.fromkeys(self.island_of_bit, 0)
        self.crossable_by_number: dict[int, tuple[tuple[LaidCard, int], ...]] = {}
        """The cards that may be crossed, by number, each with the bit of its island. A number card
        and jokers can stand for the same number."""
        self.ambiguous_mask = 0
        """The mask of the numbers that several cards that may be crossed have."""
        self.crossable_mask = 0
        """The mask of all numbers that may be crossed."""
        by_number = self.crossable_by_number
        for pair in cards.values():
            (_, number), bit = pair
            masks[bit] |= 1 << number
            self.ambiguous_mask |= self.crossable_mask & 1 << number
            self.crossable_mask |= 1 << number
            by_number[number] = (*by_number.get(number, ()), pair)
        self.crossable_by_island = tuple(masks.items())
        """The bit of each island, and the mask of its numbers that may be crossed."""
        self._linking: dict[Sequences, int] = {}
        self._places: dict[Sequences, LinePlaces] = {}

    def linking_mask(self, sequences: Sequences) -> int:
        """The mask of the numbers that make a row of three with crossable cards of two islands."""
        if len(self.crossable_by_island) < 2:
            return 0
        linking = self._linking.get(sequences)
        if linking is None:
            linking = 0
            for index, (_, numbers) in enumerate(self.crossable_by_island):
                other_masks = [mask for _, mask in self.crossable_by_island[index + 1 :]]
                other_numbers = [number for mask in other_masks for number in cards_in(mask)]
                for number in cards_in(numbers):
                    thirds = sequences.third_masks[number]
                    for other_number in other_numbers:
                        linking |= thirds[other_number]
            self._linking[sequences] = linking
        return linking

    def places(self, sequences: Sequences) -> "LinePlaces":
        """Where each line lies in the progressions. Also, by number, the indices of the places that
        it lengthens: it fills the lowest gap or, without gaps, lies at an end."""
        line_places = self._places.get(sequences)
        if line_places is None:
            places = [
                (place, line) for line, _ in self.lines for place in sequences.places(line.mask)
            ]
            indices: dict[int, list[int]] = {}
            for index, (place, _) in enumerate(places):
                for number in cards_in(place.between & -place.between or place.beside):
                    indices.setdefault(number, []).append(index)
            line_places = self._places[sequences] = places, indices
        return line_places


LinePlaces = tuple[list[tuple[ProgressionPlace, Line]], dict[int, list[int]]]


def _with_swaps(line: Line, swapped: Mapping[Card, LaidCard]) -> Line:
    if any(card in swapped for card, _ in line.cards):
        return Line(
            tuple([swapped.get(laid_card.card, laid_card) for laid_card in line.cards]), line.mask
        )
    return line
