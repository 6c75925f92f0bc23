"""The dumped school of the old code (README.md), loaded into a separate database."""

import gzip
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
from psycopg import sql

HERE: Final = Path(__file__).parent
Vendor = Literal["postgresql", "sqlite"]

RUNNING_OUT: Final = (
    ("classrooms_childsession", ("seen_at", "ends_at")),
    ("classrooms_invitation", ("created_at", "ends_at")),
    ("django_session", ("expire_date",)),
    ("downloads_download", ("asked_at", "ends_at")),
)
"""Columns of rows with a limited duration. Their times are moved, as if the old code had run a
minute ago."""
BEFORE: Final = timedelta(minutes=1)


def facts_of(vendor: Vendor) -> dict[str, Any]:
    """Facts that the dump lacks: tokens, passwords, and the keys of rows by their part in the
    tests."""
    facts: dict[str, Any] = json.loads((HERE / f"{vendor}.json").read_text(encoding="utf-8"))
    return facts


def dump_of(vendor: Vendor) -> str:
    return gzip.decompress((HERE / f"{vendor}.sql.gz").read_bytes()).decode()


@contextmanager
def old_school(vendor: Vendor, folder: Path) -> Iterator[str]:
    """The address of a database with the school in it."""
    age = datetime.now(UTC) - BEFORE - datetime.fromisoformat(facts_of(vendor)["made_at"])
    with _on_sqlite(folder, age) if vendor == "sqlite" else _on_postgresql(age) as address:
        yield address


@contextmanager
def _on_sqlite(folder: Path, age: timedelta) -> Iterator[str]:
    path = folder / "school.sqlite3"
    database = sqlite3.connect(path)
    database.executescript(dump_of("sqlite"))
    for table, columns in RUNNING_OUT:
        later = ", ".join(f"{name} = strftime('%Y-%m-%d %H:%M:%f', {name}, ?)" for name in columns)
        moved = [f"{age.total_seconds():+.3f} seconds"] * len(columns)
        database.execute(f"UPDATE {table} SET {later}", moved)
    database.commit()
    database.close()
    yield f"sqlite:///{path}"


@contextmanager
def _on_postgresql(age: timedelta) -> Iterator[str]:
    """Load the school into a database on the server of the tests."""
    server = os.environ["DATABASE_URL"]
    name = f"upgrade_{uuid4().hex}"
    address = urlsplit(server)._replace(path=f"/{name}").geturl()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            with psycopg.connect(address) as database:
                database.execute(dump_of("postgresql").encode())
                for table, columns in RUNNING_OUT:
                    later = [
                        sql.SQL("{0} = {0} + %s").format(sql.Identifier(each)) for each in columns
                    ]
                    update = sql.SQL("UPDATE {} SET {}").format(
                        sql.Identifier(table), sql.SQL(", ").join(later)
                    )
                    database.execute(update, [age] * len(columns))
            yield address
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            connection.execute(drop)
