from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from classrooms.progress.privacy import retention


class Command(BaseCommand):
    help = "Archive and purge the classes that are long over; the night's task does the same."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only tell what is due")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        found = retention.due(now) if options["dry_run"] else retention.carry_out(now)
        for what, classes in (("archive", found.archive), ("purge", found.purge)):
            for school_class in classes:
                self.stdout.write(f"{what}  {school_class.pk}  {school_class.name}")
        self.stdout.write(f"{len(found.archive)} to archive, {len(found.purge)} to purge")
