from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from classrooms.classes import expiry


class Command(BaseCommand):
    help = "Archive and purge the classes that are long over; the night's task does the same."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only print what is due")

    def handle(self, *args: Any, **options: Any) -> None:
        """Archive and purge the classes that are due, unless this is a dry run, and print a line
        for each: what is due, when it was last used, its id and its name."""
        now = timezone.now()
        overdue = expiry.due(now) if options["dry_run"] else expiry.carry_out(now)
        for what, days, classes in (
            ("archive", settings.ARCHIVE_AFTER_DAYS, overdue.archive),
            ("purge", settings.PURGE_AFTER_DAYS, overdue.purge),
        ):
            self.stdout.write(f"To {what}, not used for {days} days: {len(classes)}")
            for school_class in classes:
                last = f"last used {school_class.ended_at:%Y-%m-%d}"
                self.stdout.write(f"  {what:<7}  {last}  {school_class.pk}  {school_class.name}")
        self.stdout.write(
            f"Entries of who looked, older than {settings.AUDIT_DAYS} days: {overdue.entries}"
        )
        self.stdout.write("Nothing was changed." if options["dry_run"] else "Done.")
