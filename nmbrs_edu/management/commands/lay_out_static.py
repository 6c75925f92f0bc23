"""`manage.py lay_out_static FOLDER`: styles and scripts for the proxy."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from nmbrs_edu.static import lay_out


class Command(BaseCommand):
    help = "Copy what collectstatic has collected to where the proxy serves it from."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        lay_out(Path(settings.STATIC_ROOT), options["folder"])
