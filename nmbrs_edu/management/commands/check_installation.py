"""`manage.py check_installation`: one page that says what the installation lacks."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from nmbrs_edu.installation import look, page


class Command(BaseCommand):
    help = "Say what is fine, what is missing and what to do next; exit 1 if anything is missing."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--proxy", default="proxy:443", help="where the proxy answers")
        parser.add_argument("--timeout", type=float, default=15, help="seconds for each worker")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = look(proxy=options["proxy"], timeout=options["timeout"])
        self.stdout.write(page(findings))
        missing = sum(not finding.fine for finding in findings)
        if missing:
            raise CommandError(f"To do: {missing} (see Next above).")
        self.stdout.write("\nAll is fine.")
