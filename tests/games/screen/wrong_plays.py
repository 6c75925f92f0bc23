"""A play that was refused, and what holds of its cards by the rules (docs/rules.md, 2 and 3)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tests.games.engine.reference import At, CardLine, Lying, Options, numbers_of, rows


class Wrong(NamedTuple):
    """A play that was refused.

    A play that is written out also says which numbers its jokers are (`jokers`, with those swapped
    in) and which jokers are swapped for which numbers; `cards` are then the hand cards laid.
    """

    at: At
    cards: tuple[int, ...]  # the hand's, as often as they were given
    taken: tuple[CardLine, ...] = ()  # the rows of the table
    crossed: tuple[Lying, ...] = ()
    """Single cards of the table, and the number with which they were given."""
    written: bool = False
    jokers: tuple[Lying, ...] = ()
    swaps: tuple[Lying, ...] = ()

    @property
    def lying(self) -> set[Lying]:
        """The cards of the table that it uses, as they lie there."""
        there = numbers_of(self.at.lines)
        single = {(card, there[card]) for card, _ in self.crossed if card in there}
        return single | {lying for line in self.taken for lying in line}

    @property
    def needed(self) -> set[int]:
        """The cards that must be in the hand."""
        swapped = {joker for joker, _ in self.swaps}
        return set(self.cards) - swapped | {number for _, number in self.swaps}

    @property
    def swappable(self) -> dict[int, int]:
        """Each number of the hand that a tap may mean for a joker, with that joker."""
        return {
            number: card
            for card, number in sorted(self.lying)
            if card > 100 and number in self.cards
        }

    @property
    def wild(self) -> int:
        """How many jokers of the hand it lays."""
        return sum(card > 100 for card in set(self.cards))

    @property
    def counted(self) -> list[int]:
        """The numbers of the row, low to high, each as often as there are cards for it, without
        the jokers of a tap."""
        own = [card for card in set(self.cards) if card <= 100]
        return sorted([*own, *(number for _, number in (*self.lying, *self.jokers))])

    @property
    def numbers(self) -> list[int]:
        return sorted(set(self.counted))


def no_row(wrong: Wrong, numbers: Sequence[int], wild: int) -> bool:
    """Whether no numbers for the jokers make a row of this game."""
    known = set(numbers)
    return not any(known <= row for row in _rows_of(wrong.at.options, len(known) + wild))


@lru_cache(maxsize=1000)
def _rows_of(options: Options, length: int) -> list[set[int]]:
    return [set(row) for row in rows(options) if len(row) == length]


def even_rows(wrong: Wrong) -> Iterator[tuple[int, ...]]:
    """All rows with equal jumps, of this game or not, that the cards make with the jokers."""
    highest, numbers = wrong.at.options.highest, set(wrong.numbers)
    length = len(numbers) + wrong.wild
    for step in range(1, highest):
        for first in range(1, highest + 1 - step * (length - 1)):
            row = tuple(range(first, first + step * length, step))
            if numbers.issubset(row):
                yield row


def makes(wrong: Wrong, row: Sequence[int]) -> bool:
    """Whether the cards are this row: by themselves, or with all their jokers."""
    return list(row) == wrong.numbers or (
        set(wrong.numbers) <= set(row) and len(row) == len(wrong.numbers) + wrong.wild
    )


def jumps(row: Sequence[int]) -> set[int]:
    return {after - before for before, after in pairwise(row)}


def jumps_only(wrong: Wrong, row: Sequence[int], step: int) -> bool:
    """Whether the cards make this row, which jumps this step, and no joker makes another jump."""
    return (
        makes(wrong, row)
        and jumps(row) == {step}
        and len(wrong.counted) == len(wrong.numbers)
        and all(jumps(other) == {step} for other in even_rows(wrong))
        and no_row(wrong, wrong.numbers, wrong.wild)
    )
