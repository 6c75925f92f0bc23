from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from classrooms.accounts import limits
from classrooms.accounts.backends import accounts_of


class Command(BaseCommand):
    help = "Give a teacher all tries to sign in back: for a site that sends no mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the teacher's e-mail address")

    def handle(self, *args: Any, **options: Any) -> None:
        users = accounts_of(options["address"])
        if not users:
            raise CommandError("There is no account with this address.")
        for user in users:
            for step in limits.SIGN_IN_STEPS:
                limits.forget_tries(step, user)
        self.stdout.write(f"{users[0]} has all tries again, on every device.")
