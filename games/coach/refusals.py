"""Why the cards that a child tapped make no play, by the row that was probably meant."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from games.coach.times_tables import RowTable, describe
from games.engine.cards import Card, Laid, cards_in, is_joker, mask_of
from games.engine.errors import Code, Refused
from games.engine.play_application import Position, form
from games.engine.plays import Place, resolve
from games.engine.sequences import SHORTEST, step_of
from games.engine.table import Line, Play


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was tapped and why it is refused.

    `numbers`: the row that the child seems to mean, from low to high, without jokers. `jumps`: the
    differences between them. `even`: whether all jumps are the same, so that the row fails for
    another reason (the agreed tables or where it counts back to), which `row_table` shows.
    `twice`: a number that more than one of the cards stands for, or None.
    """

    code: Code
    numbers: tuple[int, ...]
    jumps: tuple[int, ...]
    even: bool
    row_table: RowTable | None
    twice: int | None = None


def explain(position: Position, cards: Collection[Card], places: Collection[Place]) -> Refusal:
    """Why no play lays exactly these hand cards at these places (`plays.resolve`)."""
    places = [_as_it_lies(position, place) for place in places]
    counted = _meant(cards, places)
    numbers = tuple(sorted(counted))
    jumps = tuple(after - before for before, after in pairwise(numbers))
    even = step_of(numbers) is not None
    shown = describe(numbers) if len(numbers) > 1 else None
    twice = next((number for number in numbers if counted[number] > 1), None)
    return Refusal(_code(position, cards, places, numbers), numbers, jumps, even, shown, twice)


def _meant(cards: Collection[Card], places: Collection[Place]) -> Counter[int]:
    """The numbers of the row, each with how many cards stand for it."""
    taken = {laid for place in places for laid in _cards_of(place)}
    return Counter([card for card in set(cards) if not is_joker(card)]) + Counter(
        [laid.number for laid in taken]
    )


def _as_it_lies(position: Position, place: Place) -> Place:
    """A tapped card with the number that it stands for on the table, whatever was posted."""
    if isinstance(place, Line):
        return place
    return position.table.laid.get(place.card, place)


def _cards_of(place: Place) -> Sequence[Laid]:
    return place.cards if isinstance(place, Line) else (place,)


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
    for play in _literals(position, cards, places):
        try:
            form(position, play)
        except Refused as refused:
            return refused.code
    return "not-a-sequence"


def _would_empty_hand(
    position: Position, cards: Collection[Card], places: Collection[Place]
) -> bool:
    """Whether it would be a play if it were allowed to lay the last card of the hand (5.3)."""
    if position.ruleset.may_empty_hand or mask_of(cards) != position.hand:
        return False
    freely = position._replace(ruleset=replace(position.ruleset, ending="free"))
    return bool(resolve(freely, cards, places))


def _literals(
    position: Position, cards: Collection[Card], places: Collection[Place]
) -> Iterator[Play]:
    """The plays that lay exactly these cards and take exactly these places, with the jokers
    standing for numbers that make a row; without jokers the one play, row or not."""
    lines = [place for place in places if isinstance(place, Line)]
    across = [place for place in places if isinstance(place, Laid)]
    own = [Laid(card, card) for card in cards if not is_joker(card)]
    jokers = sorted(card for card in cards if is_joker(card))
    if not jokers:
        yield Play.of(own, lines, across)
        return
    there = mask_of(_meant(cards, places))
    for row in sorted(position.ruleset.sequences.rows):
        lacking = cards_in(row & ~there)
        if there & ~row or len(lacking) != len(jokers):
            continue
        stand_for = [Laid(joker, number) for joker, number in zip(jokers, lacking, strict=True)]
        yield Play.of([*own, *stand_for], lines, across)
