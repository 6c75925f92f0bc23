"""The steps of a hint, each showing a little more of one row (docs/checks.md).

All steps of a position are about the same row (`hidden_row`). What a step shows is decided in
`hint_at_step`, and its sentence is in `games/screen/hint_words.py`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Any, Final, Literal, NamedTuple

from games.coach.rows import least_from_table
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
from games.engine.open_ends import numbers_beside
from games.engine.play_application import Position
from games.engine.plays import plays_with_jokers
from games.engine.round import DRAW_PHASES, State
from games.engine.table import Line, Play


class HintStep(IntEnum):
    """What each step adds to the one before. Logs and progress keep these numbers, so none of them
    may ever mean something else, and a new step gets the next number wherever it is shown."""

    COUNT = 1
    """That there is a row, how many there are, and where: in the hand, with the table, or after a
    swap."""
    CARD = 2
    """One card of the row."""
    JUMPS = 3
    TABLE = 4
    """The name of its times table."""
    NUMBER = 5
    """One of its numbers, derived from a fact that the child knows."""
    ROW = 6
    """The whole row."""


LAST_STEP: Final = HintStep.ROW
LONGEST_LINE: Final = 5
"""The most numbers of a row that a number line shows."""

RowSource = Literal["hand", "table", "swap"]
"""How a row is made: from the hand alone, with cards of the table, or by swapping a joker."""
_SOURCES: Final[tuple[RowSource, ...]] = ("hand", "table", "swap")
FirstTake = Literal["", "open card", "pile", "any card"]
"""What to take before the row can be laid:

- `""`: nothing, a card was taken already;
- `"open card"`: the row needs it;
- `"pile"`: a card from the closed pile, because the row does not need the open card;
- `"any card"`: either, because the open card is a joker that the row does not need.

If there is no row, it is what helps most."""


class HintPosition(NamedTuple):
    """What is visible to a player who asks for a hint. Before they have taken a card (`must_draw`),
    the hand of `position` includes the open card, if there is one."""

    position: Position
    must_draw: bool = False
    open_card: Card | None = None
    is_in_market: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """What a hint shows at its step; what belongs to later steps is None or empty. The open card
    counts as a hand card."""

    step: int
    row_count: int  # how many different rows can be made as easily as this one
    play: Play | None
    """The play that the hint is about; the page must not show it before the last step."""
    source: RowSource = "hand"
    jokers: int = 0  # how many jokers of the hand the play lays
    card: Card | None = None  # a hand card of the row
    put_in: tuple[Card, ...] = ()  # the cards to put in for jokers
    start: int | None = None  # the number to start from, None if all cards of the row are jokers
    jump: int | None = None  # the jump of the row, None for a family
    number_line: tuple[int, ...] = ()
    """Numbers of the row around the start, between which the jumps are drawn; only some are
    `labelled`. Empty for a family."""
    labelled: tuple[int, ...] = ()
    crossed_numbers: tuple[int, ...] = ()  # the numbers that the play crosses
    taken_rows: tuple[Line, ...] = ()  # the rows that it takes
    row_table: RowTable | None = None  # which table the row is in
    derivation: Derivation | None = None
    """How to derive a number of the row; without it, `neighbours` has two numbers of the row."""
    neighbours: tuple[int, ...] = ()
    joker_numbers: tuple[int, ...] = ()  # the numbers shown so far for which a joker is laid
    lit_in_hand: tuple[Card, ...] = ()  # the cards that light up
    lit_on_table: tuple[Card, ...] = ()
    row_cards: tuple[LaidCard, ...] = ()  # the whole row
    take: FirstTake = ""  # what to take first
    market_card: Card | None = None  # the open card to take, if it lies in the market


_SHOWN_FROM: Final = {
    HintStep.CARD: ("card", "put_in"),
    HintStep.JUMPS: ("start", "jump", "number_line", "labelled", "crossed_numbers", "taken_rows"),
    HintStep.TABLE: ("row_table",),
    HintStep.ROW: ("row_cards",),
}
"""The first step that shows these fields of a hint; before it they are empty."""


@dataclass(frozen=True, slots=True)
class HiddenRow:
    """The row that all hints of a position are about: the `play` that makes it, and the `line` that
    this play forms."""

    play: Play
    line: Line
    row_count: int  # how many different rows can be made as easily as this one
    take: FirstTake = ""  # what to take first
    open_card: Card | None = None  # the open card, if the player must first take it for the row

    @property
    def source(self) -> RowSource:
        return _source(self.play)

    @property
    def put_in(self) -> tuple[Card, ...]:
        return tuple(sorted(swap.number for swap in self.play.swaps))

    @property
    def hand_cards(self) -> tuple[Card, ...]:
        """The hand cards that the row needs, without those put in for jokers."""
        freed = {swap.card for swap in self.play.swaps}
        return tuple(sorted(card for card, _ in self.play.hand if card not in freed))

    @property
    def first_card(self) -> Card:
        """The card to look at first: a card to put in for a joker, or else the lowest card that is
        laid; not the open card if there is another one."""
        cards = self.put_in or self.hand_cards
        return next((card for card in cards if card != self.open_card), cards[0])

    @property
    def joker_numbers(self) -> tuple[int, ...]:
        """The numbers that jokers stand for."""
        return tuple(number for card, number in self.play.hand if is_joker(card))

    @property
    def table_cards(self) -> tuple[Card, ...]:
        """The cards of the table that are taken, crossed or swapped."""
        play = self.play
        cards = [*play.across, *play.swaps, *(c for line in play.lines for c in line.cards)]
        return tuple(sorted({card for card, _ in cards}))

    @property
    def start(self) -> int | None:
        """The number to start from: the lowest from the hand, or else the lowest on the table."""
        numbers = [card for card in self.hand_cards if not is_joker(card)]
        numbers = numbers or [
            number for number in self.line.numbers if number not in self.joker_numbers
        ]
        return numbers[0] if numbers else None


def hint_position(state: State, seat: int) -> HintPosition:
    """The position that a hint for the player at a seat is about. If they wait for their turn, it
    has only their hand and the table."""
    position = state.position(seat)
    if state.phase not in DRAW_PHASES or seat != state.turn:
        return HintPosition(position)
    cards = (*state.open_pile[-1:], *state.market)
    if not cards:
        return HintPosition(position, must_draw=True)
    candidates = [
        HintPosition(
            position._replace(hand=position.hand | 1 << card), True, card, card in state.market
        )
        for card in cards
    ]
    return candidates[0] if len(candidates) == 1 else min(candidates, key=_rank_of_open_card)


def _rank_of_open_card(at: HintPosition) -> tuple[int, bool]:
    """First the card that makes a row with the fewest jokers, or else one that helps more than the
    pile."""
    for jokers in range(len(JOKERS) + 1):
        plays = plays_with_jokers(at.position, jokers)
        if plays:
            return jokers, not any(_needs_card(play, at.open_card) for play in plays)
    return len(JOKERS) + 1, better_card_to_take(at.position, at.open_card) == "pile"


def hidden_row(at: HintPosition, preferred: Collection[int] = ()) -> HiddenRow | None:
    """The row that hints are about, None if there is none. Of all rows, the one that lays
    the fewest jokers of the hand, then one that swaps none, uses the open card, comes from the hand
    alone, has most of the numbers `preferred`, and belongs to a times table."""
    position, open_card = at.position, at.open_card
    by_jokers = (plays_with_jokers(position, count) for count in range(len(JOKERS) + 1))
    plays = next(filter(None, by_jokers), None)
    if plays is None:
        return None
    easiest = min(_effort(play, open_card) for play in plays)
    lines = {
        play: position.table.line_of(play) for play in plays if _effort(play, open_card) == easiest
    }
    tables = position.ruleset.tables or ()
    strange = {line.numbers: _unfamiliarity(line.numbers, tables) for line in lines.values()}
    play = min(lines, key=lambda play: _hint_order(play, lines[play], strange, preferred))
    take = _what_to_take(at, play)
    card_to_use = open_card if take == "open card" else None
    return HiddenRow(play, lines[play], len(strange), take, card_to_use)


def _hint_order(
    play: Play, line: Line, strange: Mapping[tuple[int, ...], int], preferred: Collection[int]
) -> tuple[int, int, int, int, str]:
    """Sorts equally easy plays: near to what was tried, then familiar, then little from the
    table."""
    return -len({*preferred} & {*line.numbers}), strange[line.numbers], *least_from_table(play)


def _what_to_take(at: HintPosition, play: Play) -> FirstTake:
    if not at.must_draw:
        return ""
    if _needs_card(play, at.open_card):
        return "open card"
    return "pile" if at.open_card is None or not is_joker(at.open_card) else "any card"


def _needs_card(play: Play, card: Card | None) -> bool:
    """Whether a play lays a card or puts it in for a joker."""
    return any(hand_card.card == card for hand_card in play.hand) or any(
        swap.number == card for swap in play.swaps
    )


def hint(at: HintPosition, step: int, secure: Collection[Fact] = ()) -> Hint:
    """The hint at a step from 1 to `LAST_STEP`. All steps in a position are about the same row.

    `secure` has the facts that the child is secure in; only the step `NUMBER` needs them.
    """
    row = hidden_row(at)
    if row is None:
        take: FirstTake = better_card_to_take(at.position, at.open_card) if at.must_draw else ""
        answer = Hint(step, 0, None, take=take)
    else:
        answer = hint_at_step(row, step, at.position.ruleset.tables or (), secure)
    in_market = at.is_in_market and answer.take == "open card"
    return replace(answer, market_card=at.open_card) if in_market else answer


def hint_at_step(
    row: HiddenRow, step: int, tables: Collection[int] = (), secure: Collection[Fact] = ()
) -> Hint:
    """What the hint about a row shows at a step. `tables` are the agreed times tables."""
    row_table = row_table_of(row.line.numbers)
    derivation, neighbours = None, tuple[int, ...]()
    if step == HintStep.NUMBER and not row.play.swaps:
        derivation = _derivation(row_table, row.start, tables, secure)
        neighbours = () if derivation else _two_neighbours(row)
    named_numbers = (derivation.product,) if derivation is not None else neighbours
    names_jokers = step >= HintStep.ROW or (row.play.swaps and step >= HintStep.NUMBER)
    start = () if row.start is None else (row.start,)
    whole_hint = Hint(
        step,
        row.row_count,
        row.play,
        source=row.source,
        jokers=sum(is_joker(card) for card in row.hand_cards),
        card=row.first_card,
        put_in=row.put_in,
        start=row.start,
        jump=row_table.jump,
        number_line=_numbers_around(row_table, row.start),
        labelled=(*start, *neighbours),
        crossed_numbers=tuple(number for _, number in row.play.across),
        taken_rows=row.play.lines,
        row_table=row_table,
        derivation=derivation,
        neighbours=neighbours,
        joker_numbers=tuple(
            number for number in row.joker_numbers if names_jokers or number in named_numbers
        ),
        lit_in_hand=_lit_hand_cards(row, step, named_numbers),
        lit_on_table=_lit_table_cards(row, step),
        row_cards=tuple(row.line.cards),
        take=row.take,
    )
    empty: dict[str, Any] = {part.name: part.default for part in fields(Hint)}
    later = [name for first, names in _SHOWN_FROM.items() if step < first for name in names]
    return replace(whole_hint, **{name: empty[name] for name in later})


def _source(play: Play) -> RowSource:
    if play.swaps:
        return "swap"
    return "table" if play.touches_table else "hand"


def _effort(play: Play, open_card: Card | None) -> tuple[bool, bool, int, int]:
    spared = open_card is not None and not _needs_card(play, open_card)
    return bool(play.swaps), spared, _SOURCES.index(_source(play)), len(play.swaps)


def _unfamiliarity(numbers: Sequence[int], tables: Collection[int]) -> int:
    """How unfamiliar a row is: 0 if all its facts are practised, 1 for another row of a times
    table, 2 for a row of no table."""
    row = row_table_of(numbers)
    if row.times_table is None:
        return 2
    return 0 if all(is_practised(*fact, tables) for fact in row.facts) else 1


def _lit_hand_cards(row: HiddenRow, step: int, named_numbers: Collection[int]) -> tuple[Card, ...]:
    """The hand cards that light up: the open card if the row needs it; from `CARD` on also the
    cards to put in, or else the first card; from `JUMPS` on also the cards whose numbers are
    named; at the last step all cards."""
    cards = set[Card]() if row.open_card is None else {row.open_card}
    if step >= HintStep.CARD:
        cards |= {*row.put_in} or {row.first_card}
    if step >= HintStep.ROW:
        cards |= {*row.hand_cards}
    elif step >= HintStep.JUMPS:
        numbers = {row.start, *named_numbers}
        cards |= {card for card, number in row.play.hand if number in numbers} & {*row.hand_cards}
    return tuple(sorted(cards))


def _lit_table_cards(row: HiddenRow, step: int) -> tuple[Card, ...]:
    """The table cards that light up: at `CARD` the jokers to be swapped, or all cards that the row
    takes if it needs no hand card but the open one; from `JUMPS` on all that it takes."""
    if step == HintStep.CARD and row.first_card != row.open_card:
        return tuple(swap.card for swap in row.play.swaps)
    return row.table_cards if step >= HintStep.CARD else ()


def _numbers_around(row: RowTable, number: int | None) -> tuple[int, ...]:
    """The numbers around one number of a row with equal jumps, at most `LONGEST_LINE`."""
    if row.jump is None or number is None:
        return ()
    first = min(max(row.numbers.index(number) - 1, 0), max(len(row.numbers) - LONGEST_LINE, 0))
    return row.numbers[first : first + LONGEST_LINE]


def _two_neighbours(row: HiddenRow) -> tuple[int, ...]:
    """The number to start from, and the next number of the row; if there is none, the number before
    it."""
    numbers = row.line.numbers
    at = 0 if row.start is None else numbers.index(row.start)
    at = min(at, len(numbers) - 2)
    return numbers[at : at + 2]


def _derivation(
    row: RowTable, start: int | None, tables: Collection[int], secure: Collection[Fact]
) -> Derivation | None:
    """How to derive a number of the row, other than the one to start from, from a fact that the
    child knows; both facts are practised ones. If possible, the child is secure in the known fact,
    and its product is in the row too. None if there is no such way."""
    known_facts = {pair for pair in secure if is_practised(*pair, tables)}
    ways = [
        derive(times, table, known_facts)
        for times, table in row.facts
        if times * table != start and times > 1 and is_practised(times, table, tables)
    ]
    ways = [way for way in ways if is_practised(way.near_factor, way.table, tables)]
    if not ways:
        return None
    return min(ways, key=lambda way: _rank_of_derivation(way, row, known_facts))


def _rank_of_derivation(
    way: Derivation, row: RowTable, secure: Collection[Fact]
) -> tuple[bool, bool, int, int]:
    is_secure = fact_of(way.near_factor, way.table) in secure
    return not is_secure, way.known_product not in row.numbers, way.steps, way.product


# Which card to take if no row can be laid yet: the open card or one from the pile.


def better_card_to_take(position: Position, open_card: Card | None) -> Literal["open card", "pile"]:
    """Which card helps more if there is no row to lay yet. The hand of `position` includes the open
    card, if there is one. If n cards are unseen, the open card wins if the chance that the next
    card then makes a row (`with_open` / n) is higher than the chance that a card of the pile, or
    the one after it, does (`from_pile` / n²)."""
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
        then = (ends | beside_each.get(number, 0)) & unseen & ~(1 << number)
        from_pile += count if ends >> number & 1 else then.bit_count()
    return "open card" if with_open * count > from_pile else "pile"


def _numbers_ending_wait(position: Position, hand: int, more_jokers: int = 0) -> int:
    """The mask of the numbers that end the wait of this hand, with this many more jokers in it."""
    numbers = 0
    for lacking in _lacking_numbers(position, hand, 1 + more_jokers):
        numbers |= lacking
    if position.may_use_table:
        for line in position.table.lines:
            numbers |= numbers_beside(position.ruleset.sequences, line.mask)
    return numbers


def _lacking_numbers(position: Position, hand: int, count: int) -> Iterator[int]:
    """Yields the missing numbers, as a mask, of each row of three that lacks `count` cards besides
    those that the jokers of the hand can stand for."""
    count += (hand & JOKER_MASK).bit_count()
    for row in position.ruleset.sequences.threes:
        lacking = row & ~hand
        if lacking.bit_count() == count:
            yield lacking
