"""Which card to take if no row can be laid yet: the open card or one from the pile.

A card *ends the wait* if it makes a row of three with cards of the hand, or lengthens a row on the
table. The better card to take is the one after which more of the unseen cards end the wait. For
the pile this is the mean over all cards that may come; a card that ends the wait itself counts as
if all unseen cards did.
"""

from collections.abc import Iterator
from typing import Literal

from games.engine.cards import JOKER_MASK, NUMBER_MASK, Card, cards_in, is_joker, mask_of
from games.engine.play_application import Position
from games.engine.plays import numbers_beside


def better_card_to_take(position: Position, open_card: Card | None) -> Literal["open card", "pile"]:
    """The better card to take. The hand of `position` includes the open card, if there is one, and
    has no row to lay."""
    if open_card is None:
        return "pile"
    if is_joker(open_card):
        return "open card"
    hand = position.hand & ~(1 << open_card)
    unseen = mask_of(position.ruleset.cards) & ~(position.hand | position.table.cards)
    count = unseen.bit_count()
    with_open = (_numbers_ending_wait(position, position.hand) & unseen).bit_count()
    ends = _numbers_ending_wait(position, hand)
    jokers = (unseen & JOKER_MASK).bit_count()
    from_pile = (
        count if ends else (_numbers_ending_wait(position, hand, 1) & unseen).bit_count()
    ) * jokers
    beside_each = dict[int, int]()
    for lacking in _lacking_numbers(position, hand, 2):
        for number in cards_in(lacking):
            beside_each[number] = beside_each.get(number, 0) | lacking
    for number in cards_in(unseen & NUMBER_MASK):
        then = (ends | beside_each.get(number, 0)) & unseen & ~(1 << number)
        from_pile += count if ends >> number & 1 else then.bit_count()
    return "open card" if with_open * count > from_pile else "pile"


def _numbers_ending_wait(position: Position, hand: int, more_jokers: int = 0) -> int:
    """The mask of the numbers that end the wait of this hand, with this many more jokers in it."""
    found = 0
    for lacking in _lacking_numbers(position, hand, 1 + more_jokers):
        found |= lacking
    if position.may_use_table:
        for line in position.table.lines:
            found |= numbers_beside(position.ruleset.sequences, line.mask)
    return found


def _lacking_numbers(position: Position, hand: int, count: int) -> Iterator[int]:
    """Yields the missing numbers, as a mask, of each row of three that lacks `count` cards beside
    those that the jokers of the hand can stand for."""
    count += (hand & JOKER_MASK).bit_count()
    for row in position.ruleset.sequences.threes:
        lacking = row & ~hand
        if lacking.bit_count() == count:
            yield lacking
