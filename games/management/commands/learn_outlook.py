"""`manage.py learn_outlook`: learn the weights of the expert's outlook from rounds of bots."""

import csv
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from games.bots.learning import GROUPS, Example, examples, fitted
from games.bots.outlook import PACES, Pace

PASSES: Final = 3


class Command(BaseCommand):
    help = (
        "Play rounds of bots and print what they teach, as a file outlook_….csv of games/bots: "
        "sharp players first, then twice players who go by what was learned before."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pace", choices=PACES, help="for rules by which rows come so")
        parser.add_argument("--rounds", type=int, default=4000, help="in each of three passes")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        learned = self._learned(options["pace"], options["rounds"], options["seed"])
        table = csv.writer(self.stdout, lineterminator="\n")
        table.writerow(["note", "weight"])
        for name, weight in learned.items():
            table.writerow([name, f"{weight:.4f}"])

    def _learned(self, pace: Pace, rounds: int, seed: int) -> dict[str, float]:
        """The first pass is forgotten as soon as there are others."""
        weights: dict[str, float] | None = None
        lessons: list[Example] = []
        for number in range(PASSES):
            if number == 1:
                lessons = []
            for played in examples(GROUPS[pace], rounds, f"{seed}/{number}", weights):
                lessons += played
            weights = fitted(lessons)
            self.stderr.write(f"pass {number + 1} of {PASSES}: {len(lessons)} turns")
        assert weights is not None
        return weights
