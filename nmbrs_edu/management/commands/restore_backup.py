"""`manage.py restore_backup [FILE]`: fill an empty database from a backup."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from nmbrs_edu.backups import manifest
from nmbrs_edu.backups.databases import DatabaseFailed
from nmbrs_edu.backups.services import Incomplete, RestoreRefused, restore


class Command(BaseCommand):
    help = "Restore a backup into an empty database: FILE, or the newest of BACKUPS_DIR."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", help="the backup, in BACKUPS_DIR or as a path")
        parser.add_argument(
            "--without-secret-key",
            action="store_true",
            help="also where children who were erased later would come back, as the key is lost",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.BACKUPS_DIR)
        newest = manifest.newest_backup(folder)
        path = folder / options["file"] if options["file"] else newest and newest[0]
        if path is None:
            raise CommandError(f"There is no backup in {folder}.")
        self.stdout.write(f"Restoring {path}")
        try:
            restore(path, self.stdout.write, without_secret=options["without_secret_key"])
        except (RestoreRefused, Incomplete, manifest.UnreadableManifest, DatabaseFailed) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write("Restored.")
