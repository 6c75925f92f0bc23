"""The two queries of the live board. They are written in SQL, because pages poll the board every
few seconds and the ORM takes longer than the queries do. Only names of tables and columns are
inserted into the text; values are `parameters`."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection

from classrooms.assignments.table_offers import SEEN_FOR
from classrooms.checkups.models import ChildCheckUp
from classrooms.lesson.lesson_log import KEY, ROW_CHANGE
from classrooms.models import (
    Assignment,
    Attempt,
    Chair,
    Child,
    ChildSession,
    GameTable,
    SchoolClass,
)
from classrooms.questions.models import Sitting
from classrooms.signin.sessions import IDLE_SESSION_ENDS, NOTE_SEEN_EVERY
from games.engine.round import ROUND_OVER
from games.models import Entry, Game, Seat
from games.play.presence import LONG_TURN

LESSON: Final = timedelta(minutes=90)
"""A game in which nobody has moved for this long is not part of the lesson."""
PAUSES: Final = (timedelta(minutes=2), timedelta(minutes=5), timedelta(minutes=15))
"""A child who has not moved or answered for the first of these times is pausing. The board shows
the longest of these times that has passed."""
_ANSWERED: Final = "COALESCE(sitting.closed_at, sitting.asked_at, sitting.created_at)"
_SINCE: Final = f"""game.moved_at <= {{ago}}
    AND COALESCE({_ANSWERED}, game.moved_at) <= {{ago}}
    AND (own_class.hand_until IS NULL OR own_class.hand_until NOT BETWEEN {{ago}} AND %(now)s
        OR NOT EXISTS (SELECT 1 FROM {ChildSession._meta.db_table} session
            WHERE session.child_id = child.id AND session.seen_at > {{ago}}_noted))"""  # nosec B608
# A class that looks at hands moves nothing in its games. So a span in which the hands ended is no
# pause of a child whose page has asked the server in it. During a hand, a child who has come to it
# has it on their screen (`game`).
_SPANS: Final = {f"ago{number}": span for number, span in enumerate((*PAUSES, LESSON))}
"""The names of the moments at which each of `PAUSES`, and `LESSON`, began."""
_MOMENTS: Final = _SPANS | {f"{ago}_noted": s + NOTE_SEEN_EVERY for ago, s in _SPANS.items()}
"""With `…_noted` for each: a session used since then was noted as seen after this moment."""
_TABLES: Final = f"""
    {Child._meta.db_table} child
    LEFT JOIN {Attempt._meta.db_table} last_hand ON last_hand.child_id = child.id
        AND last_hand.assignment_id = (SELECT hand.id FROM {Assignment._meta.db_table} hand
            WHERE hand.school_class_id = %(class)s
                AND hand.one_turn IS NOT NULL AND hand.riddle_on IS NULL
            ORDER BY hand.created_at DESC, hand.id DESC LIMIT 1)
    JOIN {SchoolClass._meta.db_table} own_class ON own_class.id = child.school_class_id
    LEFT JOIN {Game._meta.db_table} game ON game.id = COALESCE(
        CASE WHEN own_class.hand_until > %(now)s THEN last_hand.game_id END, child.at_table_id,
        (SELECT CASE WHEN done.finished_at IS NOT NULL THEN done.id END
            FROM {Attempt._meta.db_table} earlier
            JOIN {Game._meta.db_table} done ON done.id = earlier.game_id
            WHERE earlier.child_id = child.id
            ORDER BY done.moved_at DESC, earlier.id DESC LIMIT 1))
    LEFT JOIN {Sitting._meta.db_table} sitting ON sitting.game_id = game.id
        AND sitting.round = game.round AND sitting.child_id = child.id
    CROSS JOIN (SELECT {", ".join(f"%({name})s AS {name}" for name in _MOMENTS)}) ago
"""  # nosec B608
_WHERE_CLASS: Final = "WHERE child.school_class_id = %(class)s AND child.removed_at IS NULL"
_IS_ON_SCREEN: Final = """check_up.finished_at IS NULL
    AND COALESCE(check_up.asked_at, check_up.started_at) > %(ago0)s"""
_IN_USE: Final = "session.ends_at > %(now)s AND session.seen_at > %(idle)s"
_PAUSE_COUNT: Final = " + ".join(
    f"CASE WHEN {_SINCE.format(ago=ago)} THEN 1 ELSE 0 END" for ago in [*_SPANS][:-1]
)
_COLUMNS: Final = {field.name: field.column for field in Assignment._meta.concrete_fields}
TITLE_FIELDS: Final = ("edition", "options", "facts", "rounds", "bots", "together")
"""The fields of an assignment from which its title is made."""
_VERSION: Final = {
    "children": "COUNT(*)",
    "games": "COUNT(game.id)",
    "moves": "SUM(game.version)",
    "last_move": "MAX(game.moved_at)",
    "news_for_others": "SUM(game.news)",
    "long_turns": """COUNT(*) FILTER (WHERE game.at_turn IS NOT NULL
        AND game.waits_since <= %(long)s)""",
    "sittings": "COUNT(sitting.id)",
    "answers": "SUM(sitting.done)",
    "ended_sittings": "COUNT(sitting.closed_at)",
    **{f"still_{ago}": f"COUNT(*) FILTER (WHERE {_SINCE.format(ago=ago)})" for ago in _SPANS},
    "assigned_games": f"""(SELECT COUNT(*) FROM {Assignment._meta.db_table} given_game
        WHERE given_game.school_class_id = %(class)s AND given_game.ended_at IS NULL)""",  # nosec B608
    "hands": "MAX(CASE WHEN own_class.hand_until > %(now)s THEN own_class.hand_until END)",
    "pause_of_class": f"""(SELECT paused.paused_until FROM {SchoolClass._meta.db_table} paused
        WHERE paused.id = %(class)s AND paused.paused_until > %(now)s)""",  # nosec B608
    # Tables of several and check-ups are read once each, because each poll would be slower.
    "chairs_and_begun_tables": f"""(SELECT CAST(COUNT(chair.id) AS TEXT) || ' '
            || CAST(COUNT(chair.seen_at) AS TEXT) || ' ' || CAST(COUNT(open_table.game_id) AS TEXT)
        FROM {Chair._meta.db_table} chair
        JOIN {GameTable._meta.db_table} open_table
            ON open_table.id = chair.table_id AND open_table.ended_at IS NULL
        JOIN {Child._meta.db_table} sitting_child ON sitting_child.id = chair.child_id
        WHERE sitting_child.school_class_id = %(class)s)""",  # nosec B608
    "answers_and_open_check_ups": f"""(SELECT CAST(SUM(check_up.done) AS TEXT) || ' '
            || CAST(COUNT(*) FILTER (WHERE {_IS_ON_SCREEN}) AS TEXT)
        FROM {ChildCheckUp._meta.db_table} check_up
        JOIN {Child._meta.db_table} answering ON answering.id = check_up.child_id
        WHERE answering.school_class_id = %(class)s)""",  # nosec B608
    "sessions": f"""(SELECT CAST(COUNT(*) AS TEXT) || ' ' || CAST(MAX(session.id) AS TEXT)
        FROM {ChildSession._meta.db_table} session
        JOIN {Child._meta.db_table} signed_in ON signed_in.id = session.child_id
        WHERE signed_in.school_class_id = %(class)s AND {_IN_USE})""",  # nosec B608
}
"""The columns that change with what the board shows. What is added to the board is added here."""
SELECT_VERSION: Final = f"""
    SELECT {", ".join(f"{column} AS {name}" for name, column in _VERSION.items())}
    FROM {_TABLES} {_WHERE_CLASS}
"""  # nosec B608
SELECT_BOARD: Final = f"""
    SELECT child.id AS child, child.name AS child_name,
        (attempt.id IS NOT NULL OR game.lesson) AND game.moved_at >= {[*_SPANS][-1]}
            AND (assignment.ended_at IS NULL OR game.finished_at IS NOT NULL
                OR game.moved_at > assignment.ended_at)
            AND (game.phase <> '{ROUND_OVER}' OR own_class.hand_until IS NULL
                OR game.moved_at > own_class.hand_until) AS is_here,
        game.finished_at IS NOT NULL AS is_over, game.phase AS phase, game.round AS round,
        sitting.id IS NOT NULL AND sitting.closed_at IS NULL AS is_answering,
        EXISTS (SELECT 1 FROM {ChildSession._meta.db_table} session
            WHERE session.child_id = child.id AND {_IN_USE}) AS is_signed_in,
        {_PAUSE_COUNT} AS pause,
        (SELECT MAX(check_up.done) FROM {ChildCheckUp._meta.db_table} check_up
            WHERE check_up.child_id = child.id AND {_IS_ON_SCREEN}) AS questions_answered,
        EXISTS (SELECT 1 FROM {Chair._meta.db_table} chair
            WHERE chair.child_id = child.id) AS has_chair,
        game.at_turn <> own.number AS waits, own.away IS NOT NULL AS has_stand_in,
        EXISTS (SELECT 1 FROM {Chair._meta.db_table} chair
            JOIN {GameTable._meta.db_table} waiting ON waiting.id = chair.table_id
            WHERE chair.child_id = child.id AND chair.seen_at > %(seen)s
                AND waiting.game_id IS NULL AND waiting.ended_at IS NULL) AS waits_for_match,
        last_hand.id IS NOT NULL AND COALESCE(own_class.hand_until > %(now)s, FALSE) AS in_hand,
        CASE WHEN own_class.hand_until > %(now)s THEN (SELECT SUM({ROW_CHANGE})
            FROM {Entry._meta.db_table} action
            WHERE action.game_id = last_hand.game_id AND action.seat = 0) END AS rows_laid,
        {", ".join(f"assignment.{_COLUMNS[name]} AS {name}" for name in TITLE_FIELDS)}
    FROM {_TABLES}
    LEFT JOIN {Seat._meta.db_table} own ON own.game_id = game.id AND own.player = child.player
    LEFT JOIN {Attempt._meta.db_table} attempt
        ON attempt.game_id = game.id AND attempt.child_id = child.id
    LEFT JOIN {Assignment._meta.db_table} assignment ON assignment.id = attempt.assignment_id
    {_WHERE_CLASS} ORDER BY child.name_order, child.name
"""  # nosec B608


def parameters(class_id: UUID, now: datetime) -> dict[str, Any]:
    """The values for both queries, for this class at this moment."""
    adapt = connection.ops.adapt_datetimefield_value
    return {
        "class": KEY.get_db_prep_value(class_id, connection),
        "now": adapt(now),
        "seen": adapt(now - SEEN_FOR),
        "idle": adapt(now - IDLE_SESSION_ENDS),
        "long": adapt(now - LONG_TURN),
        **{name: adapt(now - span) for name, span in _MOMENTS.items()},
    }
