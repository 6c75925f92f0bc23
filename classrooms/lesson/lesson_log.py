"""Tallies what each child has done in a day, from the logs of their games. Log entries never
change, so each process remembers those that it has read, and a poll of the board reads only new
ones."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import add, attrgetter
from threading import Lock
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import UUIDField

from classrooms.models import Child
from classrooms.progress.models import Chance, GameEvidence
from games.engine.text.record import EntryKind
from games.models import Entry, Game, Seat
from games.play.sql import in_utc


@dataclass(frozen=True, slots=True)
class LessonTally:
    """What a child has done since the day began."""

    rows: int = 0  # laid and not taken back; up to the last count, as the pages of progress count
    hints: int = 0  # hint steps asked for
    # In the game at the child's table:
    refused: int = 0  # plays refused since the last allowed action
    hints_since: int = 0  # hint steps asked for since the last allowed action
    looks_at_hint: bool = False  # whether the child's last entry is a hint


KEY: Final = UUIDField()
"""Converts keys of classes and children to the form of the database and back."""
NOTHING: Final = LessonTally()
MOST_CLASSES: Final = 50
"""A process remembers the logs of this many classes. It first forgets the class that was not used
for the longest time."""


class _EntryRow(NamedTuple):
    """A row of `SELECT_NEW_ENTRIES`: a new entry of a child in the log of a game. A seat without
    new entries has one row, whose number is None."""

    child: object  # the child's key, in the form of the database
    seat: int  # the seat's key
    is_at_table: int  # 1 in the game at the child's table
    counted_to: int  # the last entry of counted turns; a turn counts once another seat has acted
    counted: int  # rows of the day in counted turns
    number: int
    kind: str
    row_change: int  # 1 for a row, -1 for a row taken back
    at: datetime


@dataclass(frozen=True, slots=True)
class _SeatLog:
    """The part of a seat's log that was read."""

    last: int = 0  # the number of the last entry read
    last_act: int = 0  # the number of the last allowed action
    entries: tuple[_EntryRow, ...] = ()  # the entries of the day that count
    tally: LessonTally = NOTHING  # their sum, without rows

    def after(self, new_entries: Sequence[_EntryRow], begin: datetime) -> "_SeatLog":
        """The log with these entries, without those from before the day."""
        if not new_entries and (not self.entries or self.entries[0].at > begin):
            return self
        last = new_entries[-1].number if new_entries else self.last
        acts = (entry.number for entry in new_entries if entry.kind == EntryKind.ACT)
        last_act = max(acts, default=self.last_act)
        entries = tuple(
            entry
            for entry in (*self.entries, *new_entries)
            if entry.at > begin and (entry.row_change or entry.kind in COUNTED_KINDS)
        )
        return _SeatLog(last, last_act, entries, _tally_of(entries, last, last_act))


COUNTED_KINDS: Final = (EntryKind.HINT, EntryKind.REFUSED)
_LOGS: Final[dict[UUID, Mapping[int, _SeatLog]]] = {}
"""The logs that were read, by class and by key of a seat."""
_LOCK: Final = Lock()


def tallies_since(class_id: UUID, since: datetime) -> Mapping[UUID, LessonTally]:
    """What each child of the class has done since then, without children who did nothing."""
    before = _LOGS.get(class_id, {})
    logs: dict[int, _SeatLog] = {}
    tallies: dict[UUID, LessonTally] = {}
    for seat, group in groupby(_rows(class_id, since, before), attrgetter("seat")):
        rows = list(group)
        new_entries = [row._replace(at=in_utc(row.at)) for row in rows if row.number]
        logs[seat] = log = before.get(seat, _SeatLog()).after(new_entries, since)
        tally = log.tally if rows[0].is_at_table else LessonTally(hints=log.tally.hints)
        uncounted = (row.row_change for row in log.entries if row.number > rows[0].counted_to)
        tally = replace(tally, rows=rows[0].counted + sum(uncounted))
        child_id = KEY.to_python(rows[0].child)
        tallies[child_id] = (
            _sum_of_tallies(tallies[child_id], tally) if child_id in tallies else tally
        )
    _remember(class_id, logs)
    return tallies


def _tally_of(entries: Sequence[_EntryRow], last: int, last_act: int) -> LessonTally:
    hints = [entry.number for entry in entries if entry.kind == EntryKind.HINT]
    return LessonTally(
        hints=len(hints),
        refused=sum(
            entry.kind == EntryKind.REFUSED and entry.number > last_act for entry in entries
        ),
        hints_since=sum(number > last_act for number in hints),
        looks_at_hint=last in hints,
    )


def _sum_of_tallies(first: LessonTally, second: LessonTally) -> LessonTally:
    """The sum of a child's tallies in two games, at most one of which is at the child's table."""
    return LessonTally(*map(add, astuple(first), astuple(second)))


def _rows(class_id: UUID, since: datetime, before: Mapping[int, _SeatLog]) -> list[_EntryRow]:
    known_json = json.dumps({seat: seat_log.last for seat, seat_log in before.items()})
    class_key = KEY.get_db_prep_value(class_id, connection)
    begin = connection.ops.adapt_datetimefield_value(since)
    with connection.cursor() as cursor:
        cursor.execute(SELECT_NEW_ENTRIES[connection.vendor], [known_json, class_key, begin, begin])
        return [_EntryRow(*row) for row in cursor.fetchall()]


def _remember(class_id: UUID, logs: Mapping[int, _SeatLog]) -> None:
    with _LOCK:
        _LOGS.pop(class_id, None)
        _LOGS[class_id] = logs
        while len(_LOGS) > MOST_CLASSES:
            del _LOGS[next(iter(_LOGS))]


# A play begins with a card: a number, or the letter of a joker and its number.
_IS_ROW: Final = (
    "(SUBSTR(action.text, 1, 1) IN ('1', '2', '3', '4', '5', '6', '7', '8', '9')"
    " OR SUBSTR(action.text, 2, 1) = '=')"
)
ROW_CHANGE: Final = f"""CASE WHEN action.kind = 'act' AND {_IS_ROW} THEN 1
    WHEN action.kind = 'take back' THEN -1 ELSE 0 END"""
_KNOWN: Final = {
    "postgresql": "CAST(%s AS jsonb) ->> CAST(seat.id AS TEXT)",
    "sqlite": """json_extract(%s, '$."' || seat.id || '"')""",
}
"""The number of a seat's last entry that was read. All these numbers are one value and not a table
to join. So the statement is always the same, psycopg parses it once, and PostgreSQL finds the new
entries by the index of a game's numbers, with or without statistics."""
# Only names of tables and columns and these expressions are inserted; values are parameters.
SELECT_NEW_ENTRIES: Final = {
    vendor: f"""
    WITH seated AS MATERIALIZED (
        SELECT child.id AS child_id, seat.id, seat.number, game.id AS game_id,
            CASE WHEN game.id = child.at_table_id THEN 1 ELSE 0 END AS at_table,
            COALESCE(CAST({known} AS INTEGER), 0) AS last,
            COALESCE((SELECT MAX(other.number) FROM {Entry._meta.db_table} other
                WHERE other.game_id = game.id AND other.seat <> seat.number
                    AND other.number BETWEEN mark.start_entry + 1 AND mark.upto_entry
                    AND other.kind IN ('act', 'stand in')), mark.start_entry, 0) AS counted_to
        FROM {Child._meta.db_table} child
        JOIN {Seat._meta.db_table} seat ON seat.player = child.player
        JOIN {Game._meta.db_table} game ON game.id = seat.game_id
        LEFT JOIN {GameEvidence._meta.db_table} mark ON mark.game_id = game.id
        WHERE child.school_class_id = %s AND child.removed_at IS NULL AND game.moved_at > %s
    ), counted AS MATERIALIZED (
        SELECT seated.*, (SELECT COUNT(*) FROM {Chance._meta.db_table} chance
            WHERE chance.game_id = seated.game_id AND chance.child_id = seated.child_id
                AND chance.entry <= seated.counted_to AND chance.at > %s
                AND chance.outcome NOT IN ('missed', 'taken up')) AS counted
        FROM seated
    )
    SELECT seated.child_id, seated.id, seated.at_table, seated.counted_to, seated.counted,
        action.number, action.kind, {ROW_CHANGE}, action.at
    FROM counted seated
    LEFT JOIN {Entry._meta.db_table} action ON action.game_id = seated.game_id
        AND action.number > seated.last AND action.seat = seated.number
    ORDER BY seated.child_id, seated.id, action.number
"""  # nosec B608
    for vendor, known in _KNOWN.items()
}
