"""`manage.py check_installation`: print what the installation lacks."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from nmbrs_edu.operating.installation import check_all, report


class Command(BaseCommand):
    help = "Say what is fine, what is missing and what to do next; exit 1 if anything is missing."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--proxy", default=settings.PROXY, help="where the proxy answers")
        languages = [code for code, _name in settings.LANGUAGES]
        parser.add_argument("--language", choices=languages, default=settings.LANGUAGE_CODE)
        parser.add_argument("--timeout", type=float, default=15, help="seconds for each worker")

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["language"]):
            findings = check_all(proxy=options["proxy"], timeout=options["timeout"])
            self.stdout.write(report(findings))
            count = sum(not finding.is_fine for finding in findings)
            if count:
                raise CommandError(_("To do: %(count)d (see above).") % {"count": count})
            self.stdout.write("\n" + _("Everything is fine."))
