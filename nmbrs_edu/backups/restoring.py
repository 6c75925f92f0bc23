"""Restoring a backup into an empty database."""

from collections.abc import Callable
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from classrooms.models import Teaching
from nmbrs_edu.backups import erasures, keys, manifest
from nmbrs_edu.backups.databases import Rows, this_database
from nmbrs_edu.backups.manifest import Manifest

Say = Callable[[str], object]


class Refused(Exception):
    """Why a backup is not restored. Nothing was changed."""


class Incomplete(Exception):
    """A backup that does not hold what its manifest says."""


def restore(path: Path, say: Say, *, without_secret: bool = False) -> None:
    """Restore the backup, bring its tables up to this release and erase again who was erased.
    `without_secret`: also where that cannot be done for all. Raises `Refused`, `Incomplete`,
    `Unreadable` and `Failed`."""
    record = manifest.read(path)
    erased = erasures.read(path.parent)
    _may_restore(record, erased, without_secret=without_secret)
    dump = manifest.dump_of(path, record)
    for words in keys.missing_words(record.secret, record.pictures):
        say(words)
    rows = this_database().load(dump)
    if difference := differing(record.rows, rows):
        raise Incomplete(difference)
    say(f"Loaded: {sum(rows.values())} rows.")
    connection.close()
    call_command("migrate", verbosity=0, interactive=False)
    again, failed = erasures.apply(erased)
    say(f"Erased again, because they were erased after the backup: {again}.")
    if failed:
        raise Incomplete(f"{failed} that were erased after the backup could not be erased again.")
    owner = Teaching.objects.filter(role=Teaching.Role.OWNER, user__is_active=False)
    if left := owner.filter(school_class__archived_at=None).count():
        say(f"Classes whose owner cannot sign in: {left}. Give them another owner in /admin/.")


def _may_restore(record: Manifest, erased: erasures.Erasures, *, without_secret: bool) -> None:
    database = this_database()
    if record.vendor != database.vendor:
        raise Refused(f"The backup is of {record.vendor}, and this database is {database.vendor}.")
    if not database.is_empty():
        raise Refused(
            "The database is not empty. A backup is restored into an empty one, so that nothing "
            "is overwritten; docs/running.md says how to make it empty."
        )
    if unknown := unknown_migrations(record):
        raise Refused(
            f"The backup is of a newer release: this one does not know {unknown[0]}. Get the "
            "newer release first."
        )
    lost = erasures.out_of_reach(erased, record.made)
    if lost and not without_secret:
        raise Refused(
            f"Children, classes and accounts that were erased after this backup would come back: "
            f"{lost}. "
            "They are known by SECRET_KEY, which is another now. Put the former key into .env as "
            "SECRET_KEY_FALLBACKS. If it is lost, say --without-secret-key, and erase them again "
            "by hand."
        )


def unknown_migrations(record: Manifest) -> list[str]:
    """What the backup's database has been through, and this release does not know."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    known = {f"{app}.{name}" for app, name in loader.disk_migrations}
    return [each for each in record.migrations if _is_ours(each) and each not in known]


def _is_ours(migration: str) -> bool:
    """A package that a former release used may be gone, or have other migrations."""
    return migration.partition(".")[0] in {
        "nmbrs_edu", "games", "classrooms", "checks", "checkups", "progress", "downloads",
    }  # fmt: skip


def differing(said: Rows, found: Rows) -> str:
    """In words, the first table that has not as many rows as the manifest says."""
    for table in sorted(said.keys() | found.keys()):
        if said.get(table) != found.get(table):
            return f"{table}: {said.get(table)} rows in the manifest, {found.get(table)} restored."
    return ""
