"""`manage.py check_backup`: check whether the newest backup can be restored."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from nmbrs_edu.backups import services as backups
from nmbrs_edu.backups.databases import DatabaseFailed
from nmbrs_edu.backups.manifest import UnreadableManifest
from nmbrs_edu.backups.services import Incomplete
from nmbrs_edu.models import CHECKED_BACKUP, record_failure, record_success


class Command(BaseCommand):
    help = "Restore the newest backup into an empty database beside the real one, and compare."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        try:
            record = backups.check_newest(Path(settings.BACKUPS_DIR))
        except (UnreadableManifest, Incomplete, DatabaseFailed) as problem:
            record_failure(CHECKED_BACKUP, type(problem).__name__, now)
            raise CommandError(str(problem)) from problem
        record_success(CHECKED_BACKUP, now)
        rows = sum(record.rows.values())
        self.stdout.write(
            f"{record.file} can be restored: {rows} rows in {len(record.rows)} tables."
        )
