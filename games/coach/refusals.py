"""Why the cards that a child tapped make no play, judged by the row that they probably meant."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from games.coach.times_tables import RowTable, row_table_of
from games.engine.cards import Card, LaidCard, is_joker, mask_of
from games.engine.errors import Code
from games.engine.play_application import Position
from games.engine.plays import Place, cards_of, plays_of_tap
from games.engine.sequences import SHORTEST, jump_of
from games.engine.table import Line, Table


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was tapped and why it is refused. `row_table` is the table of the numbers, or of a row
    that they make with the jokers; it is None if the jokers can make rows with several jumps. The
    fields from `twice` on, but `jokers`, are set only if they are the reason."""

    code: Code
    numbers: tuple[int, ...] = ()
    """The numbers of the row that the child seems to mean, from low to high. They do not include
    jokers of the hand; `jokers` counts these."""
    jumps: tuple[int, ...] = ()  # the differences between the numbers
    even: bool = False
    """Whether all jumps are equal or the jokers can make them equal. Then the row fails for another
    reason, which `row_table` shows: the agreed tables, or the number that it counts back to."""
    row_table: RowTable | None = None
    twice: int | None = None  # a number that more than one of the cards stands for
    jokers: int = 0
    crossed_before: int | None = None  # a card to be crossed that lies in two rows
    in_one_row: tuple[int, ...] = ()  # cards to be crossed that lie in the same row
    put_in: int | None = None
    """The number of a tapped card that would be put in for a joker, if the joker then makes no
    row or was chosen with nothing else."""
    stands_for: int | None = None
    """The number of a joker of the table that was tapped with too few cards."""
    can_swap: bool = False  # whether the hand has that number


@dataclass(frozen=True, slots=True)
class _Taps:
    """What was tapped, each once, as it is after the swaps: the `cards` of the hand with the jokers
    that were swapped in, whole `lines` of the table, and single cards to be crossed (`across`)."""

    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    across: tuple[LaidCard, ...]
    swaps: tuple[LaidCard, ...]  # the jokers whose number was tapped in the hand

    @property
    def jokers(self) -> int:
        return sum(is_joker(card) for card in self.cards)

    @property
    def counted(self) -> Counter[int]:
        """The numbers of the row, each with the number of cards that stand for it."""
        table_cards = {laid_card for line in self.lines for laid_card in line.cards} | {
            *self.across
        }
        hand_cards = [card for card in self.cards if not is_joker(card)]
        return Counter([*hand_cards, *(number for _, number in table_cards)])


def explain(position: Position, cards: Collection[Card], places: Collection[Place]) -> Refusal:
    """Why no play lays exactly these hand cards at these places (`plays.plays_of_tap`)."""
    table = position.table
    if code := _code_before_row(position, cards, places):
        known_places = [place for place in places if _lies(table, place)]
        taps = _taps(table, cards, known_places)
        refusal = _of_row(position, taps, code)
        if code != "too-short":
            return refusal
        if taps.swaps:
            return replace(refusal, put_in=taps.swaps[0].number)
        number = next((number for card, number in taps.across if is_joker(card)), None)
        can_swap = number is not None and bool(position.hand >> number & 1)
        return replace(refusal, stands_for=number, can_swap=can_swap)
    taps = _taps(table, cards, places)
    for cross in taps.across:
        if len(table.lines_at[cross.card]) > 1:
            return replace(_of_row(position, taps, "already-crossed"), crossed_before=cross.number)
    if (same := _numbers_in_one_island(table, taps)) is not None:
        return replace(_of_row(position, taps, "same-island"), in_one_row=same)
    refusal = _of_row(position, taps, "not-a-sequence")
    if taps.swaps:
        return replace(refusal, put_in=taps.swaps[0].number)
    counts = taps.counted
    return replace(refusal, twice=next((n for n in refusal.numbers if counts[n] > 1), None))


def _code_before_row(
    position: Position, cards: Collection[Card], places: Collection[Place]
) -> Code | None:
    """The reason; None if it has to do with where the places lie or with the row itself."""
    if not cards:
        return "bad-text"
    if mask_of(cards) & ~position.hand:
        return "not-in-hand"
    if not all(_lies(position.table, place) for place in places):
        return "not-on-table"
    if places and not position.may_use_table:
        return "not-opened"
    if _would_empty_hand(position, cards, places):
        return "must-keep-a-card"
    on_table = {card for place in places for card, _ in cards_of(place)}
    return "too-short" if len({*cards, *on_table}) < SHORTEST else None


def _lies(table: Table, place: Place) -> bool:
    return place in table.lines if isinstance(place, Line) else place.card in table.laid_cards


def _would_empty_hand(
    position: Position, cards: Collection[Card], places: Collection[Place]
) -> bool:
    """Whether the tapped cards would be a play if the last card of the hand could be laid (5.3)."""
    if position.ruleset.may_empty_hand or mask_of(cards) != position.hand:
        return False
    freely = position._replace(ruleset=replace(position.ruleset, ending="free"))
    return bool(plays_of_tap(freely, cards, places))


def _taps(table: Table, cards: Collection[Card], places: Collection[Place]) -> _Taps:
    """What was tapped, after the swaps. A tapped row includes its cards. A joker stands for what it
    does on the table, whatever was posted. A joker and its number cannot lie in one row, so if both
    were tapped, the child means to swap them."""
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
    """The numbers of the cards to be crossed that lie in one row, which a play may not take
    together (3.3). Empty if rows, or cards of several rows, lie in one island; None if all lie in
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


def _of_row(position: Position, taps: _Taps, code: Code) -> Refusal:
    numbers, jokers = tuple(sorted(taps.counted)), taps.jokers
    jumps = tuple(after - before for before, after in pairwise(numbers))
    even = jump_of(numbers) is not None
    row_table = None
    if not jokers:
        row_table = row_table_of(numbers) if len(numbers) > 1 else None
    elif len(numbers) > 1 and code == "not-a-sequence":
        even, row_table = _with_jokers(numbers, jokers, position.ruleset.highest)
    return Refusal(code, numbers, jumps, even, row_table, jokers=jokers)


def _with_jokers(
    numbers: tuple[int, ...], jokers: int, highest: int
) -> tuple[bool, RowTable | None]:
    """Whether the jumps are equal or the jokers can make them equal, and the row that shows this:
    the numbers alone if the jokers can only lengthen their row."""
    rows = list(_even_rows(numbers, jokers, highest))
    jump = jump_of(numbers)
    jumps = {row[1] - row[0] for row in rows}
    if jump is not None and jumps <= {jump}:
        return True, row_table_of(numbers)
    return jump is not None or bool(rows), row_table_of(rows[0]) if len(jumps) == 1 else None


def _even_rows(numbers: tuple[int, ...], jokers: int, highest: int) -> Iterator[tuple[int, ...]]:
    """The rows with equal jumps that the jokers can make of the numbers, whether this game allows
    them or not."""
    length = len(numbers) + jokers
    for jump in range(1, (highest - 1) // (length - 1) + 1):
        for first in range(numbers[0] % jump or jump, numbers[0] + 1, jump):
            row = range(first, first + length * jump, jump)
            if row[-1] <= highest and all(number in row for number in numbers):
                yield tuple(row)
