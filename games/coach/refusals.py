"""Why what a child tapped is no play, told by the row that it seems to mean."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from games.coach.times_tables import RowTable, describe
from games.engine.cards import Card, Laid, is_joker, mask_of
from games.engine.errors import Code, Refused
from games.engine.forming import Position, form
from games.engine.plays import Place, resolve
from games.engine.sequences import SHORTEST, step_of
from games.engine.table import Line, Play


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was tapped and why it is refused.

    `numbers`: the row that it seems to mean, from low to high, jokers left out. `jumps`: the
    differences between them. `even`: whether all jumps are the same, so that the row fails for
    another reason (the agreed tables or where it counts back to), which `row_table` shows.
    """

    code: Code
    numbers: tuple[int, ...]
    jumps: tuple[int, ...]
    even: bool
    row_table: RowTable | None


def explain(position: Position, cards: Collection[Card], places: Collection[Place]) -> Refusal:
    """Why no play lays exactly these hand cards with these places (`plays.resolve`)."""
    numbers = _meant(cards, places)
    jumps = tuple(after - before for before, after in pairwise(numbers))
    even = step_of(numbers) is not None
    shown = describe(numbers) if len(numbers) > 1 else None
    return Refusal(_code(position, cards, places, numbers), numbers, jumps, even, shown)


def _meant(cards: Collection[Card], places: Collection[Place]) -> tuple[int, ...]:
    numbers = {card for card in cards if not is_joker(card)}
    for place in places:
        taken = place.cards if isinstance(place, Line) else (place,)
        numbers |= {laid.number for laid in taken}
    return tuple(sorted(numbers))


def _code(
    position: Position,
    cards: Collection[Card],
    places: Collection[Place],
    numbers: Sequence[int],
) -> Code:
    jokers = sum(is_joker(card) for card in cards)
    if not cards:
        return "bad-text"
    if mask_of(cards) & ~position.hand:
        return "not-in-hand"
    if places and not position.may_use_table:
        return "not-opened"
    if _would_empty_hand(position, cards, places):
        return "must-keep-a-card"
    if len(numbers) + jokers < SHORTEST:
        return "too-short"
    if jokers == 0:
        try:
            form(position, _literal(cards, places))
        except Refused as refused:
            return refused.code
    return "not-a-sequence"


def _would_empty_hand(
    position: Position, cards: Collection[Card], places: Collection[Place]
) -> bool:
    """Whether it would be a play, were it not for the last card of the hand (5.3)."""
    if position.ruleset.may_empty_hand or mask_of(cards) != position.hand:
        return False
    freely = position._replace(ruleset=replace(position.ruleset, ending="free"))
    return bool(resolve(freely, cards, places))


def _literal(cards: Collection[Card], places: Collection[Place]) -> Play:
    lines = [place for place in places if isinstance(place, Line)]
    across = [place for place in places if isinstance(place, Laid)]
    return Play.of((Laid(card, card) for card in cards), lines, across)
