"""The handwritten SQL of the game.

Every move reads a game and stores it, every second move also reads the last entries, and every page
of a table polls each second. For these, Django's ORM takes several times as long as the database.
A comment above each statement shows the query of the ORM that it replaces. Values are always
parameters. Columns are named one by one, because a prepared statement with `*` fails when an
upgrade adds a column.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple, Self, TypeVar
from uuid import UUID

from django.db import connection, connections
from django.db.models import Field, Model, UUIDField
from msgspec.json import decode

from games.engine.text.record import PublicData
from games.models import Entry, Game, Seat

_UUID: Final = UUIDField()
_GAME: Final = tuple(field.attname for field in Game._meta.concrete_fields)
_SEAT: Final = tuple(field.attname for field in Seat._meta.concrete_fields)
_MOVE_COLUMNS: Final = (
    "version", "phase", "round", "snapshot", "round_winners", "moved_at", "finished_at",
)  # fmt: skip
_ENTRY_COLUMNS: Final = ("game_id", "number", "kind", "seat", "text", "data", "missed", "at", "key")


def _columns(table: str, model: type[Model]) -> str:
    return ", ".join(f'{table}."{field.column}"' for field in model._meta.concrete_fields)


# Seat.objects.filter(game=game_id).select_related("game"). Only the row of the first seat has the
# game, because its snapshot is long.
_SELECT_GAME: Final = f"""
    SELECT {_columns("game", Game)}, {_columns("seat", Seat)}
    FROM games_seat seat
    LEFT JOIN games_game game ON game.id = seat.game_id AND seat.number = 0
    WHERE seat.game_id = %s ORDER BY seat.number"""  # nosec B608
# Game.objects.filter(pk=game.pk, version=version).update(…), for a game of one player
_UPDATE_GAME: Final = """
    UPDATE games_game
    SET version = %s, phase = %s, round = %s, snapshot = %s, round_winners = %s, moved_at = %s,
        finished_at = %s
    WHERE id = %s AND version = %s"""
# The same for a table of several players
_UPDATE_TABLE: Final = """
    UPDATE games_game
    SET news = news + %s, at_turn = %s, waits_since = %s, due_at = %s,
        version = %s, phase = %s, round = %s, snapshot = %s, round_winners = %s, moved_at = %s,
        finished_at = %s
    WHERE id = %s AND version = %s"""
# Entry.objects.bulk_create(entries)
_INSERT_ENTRIES: Final = """
    INSERT INTO games_action (game_id, number, kind, seat, text, data, missed, at, key) VALUES """
_ENTRY_VALUES: Final = "(%s, %s, %s, %s, %s, %s, %s, %s, %s)"
# Entry.objects.filter(game=game).order_by("-number").values_list(…)[:most]
_SELECT_LAST_ENTRIES: Final = """
    SELECT number, kind, seat, text, data FROM games_action
    WHERE game_id = %s ORDER BY number DESC LIMIT %s"""
# Entry.objects.filter(game=game, number__gte=number_of_deal).order_by("-number").values_list(…)
_SELECT_ROUND: Final = """
    SELECT number, kind, seat, text, data FROM games_action
    WHERE game_id = %s AND number >= (
        SELECT MAX(number) FROM games_action WHERE game_id = %s AND kind = 'deal')
    ORDER BY number DESC"""
# Seat.objects.filter(game=game, player__isnull=False).values_list(…)
POLL: Final = """
    SELECT game.news, game.at_turn, game.due_at, game.moved_at, game.waits_since,
        seat.number, seat.here_until, seat.away IS NOT NULL
    FROM games_seat seat JOIN games_game game ON game.id = seat.game_id
    WHERE seat.game_id = %s AND seat.player IS NOT NULL"""
# Seat.objects.filter(game=game, number=number).update(here_until=until)
NOTE_PRESENCE: Final = "UPDATE games_seat SET here_until = %s WHERE game_id = %s AND number = %s"


def in_utc(moment: datetime) -> datetime:
    """A moment of a cursor, with its time zone. SQLite leaves out that it is UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class ShownEntry(NamedTuple):
    """An `Entry` as a page shows it."""

    number: int
    kind: str
    seat: int | None
    text: str
    data: PublicData

    @property
    def lays_row(self) -> bool:
        return "laid" in self.data

    @property
    def is_unasked(self) -> bool:
        return bool(self.data.get("unasked"))

    @classmethod
    def of(cls, entry: Entry) -> Self:
        return cls(entry.number, entry.kind, entry.seat, entry.text, entry.data)

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        number, kind, seat, text, data = row
        return cls(number, kind, seat, text, decode(data))


class PollRow(NamedTuple):
    """A row of `POLL`: a player's seat with its game."""

    news: int
    awaited_seat: int | None
    due_at: datetime | None
    moved_at: datetime
    waits_since: datetime | None
    seat: int
    here_until: datetime | None
    is_away: bool

    @classmethod
    def of(cls, row: Sequence[Any]) -> Self:
        return cls._make(in_utc(value) if isinstance(value, datetime) else value for value in row)

    def is_here(self, moment: datetime) -> bool:
        """Whether a player who does nothing more counts as present at this moment."""
        return self.here_until is not None and self.here_until > moment


def _fields(model: type[Model], names: Sequence[str]) -> "list[Field[Any, Any]]":
    fields = [model._meta.get_field(name) for name in names]
    return [field for field in fields if isinstance(field, Field)]


_MOVE_FIELDS: Final = _fields(Game, _MOVE_COLUMNS)
_TURN_FIELDS: Final = _fields(Game, ("awaited_seat", "waits_since", "due_at"))
_ENTRY_FIELDS: Final = _fields(Entry, _ENTRY_COLUMNS)


def seats_with_game(game_id: UUID) -> list[Seat]:
    """The seats of a game in order, each with the game; empty if there is no such game."""
    with connection.cursor() as cursor:
        cursor.execute(_SELECT_GAME, [_stored(game_id)])
        rows = cursor.fetchall()
    seats = [object_of(Seat, _SEAT, row[len(_GAME) :]) for row in rows]
    if seats:
        game = object_of(Game, _GAME, rows[0])
        for seat in seats:
            seat.game = game
    return seats


M = TypeVar("M", bound=Model)


def object_of(model: type[M], names: tuple[str, ...], row: Sequence[Any]) -> M:
    """An object of a model, from a row of a cursor that begins with these fields. A raw query of
    Django takes longer, because it describes each column again each time."""
    database = connections[connection.alias]
    values = list(row[: len(names)])
    for index, (converters, column) in _converters(database.vendor, model, names):
        for convert in converters:
            values[index] = convert(values[index], column, database)
    return model.from_db(database.alias, names, values)


@cache
def _converters(vendor: str, model: type[Model], names: tuple[str, ...]) -> tuple[Any, ...]:
    """The converters of the fields whose values differ from those of the database, by index."""
    compiler = model._base_manager.all().query.get_compiler(connection=connection)
    columns = [field.get_col(model._meta.db_table) for field in _fields(model, names)]
    return tuple(compiler.get_converters(columns).items())


def update_if_current(game: Game, columns: Mapping[str, Any], has_news: bool | None) -> bool:
    """Store these columns of a game after a move. At a table of several players (`has_news` is not
    None), also store for whom it waits, and whether there is news for the others. Return False if
    somebody has moved since the game was read."""
    values = _prepared(columns, _MOVE_FIELDS)
    if has_news is not None:
        values = [int(has_news), *_prepared(columns, _TURN_FIELDS), *values]
    with connection.cursor() as cursor:
        statement = _UPDATE_GAME if has_news is None else _UPDATE_TABLE
        cursor.execute(statement, [*values, _stored(game.pk), game.version])
        return bool(cursor.rowcount)


def insert_entries(entries: Sequence[Entry]) -> None:
    """Store these entries, all or none. There must be at least one."""
    values = [value for entry in entries for value in _prepared(vars(entry), _ENTRY_FIELDS)]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT_ENTRIES + ", ".join([_ENTRY_VALUES] * len(entries)), values)


def last_entries(game_id: UUID, most: int) -> list[ShownEntry]:
    """The last entries, the newest first."""
    with connection.cursor() as cursor:
        cursor.execute(_SELECT_LAST_ENTRIES, [_stored(game_id), most])
        return list(map(ShownEntry.of_row, cursor.fetchall()))


def entries_of_round(game_id: UUID) -> list[ShownEntry]:
    """The last deal and the entries after it, the newest first."""
    with connection.cursor() as cursor:
        cursor.execute(_SELECT_ROUND, [_stored(game_id)] * 2)
        return list(map(ShownEntry.of_row, cursor.fetchall()))


def run_poll(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run `POLL` or `NOTE_PRESENCE` on Django's connection, and return the rows of a poll."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if statement is POLL else []


@cache
def has_uuids() -> bool:
    """Whether the database has a type for UUIDs. SQLite stores them as text without hyphens."""
    return connection.features.has_native_uuid_field


def _stored(key: UUID) -> Any:
    return _UUID.get_db_prep_value(key, connection)


def _prepared(columns: Mapping[str, Any], fields: "Sequence[Field[Any, Any]]") -> list[Any]:
    # `connection` would look the database up again for each of its attributes.
    database = connections[connection.alias]
    return [field.get_db_prep_save(columns[field.attname], database) for field in fields]
