"""`manage.py keep_certificate FOLDER WEB_FOLDER`: fetch and renew the certificate until stopped."""

import signal
from pathlib import Path
from threading import Event
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from nmbrs_edu.certificates import NoCertificate, fetch, is_due, names_to_certify

EVERY_SECONDS: Final = 3600
FIRST_PAUSE_SECONDS: Final = 60
"""The pause after the first failure; it doubles after each further one. Authorities refuse a client
that has failed more than ten times in three hours."""


class Command(BaseCommand):
    help = "Each hour: fetch a certificate for ALLOWED_HOSTS if FOLDER has none or it ends soon."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("web_folder", type=Path, help="what the proxy serves on port 80")
        parser.add_argument("--once", action="store_true", help="one round, then end")

    def handle(self, *args: Any, **options: Any) -> None:
        stopped = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        names = names_to_certify(settings.ALLOWED_HOSTS)
        failures = 0
        while True:
            pause = EVERY_SECONDS
            if is_due(options["folder"], names, timezone.now()):
                try:
                    fetch(settings.ACME_DIRECTORY, names, options["folder"], options["web_folder"])
                    self.stdout.write(f"There is a certificate for {', '.join(names)}.")
                    failures = 0
                except NoCertificate as problem:
                    pause = min(FIRST_PAUSE_SECONDS * 2**failures, EVERY_SECONDS)
                    failures += 1
                    self.stdout.write(f"No certificate: {problem}")
                    self.stdout.write(f"The next try is in {pause // 60} min.")
            if options["once"] or stopped.wait(pause):
                return
