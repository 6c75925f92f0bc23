"""The row that a player missed in a turn, to show it afterwards: at most one."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.coach.rows import easiest_to_see, masks_of, plain_plays, table_of
from games.coach.times_tables import RowTable, describe
from games.engine.cards import Card, LaidCard, cards_in
from games.engine.play_application import Position, form
from games.engine.round import State
from games.engine.table import Play


@dataclass(frozen=True, slots=True)
class MissedRow:
    """A row that could have been laid."""

    play: Play
    row: RowTable
    cards: tuple[LaidCard, ...]  # all its cards, from low to high
    own: tuple[LaidCard, ...]  # the cards from the hand
    put_down: Card | None = None
    """The hand card that the player put down to end the turn; None if the row was not lost in this
    way."""


def missed_row(before: State, after: State) -> MissedRow | None:
    """The easiest plain row that can no longer be laid because the player put down one of its cards
    to end the turn; None if there is none. The player can still find what is left: a row is not
    shown if another row of its table that shares a hand card with it can be laid."""
    if after.table != before.table:
        return None
    position = before.position(before.turn)
    put_down = position.hand & ~after.hands[before.turn]
    lost: list[tuple[int, int, Play]] = []
    kept: list[tuple[int, int, Play]] = []
    for play in plain_plays(position):
        row, own = masks_of(play)
        (lost if own & put_down else kept).append((table_of(row), own, play))
    gone = (
        play
        for table, own, play in lost
        if not any(table == other and own & others for other, others, _ in kept)
    )
    return _easiest(position, gone, *cards_in(put_down))


def row_still_there(before: State, after: State) -> MissedRow | None:
    """The row that earlier releases showed after a turn: the easiest plain row that could still be
    laid at its end. None if there was none, or if a play ended the turn."""
    position = before.position(before.turn)
    return _easiest(position, plain_plays(position) if after.table == before.table else ())


def _easiest(
    position: Position, plays: Iterable[Play], put_down: Card | None = None
) -> MissedRow | None:
    play = min(plays, key=easiest_to_see, default=None)
    return missed_of(position, play, put_down) if play else None


def missed_of(position: Position, play: Play, put_down: Card | None = None) -> MissedRow:
    line = form(position, play).line
    row = describe(line.numbers)
    return MissedRow(play, row, tuple(line.cards), tuple(play.hand), put_down)
