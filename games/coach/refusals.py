"""Why the cards that a child tapped make no play, judged by the row that they seem to mean."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from games.coach.times_tables import RowTable, row_table_of
from games.engine.cards import Card, LaidCard, is_joker, mask_of
from games.engine.errors import Code
from games.engine.play_application import Position
from games.engine.plays import TapTarget, cards_at, plays_of_tap
from games.engine.sequences import SHORTEST, jump_of
from games.engine.table import Line, Table


@dataclass(frozen=True, slots=True)
class Refusal:
    """The row that a child seems to mean, and why it is refused. The fields after `jokers` are set
    only if they are the reason.

    A row that `has_equal_jumps` fails for a reason that `row_table` shows: the agreed tables, or
    the number to which it counts back. `row_table` is None if the jokers can make rows with several
    jumps. `card_put_in` is the number of a tapped card that would be put in for a joker, if the
    joker then makes no row or was tapped with nothing else.
    """

    code: Code
    numbers: tuple[int, ...] = ()  # from low to high, without those of jokers of the hand
    jumps: tuple[int, ...] = ()  # the differences between the numbers
    has_equal_jumps: bool = False  # whether all jumps are equal, or the jokers can make them so
    row_table: RowTable | None = None  # of the numbers, or of the row that they make with jokers
    jokers: int = 0  # how many jokers of the hand were tapped
    repeated_number: int | None = None  # a number for which several of the cards stand
    card_in_two_rows: int | None = None  # a card to be crossed that lies in two rows
    cards_in_one_row: tuple[int, ...] = ()  # cards to be crossed that lie in the same row
    card_put_in: int | None = None
    joker_number: int | None = None  # of a joker of the table that was tapped with too few cards
    can_swap: bool = False  # whether the hand has that number


@dataclass(frozen=True, slots=True)
class _Taps:
    """What was tapped, each once, after the swaps."""

    cards: tuple[Card, ...]  # the hand cards, with the jokers that are swapped in
    lines: tuple[Line, ...]  # the whole lines of the table
    across: tuple[LaidCard, ...]  # the single cards to be crossed
    swaps: tuple[LaidCard, ...]  # the jokers whose number was tapped in the hand

    @property
    def jokers(self) -> int:
        return sum(is_joker(card) for card in self.cards)

    @property
    def number_counts(self) -> Counter[int]:
        """How many cards stand for each number of the row."""
        table_cards = {laid_card for line in self.lines for laid_card in line.cards} | {
            *self.across
        }
        hand_cards = [card for card in self.cards if not is_joker(card)]
        return Counter([*hand_cards, *(number for _, number in table_cards)])


def explain_refusal(
    position: Position, cards: Collection[Card], places: Collection[TapTarget]
) -> Refusal:
    """Why no play lays exactly these hand cards at these places (`plays.plays_of_tap`)."""
    table = position.table
    taps = _taps(table, cards, [place for place in places if _is_on_table(table, place)])
    if code := _code_before_row(position, cards, places):
        refusal = _refusal_of_row(position, taps, code)
        if code != "too-short":
            return refusal
        if taps.swaps:
            return replace(refusal, card_put_in=taps.swaps[0].number)
        if (line := _line_for_card(position, taps)) is not None:
            return explain_refusal(position, cards, (line,))
        number = next((number for card, number in taps.across if is_joker(card)), None)
        can_swap = number is not None and bool(position.hand >> number & 1)
        return replace(refusal, joker_number=number, can_swap=can_swap)
    for card, number in taps.across:
        if len(table.lines_at[card]) > 1:
            refusal = _refusal_of_row(position, taps, "already-crossed")
            return replace(refusal, card_in_two_rows=number)
    if (numbers := _numbers_in_one_island(table, taps)) is not None:
        refusal = _refusal_of_row(position, taps, "same-island")
        return replace(refusal, cards_in_one_row=numbers)
    refusal = _refusal_of_row(position, taps, "not-a-sequence")
    if taps.swaps:
        return replace(refusal, card_put_in=taps.swaps[0].number)
    counts = taps.number_counts
    repeated_number = next((number for number in refusal.numbers if counts[number] > 1), None)
    return replace(refusal, repeated_number=repeated_number)


def _code_before_row(
    position: Position, cards: Collection[Card], places: Collection[TapTarget]
) -> Code | None:
    """The code of the refusal, unless its reason is the row or the islands of its places."""
    if not cards:
        return "bad-text"
    if mask_of(cards) & ~position.hand:
        return "not-in-hand"
    if not all(_is_on_table(position.table, place) for place in places):
        return "not-on-table"
    if places and not position.may_use_table:
        return "not-opened"
    if _would_empty_hand(position, cards, places):
        return "must-keep-a-card"
    on_table = {card for place in places for card, _ in cards_at(place)}
    return "too-short" if len({*cards, *on_table}) < SHORTEST else None


def _line_for_card(position: Position, taps: _Taps) -> Line | None:
    """The row in which a child wants to put one number if they tapped one number of it, and no row
    has both."""
    numbers, jokers = taps.number_counts.keys(), [card for card, _ in taps.across if is_joker(card)]
    if len(numbers) != 2 or not taps.across or taps.jokers or jokers:
        return None
    if any(numbers <= {*run} for run in position.ruleset.sequences.progressions):
        return None
    first, *others = position.table.lines_at[taps.across[0].card]
    return None if others else position.table.lines[first]


def _is_on_table(table: Table, place: TapTarget) -> bool:
    return place in table.lines if isinstance(place, Line) else place.card in table.laid_cards


def _would_empty_hand(
    position: Position, cards: Collection[Card], places: Collection[TapTarget]
) -> bool:
    """Whether the tapped cards would be a play if the last card of the hand could be laid (5.3)."""
    if position.ruleset.may_empty_hand or mask_of(cards) != position.hand:
        return False
    free_position = position._replace(ruleset=replace(position.ruleset, ending="free"))
    return bool(plays_of_tap(free_position, cards, places))


def _taps(table: Table, cards: Collection[Card], places: Collection[TapTarget]) -> _Taps:
    """The taps of a child. A tapped row includes its cards. A joker has its number on the table,
    whatever was posted. A joker and its number cannot lie in one row, so if both were tapped, the
    child means to swap them."""
    lines = tuple(dict.fromkeys(place for place in places if isinstance(place, Line)))
    single = {table.laid_cards[place.card] for place in places if isinstance(place, LaidCard)}
    in_lines = {laid_card for line in lines for laid_card in line.cards}
    swaps: dict[int, LaidCard] = {}
    for laid_card in sorted(single | in_lines):
        if is_joker(laid_card.card) and laid_card.number in cards:
            swaps.setdefault(laid_card.number, laid_card)
    swapped = {*swaps.values()}
    return _Taps(
        tuple(sorted({*cards, *(card for card, _ in swapped)} - swaps.keys())),
        lines,
        tuple(sorted(single - in_lines - swapped)),
        tuple(sorted(swapped)),
    )


def _numbers_in_one_island(table: Table, taps: _Taps) -> tuple[int, ...] | None:
    """The numbers of cards to be crossed that lie in one row, which a play may not take together
    (3.3). Empty if only tapped rows or cards of several rows lie in one island; None if all lie in
    different islands."""
    by_line: dict[int, list[int]] = {}
    for crossed in taps.across:
        by_line.setdefault(table.lines_at[crossed.card][0], []).append(crossed.number)
    for numbers in by_line.values():
        if len(numbers) > 1:
            return tuple(sorted(numbers))
    used = [*by_line, *(table.lines.index(line) for line in taps.lines)]
    islands = {table.island_of[index] for index in used}
    return () if len(islands) < len(used) else None


def _refusal_of_row(position: Position, taps: _Taps, code: Code) -> Refusal:
    """The refusal with the fields up to `jokers`."""
    numbers = tuple(sorted(taps.number_counts))
    jumps = tuple(after - before for before, after in pairwise(numbers))
    has_equal_jumps = jump_of(numbers) is not None
    row_table = None
    if not taps.jokers:
        row_table = row_table_of(numbers) if len(numbers) > 1 else None
    elif len(numbers) > 1 and code == "not-a-sequence":
        highest = position.ruleset.highest
        has_equal_jumps, row_table = _row_with_jokers(numbers, taps.jokers, highest)
    return Refusal(code, numbers, jumps, has_equal_jumps, row_table, taps.jokers)


def _row_with_jokers(
    numbers: tuple[int, ...], jokers: int, highest: int
) -> tuple[bool, RowTable | None]:
    """`has_equal_jumps` and `row_table` of a refusal. The table is that of the numbers alone if the
    jokers can only lengthen the row."""
    rows = list(_rows_with_equal_jumps(numbers, jokers, highest))
    jump = jump_of(numbers)
    jumps = {row[1] - row[0] for row in rows}
    if jump is not None and jumps <= {jump}:
        return True, row_table_of(numbers)
    return jump is not None or bool(rows), row_table_of(rows[0]) if len(jumps) == 1 else None


def _rows_with_equal_jumps(
    numbers: tuple[int, ...], jokers: int, highest: int
) -> Iterator[tuple[int, ...]]:
    """The rows with equal jumps that the numbers and the jokers can make, whether this game allows
    them or not."""
    length = len(numbers) + jokers
    for jump in range(1, (highest - 1) // (length - 1) + 1):
        for first in range(numbers[0] % jump or jump, numbers[0] + 1, jump):
            row = range(first, first + length * jump, jump)
            if row[-1] <= highest and all(number in row for number in numbers):
                yield tuple(row)
