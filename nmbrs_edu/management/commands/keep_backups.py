"""`manage.py keep_backups`: make, check and delete backups until it is stopped."""

import signal
from pathlib import Path
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import close_old_connections
from django.utils import timezone

from nmbrs_edu.backups import services as backups


class Command(BaseCommand):
    help = "Each minute: note who was erased; each day: back up; each week: check the newest."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="one round, then end")

    def handle(self, *args: Any, **options: Any) -> None:
        stopped = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        while True:
            close_old_connections()
            try:
                backups.keep_backups(Path(settings.BACKUPS_DIR), timezone.now())
            except Exception:
                # The database is away: the next round tries again.
                backups.log.exception("upkeep not noted")
            if options["once"] or stopped.wait(backups.EVERY_SECONDS):
                return
