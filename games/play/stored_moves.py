"""Reads a game from the database and stores its moves.

It uses SQL, because each move does both and the ORM takes several times as long as the database.
"""

from collections.abc import Sequence
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
_ADVANCE: Final = f"""UPDATE {Game._meta.db_table} SET {_listed(_MOVED, '"{}" = %s')}
    WHERE id = %s AND version = %s"""  # nosec B608
_APPEND: Final = f"INSERT INTO {Action._meta.db_table} ({_listed(_LOGGED)}) VALUES "  # nosec B608
_ENTRY: Final = f"({_listed(_LOGGED, '%s')})"


def _fields(model: type[Model], names: Sequence[str]) -> "list[Field[Any, Any]]":
    fields = [model._meta.get_field(name) for name in names]
    return [field for field in fields if isinstance(field, Field)]


_SEAT_FIELDS: Final = _fields(Seat, _SEAT)
_MOVED_FIELDS: Final = _fields(Game, _MOVED)
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


def read_table(seats: Sequence[Seat]) -> None:
    """Read into the seats and their game what only a table of several players has."""
    game = seats[0].game
    names = (*(f"game__{name}" for name in _OF_TABLE), *_AT_TABLE)
    rows = Seat.objects.filter(game=game).order_by("number").values_list(*names)
    for seat, row in zip(seats, rows, strict=True):
        for name, value in zip(_OF_TABLE, row, strict=False):
            setattr(game, name, value)
        for name, value in zip(_AT_TABLE, row[len(_OF_TABLE) :], strict=True):
            setattr(seat, name, value)


def advance(game: Game, seen: int) -> bool:
    """Store how the game stands. False if somebody has moved since version `seen`."""
    stands = [
        field.get_db_prep_save(getattr(game, field.attname), connection) for field in _MOVED_FIELDS
    ]
    asked = _UUID.get_db_prep_value(game.pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(_ADVANCE, [*stands, asked, seen])
        return bool(cursor.rowcount)


def append(actions: Sequence[Action]) -> None:
    """Store these entries, all or none. There must be at least one."""
    values = [
        field.get_db_prep_save(getattr(action, field.attname), connection)
        for action in actions
        for field in _LOGGED_FIELDS
    ]
    with connection.cursor() as cursor:
        cursor.execute(_APPEND + ", ".join([_ENTRY] * len(actions)), values)
