"""Makes backups, deletes old ones, checks them and restores them."""

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import structlog
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from classrooms.models import Teaching
from nmbrs_edu.backups import erasures, manifest
from nmbrs_edu.backups.databases import TABLES_SAVED_EMPTY, Rows, this_database
from nmbrs_edu.backups.manifest import Manifest, UnreadableManifest
from nmbrs_edu.models import (
    BACKUP,
    CHECKED_BACKUP,
    ERASURES,
    Upkeep,
    record_failure,
    record_success,
)

# Making a backup, and deleting old ones.


def back_up(folder: Path, now: datetime) -> Path:
    """Save the database to the folder while the site runs. Return the path of the manifest. Raises
    `DatabaseFailed`."""
    folder.mkdir(parents=True, exist_ok=True)
    database = this_database()
    dump = folder / (manifest.name_at(now) + database.ending)
    part = dump.with_suffix(".part")
    part.unlink(missing_ok=True)
    # No other user of the machine may read children's data.
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        rows = database.save(part)
        part.replace(dump)
    finally:
        part.unlink(missing_ok=True)
    erasures.record(folder, now)
    applied = MigrationRecorder(connection).applied_migrations()
    return manifest.write_manifest(
        folder,
        Manifest(
            made=now,
            vendor=database.vendor,
            file=dump.name,
            size=dump.stat().st_size,
            sha256=manifest.sha256_of(dump),
            secret=manifest.fingerprint_of_secret(),
            pictures=manifest.fingerprints_of_pictures(),
            migrations=sorted(f"{app}.{name}" for app, name in applied),
            rows=rows,
        ),
    )


def delete_old(folder: Path, now: datetime) -> int:
    """Delete the backups that are too old, so that erased children do not stay in them, and return
    their number. The newest one is kept at any age, because otherwise there would be none."""
    oldest = now - timedelta(days=settings.BACKUP_DAYS)
    old = [backup for backup in list(manifest.all_backups(folder))[1:] if backup[1].made < oldest]
    for path, record in old:
        path.unlink()
        (folder / record.file).unlink(missing_ok=True)
    _delete_unfinished(folder, oldest)
    return len(old)


def _delete_unfinished(folder: Path, oldest: datetime) -> None:
    """Delete the files of backups that were interrupted."""
    files = {record.file for _, record in manifest.all_backups(folder)}
    for ending in (".part", ".dump", ".sqlite3"):
        for path in folder.glob(f"{manifest.NAME_PREFIX}*{ending}"):
            if path.name not in files and path.stat().st_mtime < oldest.timestamp():
                path.unlink()


# Restoring a backup into an empty database.

Say = Callable[[str], object]
OUR_CODE: Final = ("nmbrs_edu", "games", "classrooms")


class RestoreRefused(Exception):
    """A backup was not restored, and nothing has changed. The message says why."""


class Incomplete(Exception):
    """The restored database differs from what the manifest lists, or somebody could not be erased
    again."""


def restore(path: Path, say: Say, *, without_secret: bool = False) -> None:
    """Restore a backup, migrate its tables to this release, and erase whoever was erased after it.
    `without_secret` allows this even if some of them cannot be recognised. Raises `RestoreRefused`,
    `Incomplete`, `UnreadableManifest` and `DatabaseFailed`."""
    record = manifest.read_manifest(path)
    erased = erasures.read(path.parent)
    _ensure_restorable(record, erased, without_secret=without_secret)
    dump = manifest.dump_of(path, record)
    for paragraph in manifest.missing_keys_message(record.secret, record.pictures):
        say(paragraph)
    rows = this_database().load(dump)
    if difference := first_difference(record.rows, rows):
        raise Incomplete(difference)
    say(f"Loaded: {sum(rows.values())} rows.")
    connection.close()
    call_command("upgrade_database", verbosity=0)
    erased_count, failed = erasures.erase_again(erased)
    say(f"Erased again, because they were erased after the backup: {erased_count}.")
    if failed:
        raise Incomplete(f"{failed} that were erased after the backup could not be erased again.")
    owner = Teaching.objects.filter(role=Teaching.Role.OWNER, user__is_active=False)
    if count := owner.filter(school_class__archived_at=None).count():
        say(f"Classes whose owner cannot sign in: {count}. Give them another owner in /admin/.")


def _ensure_restorable(
    record: Manifest, erased: erasures.Erasures, *, without_secret: bool
) -> None:
    database = this_database()
    if record.vendor != database.vendor:
        raise RestoreRefused(
            f"The backup is of {record.vendor}, and this database is {database.vendor}."
        )
    if not database.is_empty():
        raise RestoreRefused(
            "The database is not empty. A backup is restored into an empty one, so that nothing "
            "is overwritten; docs/running.md says how to make it empty."
        )
    if unknown := unknown_migrations(record):
        raise RestoreRefused(
            f"The backup is of a newer release: this one does not know {unknown[0]}. Get the "
            "newer release first."
        )
    lost = erasures.count_unrecognised(erased, record.made)
    if lost and not without_secret:
        raise RestoreRefused(
            f"Children, classes and accounts that were erased after this backup would come back: "
            f"{lost}. "
            "They are known by SECRET_KEY, which is another now. Put the former key into .env as "
            "SECRET_KEY_FALLBACKS. If it is lost, say --without-secret-key, and erase them again "
            "by hand."
        )


def unknown_migrations(record: Manifest) -> list[str]:
    """The migrations of the backup's database that this release does not know. Those of other
    packages may differ between releases."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    replaced = (key for migration in loader.replacements.values() for key in migration.replaces)
    known = {f"{app}.{name}" for app, name in (*loader.disk_migrations, *replaced)}
    ours = [app.label for app in apps.get_app_configs() if app.name.partition(".")[0] in OUR_CODE]
    unknown = (migration for migration in record.migrations if migration not in known)
    return [migration for migration in unknown if migration.partition(".")[0] in ours]


def first_difference(manifest_rows: Rows, restored: Rows) -> str:
    """A sentence about the first table whose number of rows differs from the manifest; "" if none
    does."""
    # Manifests of earlier releases count sessions, which are not restored.
    for table in sorted((manifest_rows.keys() | restored.keys()) - set(TABLES_SAVED_EMPTY)):
        listed_rows, restored_rows = manifest_rows.get(table), restored.get(table)
        if listed_rows != restored_rows:
            return f"{table}: {listed_rows} rows in the manifest, {restored_rows} restored."
    return ""


# Tests whether the newest backup can be restored.


def check_newest(folder: Path) -> Manifest:
    """Restore the newest backup into a second, empty database, and compare. Raises
    `UnreadableManifest`, `Incomplete` and `DatabaseFailed`."""
    newest = manifest.newest_backup(folder)
    if newest is None:
        raise UnreadableManifest(f"There is no backup in {folder}.")
    path, record = newest
    rows = this_database().try_out(manifest.dump_of(path, record))
    if difference := first_difference(record.rows, rows):
        raise Incomplete(difference)
    return record


# The loop of the service `backup`: it makes, checks and deletes backups.

EVERY_SECONDS: Final = 60
CHECK_EVERY: Final = timedelta(days=7)
RETRY_AFTER: Final = timedelta(hours=1)

log = structlog.get_logger(__name__)


def keep_backups(folder: Path, now: datetime) -> None:
    """Make, check and delete the backups for which it is time. A failure is recorded for the
    operator's page and does not stop the rest."""
    run_and_record(ERASURES, lambda: erasures.record(folder, now), now)
    if backup_is_due(folder, now):
        run_and_record(BACKUP, lambda: back_up(folder, now), now)
        delete_old(folder, now)
    if check_is_due(folder, now):
        run_and_record(CHECKED_BACKUP, lambda: check_newest(folder), now)


def run_and_record(part: str, work: Callable[[], object], now: datetime) -> bool:
    """Do the work, record whether it succeeded, and return the same."""
    try:
        work()
    except Exception as problem:
        log.exception("upkeep failed", part=part)
        record_failure(part, type(problem).__name__, now)
        return False
    record_success(part, now)
    return True


def backup_is_due(folder: Path, now: datetime) -> bool:
    """Whether it is time for a backup: each day at `BACKUP_HOUR`, and at once if there is none."""
    if _failed_lately(BACKUP, now):
        return False
    newest = manifest.newest_backup(folder)
    return newest is None or newest[1].made < _last_backup_hour(now)


def _last_backup_hour(now: datetime) -> datetime:
    """The last moment at which it was `BACKUP_HOUR` in the time zone of the site."""
    local = timezone.localtime(now)
    # In autumn this hour comes twice: the first one counts.
    at = local.replace(hour=settings.BACKUP_HOUR, minute=0, second=0, microsecond=0, fold=0)
    return at if at <= local else at - timedelta(days=1)


def check_is_due(folder: Path, now: datetime) -> bool:
    if manifest.newest_backup(folder) is None or _failed_lately(CHECKED_BACKUP, now):
        return False
    last = Upkeep.objects.filter(part=CHECKED_BACKUP).first()
    return last is None or last.went_well_at is None or now - last.went_well_at >= CHECK_EVERY


def _failed_lately(part: str, now: datetime) -> bool:
    failed = Upkeep.objects.filter(part=part).exclude(problem="")
    return failed.filter(at__gt=now - RETRY_AFTER).exists()
