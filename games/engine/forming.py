"""What one play makes and earns, and why it may be refused (rules 3–4)."""

from collections.abc import Iterable
from dataclasses import dataclass

from .cards import COLOURS, JOKER_MASK, VALUES, Card, Laid, is_joker, mask_of
from .errors import Refused
from .ruleset import Ruleset
from .sequences import SHORTEST, sequences_of
from .table import Line, Play, Table, card_text


@dataclass(frozen=True, slots=True)
class Position:
    """All that decides which plays are legal. `hand` is a mask of cards."""

    ruleset: Ruleset
    table: Table
    hand: int
    opened: bool

    @property
    def may_use_table(self) -> bool:
        """Whether plays other than a row wholly from the hand are open (3.4)."""
        return self.opened or not self.ruleset.opening


@dataclass(frozen=True, slots=True)
class Formed:
    """What a legal play makes: the line, the table and hand after it, and the points earned."""

    play: Play
    line: Line
    table: Table
    hand: int
    points: int


def form(position: Position, play: Play) -> Formed:
    """Make the play. Raises `Refused` with the first reason that applies (docs/rules.md)."""
    if not play.is_readable:
        raise Refused("bad-text", str(play))
    play = _as_on_table(position, play)
    _check_from_table(position, play)
    table, line = position.table.with_play(play)
    _check_line(position.ruleset, play, line)
    hand = hand_after(position.hand, play)
    if not hand and not position.ruleset.may_empty_hand:
        raise Refused("must-keep-a-card")
    return Formed(play, line, table, hand, points(position.ruleset, play.hand, line))


def hand_after(hand: int, play: Play) -> int:
    swapped_in = mask_of(laid.card for laid in play.swaps)
    put_in = mask_of(laid.number for laid in play.swaps)
    return (hand | swapped_in) & ~(mask_of(laid.card for laid in play.hand) | put_in)


def points(ruleset: Ruleset, hand: Iterable[Laid], line: Line) -> int:
    """What a play earns: its hand cards, doubled by the colours of the whole line (4.1–4.3).

    A joker swapped in earns as any joker does; the card put in for it earns nothing (3.5).
    """
    if ruleset.earning == "nothing":
        return 0
    one_each = ruleset.earning == "one"
    earned = sum(1 if one_each else VALUES[laid.card] for laid in hand)
    return 2 * earned if is_doubled(ruleset, (laid.card for laid in line.cards)) else earned


def is_doubled(ruleset: Ruleset, cards: Iterable[Card]) -> bool:
    """Whether the colours of a line double its points (4.3)."""
    colours = [COLOURS[card] for card in cards]
    kinds = len(set(colours))
    return (kinds == 1 and "same" in ruleset.doubling) or (
        kinds == len(colours) and "different" in ruleset.doubling
    )


def _as_on_table(position: Position, play: Play) -> Play:
    """The play with crossed jokers named by the number they stand for, after the checks that
    come first: everything laid is in the hand, everything taken is on the table."""
    swapped_in = mask_of(laid.card for laid in play.swaps)
    needed = mask_of(laid.card for laid in play.hand) & ~(swapped_in & JOKER_MASK)
    needed |= mask_of(laid.number for laid in play.swaps)
    if missing := needed & ~position.hand:
        raise Refused("not-in-hand", card_text(missing.bit_length() - 1))
    lines = set(position.table.lines)
    on_table = position.table.laid
    for line in play.lines:
        if line not in lines:
            raise Refused("not-on-table", str(line))
    across = []
    for laid in play.across:
        there = on_table.get(laid.card)
        if there is None or laid.number not in (0, there.number):
            raise Refused("not-on-table", card_text(laid.card))
        across.append(there)
    for laid in play.swaps:
        if laid.card not in on_table:
            raise Refused("not-on-table", card_text(laid.card))
    return Play.of(play.hand, play.lines, across, play.swaps)


def _check_from_table(position: Position, play: Play) -> None:
    table = position.table
    if play.touches_table and not position.may_use_table:
        raise Refused("not-opened")
    for laid in play.swaps:
        if table.laid[laid.card].number != laid.number:
            raise Refused("swap-mismatch", card_text(laid.card))
    laid_cards = {laid.card for laid in play.hand}
    for laid in play.swaps:
        if laid.card not in laid_cards:
            raise Refused("joker-not-laid", card_text(laid.card))
    taken = [table.lines.index(line) for line in play.lines]
    for laid in play.across:
        at = table.lines_at[laid.card]
        if len(at) > 1 or at[0] in taken:
            raise Refused("already-crossed", card_text(laid.card))
    islands = [table.island_of[index] for index in taken]
    islands += [table.island_of[table.lines_at[laid.card][0]] for laid in play.across]
    if len(set(islands)) < len(islands):
        raise Refused("same-island")


def _check_line(ruleset: Ruleset, play: Play, line: Line) -> None:
    for laid in play.hand:
        if is_joker(laid.card) and not 1 <= laid.number <= ruleset.highest:
            raise Refused("out-of-range", str(laid.number))
    if len(line.cards) < SHORTEST:
        raise Refused("too-short")
    if not sequences_of(ruleset).is_valid(line.numbers):
        raise Refused("not-a-sequence")
