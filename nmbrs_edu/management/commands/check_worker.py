"""`manage.py check_worker`: check that a worker carries out a task and returns its result."""

from typing import Any

from celery.exceptions import TimeoutError as NoAnswer
from django.core.management.base import BaseCommand, CommandError, CommandParser
from kombu.exceptions import OperationalError

from nmbrs_edu.tasks import answer


class Command(BaseCommand):
    help = "Send a task through the queue and wait for its answer; exit 1 without one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--queue", default="celery", help="which queue: celery, long or mail")
        parser.add_argument("--timeout", type=float, default=15, help="seconds to wait")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            result = answer.apply_async(
                args=["here"],
                queue=options["queue"],
                expires=options["timeout"],
                ignore_result=False,
                retry=False,
            )
            result.get(timeout=options["timeout"])
        except (NoAnswer, OperationalError, OSError) as problem:
            raise CommandError(f"No worker answered: {problem!r}") from problem
        self.stdout.write("A worker answered.")
