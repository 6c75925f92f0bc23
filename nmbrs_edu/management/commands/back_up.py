"""`manage.py back_up`: save the database while the site runs."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from nmbrs_edu.backups import services as backups
from nmbrs_edu.backups.databases import DatabaseFailed
from nmbrs_edu.models import BACKUP, record_success


class Command(BaseCommand):
    help = "Make a backup in BACKUPS_DIR, with a manifest. The keys in .env are not in it."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        try:
            path = backups.back_up(Path(settings.BACKUPS_DIR), now)
        except (DatabaseFailed, DatabaseError, OSError) as problem:
            raise CommandError(f"No backup was made. {problem}") from problem
        record_success(BACKUP, now)
        self.stdout.write(f"Backed up: {path}\nKeep a copy of .env in another place: it has keys.")
