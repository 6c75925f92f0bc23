"""`manage.py upgrade_database`: migrate while children play."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader

LOCK_ERRORS: Final = frozenset({"40P01", "55P03"})
"""PostgreSQL's codes for a deadlock and for a lock that was not free in time. After these the
migration is tried again."""
LOCK_SECONDS: Final = 2
"""Short, because all later queries wait behind the migration that waits for a table."""
TRIES: Final = 60
PAUSE_SECONDS: Final = 1


class Command(BaseCommand):
    help = (
        "Migrate, and try again where a table is in use: the older web may go on meanwhile. "
        "A migration that fails leaves nothing behind."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(connection)
        if loader.replacements.keys() - loader.graph.nodes.keys():
            raise CommandError("The database is too old: see docs/upgrading.md.")
        for _ in range(TRIES):
            with _collect_lock_errors() as errors:
                call_command("migrate", interactive=False, verbosity=options["verbosity"])
            if not errors:
                return
            self.stderr.write("A table is in use; the migration is tried again.")
            connection.close()
            time.sleep(PAUSE_SECONDS)
        raise CommandError("A table was always in use. Try again at a quieter hour.")


@contextmanager
def _collect_lock_errors() -> Iterator[list[OperationalError]]:
    """Collect the error of a table that is in use. Other errors are raised."""
    errors: list[OperationalError] = []
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
    try:
        yield errors
    except OperationalError as problem:
        if getattr(problem.__cause__, "sqlstate", None) not in LOCK_ERRORS:
            raise
        errors.append(problem)
