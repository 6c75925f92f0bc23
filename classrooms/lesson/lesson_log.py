"""What the logs of a lesson's games say about each child.

Entries of a log never change, so each process remembers those that it has read: a poll of the live
board reads the new ones only, by one query, however long the lesson is.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import UUIDField

from classrooms.models import Child
from games.models import Action, Game, Seat


@dataclass(frozen=True, slots=True)
class Logged:
    """What a child did since the lesson began. `rows`: laid and not taken back; `hints`: steps
    asked for. `refused` and `hints_since`: since the last allowed action of the game at its
    table; `looks_at_hint`: whether a hint is the last entry of its own there."""

    rows: int = 0
    hints: int = 0
    refused: int = 0
    hints_since: int = 0
    looks_at_hint: bool = False


KEY: Final = UUIDField()
"""How the database has the keys of classes and children."""
NOTHING: Final = Logged()
MOST_CLASSES: Final = 50
"""Of so many a process remembers what it has read; the one not asked about for longest goes
first."""


class _Entry(NamedTuple):
    """An entry of the child's own that is counted. `laid`: 1 for a row, -1 for one taken back."""

    number: int
    kind: str
    laid: int
    at: datetime


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a seat's own entries, up to the one with the number `last`, and what that
    comes to. `entries`: those of the lesson that count; `last_act`: the last allowed action."""

    last: int = 0
    last_act: int = 0
    entries: tuple[_Entry, ...] = ()
    logged: Logged = NOTHING

    def after(self, new: Sequence[_Entry], begin: datetime) -> "_Read":
        """With these entries too, without those from before the lesson's begin."""
        if not new and (not self.entries or self.entries[0].at > begin):
            return self
        last = new[-1].number if new else self.last
        acts = (entry.number for entry in new if entry.kind == Action.Kind.ACT)
        last_act = max(acts, default=self.last_act)
        entries = tuple(
            entry
            for entry in (*self.entries, *new)
            if entry.at > begin and (entry.laid or entry.kind in COUNTED)
        )
        return _Read(last, last_act, entries, _logged(entries, last, last_act))


COUNTED: Final = (Action.Kind.HINT, Action.Kind.REFUSED)
SEAT: Final = itemgetter(slice(3))
"""Of a row of `LOGGED`: child, seat and whether it is that of the game at the child's table."""
_READ: Final[dict[UUID, Mapping[int, _Read]]] = {}
"""By class and by the key of a seat."""
_LOCK: Final = Lock()


def logged(class_id: UUID, since: datetime) -> Mapping[UUID, Logged]:
    """By child of the class; no entry for a child that did nothing since then."""
    before = _READ.get(class_id, {})
    read: dict[int, _Read] = {}
    found: dict[UUID, Logged] = {}
    for (child, seat, at_table), rows in groupby(_rows(class_id, since, before), SEAT):
        new = [
            _Entry(number, kind, laid, _in_utc(at))
            for *_seat, number, kind, laid, at in rows
            if number
        ]
        read[seat] = before.get(seat, _Read()).after(new, since)
        here = read[seat].logged
        if not at_table:
            here = Logged(here.rows, here.hints)
        child_id = KEY.to_python(child)
        found[child_id] = _both(found[child_id], here) if child_id in found else here
    _remember(class_id, read)
    return found


def _in_utc(at: datetime) -> datetime:
    """A moment as the database gives it: SQLite leaves out that it is in UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _logged(entries: Sequence[_Entry], last: int, last_act: int) -> Logged:
    hints = [entry.number for entry in entries if entry.kind == Action.Kind.HINT]
    return Logged(
        rows=sum(entry.laid for entry in entries),
        hints=len(hints),
        refused=sum(
            entry.kind == Action.Kind.REFUSED and entry.number > last_act for entry in entries
        ),
        hints_since=sum(number > last_act for number in hints),
        looks_at_hint=last in hints,
    )


def _both(one: Logged, other: Logged) -> Logged:
    """Of two games of a child, of which at most one is at its table."""
    return Logged(
        one.rows + other.rows,
        one.hints + other.hints,
        one.refused + other.refused,
        one.hints_since + other.hints_since,
        one.looks_at_hint or other.looks_at_hint,
    )


def _rows(class_id: UUID, since: datetime, before: Mapping[int, _Read]) -> list[tuple[Any, ...]]:
    known = json.dumps({seat: read.last for seat, read in before.items()})
    asked = KEY.get_db_prep_value(class_id, connection)
    begin = connection.ops.adapt_datetimefield_value(since)
    with connection.cursor() as cursor:
        cursor.execute(LOGGED[connection.vendor], [known, asked, begin])
        return cursor.fetchall()


def _remember(class_id: UUID, read: Mapping[int, _Read]) -> None:
    with _LOCK:
        _READ.pop(class_id, None)
        _READ[class_id] = read
        while len(_READ) > MOST_CLASSES:
            del _READ[next(iter(_READ))]


# A play begins with a card: a number, or the letter of a joker and what it stands for.
_IS_ROW: Final = (
    "(SUBSTR(action.text, 1, 1) IN ('1', '2', '3', '4', '5', '6', '7', '8', '9')"
    " OR SUBSTR(action.text, 2, 1) = '=')"
)
_KNOWN: Final = {
    "postgresql": "CAST(%s AS jsonb) ->> CAST(seat.id AS TEXT)",
    "sqlite": """json_extract(%s, '$."' || seat.id || '"')""",
}
"""How the number of the last entry that was read is found. As one value, and not as a table to
join: so the statement is always the same and psycopg reads it once, and PostgreSQL looks for the
new entries in the index of a game's numbers, with or without statistics."""
# Only names of tables and columns and such an expression are joined here; values are parameters.
LOGGED: Final = {
    vendor: f"""
    WITH seated AS MATERIALIZED (
        SELECT child.id AS child_id, seat.id, seat.number, game.id AS game_id,
            CASE WHEN game.id = child.at_table_id THEN 1 ELSE 0 END AS at_table,
            COALESCE(CAST({known} AS INTEGER), 0) AS last
        FROM {Child._meta.db_table} child
        JOIN {Seat._meta.db_table} seat ON seat.player = child.player
        JOIN {Game._meta.db_table} game ON game.id = seat.game_id
        WHERE child.school_class_id = %s AND child.removed_at IS NULL AND game.moved_at > %s
    )
    SELECT seated.child_id, seated.id, seated.at_table, action.number, action.kind,
        CASE WHEN action.kind = 'act' AND {_IS_ROW} THEN 1
            WHEN action.kind = 'take back' THEN -1 ELSE 0 END,
        action.at
    FROM seated
    LEFT JOIN {Action._meta.db_table} action ON action.game_id = seated.game_id
        AND action.number > seated.last AND action.seat = seated.number
    ORDER BY seated.child_id, seated.id, action.number
"""  # nosec B608
    for vendor, known in _KNOWN.items()
}
