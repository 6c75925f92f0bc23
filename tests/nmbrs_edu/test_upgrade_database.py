"""`manage.py upgrade_database` while a child's request reads a database table."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from nmbrs_edu.management.commands import upgrade_database

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def a_child_at_play() -> Iterator[psycopg.Connection[Any]]:
    """Another connection, whose transaction has read a database table and is still open."""
    parameters = connection.get_connection_params()
    names = ("host", "port", "user", "password", "dbname")
    with psycopg.connect(**{name: parameters[name] for name in names if name in parameters}) as its:
        its.execute("SELECT 1 FROM games_seat LIMIT 1")
        yield its


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade_database, "PAUSE_SECONDS", 0)


def upgraded() -> str:
    errors = StringIO()
    call_command("upgrade_database", verbosity=0, stderr=errors)
    return errors.getvalue()


def change_a_table() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_seat IN ACCESS EXCLUSIVE MODE")


def test_a_table_in_use_is_tried_again_until_it_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []
    with a_child_at_play() as its:

        def migrate(*args: Any, **options: Any) -> None:
            tries.append(args)
            if len(tries) == 2:
                its.rollback()
            change_a_table()

        monkeypatch.setattr(upgrade_database, "call_command", migrate)
        assert upgraded() == "A table is in use; the migration is tried again.\n"
    assert len(tries) == 2


def test_a_table_that_is_always_in_use_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade_database, "TRIES", 1)
    monkeypatch.setattr(upgrade_database, "call_command", lambda *_, **__: change_a_table())
    with a_child_at_play(), pytest.raises(CommandError, match="always in use"):
        upgraded()


def test_another_error_is_not_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    def migrate(*args: Any, **options: Any) -> None:
        raise OperationalError("the disk is full")

    monkeypatch.setattr(upgrade_database, "call_command", migrate)
    with pytest.raises(OperationalError, match="disk"):
        upgraded()


@pytest.mark.parametrize("name", ["0040_reader_words", "0053_plan_taken_back"])
def test_a_database_with_part_of_a_squashed_migration_is_refused(name: str) -> None:
    migrations = MigrationRecorder(connection)
    migrations.record_unapplied("classrooms", name)
    try:
        with pytest.raises(CommandError, match="too old"):
            upgraded()
    finally:
        migrations.record_applied("classrooms", name)
