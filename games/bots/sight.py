"""Rows as a person at the table sees them. Several plays can look like one row: a person who sees
10-20-30 also sees the 40 beside it. A person notices or overlooks plays together that are made in
the same way, belong to the same times table and share a number."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from random import Random

from games.coach.times_tables import row_table_of
from games.engine.cards import Card, is_joker, mask_of
from games.engine.play_application import Position
from games.engine.plays import plays_with_jokers
from games.engine.table import Play


@dataclass(frozen=True, slots=True)
class Sight:
    """Plays that are noticed or overlooked together, and how they are made."""

    table: int | None  # their times table; None if they belong to none
    lowest: int  # their lowest number
    adds: bool  # whether they add to rows on the table
    crosses: bool  # whether they cross rows
    needs_joker: bool
    plays: Sequence[Play]


def sights_of(position: Position, card: Card | None = None) -> list[Sight]:
    """All sights with at most one joker of the hand, in a fixed order. With a `card`, they have
    only plays that lay this card."""
    plays = [*plays_with_jokers(position, 0), *plays_with_jokers(position, 1)]
    if card is not None:
        plays = [play for play in plays if any(laid.card == card for laid in play.hand)]
    by_way: dict[tuple[int, int, bool, bool, bool], list[tuple[tuple[int, ...], str, Play]]] = {}
    for play in plays:
        numbers = numbers_of(play)
        jump = numbers[1] - numbers[0]
        needs_joker = bool(play.swaps or jokers_of(play))
        way = (jump, numbers[0] % jump, bool(play.lines), bool(play.across), needs_joker)
        by_way.setdefault(way, []).append((numbers, str(play), play))
    sights: list[Sight] = []
    for way in sorted(by_way):
        union = 0
        for numbers, _, play in sorted(by_way[way], key=itemgetter(0, 1)):
            if not union & mask_of(numbers):
                union, plays = 0, []
                table = row_table_of(numbers).times_table
                sights.append(Sight(table, numbers[0], *way[2:], plays))
            union |= mask_of(numbers)
            plays.append(play)
    return sights


def noticed_sights(
    sights: Iterable[Sight], chance: Callable[[Sight], float], seed: str | int
) -> Iterator[Sight]:
    """The sights that are noticed. The seed decides for each sight, so that a second look in a turn
    finds no more."""
    for sight in sights:
        ways = f"{sight.adds:d}{sight.crosses:d}{sight.needs_joker:d}"
        draw = Random(f"{seed}/{sight.table}/{sight.lowest}/{ways}").random()
        if draw < chance(sight):
            yield sight


def numbers_of(play: Play) -> tuple[int, ...]:
    """The numbers of the row that a legal play makes, from low to high."""
    cards = [*play.hand, *play.across, *(cards for line in play.lines for cards in line.cards)]
    return tuple(sorted(card.number for card in cards))


def jokers_of(play: Play) -> int:
    return sum(is_joker(card) for card, _ in play.hand)
