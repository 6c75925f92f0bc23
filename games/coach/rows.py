"""Rows as masks of numbers, and how easy they are to find."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.coach.times_tables import RowTable, row_table_of
from games.engine.cards import NUMBER_MASK, LaidCard, cards_in, deck, mask_of
from games.engine.play_application import Position, make_play
from games.engine.plays import plays_without_jokers
from games.engine.round import State
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST
from games.engine.table import Play, Table

NO_TABLE: Final = 0


@lru_cache(maxsize=64)
def all_rows(ruleset: Ruleset) -> tuple[int, ...]:
    """The masks of all rows that the rules allow without jokers, in ascending order."""
    numbers = mask_of(deck(ruleset.highest)) & NUMBER_MASK
    plays = plays_without_jokers(Position(ruleset, Table(), numbers, False))
    return tuple(sorted(mask_of(card for card, _ in play.hand) for play in plays))


@lru_cache(maxsize=64)
def rows_of_three(ruleset: Ruleset) -> tuple[int, ...]:
    return tuple(row for row in all_rows(ruleset) if row.bit_count() == SHORTEST)


def plain_plays(position: Position) -> list[Play]:
    """The legal plays that lay no joker, neither from the hand nor swapped in."""
    return [play for play in plays_without_jokers(position) if not play.swaps]


def row_and_hand_masks(play: Play) -> tuple[int, int]:
    """Two masks of a play: the numbers of its row, and the number cards that it takes from the
    hand, including those put in for jokers."""
    hand, lines, across, swaps = play
    row = hand_mask = 0
    for card, number in hand:
        row |= 1 << number
        hand_mask |= 1 << card
    for _, number in across:
        row |= 1 << number
    for line in lines:
        row |= line.mask
    for _, number in swaps:
        hand_mask |= 1 << number
    return row, hand_mask & NUMBER_MASK


@lru_cache(maxsize=1 << 14)
def table_of(row: int) -> int:
    """The times table that has the jump of a row, given as a mask; `NO_TABLE` if it is in none."""
    return row_table_of(cards_in(row)).times_table or NO_TABLE


def first_jump(row: int) -> int:
    """The difference between the two lowest numbers of a row."""
    lowest, second, *_ = cards_in(row)
    return second - lowest


def is_part(row: int, longer: int) -> bool:
    """Whether a row is this longer one with the same jump, or a part of it."""
    return row & longer == row and first_jump(row) == first_jump(longer)


def longest_rows(rows: Collection[int]) -> list[int]:
    """The rows that are not part of a longer one with the same jump."""
    return [row for row in rows if not any(row != other and is_part(row, other) for other in rows)]


def by_fewest_cards(play: Play) -> tuple[int, tuple[int, ...], str]:
    """First few cards and lines, then low numbers. A chance is stored with the first row in this
    order."""
    size = len(play.hand) + len(play.lines) + len(play.across)
    return size, cards_in(row_and_hand_masks(play)[0]), str(play)


def by_ease(play: Play) -> tuple[bool, int, int, tuple[int, ...], str]:
    """First rows of a times table, then rows from the hand alone, then short rows. The first row
    in this order is shown as missed."""
    row = row_and_hand_masks(play)[0]
    numbers = cards_in(row)
    return table_of(row) == NO_TABLE, _table_use(play), len(numbers), numbers, str(play)


def by_use_of_table(play: Play) -> tuple[int, int, str]:
    """The sort key for equally good rows: those that take less from the table come first, then
    those that lay more cards. A hint is about the first of them."""
    return _table_use(play), -len(play.hand), str(play)


def _table_use(play: Play) -> int:
    return len(play.lines) + 2 * len(play.across)


@dataclass(frozen=True, slots=True)
class MissedRow:
    """A row that a player missed in a turn and that is shown afterwards."""

    play: Play
    row: RowTable
    cards: tuple[LaidCard, ...]  # all its cards, from low to high
    hand_cards: tuple[LaidCard, ...]  # the cards from the hand


def missed_row(before: State, after: State) -> MissedRow | None:
    """The easiest plain row that can no longer be laid because the player put down one of its cards
    to end the turn; None if there is none. A row does not count if another row of its table that
    shares a hand card with it can still be laid, because the player may still find that one."""
    if after.table != before.table:
        return None
    position = before.position(before.turn)
    put_down = position.hand & ~after.hands[before.turn]
    lost: list[tuple[int, int, Play]] = []
    possible: list[tuple[int, int]] = []
    for play in plain_plays(position):
        row, hand = row_and_hand_masks(play)
        if hand & put_down:
            lost.append((table_of(row), hand, play))
        else:
            possible.append((table_of(row), hand))
    lost_plays = (
        play
        for table, hand, play in lost
        if not any(table == other_table and hand & other for other_table, other in possible)
    )
    return _easiest_row(position, lost_plays)


def remaining_row(before: State, after: State) -> MissedRow | None:
    """The row that earlier releases showed after a turn: the easiest plain row that could still be
    laid at its end. None if there was none, or if a play ended the turn."""
    position = before.position(before.turn)
    return _easiest_row(position, plain_plays(position) if after.table == before.table else ())


def _easiest_row(position: Position, plays: Iterable[Play]) -> MissedRow | None:
    play = min(plays, key=by_ease, default=None)
    return missed_row_of(position, play) if play else None


def missed_row_of(position: Position, play: Play) -> MissedRow:
    line = make_play(position, play).line
    row = row_table_of(line.numbers)
    return MissedRow(play, row, tuple(line.cards), tuple(play.hand))
