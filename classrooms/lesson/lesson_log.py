"""What the logs of a lesson's games say about each child, read in one query."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
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


NOTHING: Final = Logged()


def logged(class_id: UUID, since: datetime) -> Mapping[UUID, Logged]:
    """By child of the class; no entry for a child that did nothing since then."""
    asked = UUIDField().get_db_prep_value(class_id, connection)
    begin = connection.ops.adapt_datetimefield_value(since)
    with connection.cursor() as cursor:
        cursor.execute(LOGGED, [asked, begin, begin])
        return {
            UUID(str(child)): Logged(rows, hints, refused or 0, hints_since or 0, bool(at_hint))
            for child, rows, hints, refused, hints_since, at_hint in cursor.fetchall()
        }


# A play begins with a card: a number, or the letter of a joker and what it stands for.
_IS_ROW: Final = (
    "(SUBSTR(action.text, 1, 1) IN ('1', '2', '3', '4', '5', '6', '7', '8', '9')"
    " OR SUBSTR(action.text, 2, 1) = '=')"
)
# Only names of tables are joined here; values are parameters.
LOGGED: Final = f"""
    WITH own AS (
        SELECT child.id AS child, game.id = child.at_table_id AS at_table,
            action.kind AS kind, action.number AS number,
            CASE WHEN action.kind = 'act' AND {_IS_ROW} THEN 1
                WHEN action.kind = 'take back' THEN -1 ELSE 0 END AS laid,
            MAX(CASE WHEN action.kind = 'act' THEN action.number ELSE 0 END)
                OVER (PARTITION BY game.id) AS last_act,
            MAX(action.number) OVER (PARTITION BY game.id) AS last_own
        FROM {Child._meta.db_table} child
        JOIN {Seat._meta.db_table} seat ON seat.player = child.player
        JOIN {Game._meta.db_table} game ON game.id = seat.game_id
        JOIN {Action._meta.db_table} action
            ON action.game_id = game.id AND action.seat = seat.number
        WHERE child.school_class_id = %s AND child.removed_at IS NULL
            AND game.moved_at > %s AND action.at > %s
    )
    SELECT child, SUM(laid), SUM(CASE WHEN kind = 'hint' THEN 1 ELSE 0 END),
        SUM(CASE WHEN at_table AND kind = 'refused' AND number > last_act THEN 1 ELSE 0 END),
        SUM(CASE WHEN at_table AND kind = 'hint' AND number > last_act THEN 1 ELSE 0 END),
        MAX(CASE WHEN at_table AND kind = 'hint' AND number = last_own THEN 1 ELSE 0 END)
    FROM own GROUP BY child
"""  # nosec B608
