"""Making a backup, and deleting old ones."""

import os
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from nmbrs_edu.backups import erasures, keys, manifest
from nmbrs_edu.backups.databases import this_database
from nmbrs_edu.backups.manifest import Manifest


def back_up(folder: Path, now: datetime) -> Path:
    """Save the database to the folder while the site runs; the path of the manifest. Raises
    `Failed`."""
    folder.mkdir(parents=True, exist_ok=True)
    database = this_database()
    dump = folder / (manifest.name_at(now) + database.ending)
    part = dump.with_suffix(".part")
    part.unlink(missing_ok=True)
    # Nobody else on the machine may read children's data.
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        rows = database.save(part)
        part.replace(dump)
    finally:
        part.unlink(missing_ok=True)
    erasures.keep(folder, now)
    applied = MigrationRecorder(connection).applied_migrations()
    return manifest.write(
        folder,
        Manifest(
            made=now,
            vendor=database.vendor,
            file=dump.name,
            size=dump.stat().st_size,
            sha256=manifest.sha256_of(dump),
            secret=keys.of_secret(),
            pictures=keys.of_pictures(),
            migrations=sorted(f"{app}.{name}" for app, name in applied),
            rows=rows,
        ),
    )


def forget_old(folder: Path, now: datetime) -> int:
    """Delete the backups that are too old, so that nobody who was erased stays in one; how many.
    The newest is kept, whatever its age: without it there would be none."""
    oldest = now - timedelta(days=settings.BACKUP_DAYS)
    old = [each for each in list(manifest.all_in(folder))[1:] if each[1].made < oldest]
    for path, record in old:
        path.unlink()
        (folder / record.file).unlink(missing_ok=True)
    _forget_what_is_no_backup(folder, oldest)
    return len(old)


def _forget_what_is_no_backup(folder: Path, oldest: datetime) -> None:
    """What a backup that did not end has left."""
    files = {record.file for _, record in manifest.all_in(folder)}
    for ending in (".part", ".dump", ".sqlite3"):
        for path in folder.glob(f"{manifest.BEGINNING}*{ending}"):
            if path.name not in files and path.stat().st_mtime < oldest.timestamp():
                path.unlink()
