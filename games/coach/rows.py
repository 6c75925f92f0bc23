"""Rows as masks of numbers: all that the rules allow, which of them can be laid without jokers, and
the table of each."""

from functools import lru_cache
from typing import Final

from games.coach.times_tables import describe
from games.engine.cards import NUMBER_MASK, cards_in, deck, mask_of
from games.engine.play_application import Position
from games.engine.plays import plays_without_jokers
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST
from games.engine.table import Play, Table

NO_TABLE: Final = 0


@lru_cache(maxsize=64)
def all_rows(ruleset: Ruleset) -> tuple[int, ...]:
    """The masks of all rows that a hand of all numbers could lay, the lowest first."""
    numbers = mask_of(deck(ruleset.highest)) & NUMBER_MASK
    plays = plays_without_jokers(Position(ruleset, Table(), numbers, False))
    return tuple(sorted(mask_of(card for card, _ in play.hand) for play in plays))


@lru_cache(maxsize=64)
def rows_of_three(ruleset: Ruleset) -> tuple[int, ...]:
    """The masks of the shortest rows."""
    return tuple(row for row in all_rows(ruleset) if row.bit_count() == SHORTEST)


def plain_plays(position: Position) -> list[Play]:
    """The legal plays that lay no joker, neither of the hand nor swapped in."""
    return [play for play in plays_without_jokers(position) if not play.swaps]


def masks_of(play: Play) -> tuple[int, int]:
    """The numbers of the row that a play makes, and the number cards that it takes from the hand,
    those put in for jokers too."""
    hand, lines, across, swaps = play
    row = own = 0
    for card, number in hand:
        row |= 1 << number
        own |= 1 << card
    for _, number in across:
        row |= 1 << number
    for line in lines:
        row |= line.mask
    for _, number in swaps:
        own |= 1 << number
    return row, own & NUMBER_MASK


@lru_cache(maxsize=1 << 14)
def table_of(row: int) -> int:
    """The times table of a row's own jump, by its mask."""
    return describe(cards_in(row)).times_table or NO_TABLE


# How easy a row is to find, for sorting: the easiest first.


def fewest_cards(play: Play) -> tuple[int, tuple[int, ...], str]:
    """The row that takes the fewest cards and lines, then the lowest numbers. Chances are stored
    with the row that is easiest so."""
    taken = len(play.hand) + len(play.lines) + len(play.across)
    return taken, cards_in(masks_of(play)[0]), str(play)


def easiest_to_see(play: Play) -> tuple[bool, int, int, tuple[int, ...], str]:
    """A row of a times table, then one from the hand alone, then a shorter one: what to show of all
    that was missed."""
    row = masks_of(play)[0]
    numbers = cards_in(row)
    return table_of(row) == NO_TABLE, _from_table(play), len(numbers), numbers, str(play)


def least_from_table(play: Play) -> tuple[int, int, str]:
    """The row that takes little from the table, then the one that lays more cards: what to hint at
    of rows that are equally good otherwise."""
    return _from_table(play), -len(play.hand), str(play)


def _from_table(play: Play) -> int:
    return len(play.lines) + 2 * len(play.across)
