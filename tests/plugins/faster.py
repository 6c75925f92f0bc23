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
    """After a test with its own transactions, empty only the tables with rows. Django empties all
    and writes the rows of the migrations again: 0.4 s instead of 0.03 s for each of 358 tests."""
    from django.test import TransactionTestCase

    def empty(self: Any) -> None:
        for name in self._databases_names(include_mirrors=False):
            _empty_filled_tables(connections[name])

    TransactionTestCase._fixture_teardown = empty  # type: ignore[attr-defined]


@pytest.fixture(scope="session", autouse=True)
def _set_pdfs_in_this_process() -> None:
    """Typeset only the first PDF, and one with another limit of memory, in a separate process. The
    site and the proof do so always, which takes thirty times as long."""
    import typst

    from classrooms.ui import processes, typesetting, typst_process

    apart, memory, fonts = processes.run, typesetting.MEMORY, list[Any]()

    def run(module: str, job: bytes, **limits: Any) -> CompletedProcess[bytes]:
        if module != typst_process.__name__ or limits["memory"] != memory:
            return apart(module, job, **limits)
        options = json.loads(job)
        if not fonts:
            fonts.append(typst.Fonts(font_paths=options["fonts"]))
            return apart(module, job, **limits)
        return CompletedProcess([module], *typst_process.set_pdf({**options, "fonts": fonts[0]}))

    if not PROOF:
        processes.run = run


@contextmanager
def rows_of_a_module(django_db_blocker: Any) -> Iterator[None]:
    """Give each test of the module the rows that are made in this block, unchanged."""
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
        query = " UNION ALL ".join(
            f"SELECT '{number}' WHERE EXISTS (SELECT 1 FROM {table})"
            for number, table in enumerate(tables)
        )
        cursor.execute(query)
        # Foreign keys are checked at the end, so the order does not matter.
        for (number,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {tables[int(number)]}")
