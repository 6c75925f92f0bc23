from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from classrooms.accounts import limits
from classrooms.accounts.backend import user_of


class Command(BaseCommand):
    help = "Give a teacher all tries to sign in back: for a site that sends no mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the teacher's e-mail address")

    def handle(self, *args: Any, **options: Any) -> None:
        user = user_of(options["address"])
        if user is None:
            raise CommandError("There is no account with this address.")
        for kind in limits.KINDS:
            limits.begin_anew(kind, user)
        self.stdout.write(f"{user} has all tries again, on every device.")
