"""The row that was still there when a turn ended, to show afterwards: at most one."""

from dataclasses import dataclass

from games.coach.times_tables import RowTable, describe
from games.engine.cards import Laid
from games.engine.play_application import form
from games.engine.plays import plays_without_jokers
from games.engine.round import State
from games.engine.table import Play


@dataclass(frozen=True, slots=True)
class MissedRow:
    """A row that could have been laid. `cards`: all of it, from low to high; `own`: those of them
    that lie in the hand."""

    play: Play
    row: RowTable
    cards: tuple[Laid, ...]
    own: tuple[Laid, ...]


def missed_row(before: State, after: State) -> MissedRow | None:
    """The easiest row that the one whose turn it was could still have laid without a joker,
    when it ended the turn. None where there was none, and after a play that ended it."""
    if after.plays > before.plays:
        return None
    position = before.position(before.turn)
    plays = [play for play in plays_without_jokers(position) if not play.swaps]
    if not plays:
        return None
    lines = {play: form(position, play).line for play in plays}
    play = min(plays, key=lambda play: _effort(play, describe(lines[play].numbers)))
    line = lines[play]
    return MissedRow(play, describe(line.numbers), tuple(line.cards), tuple(play.hand))


def _effort(play: Play, row: RowTable) -> tuple[bool, int, int, tuple[int, ...], str]:
    """How hard a row is to see: those of a times table first, those of the hand alone before
    those that take from the table, the shorter one before the longer one."""
    taken = len(play.lines) + 2 * len(play.across)
    return row.times_table is None, taken, len(row.numbers), row.numbers, str(play)
