"""Saves a database (PostgreSQL or SQLite) to a file, loads it from one, and tests a file in a
second database."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psycopg
from django.db import connection
from psycopg import sql
from psycopg.conninfo import make_conninfo

TRIAL_SUFFIX: Final = "_trial_of_a_backup"
TABLES_SAVED_EMPTY: Final = ("django_session", "usersessions_usersession")
"""Tables whose rows are in no backup. Anyone with an adult's session could act as that adult.
Sessions also keep what somebody typed into a page that was open too long, which may name a child
who is erased by now."""
CONNINFO_KEYS: Final = ("host", "port", "user", "sslmode", "sslrootcert", "sslcert", "sslkey")

Rows = dict[str, int]


class DatabaseFailed(Exception):
    """A database or one of its tools failed or gave a wrong result."""


def this_database() -> "Postgresql | Sqlite":
    return Postgresql(connection) if connection.vendor == "postgresql" else Sqlite(connection)


class Postgresql:
    """Saves, checks and restores a PostgreSQL database by `pg_dump` and `pg_restore`. Methods that
    return `Rows` return the number of rows of each table."""

    vendor = "postgresql"
    ending = ".dump"

    def __init__(self, django: Any) -> None:
        self.params: dict[str, Any] = django.get_connection_params()

    def save(self, path: Path) -> Rows:
        """Write the database to the file as it is at one moment, without the rows of
        `TABLES_SAVED_EMPTY`."""
        with self._connect() as db, db.transaction():
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            (snapshot,) = db.execute("SELECT pg_export_snapshot()").fetchone()
            # The counts below are of the same moment as the file, whatever children do meanwhile.
            words = [f"--exclude-table-data={name}" for name in TABLES_SAVED_EMPTY]
            words += [f"--snapshot={snapshot}", f"--file={path}", self._conninfo()]
            self._run("pg_dump", "--format=custom", *words)
            return _row_counts(db)

    def is_empty(self) -> bool:
        with self._connect() as db:
            return not _tables_in(db)

    def load(self, path: Path) -> Rows:
        return self._load_into(self.params["dbname"], path)

    def try_out(self, path: Path) -> Rows:
        """Load the file into a new database beside this one, then drop the new one."""
        name = str(self.params["dbname"]) + TRIAL_SUFFIX
        with self._connect(autocommit=True) as db:
            drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            db.execute(drop)
            create = sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name))
            db.execute(create)
            try:
                return self._load_into(name, path)
            finally:
                db.execute(drop)

    def _load_into(self, name: str, path: Path) -> Rows:
        words = ("--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges")
        self._run("pg_restore", *words, f"--dbname={self._conninfo(name)}", str(path))
        with self._connect(name) as db:
            for table in set(TABLES_SAVED_EMPTY).intersection(_tables_in(db)):
                db.execute(sql.SQL("TRUNCATE {}").format(sql.Identifier(table)))
            db.execute("ANALYZE")
            return _row_counts(db)

    @contextmanager
    def _connect(self, name: str = "", *, autocommit: bool = False) -> Iterator[Any]:
        params = {**self.params, "dbname": name or self.params["dbname"]}
        try:
            with psycopg.connect(**params, autocommit=autocommit) as db:
                yield db
        except psycopg.Error as problem:
            raise DatabaseFailed(f"PostgreSQL: {problem}") from problem

    def _conninfo(self, name: str = "") -> str:
        parts = {part: self.params[part] for part in CONNINFO_KEYS if self.params.get(part)}
        return make_conninfo(dbname=name or self.params["dbname"], **parts)

    def _run(self, program: str, *words: str) -> None:
        """Run a tool of PostgreSQL. Other users of the machine can read its arguments, so the
        password is not among them."""
        path = shutil.which(program)
        if path is None:
            raise DatabaseFailed(f"{program} is missing: it comes with PostgreSQL's client.")
        environment = dict(os.environ)
        if password := self.params.get("password"):
            environment["PGPASSWORD"] = str(password)
        result = subprocess.run([path, *words], env=environment, capture_output=True, text=True)
        if result.returncode:
            raise DatabaseFailed(f"{program}: {result.stderr.strip()[-1000:]}")


def _tables_in(db: Any) -> list[str]:
    rows = db.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    return sorted(name for (name,) in rows.fetchall())


def _row_counts(db: Any) -> Rows:
    counting = sql.SQL("SELECT count(*) FROM {}")
    return {
        name: db.execute(counting.format(sql.Identifier(name))).fetchone()[0]
        for name in _tables_in(db)
        if name not in TABLES_SAVED_EMPTY
    }


class Sqlite:
    """Does for a database in one file what `Postgresql` does."""

    vendor = "sqlite"
    ending = ".sqlite3"

    def __init__(self, django: Any) -> None:
        self.path = str(django.settings_dict["NAME"])

    def save(self, path: Path) -> Rows:
        with _open_sqlite(self.path) as db:
            db.execute("VACUUM INTO ?", [str(path)])
        with _open_sqlite(path) as copy:
            _delete_unsaved(copy)
            copy.execute("VACUUM")  # Otherwise the deleted rows stay in free pages.
            return _sqlite_row_counts(copy)

    def is_empty(self) -> bool:
        with _open_sqlite(self.path) as db:
            return not _sqlite_tables(db)

    def load(self, path: Path) -> Rows:
        return self._copy(path, self.path)

    def try_out(self, path: Path) -> Rows:
        with TemporaryDirectory() as folder:
            return self._copy(path, Path(folder) / "trial.sqlite3")

    def _copy(self, path: Path, to: Path | str) -> Rows:
        with _open_sqlite(path) as copy, _open_sqlite(to) as target:
            copy.backup(target)
            _delete_unsaved(target)
            if (result := target.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
                raise DatabaseFailed(f"SQLite: {result}")
            return _sqlite_row_counts(target)


@contextmanager
def _open_sqlite(path: Path | str) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(path, timeout=10)) as db:
            yield db
    except sqlite3.Error as problem:
        raise DatabaseFailed(f"SQLite: {problem}") from problem


def _delete_unsaved(db: sqlite3.Connection) -> None:
    for name in set(TABLES_SAVED_EMPTY).intersection(_sqlite_tables(db)):
        db.execute(f'DELETE FROM "{name}"')  # nosec B608
    db.commit()


def _sqlite_tables(db: sqlite3.Connection) -> list[str]:
    rows = db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    return sorted(name for (name,) in rows.fetchall())


def _sqlite_row_counts(db: sqlite3.Connection) -> Rows:
    return {
        # The names come from the file's own tables.
        name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # nosec B608
        for name in _sqlite_tables(db)
        if name not in TABLES_SAVED_EMPTY
    }
