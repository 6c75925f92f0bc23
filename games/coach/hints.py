"""The steps of a hint, each showing a little more of one row (docs/hints-and-questions.md).

All steps of a position are about the same row (`hidden_row`). `hint_at_step` decides what a step
shows; its sentence is in `games/screen/hint_words.py`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, Literal, NamedTuple

from games.coach.rows import by_use_of_table
from games.coach.times_tables import (
    Derivation,
    Fact,
    RowTable,
    derive,
    fact_of,
    is_practised,
    row_table_of,
)
from games.engine.cards import (
    JOKER_MASK,
    JOKERS,
    NUMBER_MASK,
    Card,
    LaidCard,
    cards_in,
    is_joker,
    mask_of,
)
from games.engine.play_application import Position
from games.engine.plays import numbers_beside, plays_with_jokers
from games.engine.round import DRAW_PHASES, State
from games.engine.table import Line, Play


class HintStep(IntEnum):
    """What each step adds to the one before. Logs, chances and assignments keep these numbers, so
    the steps stay as they are."""

    COUNT = 1  # how many rows there are, and where: in the hand, with the table, or after a swap
    CARD = 2  # one card of the row
    JUMPS = 3
    TABLE = 4  # the name of its times table
    NUMBER = 5  # one of its numbers, derived from a fact that the child knows
    ROW = 6  # the whole row


LAST_STEP: Final = HintStep.ROW
LONGEST_LINE: Final = 5
"""The most numbers of a row that a number line shows."""

RowSource = Literal["hand", "table", "swap"]
"""How a row is made: from the hand alone, with cards of the table, or by swapping a joker."""
_SOURCES: Final[tuple[RowSource, ...]] = ("hand", "table", "swap")
FirstTake = Literal["", "open card", "pile", "any card"]
"""What to take before the row can be laid or, if there is no row, what helps most:

- `""`: nothing, because the player has taken a card;
- `"open card"`: the row needs it;
- `"pile"`: a card from the closed pile, because the row does not need the open card;
- `"any card"`: either, because the open card is a joker that the row does not need."""


class HintPosition(NamedTuple):
    """What a player who asks for a hint can see. If they have not drawn yet, the hand of `position`
    includes the open card, if there is one."""

    position: Position
    has_not_drawn: bool = False
    open_card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What a hint shows at its step. The fields of later steps are None or empty. The open card
    counts as a hand card."""

    step: int
    row_count: int  # how many different rows can be made as easily as this one
    play: Play | None  # the play of the hint, which the page must not show before the last step
    source: RowSource = "hand"
    jokers: int = 0  # how many jokers the play lays, without the open card
    card: Card | None = None  # a hand card of the row
    cards_for_jokers: tuple[Card, ...] = ()  # the cards to put in for jokers
    start: int | None = None  # the number to start from; None if all cards of the row are jokers
    jump: int | None = None  # the jump of the row; None for a family
    number_line: tuple[int, ...] = ()  # the numbers of the row around the start; empty for a family
    labelled: tuple[int, ...] = ()  # the numbers that the number line shows
    crossed_numbers: tuple[int, ...] = ()  # the numbers that the play crosses
    taken_rows: tuple[Line, ...] = ()  # the rows that the play takes
    row_table: RowTable | None = None
    derivation: Derivation | None = None  # how to derive a number of the row
    neighbours: tuple[int, ...] = ()  # two numbers of the row, if there is no derivation
    joker_numbers: tuple[int, ...] = ()  # the numbers shown so far for which a joker is laid
    lit_in_hand: tuple[Card, ...] = ()  # the hand cards to highlight
    lit_on_table: tuple[Card, ...] = ()  # the table cards to highlight
    row_cards: tuple[LaidCard, ...] = ()  # the whole row
    take: FirstTake = ""  # what to take first
    open_card: Card | None = None  # the open card to take first


@dataclass(frozen=True, slots=True)
class HiddenRow:
    """The row that all hints of a position are about."""

    play: Play
    line: Line  # the line that the play forms
    row_count: int  # how many different rows can be made as easily as this one
    take: FirstTake = ""  # what to take first
    open_card: Card | None = None  # the open card, if the player must first take it for the row

    @property
    def source(self) -> RowSource:
        return _source(self.play)

    @property
    def cards_for_jokers(self) -> tuple[Card, ...]:
        return tuple(sorted(swap.number for swap in self.play.swaps))

    @property
    def hand_cards(self) -> tuple[Card, ...]:
        """The hand cards that are laid in the row, without those put in for jokers."""
        swapped = {swap.card for swap in self.play.swaps}
        return tuple(sorted(card for card, _ in self.play.hand if card not in swapped))

    @property
    def first_card(self) -> Card:
        """The card to look at first: a card to put in for a joker, or the lowest card that is laid
        if there is none; the open card only if there is no other one."""
        cards = self.cards_for_jokers or self.hand_cards
        return next((card for card in cards if card != self.open_card), cards[0])

    @property
    def joker_numbers(self) -> tuple[int, ...]:
        return tuple(number for card, number in self.play.hand if is_joker(card))

    @property
    def table_cards(self) -> tuple[Card, ...]:
        """The cards of the table that are taken, crossed or swapped."""
        play = self.play
        cards = [*play.across, *play.swaps, *(c for line in play.lines for c in line.cards)]
        return tuple(sorted({card for card, _ in cards}))

    @property
    def start(self) -> int | None:
        """The number to start from: the lowest of the hand or, if it has none, of the table."""
        numbers = [card for card in self.hand_cards if not is_joker(card)]
        numbers = numbers or [
            number for number in self.line.numbers if number not in self.joker_numbers
        ]
        return numbers[0] if numbers else None


def hint_position(state: State, seat: int) -> HintPosition:
    """The position for a hint to the player at a seat. While they wait for their turn, it has only
    their hand and the table."""
    position = state.position(seat)
    if state.phase not in DRAW_PHASES or seat != state.turn:
        return HintPosition(position)
    cards = (*state.open_pile[-1:], *state.market)
    if not cards:
        return HintPosition(position, has_not_drawn=True)
    candidates = [
        HintPosition(position._replace(hand=position.hand | 1 << card), True, card)
        for card in cards
    ]
    return candidates[0] if len(candidates) == 1 else min(candidates, key=_rank_of_open_card)


def _rank_of_open_card(candidate: HintPosition) -> tuple[int, bool]:
    """The key that sorts open cards: first one that makes a row, with few jokers, then one that
    helps more than the pile."""
    position, open_card = candidate.position, candidate.open_card
    for jokers in range(len(JOKERS) + 1):
        plays = plays_with_jokers(position, jokers)
        if plays:
            return jokers, not any(_needs_card(play, open_card) for play in plays)
    return len(JOKERS) + 1, better_card_to_take(position, open_card) == "pile"


def hidden_row(asked: HintPosition, preferred: Collection[int] = ()) -> HiddenRow | None:
    """The row that hints are about; None if there is none. Preferred, in this order: few jokers of
    the hand; no swap; ready in the hand; with the open card; from the hand alone; with many of the
    `preferred` numbers; of a times table."""
    position, open_card = asked.position, asked.open_card
    by_jokers = (plays_with_jokers(position, count) for count in range(len(JOKERS) + 1))
    plays = next(filter(None, by_jokers), None)
    if plays is None:
        return None
    least_effort = min(_effort(play, open_card) for play in plays)
    lines = {
        play: position.table.line_of(play)
        for play in plays
        if _effort(play, open_card) == least_effort
    }
    tables = position.ruleset.tables or ()
    rank_of = {line.numbers: _unfamiliarity(line.numbers, tables) for line in lines.values()}

    def order(play: Play) -> tuple[int, int, int, int, str]:
        numbers = lines[play].numbers
        return -len({*preferred} & {*numbers}), rank_of[numbers], *by_use_of_table(play)

    play = min(lines, key=order)
    take: FirstTake = ""
    if asked.has_not_drawn and _needs_card(play, open_card):
        take = "open card"
    elif asked.has_not_drawn:
        take = "pile" if open_card is None or not is_joker(open_card) else "any card"
    needed_card = open_card if take == "open card" else None
    return HiddenRow(play, lines[play], len(rank_of), take, needed_card)


def _needs_card(play: Play, card: Card | None) -> bool:
    """Whether a play lays a card or puts it in for a joker."""
    return any(hand_card.card == card for hand_card in play.hand) or any(
        swap.number == card for swap in play.swaps
    )


def hint(asked: HintPosition, step: int, secure: Collection[Fact] = ()) -> Hint:
    """The hint at a step from 1 to `LAST_STEP`. `secure` are the facts in which the child is
    secure; only the step `NUMBER` needs them."""
    position, open_card = asked.position, asked.open_card
    row = hidden_row(asked)
    if row is None:
        take: FirstTake = better_card_to_take(position, open_card) if asked.has_not_drawn else ""
        open_card = open_card if take == "open card" else None
        return Hint(step=step, row_count=0, play=None, take=take, open_card=open_card)
    return hint_at_step(row, step, position.ruleset.tables or (), secure)


def hint_at_step(
    row: HiddenRow, step: int, tables: Collection[int] = (), secure: Collection[Fact] = ()
) -> Hint:
    """What the hint about a row shows at a step. `tables` are the agreed times tables."""
    play, row_table = row.play, row_table_of(row.line.numbers)
    hint = Hint(
        step=step,
        row_count=row.row_count,
        play=play,
        source=row.source,
        jokers=sum(is_joker(card) for card in {*row.hand_cards} - {row.open_card}),
        take=row.take,
        open_card=row.open_card,
    )
    lit_cards = set() if row.open_card is None else {row.open_card}
    named = set[int | None]()
    if step >= HintStep.CARD:
        lit_cards |= {*row.cards_for_jokers} or {row.first_card}
        swapped = tuple(swap.card for swap in play.swaps)
        hint = replace(
            hint,
            card=row.first_card,
            cards_for_jokers=row.cards_for_jokers,
            lit_on_table=row.table_cards if row.first_card == row.open_card else swapped,
        )
    if step >= HintStep.JUMPS:
        named.add(row.start)
        hint = replace(
            hint,
            start=row.start,
            jump=row_table.jump,
            number_line=_numbers_around(row_table, row.start),
            labelled=() if row.start is None else (row.start,),
            crossed_numbers=tuple(number for _, number in play.across),
            taken_rows=play.lines,
            lit_on_table=row.table_cards,
        )
    if step >= HintStep.TABLE:
        hint = replace(hint, row_table=row_table)
    if step == HintStep.NUMBER and not play.swaps:
        derivation = _derivation(row_table, row.start, tables, secure)
        neighbours = () if derivation else _two_neighbours(row)
        named |= {derivation.product} if derivation else {*neighbours}
        labelled = (*hint.labelled, *neighbours)
        hint = replace(hint, derivation=derivation, neighbours=neighbours, labelled=labelled)
    if step >= HintStep.ROW:
        named |= {*row.line.numbers}
        hint = replace(hint, row_cards=tuple(row.line.cards))
    names_jokers = step >= HintStep.NUMBER and bool(play.swaps)
    lit_cards |= {card for card, number in play.hand if number in named} & {*row.hand_cards}
    return replace(
        hint,
        joker_numbers=tuple(n for n in row.joker_numbers if names_jokers or n in named),
        lit_in_hand=tuple(sorted(lit_cards)),
    )


def _source(play: Play) -> RowSource:
    if play.swaps:
        return "swap"
    return "table" if play.touches_table else "hand"


def _effort(play: Play, open_card: Card | None) -> tuple[bool, bool, bool, int, int]:
    source, needs_open_card = _source(play), _needs_card(play, open_card)
    is_ready = source == "hand" and not needs_open_card
    place = _SOURCES.index(source)
    return bool(play.swaps), not is_ready, not needs_open_card, place, len(play.swaps)


def _unfamiliarity(numbers: Sequence[int], tables: Collection[int]) -> int:
    """How unfamiliar a row is: 0 if all its facts are practised, 1 for any other row of a times
    table, 2 for a row of no table."""
    row = row_table_of(numbers)
    if row.times_table is None:
        return 2
    return 0 if all(is_practised(*fact, tables) for fact in row.facts) else 1


def _numbers_around(row: RowTable, number: int | None) -> tuple[int, ...]:
    """At most `LONGEST_LINE` numbers around a number of a row with equal jumps."""
    if row.jump is None or number is None:
        return ()
    first = min(max(row.numbers.index(number) - 1, 0), max(len(row.numbers) - LONGEST_LINE, 0))
    return row.numbers[first : first + LONGEST_LINE]


def _two_neighbours(row: HiddenRow) -> tuple[int, ...]:
    """The number to start from and the next number of the row or, if there is none, the one
    before."""
    numbers = row.line.numbers
    index = 0 if row.start is None else numbers.index(row.start)
    index = min(index, len(numbers) - 2)
    return numbers[index : index + 2]


def _derivation(
    row: RowTable, start: int | None, tables: Collection[int], secure: Collection[Fact]
) -> Derivation | None:
    """How to derive a number of the row, other than the one to start from, from a fact that the
    child knows. Both facts are practised ones. If possible, the child is secure in the known fact,
    and its product is in the row too. None if there is no such way."""
    known_facts = {pair for pair in secure if is_practised(*pair, tables)}
    ways = [
        derive(times, table, known_facts)
        for times, table in row.facts
        if times * table != start and times > 1 and is_practised(times, table, tables)
    ]
    ways = [way for way in ways if is_practised(way.near_factor, way.table, tables)]

    def order(way: Derivation) -> tuple[bool, bool, int, int]:
        is_secure = fact_of(way.near_factor, way.table) in known_facts
        return not is_secure, way.known_product not in row.numbers, way.steps, way.product

    return min(ways, key=order, default=None)


def better_card_to_take(position: Position, open_card: Card | None) -> Literal["open card", "pile"]:
    """Which card brings a row sooner if none can be laid now: compares the chance that the next
    draw makes a row together with the open card, with the chance that one of two draws from the
    pile does. The hand of `position` includes the open card."""
    if open_card is None:
        return "pile"
    if is_joker(open_card):
        return "open card"
    hand = position.hand & ~(1 << open_card)
    unseen = mask_of(position.ruleset.cards) & ~(position.hand | position.table.card_mask)
    count = unseen.bit_count()
    with_open = (_numbers_ending_wait(position, position.hand) & unseen).bit_count()
    ends = _numbers_ending_wait(position, hand)
    jokers = (unseen & JOKER_MASK).bit_count()
    from_pile = (
        count if ends else (_numbers_ending_wait(position, hand, 1) & unseen).bit_count()
    ) * jokers
    beside_each = dict[int, int]()
    for lacking in _lacking_numbers(position, hand, 2):
        for number in cards_in(lacking):
            beside_each[number] = beside_each.get(number, 0) | lacking
    for number in cards_in(unseen & NUMBER_MASK):
        second_ends = (ends | beside_each.get(number, 0)) & unseen & ~(1 << number)
        from_pile += count if ends >> number & 1 else second_ends.bit_count()
    return "open card" if with_open * count > from_pile else "pile"


def _numbers_ending_wait(position: Position, hand: int, more_jokers: int = 0) -> int:
    """The mask of the numbers with which this hand, with this many more jokers, can make a row."""
    numbers = 0
    for lacking in _lacking_numbers(position, hand, 1 + more_jokers):
        numbers |= lacking
    if position.may_use_table:
        for line in position.table.lines:
            numbers |= numbers_beside(position.ruleset.sequences, line.mask)
    return numbers


def _lacking_numbers(position: Position, hand: int, count: int) -> Iterator[int]:
    """The masks of the missing numbers of each row of three that lacks `count` numbers besides
    those for which the jokers of the hand can stand."""
    count += (hand & JOKER_MASK).bit_count()
    for row in position.ruleset.sequences.threes:
        lacking = row & ~hand
        if lacking.bit_count() == count:
            yield lacking
