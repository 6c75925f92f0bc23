"""`manage.py keep_certificate FOLDER SERVED`: get and renew the certificate until stopped."""

import signal
from pathlib import Path
from threading import Event
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from nmbrs_edu.certificates import NoCertificate, get, is_due, names_of

EVERY_SECONDS: Final = 3600
"""Authorities refuse who asks in vain more often."""


class Command(BaseCommand):
    help = "Each hour: get a certificate for ALLOWED_HOSTS if FOLDER has none or it ends soon."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("served", type=Path, help="what the proxy serves on port 80")
        parser.add_argument("--once", action="store_true", help="one round, then end")

    def handle(self, *args: Any, **options: Any) -> None:
        stopped = Event()
        for sent in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sent, lambda *_: stopped.set())
        names = names_of(settings.ALLOWED_HOSTS)
        while True:
            if is_due(options["folder"], names, timezone.now()):
                try:
                    get(settings.ACME_DIRECTORY, names, options["folder"], options["served"])
                    self.stdout.write(f"There is a certificate for {', '.join(names)}.")
                except NoCertificate as problem:
                    self.stdout.write(f"No certificate: {problem}. The next try is in an hour.")
            if options["once"] or stopped.wait(EVERY_SECONDS):
                return
