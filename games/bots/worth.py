"""What cards are worth while they wait in a hand, worked out with bit masks.

Two cards that could be in one row of three wait for the third: its number is an *out*. The more
outs are unseen, the sooner the cards can be laid. The *friends* of a number are the numbers that
can be in a row of three together with it.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

from games.engine.cards import NUMBER_MASK, VALUES, cards_in, mask_of
from games.engine.round import View
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST, Sequences
from games.engine.table import Table

LONGEST_WAIT: Final = 8.0
"""Bots look ahead at most this many turns."""


def outs_of_pairs(sequences: Sequences, numbers: Sequence[int]) -> int:
    """The mask of the numbers that make a row of three with two of these numbers."""
    thirds = sequences.thirds
    outs = 0
    for one, other in combinations(numbers, 2):
        outs |= thirds[one][other]
    return outs


def outs_across(sequences: Sequences, number: int, across: Iterable[int]) -> int:
    """The mask of the numbers that make a row of three with this number and one of the table."""
    thirds = sequences.thirds[number]
    outs = 0
    for other in across:
        outs |= thirds[other]
    return outs


def alone(sequences: Sequences, table: Table) -> int:
    """The mask of the numbers that can be laid as a single card: next to a line, or across two of
    them."""
    layable = table.takeable.linking(sequences)
    for place, _ in table.takeable.places(sequences)[0]:
        if not place.between:
            layable |= place.beside
    return layable


@cache
def friends_of(sequences: Sequences) -> tuple[int, ...]:
    """For each number, the mask of its friends."""
    friends = [0] * (sequences.highest + 1)
    for row in sequences.threes:
        for number in cards_in(row):
            friends[number] |= row & ~(1 << number)
    return tuple(friends)


@cache
def mean_friends(sequences: Sequences) -> float:
    """The mean share (0–1) of all numbers that are friends of a number."""
    friends = friends_of(sequences)
    return sum(mask.bit_count() for mask in friends) / sequences.highest**2


@cache
def turns_to_a_row(sequences: Sequences, hand: int) -> float:
    """About how many turns a hand of this size waits for a row: the inverse of the mean number of
    rows in it, at most `LONGEST_WAIT`."""
    rows = len(sequences.threes) / comb(sequences.highest, SHORTEST) * comb(hand, SHORTEST)
    return min(LONGEST_WAIT, 1 / rows) if rows else LONGEST_WAIT


@cache
def worth_of_a_card(ruleset: Ruleset) -> float:
    """What a card earns on average when it is laid, and costs when it is left over, in points."""
    if ruleset.cards_differ:
        return sum(VALUES[number] for number in range(1, ruleset.highest + 1)) / ruleset.highest
    return 1.0


def unseen(view: View) -> int:
    """The mask of the cards that a seat does not see: those in other hands, and those that lie face
    down or covered in a pile."""
    seen = view.table.cards | mask_of(view.hand) | mask_of(view.open_cards)
    return mask_of(view.ruleset.cards) & ~seen


def least_befriended(sequences: Sequences, hand: int) -> int:
    """The card with the fewest friends in the hand, of equal ones the lowest; a joker only if there
    is no number card."""
    friends = friends_of(sequences)
    numbers = cards_in(hand & NUMBER_MASK)
    if not numbers:
        return cards_in(hand)[0]
    return min(numbers, key=lambda card: (friends[card] & hand).bit_count())
