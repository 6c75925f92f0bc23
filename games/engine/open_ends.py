"""The ends of rows at which the player can lay a card of their hand (rules 3.3)."""

from typing import NamedTuple

from games.engine.cards import HIGHEST_NUMBER, cards_in
from games.engine.play_application import Position
from games.engine.sequences import Sequences
from games.engine.table import Line


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
    has_joker = bool(hand >> HIGHEST_NUMBER + 1)
    ends: dict[Line, OpenEnds] = {}
    for line in table.lines:
        free = numbers_beside(ruleset.sequences, line.mask)
        fitting = free if has_joker else free & hand
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
