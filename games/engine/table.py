"""The table: lines, islands, and what a play puts there (rules 3)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from .cards import JOKER_LETTERS, JOKERS, Card, Laid, mask_of


def card_text(card: Card) -> str:
    """A number card as its number, a joker as its letter."""
    return str(card) if card not in JOKERS else JOKER_LETTERS[card - JOKERS[0]]


def laid_text(laid: Laid) -> str:
    """`14`, or a joker with the number that it stands for: `a=14`."""
    return str(laid.number) if laid.card == laid.number else f"{card_text(laid.card)}={laid.number}"


@dataclass(frozen=True, slots=True)
class Line:
    """Cards that lie in a row, from low to high; on the table always a valid sequence (3.1)."""

    cards: tuple[Laid, ...]
    mask: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mask", mask_of(laid.number for laid in self.cards))

    @classmethod
    def of(cls, cards: Iterable[Laid]) -> Self:
        return cls(tuple(sorted(cards, key=_by_number)))

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(laid.number for laid in self.cards)

    @property
    def sort_key(self) -> tuple[tuple[int, ...], str]:
        """Lines are told in the order of their numbers, then of their text."""
        return self.numbers, str(self)

    def __str__(self) -> str:
        return "-".join(laid_text(laid) for laid in self.cards)


@dataclass(frozen=True, slots=True)
class Play:
    """One play: forms exactly one line out of hand cards and what it takes of the table (3.3).

    `hand`: the hand cards laid, jokers with their number, those swapped in among them.
    `lines`: lines of the table that become part of it. `across`: table cards that it crosses.
    `swaps`: jokers taken off the table, with the number of the hand card put in (3.5).
    Lines and cards of the table are named as they lie before the play.
    """

    hand: tuple[Laid, ...]
    lines: tuple[Line, ...] = ()
    across: tuple[Laid, ...] = ()
    swaps: tuple[Laid, ...] = ()

    @classmethod
    def of(
        cls,
        hand: Iterable[Laid],
        lines: Iterable[Line] = (),
        across: Iterable[Laid] = (),
        swaps: Iterable[Laid] = (),
    ) -> Self:
        """The play with its parts in canonical order."""
        return cls(
            tuple(sorted(hand, key=_by_number)),
            tuple(sorted(lines, key=lambda line: line.sort_key)),
            tuple(sorted(across, key=_by_number)),
            tuple(sorted(swaps, key=_by_number)),
        )

    @property
    def is_readable(self) -> bool:
        """Whether it can be a play at all: it lays something, nothing twice, and only jokers
        stand for other numbers or are swapped."""
        laid = [card for card, _ in self.hand]
        put_in = [number for _, number in self.swaps]
        swapped = [joker for joker, _ in self.swaps]
        each_once = (laid, self.lines, [card for card, _ in self.across], swapped, put_in)
        return (
            bool(laid)
            and all(len(set(items)) == len(items) for items in each_once)
            and all(card == number or card in JOKERS for card, number in self.hand)
            and set(swapped) <= set(JOKERS)
            and not set(put_in) & {*laid, *JOKERS}
        )

    @property
    def touches_table(self) -> bool:
        return bool(self.lines or self.across or self.swaps)

    def __str__(self) -> str:
        parts = [laid_text(laid) for laid in self.hand]
        if self.lines:
            parts += ["to", *map(str, self.lines)]
        if self.across:
            parts += ["across", *(card_text(laid.card) for laid in self.across)]
        if self.swaps:
            swaps = (f"{laid.number} for {card_text(laid.card)}" for laid in self.swaps)
            parts += ["swap", ", ".join(swaps)]
        return " ".join(parts)


@dataclass(frozen=True)
class Table:
    """All lines, in the order in which they were formed, and the island that each belongs to."""

    lines: tuple[Line, ...] = ()
    island_of: tuple[int, ...] = ()

    @classmethod
    def of(cls, lines: Iterable[Line]) -> Self:
        """The table of these lines; those that share a card are one island (3.2)."""
        lines = tuple(lines)
        island_of: list[int] = []
        for index, line in enumerate(lines):
            cards = {laid.card for laid in line.cards}
            met = {
                island_of[other]
                for other in range(index)
                if any(laid.card in cards for laid in lines[other].cards)
            }
            island_of = [index if island in met else island for island in island_of]
            island_of.append(index)
        return cls(lines, tuple(island_of))

    @cached_property
    def lines_at(self) -> dict[Card, tuple[int, ...]]:
        """For each card on the table the indices of its one or two lines."""
        found: dict[Card, tuple[int, ...]] = {}
        for index, line in enumerate(self.lines):
            for laid in line.cards:
                found[laid.card] = (*found.get(laid.card, ()), index)
        return found

    @cached_property
    def laid(self) -> dict[Card, Laid]:
        """Each card on the table as it lies there."""
        return {laid.card: laid for line in self.lines for laid in line.cards}

    @property
    def cards(self) -> int:
        """The mask of the cards on the table."""
        return mask_of(self.laid)

    @property
    def islands(self) -> tuple[tuple[Line, ...], ...]:
        """The lines of each island, islands and lines in the order in which they were formed."""
        grouped: dict[int, list[Line]] = {}
        for line, island in zip(self.lines, self.island_of, strict=True):
            grouped.setdefault(island, []).append(line)
        return tuple(tuple(lines) for lines in grouped.values())

    def with_play(self, play: Play) -> "tuple[Table, Line]":
        """The table after a legal play, and the line that it formed."""
        swapped = {laid.card: Laid(laid.number, laid.number) for laid in play.swaps}
        taken = set(play.lines)
        touched = {self.island_of[self.lines.index(line)] for line in play.lines}
        touched |= {self.island_of[self.lines_at[laid.card][0]] for laid in play.across}
        formed = Line.of(
            (
                *play.hand,
                *(swapped.get(laid.card, laid) for line in play.lines for laid in line.cards),
                *(swapped.get(laid.card, laid) for laid in play.across),
            )
        )
        label = max(self.island_of, default=-1) + 1
        lines: list[Line] = []
        island_of: list[int] = []
        for line, island in zip(self.lines, self.island_of, strict=True):
            if line in taken:
                continue
            if swapped and any(laid.card in swapped for laid in line.cards):
                line = Line(tuple(swapped.get(laid.card, laid) for laid in line.cards))
            lines.append(line)
            island_of.append(label if island in touched else island)
        return Table((*lines, formed), (*island_of, label)), formed


def _by_number(laid: Laid) -> int:
    return laid.number
