"""The migration of logged looks at pictures, once a table of their own, into the audit log."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from tests.servers import ROOT

pytestmark = pytest.mark.both_databases

MOVES = """
import json
from datetime import UTC, datetime, timedelta
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

def models_at(name):
    executor = MigrationExecutor(connection)
    executor.migrate([("classrooms", name)])
    return executor.loader.project_state([("classrooms", name)]).apps

old = models_at("0017_who_looked")
get = lambda name: old.get_model("classrooms", name)
alice = get("User").objects.create(email="alice@example.org")
here = get("SchoolClass").objects.create(name="5B", code="BCDFGHJK")
dora, emil = (
    get("Child").objects.create(school_class=here, name=name, pictures_encrypted="x")
    for name in ("Dora", "Emil")
)
nine = datetime(2026, 11, 2, 9, 5, tzinfo=UTC)
def look(child, where, at):
    get("LookedUp").objects.create(user=alice, child=child, where=where, at=at)
for child in (dora, emil):
    look(child, "cards", nine)
    look(child, "letters", nine + timedelta(hours=1))
look(dora, "child", nine)
look(emil, "cards", nine + timedelta(days=1))
get("AuditEntry").objects.create(
    user=alice, what="looked", page="letters", class_id=here.pk, at=nine + timedelta(hours=1)
)
new = models_at("0020_one_log")
names = {dora.pk: "Dora", emil.pk: "Emil", None: None}
print(json.dumps([
    [entry.user.email, entry.page, names[entry.child_id], entry.is_part, entry.detail,
     entry.class_id == here.pk, entry.at.isoformat()]
    for entry in new.get_model("classrooms", "AuditEntry").objects.order_by("at", "page", "pk")
]))
"""


@pytest.fixture(scope="module")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a new database, on the server of the tests or, with SQLite, in a file."""
    url = os.environ["DATABASE_URL"]
    if url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path_factory.mktemp('one_log')}/db.sqlite3"
        return
    name = f"one_log_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
        server.execute(f"DROP DATABASE {name}")


@pytest.fixture(scope="module")
def moved(empty_database: str) -> list[list[Any]]:
    """What the log of a site that had looks of both kinds says after the migration."""
    done = subprocess.run(
        [sys.executable, "-c", MOVES],
        cwd=ROOT,
        env={
            "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.test",
            "DATABASE_URL": empty_database,
            "REDIS_URL": "redis://localhost:1/0",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    entries: list[list[Any]] = json.loads(done.stdout)
    assert {(entry[0], entry[5]) for entry in entries} == {("alice@example.org", True)}
    return entries


def entries_about(
    moved: list[list[Any]], page: str
) -> list[tuple[str | None, bool, dict[str, int]]]:
    return [(entry[2], entry[3], entry[4]) for entry in moved if entry[1] == page]


def test_a_printing_is_one_entry_with_a_part_for_each_child(moved: list[list[Any]]) -> None:
    assert entries_about(moved, "cards") == [
        ("Dora", True, {}),
        ("Emil", True, {}),
        (None, False, {"count": 2}),
        ("Emil", False, {}),
    ]


def test_a_look_at_one_child_is_its_own_entry(moved: list[list[Any]]) -> None:
    assert entries_about(moved, "pictures") == [("Dora", False, {})]


def test_what_the_log_has_already_is_not_shown_twice(moved: list[list[Any]]) -> None:
    assert entries_about(moved, "letters") == [
        (None, False, {}),
        ("Dora", True, {}),
        ("Emil", True, {}),
    ]


def test_each_keeps_its_time(moved: list[list[Any]]) -> None:
    times = {entry[6] for entry in moved}
    assert times == {
        "2026-11-02T09:05:00+00:00",
        "2026-11-02T10:05:00+00:00",
        "2026-11-03T09:05:00+00:00",
    }
