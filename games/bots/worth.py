"""The worth of cards that wait in a hand, computed with bit masks.

Two cards that could be in one row of three wait for the third, whose number is an *out*. The more
outs are unseen, the sooner the cards can be laid. The *friends* of a number are the numbers that
can be in a row of three with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import comb
from types import MappingProxyType
from typing import Final

from games.coach.rows import rows_of_three
from games.engine.cards import NUMBER_MASK, VALUES, Card, cards_in, is_joker, mask_of
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST, Sequences
from games.engine.table import Table
from games.engine.view import View

LONGEST_WAIT: Final = 8.0
"""The most turns that a hand is assumed to wait for a row."""


def outs_of_pairs(sequences: Sequences, numbers: Sequence[int]) -> int:
    """The mask of the numbers that make a row of three with two of these numbers."""
    thirds = sequences.third_masks
    outs = 0
    for number, other in combinations(numbers, 2):
        outs |= thirds[number][other]
    return outs


def outs_across(sequences: Sequences, number: int, across: Iterable[int]) -> int:
    """The mask of the numbers that make a row of three with this number and one of `across`."""
    thirds = sequences.third_masks[number]
    outs = 0
    for crossed in across:
        outs |= thirds[crossed]
    return outs


def single_cards(sequences: Sequences, table: Table) -> int:
    """The mask of the numbers that can be laid as a single card: next to a line, or across two
    lines."""
    layable = table.takeable.linking_mask(sequences)
    for place, _ in table.takeable.places(sequences)[0]:
        if not place.between:
            layable |= place.beside
    return layable


@cache
def friends_of(sequences: Sequences) -> tuple[int, ...]:
    """The mask of the friends of each number."""
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
    """An estimate of how many turns a hand of this size waits for a row: the inverse of the mean
    number of rows in it, at most `LONGEST_WAIT`."""
    rows = len(sequences.threes) / comb(sequences.highest, SHORTEST) * comb(hand, SHORTEST)
    return min(LONGEST_WAIT, 1 / rows) if rows else LONGEST_WAIT


@cache
def worth_of_a_card(ruleset: Ruleset) -> float:
    """The points that a card earns on average when it is laid, or costs when it is left over."""
    if ruleset.cards_differ:
        return sum(VALUES[number] for number in range(1, ruleset.highest + 1)) / ruleset.highest
    return 1.0


def unseen_cards(view: View) -> int:
    """The mask of the cards that a seat does not see: those in other hands, and those that lie
    covered in a pile."""
    seen_cards = view.table.card_mask | mask_of(view.hand) | mask_of(view.open_cards)
    return mask_of(view.ruleset.cards) & ~seen_cards


def card_with_fewest_friends(sequences: Sequences, hand: int) -> int:
    """The card with the fewest friends in the hand, the lowest among equals; a joker only if there
    is no number card."""
    friends = friends_of(sequences)
    numbers = cards_in(hand & NUMBER_MASK)
    if not numbers:
        return cards_in(hand)[0]
    return min(numbers, key=lambda card: (friends[card] & hand).bit_count())


WORTH_OF_ROWS: Final = (6.0, 2.0, 0.3)
"""The worth of a row of three when the hand lacks none, one or two of its cards."""
WORTH_AT_END: Final = 8.0  # the worth of a card that fits at an end of a line on the table
WORTH_ONE_JUMP_OFF: Final = 2.0  # the worth of a card that lies one jump beyond such an end
WORTH_OF_JOKER: Final = 20.0


def need_for(view: View, card: Card) -> float:
    """How much the seat needs a card, in its hand or not; 0 for a useless card."""
    if is_joker(card):
        return WORTH_OF_JOKER
    hand = view.position.hand & NUMBER_MASK | 1 << card
    table_cards = view.table.card_mask
    worth = sum(
        WORTH_OF_ROWS[(row & ~hand).bit_count()]
        for row in _rows_by_card(view.ruleset).get(card, ())
        if not row & table_cards
    )
    if view.position.may_use_table:
        worth += sum(_worth_at_ends(line.numbers, card) for line in view.table.lines)
    return worth


def _worth_at_ends(numbers: tuple[int, ...], card: Card) -> float:
    jump = min(after - before for before, after in pairwise(numbers))
    if card in (numbers[0] - jump, numbers[-1] + jump):
        return WORTH_AT_END
    if card in (numbers[0] - 2 * jump, numbers[-1] + 2 * jump):
        return WORTH_ONE_JUMP_OFF
    return 0.0


@lru_cache(maxsize=64)
def _rows_by_card(ruleset: Ruleset) -> Mapping[Card, tuple[int, ...]]:
    """The masks of the rows of three in which each number can be."""
    rows_by_card: dict[Card, list[int]] = {}
    for row in rows_of_three(ruleset):
        for card in cards_in(row):
            rows_by_card.setdefault(card, []).append(row)
    return MappingProxyType({card: tuple(rows) for card, rows in rows_by_card.items()})
