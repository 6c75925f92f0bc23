"""What several players found in the same deal, turn by turn, from the logs alone.

The class looks at the cards of one player who has just taken a card. The rows that could be laid
with them are compared. A row counts for each player who could lay it without a joker at some moment
of the turn:

- *laid*: they laid this row, or a longer one with the same jump that contains it;
- *partly*: they laid another row with the same jump that takes one of its hand cards;
- *later*: they did one of these in a later turn;
- *never*: they did neither before the round was over.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from games.coach.rows import first_jump, is_part, longest_rows, plain_plays, row_and_hand_masks
from games.engine.cards import cards_in
from games.engine.round import OVER_PHASES, State, ends_turn
from games.engine.table import Play
from games.engine.text.record import EntryKind, Transition


@dataclass(slots=True)
class DealTurn:
    """One turn. `possible` has each row that could be laid, `laid_rows` each row that was laid and
    not taken back; each as two masks, of the row and of its hand cards."""

    position: str  # the text of the hand, table and open cards after the player took a card
    rows_at_start: Collection[int]  # the masks of the rows that could be laid then
    entry: int  # the index of the first log entry after a card was taken
    possible: dict[int, int] = field(default_factory=dict)
    laid_rows: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row in a turn: how many players could lay it, and what became of it for how many."""

    numbers: tuple[int, ...]
    could: int
    laid: int = 0
    partly: int = 0
    later: int = 0
    never: int = 0


@dataclass(frozen=True, slots=True)
class ComparedTurn:
    """One turn of the deal, for all who ended it."""

    number: int
    players: int
    alike: int  # the size of the largest group of `players` with one position after taking a card
    example: int  # the index of the game of one player of this group
    entry: int  # `DealTurn.entry` of this player
    rows: tuple[ComparedRow, ...]


def turns_of(log: Iterable[Transition], seat: int) -> list[DealTurn]:
    """The turns that this seat ended in the first round of a log."""
    turns: list[DealTurn] = []
    turn: DealTurn | None = None
    for index, transition in enumerate(log):
        before = transition.before
        if before is None:
            continue
        if before.phase in OVER_PHASES:
            break
        if before.turn != seat or before.phase != "play":
            continue
        if turn is None:
            rows = [row_and_hand_masks(play)[0] for play in plain_plays(before.position(seat))]
            turn = DealTurn(_position_text(before, seat), rows, index)
        _note_entry(turn, before, transition, seat)
        if ends_turn(before, transition.after):
            for row, hand in turn.laid_rows:
                turn.possible[row] = hand | turn.possible.get(row, 0)
            turns.append(turn)
            turn = None
    return turns


def _note_entry(turn: DealTurn, before: State, transition: Transition, seat: int) -> None:
    if transition.entry.kind not in (EntryKind.HINT, EntryKind.REFUSED):
        for play in plain_plays(before.position(seat)):
            row, hand_mask = row_and_hand_masks(play)
            turn.possible[row] = turn.possible.get(row, 0) | hand_mask
    if transition.entry.kind == EntryKind.TAKE_BACK:
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


def compare_turns(games: Sequence[Sequence[DealTurn]]) -> list[ComparedTurn]:
    """The turns in which at least two players could lay one of the rows. `games` has the turns of
    each player."""
    last = max((len(turns) for turns in games), default=0)
    compared_turns = (_compared_turn(games, number) for number in range(1, last + 1))
    return [turn for turn in compared_turns if turn.rows]


def _compared_turn(games: Sequence[Sequence[DealTurn]], number: int) -> ComparedTurn:
    """Turn `number` of the deal, which at least one player has ended."""
    turns_from = {
        index: turns[number - 1 :] for index, turns in enumerate(games) if len(turns) >= number
    }
    starts = Counter(turn.position for turn, *_ in turns_from.values())
    start, alike = max(starts.items(), key=lambda item: (item[1], item[0]))
    example = next(index for index, (turn, *_) in turns_from.items() if turn.position == start)
    sample = turns_from[example][0]
    rows = sorted(
        [_compared_row(turns_from.values(), row) for row in longest_rows(sample.rows_at_start)],
        # first those that most could lay, then those that fewest laid
        key=lambda row: (-row.could, row.laid, -len(row.numbers), row.numbers),
    )
    if not any(row.could > 1 for row in rows):
        rows = []
    return ComparedTurn(number, len(turns_from), alike, example, sample.entry, tuple(rows))


def _compared_row(games: Iterable[Sequence[DealTurn]], row: int) -> ComparedRow:
    """What became of a row. `games` has the turns of each player from the compared turn on."""
    counts: Counter[str] = Counter()
    for turn, *later_turns in games:
        if (hand_mask := turn.possible.get(row)) is None:
            continue
        later_rows = [laid_row for later_turn in later_turns for laid_row in later_turn.laid_rows]
        if any(is_part(row, laid_row) for laid_row, _ in turn.laid_rows):
            counts["laid"] += 1
        elif any(_takes_card(laid_row, row, hand_mask) for laid_row in turn.laid_rows):
            counts["partly"] += 1
        elif any(_takes_card(laid_row, row, hand_mask) for laid_row in later_rows):
            counts["later"] += 1
        else:
            counts["never"] += 1
    return ComparedRow(cards_in(row), counts.total(), **counts)


def _takes_card(laid_row: tuple[int, int], row: int, hand_mask: int) -> bool:
    """Whether a laid row has the same jump as `row` and takes one of its hand cards."""
    mask, cards = laid_row
    return bool(cards & hand_mask) and first_jump(mask) == first_jump(row)
