"""`manage.py evaluate_mastery`: how well mastery predicts what model children do next."""

from collections.abc import Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from games.coach.mastery import FACTS, ROWS, Parameters
from games.lab.mastery_evaluation import (
    Career,
    Forecast,
    Record,
    by_last_three,
    by_mastery,
    by_overall_share,
    by_true_ability,
    by_true_sight,
    career,
    forecast,
    seed_of,
)
from games.lab.mastery_fitting import fitted
from games.lab.model_children import MODEL_CHILDREN

AUC_AIM: Final = 0.75
ERROR_AIM: Final = 0.05
HEAD: Final = f"{'':30}{'count':>8}{'AUC':>8}{'calibration error':>20}"


class Command(BaseCommand):
    help = (
        "Model children of three strengths play rounds and answer quick checks for weeks, with "
        "practice and forgetting. What they do in the second half is predicted by mastery and by "
        "two plain baselines, each from the days before; and by the chances that the model "
        "children really have, which no prediction can beat."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--children", type=int, default=20, help="of each strength")
        parser.add_argument("--weeks", type=int, default=12)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--fit", action="store_true", help="print parameters fitted to these children instead"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        weeks, seed = options["weeks"], options["seed"]
        played = self._played(options["children"], weeks, seed, shown=bool(options["verbosity"]))
        since = 7 * weeks // 2
        kinds: Sequence[tuple[str, Sequence[Record], Parameters]] = (
            ("rows found in play", [one.rows for one in played], ROWS),
            ("answers of quick checks", [one.facts for one in played], FACTS),
        )
        self.stdout.write(f"seed {seed}, {len(played)} model children, {weeks} weeks")
        if not options["fit"]:
            self.stdout.write(HEAD)
        for name, records, kind in kinds:
            if options["fit"]:
                self.stdout.write(f"{name}: {fitted(records, kind, since)}")
            else:
                self._evaluate(name, records, kind, since)

    def _played(self, children: int, weeks: int, seed: int, *, shown: bool) -> list[Career]:
        jobs = [(name, number) for name in MODEL_CHILDREN for number in range(children)]
        with tqdm(jobs, unit="child", disable=None if shown else True) as bar:
            return [
                career(MODEL_CHILDREN[name], weeks, seed_of(seed, name, number))
                for name, number in bar
            ]

    def _evaluate(self, name: str, records: Sequence[Record], kind: Parameters, since: int) -> None:
        mastery, able = ("mastery", by_mastery(kind)), ("its true chance", by_true_ability)
        plain = (("overall share right", by_overall_share), ("last three", by_last_three))
        self.stdout.write(name)
        for label, by in (mastery, *plain, able):
            self._line(label, forecast(records, by, since))
        if kind is ROWS:
            self.stdout.write("of these, those there as the turn began, with no joker")
            for label, by in (mastery, able, ("its true chance at the cards", by_true_sight)):
                self._line(label, forecast(records, by, since, seen_only=True), stars=False)

    def _line(self, label: str, result: Forecast, *, stars: bool = True) -> None:
        error = result.calibration_error
        misses = label == "mastery" and (result.auc < AUC_AIM or error > ERROR_AIM)
        star = "*" * (stars and misses)
        self.stdout.write(f"  {label:28}{len(result.came):8}{result.auc:8.3f}{error:20.3f}{star}")
