"""A slow, independent recount of a deal's comparison: every row of every turn, by definition,
without masks or shortcuts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.engine.cards import is_joker
from games.engine.play_application import make_play
from games.engine.plays import plays_without_jokers
from games.engine.round import ends_turn
from games.engine.table import Play
from games.engine.text.record import EntryKind, Transition

Row = frozenset[int]
Counted = tuple[int, int, int, int, int]
"""The numbers of players who could lay the row, did, laid a part of it, laid it later, and never
did."""


@dataclass
class SlowTurn:
    before: str = ""
    seen: set[Row] = field(default_factory=set)
    could: dict[Row, set[int]] = field(default_factory=dict)
    laid: list[tuple[Row, set[int]]] = field(default_factory=list)


def slow_turns(log: Sequence[Transition], seat: int) -> list[SlowTurn]:
    turns, turn = [], None
    for step in log:
        before = step.before
        if before is None or before.turn != seat or before.phase != "play":
            continue
        position = before.position(seat)
        plain = [play for play in plays_without_jokers(position) if not play.swaps]
        if turn is None:
            table = sorted(str(line) for line in before.table.lines)
            has_opened = before.opened_mask >> seat & 1
            turn = SlowTurn(f"{before.hands[seat]} {before.open_pile[-1:]} {table} {has_opened}")
            turn.seen = {row_of(step, play) for play in plain}
        for play in plain:
            turn.could.setdefault(row_of(step, play), set()).update(own_cards(play))
        if step.entry.kind == EntryKind.TAKE_BACK:
            turn.laid.pop()
        elif isinstance(step.action, Play):
            turn.laid.append((row_of(step, step.action), own_cards(step.action)))
        if ends_turn(before, step.after):
            for row, hand in turn.laid:
                turn.could.setdefault(row, set()).update(hand)
            turns.append(turn)
            turn = None
    return turns


def row_of(step: Transition, play: Play) -> Row:
    position = step.before.position(step.before.turn)
    return frozenset(make_play(position, play).line.numbers)


def own_cards(play: Play) -> set[int]:
    put_in = {number for _, number in play.swaps}
    return {card for card, _ in play.hand if not is_joker(card)} | put_in


def jump(row: Row) -> int:
    lowest, second, *_ = sorted(row)
    return second - lowest


def slow_count(
    games: Sequence[Sequence[SlowTurn]], number: int, example: int
) -> dict[Row, Counted]:
    """The counts of each row that the player of the example noticed, except parts of a longer row
    of the same kind."""
    playing = [turns for turns in games if len(turns) >= number]
    rows = games[example][number - 1].seen
    counts = {}
    for row in rows:
        if any(row < longer and jump(row) == jump(longer) for longer in rows):
            continue
        could = count = partly = later = 0
        for turns in playing:
            this_turn, after = turns[number - 1], turns[number:]
            if row not in this_turn.could:
                continue
            could += 1
            own = this_turn.could[row]

            def shares(turn: SlowTurn, own: set[int] = own, row: Row = row) -> bool:
                return any(
                    cards & own and jump(other_row) == jump(row) for other_row, cards in turn.laid
                )

            if any(
                row <= other_row and jump(row) == jump(other_row) for other_row, _ in this_turn.laid
            ):
                count += 1
            elif shares(this_turn):
                partly += 1
            elif any(shares(turn) for turn in after):
                later += 1
        counts[row] = (could, count, partly, later, could - count - partly - later)
    return counts
