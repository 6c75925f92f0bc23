"""What the log of a game shows of its child once more, slow and plain: the chances by
`tests.games.coach.chances_oracle`, the days, turns and rounds from the entries. Of the project it
takes only what stood before each entry (the replay, which is tested by itself)."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.engine.actions import Discard, End
from games.engine.text.entries import LogEntry
from games.engine.text.record import LogStep, Setting, steps
from games.models import Action
from tests.games.coach.chances_oracle import ChanceSeen, chances_seen

OVER = ("round over", "match over")
Entry = tuple[Action, LogStep]


class Shown(NamedTuple):
    """A chance (its outcome as `kind`), a turn ("turn") with the hints and the refused tries of it,
    or a round ("round"), on the day on which it ended."""

    day: date
    kind: str
    table: int = 0
    hints: int = 0
    tries: int = 0
    chance: ChanceSeen | None = None  # with the numbers of its entries in the log of the game


def shown_by(
    setting: Setting, rows: Sequence[Action], seat: int, time_zone: str
) -> Iterator[Shown]:
    """All that the log shows of the child in this seat."""
    shows = rows[0].game.missed_rows
    entries = [
        LogEntry(row.kind, row.seat, row.text, row.missed if shows else "")  # type: ignore[arg-type]
        for row in rows
    ]
    log = zip(rows, steps(setting, entries), strict=True)
    for _, own in groupby(log, key=lambda entry: entry[1].after.round):
        yield from _shown_by_round(list(own), seat, ZoneInfo(time_zone))


def _shown_by_round(entries: list[Entry], seat: int, zone: ZoneInfo) -> Iterator[Shown]:
    days = [row.at.astimezone(zone).date() for row, _ in entries]
    over = [number for number, (_, step) in enumerate(entries) if step.after.phase in OVER]
    turns: list[int] = []
    hints = tries = 0
    for number, (row, step) in enumerate(entries):
        if step.before is None or step.before.turn != seat or step.before.phase in OVER:
            continue
        hints += row.kind == "hint" and row.seat == seat
        tries += row.kind == "refused" and row.seat == seat
        if row.seat == seat and step.before.phase == "play" and _ends_turn(step):
            turns.append(number)
            yield Shown(days[number], "turn", 0, hints, tries)
            hints = tries = 0
    for number in over[:1]:
        yield Shown(days[number], "round")
    for chance in chances_seen([step for _, step in entries], seat):
        if chance.outcome != "open":
            numbered = tuple(entries[index][0].number for index in chance.entries)
            yield Shown(
                days[_end(chance, turns, over)],
                chance.outcome,
                chance.table,
                chance=chance._replace(entries=numbered),
            )


def _ends_turn(step: LogStep) -> bool:
    """A turn ends with a discard, with its word, or with the hand when nothing is owed."""
    if step.action is None or step.before is None:
        return False
    is_over = step.after.phase in OVER or step.after.turn != step.before.turn
    return isinstance(step.action, Discard | End) or is_over


def _end(chance: ChanceSeen, turns: Sequence[int], over: Sequence[int]) -> int:
    """Where a chance ended: a found one with its turn; any other with the turn after the last in
    which it could be laid, or with the round."""
    turn = chance.last_turn + (chance.outcome in ("missed", "taken up"))
    return turns[turn - 1] if turn <= len(turns) else over[0]
