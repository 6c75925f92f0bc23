"""A pytest plugin that saves time around tests: garbage collection, emptied tables, PDFs."""

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import CompletedProcess
from typing import Any

import pytest
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from tests.counts import PROOF

LEFT_ALONE = ("django_migrations", "django_content_type", "auth_permission")
"""Tables whose rows come with the migrations."""


gc.disable()


def pytest_collection_finish() -> None:
    """Exclude everything imported so far from garbage collection."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _flush_only_filled_tables() -> None:
    """After a test with its own transactions, Django empties all tables and writes the rows of the
    migrations again: 0.4 s for each of 358 tests, a seventh of the suite. This takes 0.03 s."""
    from django.test import TransactionTestCase

    def empty(self: Any) -> None:
        for name in self._databases_names(include_mirrors=False):
            _empty_filled_tables(connections[name])

    TransactionTestCase._fixture_teardown = empty  # type: ignore[attr-defined]


@pytest.fixture(scope="session", autouse=True)
def _set_pdfs_in_this_process() -> None:
    """Only the first PDF is set in a process of its own, as on the site and in the proof, which
    takes thirty times as long. So is one with another limit of memory."""
    import typst

    from classrooms.ui import processes, typesetting, typst_process

    apart, memory, fonts = processes.run, typesetting.MEMORY, list[Any]()

    def run(module: str, job: bytes, **limits: Any) -> CompletedProcess[bytes]:
        if module != typst_process.__name__ or limits["memory"] != memory:
            return apart(module, job, **limits)
        asked = json.loads(job)
        if not fonts:
            fonts.append(typst.Fonts(font_paths=asked["fonts"]))
            return apart(module, job, **limits)
        return CompletedProcess([module], *typst_process.set_pdf({**asked, "fonts": fonts[0]}))

    if not PROOF:
        processes.run = run


@contextmanager
def rows_of_a_module(django_db_blocker: Any) -> Iterator[None]:
    """Each test of the module has the rows that are made in this block, as they were made."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def _empty_filled_tables(connection: BaseDatabaseWrapper) -> None:
    quoted = connection.ops.quote_name
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        tables = [
            quoted(name)
            for name in sorted(connection.introspection.table_names(cursor))
            if name not in LEFT_ALONE
        ]
        if connection.vendor == "postgresql":
            # Wait for writers, as Django's own TRUNCATE does.
            cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        asked = " UNION ALL ".join(
            f"SELECT '{number}' WHERE EXISTS (SELECT 1 FROM {table})"
            for number, table in enumerate(tables)
        )
        cursor.execute(asked)
        # Foreign keys are checked at the end, so the order does not matter.
        for (number,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {tables[int(number)]}")
