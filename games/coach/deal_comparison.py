"""What several players found in the same deal, turn by turn, from the logs alone.

The rows compared are those that could be laid from the cards of one player who had just taken a
card, because the class looks at these cards. A row counts for each player who could lay it at some
moment of the turn, without a joker. *Laid*: they laid this row, or a longer row with the same jump
that contains it. *Partly*: they laid another row with the same jump that takes one of its hand
cards. *Later*: they did neither in this turn, but did so in a later one. *Never*: they did neither
before the round was over.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.coach.rows import plain_plays, row_and_hand_masks
from games.engine.cards import cards_in
from games.engine.round import OVER_PHASES, State, ends_turn
from games.engine.table import Play
from games.engine.text.record import Transition


@dataclass(frozen=True, slots=True)
class DealTurn:
    """A turn that a player ended."""

    position: str  # the hand, the table and the open cards when the player may lay first, as text
    rows_at_start: Collection[int]  # the masks of the rows that could be laid then
    possible: Mapping[int, int]
    """For each row that could be laid: its mask, and the mask of the hand cards that it takes."""
    laid_rows: tuple[tuple[int, int], ...]
    """The same two masks for each row that the player laid and did not take back."""
    entry: int  # the number of the first log entry after a card was taken, counted from 0


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row in a turn: how many players could lay it, and how many laid it, laid part of it, and so
    on."""

    numbers: tuple[int, ...]
    could: int
    laid: int
    partly: int
    later: int
    never: int


@dataclass(frozen=True, slots=True)
class ComparedTurn:
    """One turn of the deal, as played by everybody who ended it."""

    number: int
    players: int
    alike: int
    """How many of these `players` are in the largest group with the same hand and table at the
    moment when they could lay."""
    example: int  # the index of the game of one player of this group
    entry: int  # the entry of this player's turn, as in `DealTurn`
    rows: tuple[ComparedRow, ...]


@dataclass(slots=True)
class _Turn:
    """A turn that has not ended yet."""

    position: str
    rows_at_start: Collection[int]
    entry: int
    possible: dict[int, int] = field(default_factory=dict)
    laid_rows: list[tuple[int, int]] = field(default_factory=list)


def turns_of(log: Iterable[Transition], seat: int) -> list[DealTurn]:
    """The turns that this seat ended in the first round of a log."""
    turns: list[DealTurn] = []
    turn: _Turn | None = None
    for index, before, transition in _transitions_after_deal(log):
        if before.phase in OVER_PHASES:
            break
        if before.turn != seat or before.phase != "play":
            continue
        if turn is None:
            rows = [row_and_hand_masks(play)[0] for play in plain_plays(before.position(seat))]
            turn = _Turn(_position_text(before, seat), rows, index)
        _note_entry(turn, before, transition, seat)
        if ends_turn(before, transition.after):
            rows_laid = tuple(turn.laid_rows)
            could = turn.possible | {
                row: hand | turn.possible.get(row, 0) for row, hand in rows_laid
            }
            turns.append(DealTurn(turn.position, turn.rows_at_start, could, rows_laid, turn.entry))
            turn = None
    return turns


def _transitions_after_deal(log: Iterable[Transition]) -> Iterator[tuple[int, State, Transition]]:
    """The transitions of a log after its deal, each with its index and the state before it."""
    for index, transition in enumerate(log):
        if transition.before is not None:
            yield index, transition.before, transition


def _note_entry(turn: _Turn, before: State, transition: Transition, seat: int) -> None:
    if transition.entry.kind not in ("hint", "refused"):
        for play in plain_plays(before.position(seat)):
            row, hand_mask = row_and_hand_masks(play)
            turn.possible[row] = turn.possible.get(row, 0) | hand_mask
    if transition.entry.kind == "take back":
        turn.laid_rows.pop()
    elif isinstance(transition.action, Play):
        turn.laid_rows.append(
            (transition.after.table.lines[-1].mask, row_and_hand_masks(transition.action)[1])
        )


def _position_text(state: State, seat: int) -> str:
    """The hand, whether the seat has opened, the open cards and the table, as text."""
    rows = sorted(state.table.lines, key=lambda line: line.sort_key)
    has_opened = state.opened_mask >> seat & 1
    return (
        f"{state.hands[seat]:x} {has_opened} {state.open_pile[-1:] + state.market} "
        f"{' '.join(map(str, rows))}"
    )


def compare(games: Sequence[Sequence[DealTurn]]) -> list[ComparedTurn]:
    """The turns in which at least two players could lay one of the rows. `games` has the turns of
    each player."""
    last = max((len(turns) for turns in games), default=0)
    turns_compared = (_compared_turn(games, number) for number in range(1, last + 1))
    return [turn for turn in turns_compared if turn.rows]


def _compared_turn(games: Sequence[Sequence[DealTurn]], number: int) -> ComparedTurn:
    in_it = [(place, turns) for place, turns in enumerate(games) if len(turns) >= number]
    starts = Counter(turns[number - 1].position for _, turns in in_it)
    start, alike = max(starts.items(), key=lambda item: (item[1], item[0]))
    alike_turns = ((place, turns[number - 1]) for place, turns in in_it)
    example, sample = next((place, turn) for place, turn in alike_turns if turn.position == start)
    later_turns = [turns[number - 1 :] for _, turns in in_it]
    rows = sorted(
        (_compared_row(later_turns, row) for row in _longest(sample.rows_at_start)), key=_order
    )
    if not any(row.could > 1 for row in rows):
        rows = []
    return ComparedTurn(
        number=number,
        players=len(in_it),
        alike=alike,
        example=example,
        entry=sample.entry,
        rows=tuple(rows),
    )


def _order(row: ComparedRow) -> tuple[int, int, int, tuple[int, ...]]:
    """The order of rows: first those that most players could lay, of these those that the fewest
    laid, of these the longest."""
    return -row.could, row.laid, -len(row.numbers), row.numbers


def _longest(rows: Iterable[int]) -> list[int]:
    """The rows that are not part of a longer one with the same jump."""
    rows = list(rows)
    return [
        row for row in rows if not any(row != longer and _contains(longer, row) for longer in rows)
    ]


def _compared_row(games: Iterable[Sequence[DealTurn]], row: int) -> ComparedRow:
    """What became of a row. `games` has the turns of each player from the compared turn on."""
    ends: Counter[str] = Counter()
    for turn_compared, *after in games:
        if (hand_mask := turn_compared.possible.get(row)) is None:
            continue
        if any(_contains(laid_row, row) for laid_row, _ in turn_compared.laid_rows):
            ends["laid"] += 1
        elif any(_is_part(laid_row, row, hand_mask) for laid_row in turn_compared.laid_rows):
            ends["partly"] += 1
        elif any(
            _is_part(laid_row, row, hand_mask) for turn in after for laid_row in turn.laid_rows
        ):
            ends["later"] += 1
        else:
            ends["never"] += 1
    numbers = cards_in(row)
    return ComparedRow(
        numbers=numbers,
        could=ends.total(),
        laid=ends["laid"],
        partly=ends["partly"],
        later=ends["later"],
        never=ends["never"],
    )


def _jump(row: int) -> int:
    numbers = cards_in(row)
    return numbers[1] - numbers[0]


def _contains(row: int, part: int) -> bool:
    return row & part == part and _jump(row) == _jump(part)


def _is_part(laid_row: tuple[int, int], row: int, hand_mask: int) -> bool:
    """Whether a laid row has the same jump as the row and takes one of its hand cards."""
    mask, cards = laid_row
    return bool(cards & hand_mask) and _jump(mask) == _jump(row)
