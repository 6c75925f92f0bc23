"""The deck: 100 number cards and 4 jokers (rules 1.1–1.3).

A card is a small int, so that a hand can be a bit mask: a number card is its own number, the
jokers a, b, c, d are 101–104. If bit `c` of a mask is set, card `c` is in it.
"""

import csv
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import Meta

Card = Annotated[int, Meta(ge=1, le=104)]
Colour = Literal["red", "green", "blue", "orange"]

HIGHEST_NUMBER: Final = 100
JOKERS: Final[tuple[Card, ...]] = (101, 102, 103, 104)
JOKER_LETTERS: Final = "abcd"
JOKER_MASK: Final = sum(1 << joker for joker in JOKERS)
NUMBER_MASK: Final = (1 << (HIGHEST_NUMBER + 1)) - 2

_JOKER_COLOURS: Final[tuple[Colour, ...]] = ("red", "green", "blue", "orange")


class LaidCard(NamedTuple):
    """A card with the number that it stands for: its own, or any number for a joker (1.3)."""

    card: Card
    number: int


def _read_deck() -> tuple[dict[Card, Colour], dict[Card, int]]:
    colours: dict[Card, Colour] = dict(zip(JOKERS, _JOKER_COLOURS, strict=True))
    values = dict.fromkeys(JOKERS, 0)
    by_name: dict[str, Colour] = {name: name for name in _JOKER_COLOURS}
    text = files(__package__).joinpath("cards.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        colours[int(row["number"])] = by_name[row["colour"]]
        values[int(row["number"])] = int(row["value"])
    return colours, values


COLOURS, VALUES = _read_deck()
"""The colour and the points (0–3) of each card (1.1, 1.2); a joker has 0 points."""
LAID_CARDS: Final = {
    card: tuple(LaidCard(card, number) for number in range(HIGHEST_NUMBER + 1)) for card in JOKERS
} | {
    card: tuple(LaidCard(card, card) for _ in range(HIGHEST_NUMBER + 1))
    for card in range(1, HIGHEST_NUMBER + 1)
}


def colour(card: Card) -> Colour:
    """The colour of a card. Each joker has one too (1.1, 1.2)."""
    return COLOURS[card]


def is_joker(card: Card) -> bool:
    return card > HIGHEST_NUMBER


def card_text(card: Card) -> str:
    """A number card as its number, a joker as its letter."""
    return str(card) if card not in JOKERS else JOKER_LETTERS[card - JOKERS[0]]


def laid_card_text(card: LaidCard) -> str:
    """`14`, or a joker with the number that it stands for: `a=14`."""
    return str(card.number) if card.card == card.number else f"{card_text(card.card)}={card.number}"


def deck(highest: int) -> tuple[Card, ...]:
    """The unshuffled deck: the numbers from 1 to `highest` and the four jokers."""
    return (*range(1, highest + 1), *JOKERS)


def shuffled(cards: Iterable[Card], seed: int) -> tuple[Card, ...]:
    """The cards in an order that depends on `seed` alone.

    They are sorted by `Random(seed).random()`, the only method that Python promises never to
    change.
    """
    draw = Random(seed).random
    return tuple(card for _, card in sorted((draw(), card) for card in cards))


def mask_of(cards: Iterable[Card]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


@lru_cache(maxsize=1 << 15)
def cards_in(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, numbers from low to high, then jokers."""
    cards = []
    while mask:
        highest = mask.bit_length() - 1
        cards.append(highest)
        mask ^= 1 << highest
    return tuple(reversed(cards))
