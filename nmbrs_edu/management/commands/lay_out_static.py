"""`manage.py lay_out_static FOLDER [--school FOLDER]`: copy to the folder what the proxy serves."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from nmbrs_edu.certificates import write_self_signed
from nmbrs_edu.static import publish, school_conf, write


class Command(BaseCommand):
    help = (
        "Copy what collectstatic has collected to where the proxy serves it from, and write the "
        "part of the proxy's configuration that is this school's own, with a certificate to begin "
        "with."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--school", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        publish(Path(settings.STATIC_ROOT), options["folder"])
        if folder := options["school"]:
            conf = school_conf(
                settings.ALLOWED_HOSTS, with_subdomains=settings.SECURE_HSTS_INCLUDE_SUBDOMAINS
            )
            write(folder / "school.conf", conf.encode(), mode=0o600)
            write_self_signed(folder, settings.ALLOWED_HOSTS[0])
