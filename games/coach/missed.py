"""The row that could still have been laid when a turn ended, to show afterwards: at most one."""

from dataclasses import dataclass

from games.coach.times_tables import RowTable, describe
from games.engine.cards import Laid
from games.engine.play_application import form
from games.engine.plays import plays_without_jokers
from games.engine.round import State
from games.engine.table import Play


@dataclass(frozen=True, slots=True)
class MissedRow:
    """A row that could have been laid. `cards`: all its cards, from low to high; `own`: those of
    the hand."""

    play: Play
    row: RowTable
    cards: tuple[Laid, ...]
    own: tuple[Laid, ...]


def missed_row(before: State, after: State) -> MissedRow | None:
    """The easiest row that the player could still have laid without a joker when the turn ended.
    None if there was none, or if a play ended the turn."""
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
    """For sorting, the easiest row first: rows of a times table, then rows from the hand alone,
    then shorter rows."""
    taken = len(play.lines) + 2 * len(play.across)
    return row.times_table is None, taken, len(row.numbers), row.numbers, str(play)
