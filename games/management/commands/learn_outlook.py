"""`manage.py learn_outlook`: learn the weights of the expert's outlook from rounds of bots."""

import csv
from functools import partial
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from games.bots.outlook import PACES, Pace
from games.lab.outlook_learning import (
    GROUPS,
    TrainingExample,
    fitted,
    played,
    training_rounds,
)
from games.management.processes import mapped

PASSES: Final = 3


class Command(BaseCommand):
    help = (
        "Play rounds of bots and print the learned weights, as a file outlook_….csv of games/bots: "
        "first sharp players, then twice players who use the weights learned before."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pace", choices=PACES, help="for rules by which rows come so")
        parser.add_argument("--rounds", type=int, default=4000, help="in each of three passes")
        parser.add_argument("--processes", type=int, default=1)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        learned = self._learned(
            options["pace"], options["rounds"], options["seed"], options["processes"]
        )
        table = csv.writer(self.stdout, lineterminator="\n")
        table.writerow(["note", "weight"])
        for name, weight in learned.items():
            table.writerow([name, f"{weight:z.4f}"])

    def _learned(self, pace: Pace, rounds: int, seed: int, processes: int) -> dict[str, float]:
        """The examples of the first pass are dropped once there are others."""
        weights: dict[str, float] | None = None
        examples: list[TrainingExample] = []
        for number in range(PASSES):
            if number == 1:
                examples = []
            todo = list(training_rounds(GROUPS[pace], rounds, f"{seed}/{number}"))
            for batch in mapped(partial(played, weights=weights), todo, processes, chunk=8):
                examples += batch
            weights = fitted(examples)
            self.stderr.write(f"pass {number + 1} of {PASSES}: {len(examples)} turns")
        assert weights is not None
        return weights
