"""A second implementation of the chances of a round, slow and simple, from docs/mastery.md
(Chances) and the rules in `tests.games.engine.reference`. It uses only the replay (which has its
own tests) and the reading of text of the project."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from games.engine.actions import Discard, End
from games.engine.cards import cards_in, mask_of
from games.engine.round import State
from games.engine.table import Play
from games.engine.text.record import EntryKind, Transition, parse_hint
from tests.games.engine import reference
from tests.games.engine.reference import At, Made, WrittenPlay

OVER = ("round over", "match over")
Cards = frozenset[int]


class ChanceSeen(NamedTuple):
    """A chance, with the fields of a `RowChance` in the same order."""

    round: int
    table: int
    outcome: str
    first_turn: int
    last_turn: int
    tries: int
    hint_step: int
    entries: tuple[int, ...]
    row: str
    numbers: tuple[int, ...]


class Row(NamedTuple):
    """A row that can be laid: `cards` of the hand, without jokers."""

    table: int
    cards: Cards
    things: int
    from_table: int  # how hard the row is to see on the table
    numbers: tuple[int, ...]
    text: str
    with_joker: bool


class Laying(NamedTuple):
    entry: int
    row: Row
    there: list[Row]


class Shown(NamedTuple):
    entry: int
    step: int
    row: Row


class Turn(NamedTuple):
    """A turn that has ended, with the rows that could still be laid, and the one that the site
    showed as missed."""

    number: int
    end: int
    laid: list[Laying]
    hints: list[Shown]
    refused: list[int]
    left: list[Row]
    missed: Row | None


class Pending(NamedTuple):
    """A chance that was open when the last turn ended."""

    table: int
    first: int
    last: int
    cards: Cards
    tries: int
    hint: int
    shown: bool
    entries: tuple[int, ...]
    easiest: Row

    def ended(self, round_: int, outcome: str) -> ChanceSeen:
        return ChanceSeen(
            round_,
            self.table,
            outcome,
            self.first,
            self.last,
            self.tries,
            self.hint,
            self.entries,
            self.easiest.text,
            self.easiest.numbers,
        )


def chances_seen(log: Sequence[Transition], seat: int) -> list[ChanceSeen]:
    """The chances of one seat in the log of one round, in no promised order."""
    round_ = log[0].after.round
    pending: list[Pending] = []
    seen_chances: list[ChanceSeen] = []
    for turn in _turns(log, seat):
        finds, hidden_rows, pending = _finds(turn, pending, round_)
        seen_chances += finds
        still_open = _left_open(turn, pending, hidden_rows)
        seen_chances += [
            chance.ended(round_, "taken up" if _is_taken_up(turn, chance) else "missed")
            for chance in pending
            if not any(chance.table == row.table and chance.cards & row.cards for row in turn.left)
        ]
        pending = still_open
    over = log[-1].after.phase in OVER
    return seen_chances + [chance.ended(round_, "missed" if over else "open") for chance in pending]


def _turns(log: Sequence[Transition], seat: int) -> Iterable[Turn]:
    layings: list[Laying] = []
    hints: list[Shown] = []
    refused: list[int] = []
    for index, (entry, before, after, action) in enumerate(
        (step.entry, step.before, step.after, step.action) for step in log
    ):
        is_own = (
            before is not None
            and before.phase in ("draw", "redraw", "play")
            and entry.seat == before.turn == seat
        )
        if before is None or not is_own:
            continue
        if entry.kind == EntryKind.HINT:
            hint = parse_hint(entry.text, before.ruleset)
            if hint.play:
                hints.append(Shown(index, hint.step, _row(_as_if_taken(before), hint.play)))
        elif entry.kind == EntryKind.REFUSED:
            refused.append(index)
        elif entry.kind == EntryKind.TAKE_BACK:
            layings = layings[:-1]
        elif isinstance(action, Play):
            layings = [*layings, Laying(index, _row(before, action), possible_rows(before))]
        by_word = isinstance(action, Discard | End)
        # Under some rules, a row of all cards ends the turn but not the round.
        if by_word or after.phase in OVER or after.turn != seat:
            rows_left = possible_rows(before) if by_word else []
            number, row_missed = before.turns[seat] + 1, _row_shown(entry.missed, rows_left)
            yield Turn(number, index, layings, hints, refused, rows_left, row_missed)
            layings, hints, refused = [], [], []


def _row_shown(text: str | None, rows: Sequence[Row]) -> Row | None:
    """The row that was shown, according to the log. If the log says nothing, the easiest row."""
    if text is None:
        return _easiest_to_see(rows)
    return next((row for row in rows if set(row.text.split()) == set(text.split())), None)


def _is_taken_up(turn: Turn, pending: Pending) -> bool:
    """Whether a card that could be laid in the chance's table was laid in another row."""
    return any(
        card in row.cards
        for laying in turn.laid
        for card in laying.row.cards & pending.cards
        for row in laying.there
        if row.table == pending.table
    )


def _finds(
    turn: Turn, pending: list[Pending], round_: int
) -> tuple[list[ChanceSeen], list[tuple[int, Cards]], list[Pending]]:
    """The chances that the turn's rows fulfilled, their cards, and the chances that are still
    open."""
    seen_chances: list[ChanceSeen] = []
    finds: list[tuple[int, Cards]] = []
    alone = [laying for laying in turn.laid if not laying.row.with_joker]
    for laying in alone + [laying for laying in turn.laid if laying.row.with_joker]:
        row = laying.row
        cards_around = row.cards.union(
            *(
                part
                for part in _parts([other for other in laying.there if other.table == row.table])
                if part & row.cards
            )
        )
        ended = [
            chance for chance in pending if chance.table == row.table and chance.cards & row.cards
        ]
        pending = [chance for chance in pending if chance not in ended]
        same = [i for i, (table, of) in enumerate(finds) if table == row.table and of & row.cards]
        if same and not ended:
            finds[same[0]] = row.table, finds[same[0]][1] | cards_around
            continue
        cards = cards_around.union(*(chance.cards for chance in ended))
        finds.append((row.table, cards))
        first = min([turn.number, *(chance.first for chance in ended)])
        hint = max(
            [_hint(turn, row.table, cards, laying.entry), *(chance.hint for chance in ended)]
        )
        if any(chance.shown for chance in ended):
            hint = 6
        tries = len([entry for entry in turn.refused if entry < laying.entry])
        entries = {laying.entry}.union(*(chance.entries for chance in ended))
        outcome = "at once" if first == turn.number else "later"
        if row.with_joker:
            outcome = "with a joker"
        elif hint:
            outcome = "with a hint"
        elif tries > 1:
            outcome = "after tries"
        seen_chances.append(
            ChanceSeen(
                round_,
                row.table,
                outcome,
                first,
                turn.number,
                tries,
                hint,
                tuple(sorted(entries)),
                row.text,
                row.numbers,
            )
        )
    return seen_chances, finds, pending


def _left_open(turn: Turn, pending: list[Pending], finds: list[tuple[int, Cards]]) -> list[Pending]:
    """The open chances at the end of the turn. Parts and earlier chances that share a card,
    directly or through others, are one chance."""
    still_open = []
    for table in sorted({row.table for row in turn.left}):
        rows = [row for row in turn.left if row.table == table]
        before = [chance for chance in pending if chance.table == table]
        parts = _parts(rows)
        for joined in _joined([*parts, *(chance.cards for chance in before)]):
            mine = [part for part in parts if part & joined]
            earlier = [chance for chance in before if chance.cards & joined]
            if not mine:
                continue
            cards = frozenset[int]().union(*mine)
            origin = [of for other, of in finds if other == table and of & cards]
            sets_around = [chance.cards for chance in earlier] or origin
            hint = _hint(turn, table, cards.union(*sets_around), turn.end)
            missed = turn.missed
            still_open.append(
                Pending(
                    table,
                    min([turn.number, *(chance.first for chance in earlier)]),
                    turn.number,
                    cards,
                    len(turn.refused),
                    max([hint, *(chance.hint for chance in earlier)]),
                    any(chance.shown for chance in earlier)
                    or (
                        missed is not None and missed.table == table and bool(missed.cards & cards)
                    ),
                    tuple(sorted({turn.end}.union(*(chance.entries for chance in earlier)))),
                    min(
                        (row for row in rows if row.cards & cards),
                        key=lambda row: (row.things, row.numbers, row.text),
                    ),
                )
            )
    return still_open


def _hint(turn: Turn, table: int, cards: Cards, before: int) -> int:
    steps = [0]
    for hint in turn.hints:
        if hint.entry < before and hint.row.cards & cards:
            steps.append(hint.step)
        elif hint.entry < before and table and hint.row.table == table and hint.step > 3:
            steps.append(4)
    return max(steps)


def _parts(rows: Sequence[Row]) -> list[Cards]:
    return _joined([row.cards for row in rows])


def _joined(sets: Iterable[Cards]) -> list[Cards]:
    """Merge sets that share a card, until no two do."""
    joint = list(sets)
    while True:
        pair = next(
            (
                (first, second)
                for i, first in enumerate(joint)
                for second in joint[:i]
                if first & second
            ),
            None,
        )
        if pair is None:
            return joint
        first, second = pair
        joint.remove(first)
        joint.remove(second)
        joint.append(first | second)


def _reference_position(state: State) -> At:
    lines = tuple(
        tuple((card, number) for card, number in line.cards) for line in state.table.lines
    )
    hand = frozenset(cards_in(state.hands[state.turn]))
    has_opened = bool(state.opened_mask >> state.turn & 1)
    return At(reference.options_of(state.ruleset), lines, hand, has_opened)


def _as_if_taken(state: State) -> State:
    """The state before a draw, with the open cards in the hand of the seat whose turn it is. A hint
    may be about its rows."""
    if state.phase == "play":
        return state
    cards = mask_of((*state.open_pile[-1:], *state.market))
    hands = [hand | cards if seat == state.turn else hand for seat, hand in enumerate(state.hands)]
    return replace(state, hands=tuple(hands))


def _row(state: State, play: Play) -> Row:
    on_table = reference.numbers_of(_reference_position(state).lines)
    return _row_of(
        _reference_position(state),
        WrittenPlay(
            tuple((card, number) for card, number in play.hand),
            tuple(tuple((card, number) for card, number in line.cards) for line in play.lines),
            tuple((card, on_table[card]) for card, _ in play.across),
            tuple((card, number) for card, number in play.swaps),
        ),
    )


def possible_rows(state: State) -> list[Row]:
    """The plain rows that the seat whose turn it is can lay."""
    return _rows_without_joker(_reference_position(state))


def row_lost(before: State, put_down: int) -> Row | None:
    """The row to show after the turn that this card ended: the easiest of the rows that need it and
    whose chance is gone altogether. None if there is none."""
    rows = possible_rows(before)
    rows_left = [row for row in rows if put_down not in row.cards]
    return _easiest_to_see(
        row
        for row in rows
        if put_down in row.cards
        and not any(other.table == row.table and other.cards & row.cards for other in rows_left)
    )


def _easiest_to_see(rows: Iterable[Row]) -> Row | None:
    order = [(not row.table, row.from_table, len(row.numbers), *row[4:6], row) for row in rows]
    return min(order)[-1] if order else None


@lru_cache(maxsize=500)
def _rows_without_joker(at: At) -> list[Row]:
    """Every row without a joker, made from the hand or by a swap. Jokers are left out of the hand
    that is searched, but count as cards that are kept."""
    numbers = frozenset(card for card in at.hand if card <= 100)
    without = at._replace(hand=numbers, options=at.options._replace(last_is_owed=False))
    ways = reference.all_plays(without, reference.within_reach(without)).values()
    return [
        _row_of(at, way)
        for way in ways
        if not way.swaps and isinstance(reference.judge(at, way), Made)
    ]


def _row_of(at: At, way: WrittenPlay) -> Row:
    result = reference.judge(at, way)
    assert isinstance(result, Made), result
    numbers = tuple(number for _, number in result.lines[-1])
    jumps = {later - earlier for earlier, later in pairwise(numbers)}
    jump = jumps.pop() if len(jumps) == 1 else 0
    in_table = jump > 1 and all(number % jump == 0 for number in numbers)
    freed = {joker for joker, _ in way.swaps}
    cards = {card for card, _ in way.hand} - freed
    own = frozenset(card for card in cards if card <= 100) | {number for _, number in way.swaps}
    return Row(
        jump if in_table else 0,
        own,
        sum(map(len, way)),
        len(way.lines) + 2 * len(way.across),
        numbers,
        reference.text(way),
        any(card > 100 for card, _ in way.hand),
    )
