"""How much a hand needs a card, by the rows that the card is or could be part of."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from games.coach.rows import rows_of_three
from games.engine.cards import NUMBER_MASK, Card, cards_in, is_joker
from games.engine.round import View
from games.engine.ruleset import Ruleset

LACKING: Final = (6.0, 2.0, 0.3)
"""The worth of a row of three when the hand lacks none, one or two of its cards."""
AT_AN_END: Final = 8.0
ONE_JUMP_OFF: Final = 2.0
"""The worth of a card that fits at an end of a line on the table, or (`ONE_JUMP_OFF`) one jump
beyond it."""
JOKER: Final = 20.0


def need(view: View, card: Card) -> float:
    """How much the seat needs a card, whether or not it holds it; 0 for a useless card."""
    if is_joker(card):
        return JOKER
    held = view.position.hand & NUMBER_MASK | 1 << card
    gone = view.table.cards
    worth = sum(
        LACKING[(row & ~held).bit_count()]
        for row in _rows_with(view.ruleset).get(card, ())
        if not row & gone
    )
    if view.position.may_use_table:
        worth += sum(_fit(line.numbers, card) for line in view.table.lines)
    return worth


def _fit(numbers: tuple[int, ...], card: Card) -> float:
    jump = min(after - before for before, after in pairwise(numbers))
    if card in (numbers[0] - jump, numbers[-1] + jump):
        return AT_AN_END
    if card in (numbers[0] - 2 * jump, numbers[-1] + 2 * jump):
        return ONE_JUMP_OFF
    return 0.0


@lru_cache(maxsize=64)
def _rows_with(ruleset: Ruleset) -> Mapping[Card, tuple[int, ...]]:
    """For each number, the masks of the rows of three that it can be in."""
    rows_by_card: dict[Card, list[int]] = {}
    for row in rows_of_three(ruleset):
        for card in cards_in(row):
            rows_by_card.setdefault(card, []).append(row)
    return MappingProxyType({card: tuple(rows) for card, rows in rows_by_card.items()})
