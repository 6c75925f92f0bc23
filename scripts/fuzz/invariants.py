"""Invariants that hold after every request, checked in the database (PostgreSQL)."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final
from uuid import UUID

from django.db import connection

from classrooms.models import Teaching
from classrooms.progress.rebuild import compare_game
from games.models import Game

RULES: Final[Mapping[str, str]] = {
    "a class has one owner": """
        SELECT c.id FROM classrooms_schoolclass c
        LEFT JOIN classrooms_teaching t ON t.school_class_id = c.id AND t.role = 'owner'
        GROUP BY c.id HAVING count(t.id) <> 1""",
    "a child of a group is of the group's class": """
        SELECT g.id FROM classrooms_group g
        JOIN classrooms_group_children m ON m.group_id = g.id
        JOIN classrooms_child c ON c.id = m.child_id
        WHERE c.school_class_id <> g.school_class_id""",
    "a group that is asked to play is of the assignment's class": """
        SELECT a.id FROM classrooms_assignment a
        JOIN classrooms_assignment_groups m ON m.assignment_id = a.id
        JOIN classrooms_group g ON g.id = m.group_id
        WHERE g.school_class_id <> a.school_class_id""",
    "an attempt is a game in which the child sits": """
        SELECT a.id FROM classrooms_attempt a
        JOIN classrooms_child c ON c.id = a.child_id
        WHERE NOT EXISTS (SELECT 1 FROM games_seat s
                          WHERE s.game_id = a.game_id AND s.player = c.player)""",
    "a game's version is the number of its last entry": """
        SELECT g.id FROM games_game g LEFT JOIN games_action a ON a.game_id = g.id
        GROUP BY g.id, g.version
        HAVING coalesce(max(a.number), 0) <> g.version OR count(a.id) <> g.version""",
    "a game has seats": """
        SELECT g.id FROM games_game g
        WHERE NOT EXISTS (SELECT 1 FROM games_seat s WHERE s.game_id = g.id)""",
    "the table that a child was brought to is its own": """
        SELECT c.id FROM classrooms_child c
        WHERE c.at_table_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM games_seat s
                          WHERE s.game_id = c.at_table_id AND s.player = c.player)""",
    "an answer is of the child that was asked": """
        SELECT k.id FROM checks_check k JOIN checks_sitting s ON s.id = k.sitting_id
        WHERE k.child_id <> s.child_id""",
    "as many answers as questions behind the child, but for copied numbers": """
        SELECT s.id FROM checks_sitting s WHERE
        (SELECT count(*) FROM checks_check k WHERE k.sitting_id = s.id) <>
        (SELECT count(*) FROM jsonb_array_elements(s.questions) WITH ORDINALITY AS q(asked, place)
         WHERE place <= s.done AND asked ->> 0 <> 'typing')""",
    "as many answers of a check-up as questions behind the child, each once": """
        SELECT c.id FROM checkups_childcheckup c WHERE c.done <>
        (SELECT count(*) FROM checkups_checkupanswer a
         WHERE a.child_check_up_id = c.id AND a.number < c.done)""",
    "nobody who is removed or archived is signed in": """
        SELECT s.id FROM classrooms_childsession s
        JOIN classrooms_child c ON c.id = s.child_id
        JOIN classrooms_schoolclass k ON k.id = c.school_class_id
        WHERE c.removed_at IS NOT NULL OR k.archived_at IS NOT NULL""",
    "a download that is ready has a file": """
        SELECT d.id FROM downloads_download d WHERE d.state = 'ready' AND d.content IS NULL""",
    "what an invitation gives is a role": """
        SELECT i.id FROM classrooms_invitation i WHERE i.role NOT IN ('owner', 'co-teacher')""",
}
"""Rules, each with a query that finds the rows that break it."""

_CHILDREN: Final = "(SELECT id FROM classrooms_child WHERE school_class_id = ANY(%s::uuid[]))"
_GAMES: Final = (
    "(SELECT s.game_id FROM games_seat s JOIN classrooms_child c ON c.player = s.player"
    " WHERE c.school_class_id = ANY(%s::uuid[]))"
)
_CLASS_ROWS: Final[Mapping[str, str]] = {
    "classrooms_schoolclass": "id = ANY(%s::uuid[])",
    "classrooms_teaching": "school_class_id = ANY(%s::uuid[])",
    "classrooms_child": "school_class_id = ANY(%s::uuid[])",
    "classrooms_group": "school_class_id = ANY(%s::uuid[])",
    "classrooms_group_children": f"child_id IN {_CHILDREN}",
    "classrooms_assignment": "school_class_id = ANY(%s::uuid[])",
    "classrooms_assignment_children": f"child_id IN {_CHILDREN}",
    "classrooms_attempt": f"child_id IN {_CHILDREN}",
    "classrooms_invitation": "school_class_id = ANY(%s::uuid[])",
    "classrooms_qrcode": f"child_id IN {_CHILDREN}",
    "games_game": f"id IN {_GAMES}",
    "games_seat": f"game_id IN {_GAMES}",
    "checks_sitting": f"child_id IN {_CHILDREN}",
    "checks_check": f"child_id IN {_CHILDREN}",
    "checkups_checkup": "school_class_id = ANY(%s::uuid[])",
    "checkups_childcheckup": f"child_id IN {_CHILDREN}",
    "progress_chance": f"child_id IN {_CHILDREN}",
    "progress_childassignment": f"child_id IN {_CHILDREN}",
    "progress_tablemastery": f"child_id IN {_CHILDREN}",
    "downloads_download": "school_class_id = ANY(%s::uuid[])",
}
CLASS_TABLES: Final = frozenset(_CLASS_ROWS)


def broken_rules() -> Iterator[str]:
    """The broken invariants, each with the ids of the rows that break it."""
    parts = [
        f"SELECT '{number}', array_agg(x.id::text) FROM ({query}) x"
        for number, query in enumerate(RULES.values())
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts))
        ids = dict(cursor.fetchall())
    for number, what in enumerate(RULES):
        if ids[str(number)]:
            yield f"{what}: {sorted(ids[str(number)])[:3]}"


def rows_of(classes: list[str], tables: Collection[str] = CLASS_TABLES) -> dict[str, str]:
    """A checksum of all rows of these classes by table, or only of the tables in `tables`."""
    parts = [
        f"SELECT '{table}', md5(string_agg(md5(t::text), '' ORDER BY md5(t::text)))"
        f" FROM {table} t WHERE {where}"
        for table, where in _CLASS_ROWS.items()
        if table in tables
    ]
    if not parts:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), [classes] * len(parts))
        return dict(cursor.fetchall())


def teachings() -> frozenset[tuple[str, int, str]]:
    """The teachings, each as class, user and role."""
    found = Teaching.objects.values_list("school_class", "user", "role")
    return frozenset((str(school_class), user, role) for school_class, user, role in found)


def versions() -> dict[UUID, int]:
    return dict(Game.objects.values_list("pk", "version"))


def games_unlike_their_logs(before: Mapping[UUID, int]) -> Iterator[str]:
    """The games that have moved since `before` and differ from their logs."""
    moved = [key for key, version in versions().items() if before.get(key) != version]
    for game in Game.objects.filter(pk__in=moved, attempt__isnull=False):
        if difference := compare_game(game):
            yield f"{game.pk}: {difference.told}"
