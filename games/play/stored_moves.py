"""Reads a game from the database and stores its moves.

It uses SQL, because each move does both and the ORM takes several times as long as the database.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Field, Model, UUIDField

from games.models import Action, Game, Seat

_UUID: Final = UUIDField()
_SEAT: Final = ("id", "game_id", "number", "player", "bot", "name", "face", "hint_steps")
_OF_TABLE: Final = ("answer_seconds", "turn_seconds", "news", "at_turn", "due_at")
_AT_TABLE: Final = ("here_until", "away", "knocked_at", "sign", "sign_turn", "sign_count")
"""What only tables of several players have, of a game and of a seat. No other game reads it."""
_OF_GAME: Final = [
    field.attname for field in Game._meta.concrete_fields if field.attname not in _OF_TABLE
]
_MOVED: Final = (
    "version",
    "phase",
    "round",
    "snapshot",
    "round_winners",
    "moved_at",
    "finished_at",
)
_LOGGED: Final = ("game_id", "number", "kind", "seat", "text", "data", "missed", "at", "key")


def _listed(columns: Sequence[str], each: str = '"{}"') -> str:
    return ", ".join(each.format(column) for column in columns)


# Only names of tables and columns are joined here; values are parameters. Columns are named one by
# one: a prepared statement with `*` fails when an upgrade adds a column.
# A game is long, so only the row of its first seat has it.
_GAME: Final = f"""
    SELECT {_listed(_OF_GAME, 'game."{}"')}, {_listed(_SEAT, 'seat."{0}" AS "seat_{0}"')}
    FROM {Seat._meta.db_table} seat
    LEFT JOIN {Game._meta.db_table} game ON game.id = seat.game_id AND seat.number = 0
    WHERE seat.game_id = %s ORDER BY seat.number"""  # nosec B608
_TABLE: Final = f"""
    SELECT game.version, seat.player IS NULL,
        {_listed(_OF_TABLE, 'game."{}"')}, {_listed(_AT_TABLE, 'seat."{}"')}
    FROM {Seat._meta.db_table} seat JOIN {Game._meta.db_table} game ON game.id = seat.game_id
    WHERE seat.game_id = %s ORDER BY seat.number"""  # nosec B608
_ADVANCE: Final = f"""UPDATE {Game._meta.db_table} SET {_listed(_MOVED, '"{}" = %s')}
    WHERE id = %s AND version = %s"""  # nosec B608
_ADVANCE_TABLE: Final = _ADVANCE.replace(
    " SET ", """ SET "news" = "news" + %s, "at_turn" = %s, "due_at" = %s, """
)
_APPEND: Final = f"INSERT INTO {Action._meta.db_table} ({_listed(_LOGGED)}) VALUES "  # nosec B608
_ENTRY: Final = f"({_listed(_LOGGED, '%s')})"


def _fields(model: type[Model], names: Sequence[str]) -> "list[Field[Any, Any]]":
    fields = [model._meta.get_field(name) for name in names]
    return [field for field in fields if isinstance(field, Field)]


_SEAT_FIELDS: Final = _fields(Seat, _SEAT)
_MOVED_FIELDS: Final = _fields(Game, _MOVED)
_OF_TABLE_FIELDS: Final = _fields(Game, ("at_turn", "due_at"))
_LOGGED_FIELDS: Final = _fields(Action, _LOGGED)


def seats_with_game(game_id: UUID) -> list[Seat]:
    """The seats of a game in order, each with the game; empty if there is no such game."""
    rows = list(Game.objects.raw(_GAME, [_UUID.get_db_prep_value(game_id, connection)]))
    return [_seat_of(row, rows[0]) for row in rows]


def _seat_of(row: Game, game: Game) -> Seat:
    values = [field.to_python(getattr(row, f"seat_{field.attname}")) for field in _SEAT_FIELDS]
    seat = Seat.from_db(connection.alias, _SEAT, values)
    seat.game = game
    return seat


def read_table(seats: Sequence[Seat]) -> bool:
    """Read into the seats and their game what only a table of several players has. False if the
    table has changed since they were read: or a page would show the old table with the number of
    the latest news, and never look again."""
    game = seats[0].game
    with connection.cursor() as cursor:
        cursor.execute(_TABLE, [_UUID.get_db_prep_value(game.pk, connection)])
        rows = cursor.fetchall()
    read = [(game.version, seat.player is None) for seat in seats]
    if read != [(version, bool(is_bots)) for version, is_bots, *_ in rows]:
        return False
    for seat, (_version, _is_bots, *row) in zip(seats, rows, strict=True):
        values = list(map(_aware, row))
        for name, value in zip(_OF_TABLE, values, strict=False):
            setattr(game, name, value)
        for name, value in zip(_AT_TABLE, values[len(_OF_TABLE) :], strict=True):
            setattr(seat, name, value)
    return True


def _aware(value: Any) -> Any:
    """A value as a cursor returns it. A moment of SQLite has no time zone."""
    is_naive = isinstance(value, datetime) and value.tzinfo is None
    return value.replace(tzinfo=UTC) if is_naive else value


def advance(game: Game, seen: int, tells: bool | None = None) -> bool:
    """Store how the game stands; at a table of several players (`tells` is not None) also whom it
    waits for, and whether there is news for the others. False if somebody has moved since version
    `seen`."""
    stands = _prepared(game, _MOVED_FIELDS)
    if tells is not None:
        stands = [int(tells), *_prepared(game, _OF_TABLE_FIELDS), *stands]
    asked = _UUID.get_db_prep_value(game.pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(_ADVANCE if tells is None else _ADVANCE_TABLE, [*stands, asked, seen])
        return bool(cursor.rowcount)


def _prepared(row: Model, fields: "Sequence[Field[Any, Any]]") -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


def append(actions: Sequence[Action]) -> None:
    """Store these entries, all or none. There must be at least one."""
    values = [value for action in actions for value in _prepared(action, _LOGGED_FIELDS)]
    with connection.cursor() as cursor:
        cursor.execute(_APPEND + ", ".join([_ENTRY] * len(actions)), values)
