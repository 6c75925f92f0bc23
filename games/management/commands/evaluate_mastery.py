"""`manage.py evaluate_mastery`: how well mastery predicts what model children do next, and whether
what is said of their facts and tables is true."""

from collections.abc import Sequence
from random import Random
from statistics import mean
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from games.coach.mastery import FACTS, FEWEST, ROWS, Parameters
from games.lab.fact_evaluation import (
    HALFWAY,
    SCHEDULES,
    Answering,
    Schedule,
    Share,
    answering_kind,
    everyone,
    false_first_calls,
    false_secure,
    late_recall,
    reached,
    refreshing_right,
    success,
)
from games.lab.fact_fitting import fitted_weights, predicted
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
from games.lab.model_answers import MEMORY_KINDS
from games.lab.model_children import CHILD_KINDS, MIDDLE, MODEL_CHILDREN, WEAK
from games.lab.statements.class_evaluation import (
    SETS_OF_TABLES,
    WEAK_ONES,
    RoundCounts,
    bank_of,
    identical,
    said_of,
    spread_in_a_table,
    spread_of_finds,
    true_shares,
    with_weak_ones,
)
from games.lab.statements.table_evaluation import (
    TABLE_MEMORIES,
    Playing,
    everyone_playing,
    false_first_table_calls,
    false_fluent_tables,
    false_secure_tables,
    found_after_break,
    found_by_true_chance,
    playing_kind,
    reached_tables,
    refreshing_found,
    unable_after_break,
    unable_called_secure,
)

AUC_AIM: Final = 0.75
ERROR_AIM: Final = 0.05
FALSE_SECURE_AIM: Final = 0.05
REACHED_AIM: Final = 0.8
REFRESHING_AIM: Final = 0.75
SUCCESS_AIM: Final = 0.7
"""The bounds on statements about facts and tables: the most false ones of those called secure, the
least share of the able called secure, the most next successes at what needs refreshing, and the
fewest right answers of the weak."""
MANY_CHANCES: Final = 20
ANSWERING: Final = 5
"""This many children answer for one who plays: it takes less time."""
FALSE_CLASSES_AIM: Final = 0.05
CLASS_ROUNDS: Final = (12, 24, 72)
"""Rounds of a child: one or two at each of three sittings a week for four weeks, and two for
twelve."""
HEAD: Final = f"{'':30}{'count':>8}{'AUC':>8}{'calibration error':>20}"


class Command(BaseCommand):
    help = (
        "Model children of three strengths play rounds and answer short questions for weeks, with "
        "practice and forgetting. What they do in the second half is predicted by mastery and by "
        "two plain baselines, each from the days before; and by the chances that the model "
        "children really have, which no prediction can beat. Then what is said of their facts is "
        "compared with their true chances, for two kinds of memory and three ways to choose facts; "
        "and so is what is said of the tables that they play."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--children", type=int, default=20, help="of each strength")
        parser.add_argument("--weeks", type=int, default=12)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--seeds", type=int, default=5, help="for statements: how many")
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--facts", action="store_true", help="only what is said of facts")
        only.add_argument("--tables", action="store_true", help="only what is said of tables")
        only.add_argument(
            "--classes",
            type=int,
            default=0,
            help="only what is said of so many classes; --children: model children of each "
            "strength and set of tables whose rounds they draw",
        )
        only.add_argument(
            "--kinds",
            type=int,
            default=0,
            help="only so many children of each of twelve kinds, who play for --weeks, and five "
            "times as many who answer",
        )
        parser.add_argument(
            "--fit", action="store_true", help="print parameters fitted to these children instead"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["classes"]:
            self._classes(options["classes"], options)
            return
        if options["kinds"]:
            self._kinds(options["kinds"], options)
            return
        seeds = range(options["seed"], options["seed"] + options["seeds"])
        if not (options["facts"] or options["tables"]):
            self._predictions(options)
        if not options["tables"]:
            self._facts(seeds, options)
        if not (options["facts"] or options["fit"]):
            self._tables(seeds, options)

    def _predictions(self, options: dict[str, Any]) -> None:
        weeks, seed = options["weeks"], options["seed"]
        played = self._played(options["children"], weeks, seed, shown=bool(options["verbosity"]))
        since = 7 * weeks // 2
        kinds: Sequence[tuple[str, Sequence[Record], Parameters]] = (
            ("rows found in play", [one.rows for one in played], ROWS),
            ("answers of short questions", [one.facts for one in played], FACTS),
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

    def _classes(self, classes: int, options: dict[str, Any]) -> None:
        jobs = [(name, tables) for tables in SETS_OF_TABLES for name in MODEL_CHILDREN]
        banks: dict[tuple[str, Sequence[int]], Sequence[RoundCounts]] = {}
        with tqdm(jobs, unit="bank", disable=None if options["verbosity"] else True) as bar:
            for name, tables in bar:
                random = Random(f"{options['seed']}/{name}/{tables}")
                banks[name, tables] = bank_of(
                    MODEL_CHILDREN[name], tables, options["children"], random
                )
        random = Random(options["seed"])
        self.stdout.write(f"{classes} classes of equally able children")
        for (name, tables), bank in banks.items():
            self._identical(name, tables, bank, classes, random)
        self.stdout.write(f"{classes} classes with {WEAK_ONES} weak children among middle ones")
        for tables in SETS_OF_TABLES:
            weak, middle = banks[WEAK.name, tables], banks[MIDDLE.name, tables]
            self._weak_ones(tables, weak, middle, classes, random)

    def _identical(
        self,
        name: str,
        tables: Sequence[int],
        bank: Sequence[RoundCounts],
        classes: int,
        random: Random,
    ) -> None:
        true = true_shares(bank)
        shares = []
        for rounds in CLASS_ROUNDS:
            said = (said_of(identical(bank, rounds, random)) for _ in range(classes))
            shares.append(sum(each.is_false_of_identical(true) for each in said) / classes)
        false = "".join(f"{share:7.3f}{'*' * (share > FALSE_CLASSES_AIM)}" for share in shares)
        self.stdout.write(
            f"  {name:7}{'-'.join(map(str, tables)):19}"
            f"chances a round {mean(one.chances for one in bank):.2f}, spread of finds "
            f"{spread_of_finds(bank):.2f}, in a table {spread_in_a_table(bank):.2f}; classes with "
            f"a false statement{false}"
        )

    def _weak_ones(
        self,
        tables: Sequence[int],
        weak: Sequence[RoundCounts],
        middle: Sequence[RoundCounts],
        classes: int,
        random: Random,
    ) -> None:
        for rounds in CLASS_ROUNDS:
            said = [said_of(with_weak_ones(weak, middle, rounds, random)) for _ in range(classes)]
            fewer = mean(sum(each.fewer[:WEAK_ONES]) for each in said)
            stuck = mean(sum(map(bool, each.stuck[:WEAK_ONES])) for each in said)
            others = mean(sum(each.fewer[WEAK_ONES:]) for each in said)
            self.stdout.write(
                f"  {'-'.join(map(str, tables)):19}{rounds:3} rounds: of {WEAK_ONES} weak, fewer "
                f"{fewer:.2f}, stuck {stuck:.2f}; of the others, fewer {others:.3f}"
            )

    def _kinds(self, number: int, options: dict[str, Any]) -> None:
        first = options["seed"]
        with tqdm(CHILD_KINDS, unit="kind", disable=None if options["verbosity"] else True) as bar:
            for kind in bar:
                self.stdout.write(kind.name)
                seeds = range(first, first + ANSWERING * number)
                answered = [answering_kind(kind, seed) for seed in seeds]
                most = FALSE_SECURE_AIM
                self._share("fact called secure, but false", false_secure(answered), most=most)
                self._share("  among first calls", false_first_calls(answered), most=most)
                refreshing = refreshing_right(answered)
                self._share("needs refreshing, next one right", refreshing, most=REFRESHING_AIM)
                weeks = options["weeks"]
                played = [playing_kind(kind, seed, weeks=weeks) for seed in seeds[:number]]
                self._share(
                    "table: finds most rows, but false", false_secure_tables(played), most=most
                )
                self._share("  among first calls", false_first_table_calls(played), most=most)
                found = refreshing_found(played)
                self._share("fewer rows lately, next one found", found, most=REFRESHING_AIM)

    def _facts(self, seeds: Sequence[int], options: dict[str, Any]) -> None:
        jobs = [
            (sets, schedule, seed) for sets in (1, 2) for schedule in SCHEDULES for seed in seeds
        ]
        answered: dict[tuple[int, Schedule], list[Answering]] = {}
        with tqdm(jobs, unit="seed", disable=None if options["verbosity"] else True) as bar:
            for sets, schedule, seed in bar:
                answered.setdefault((sets, schedule), []).extend(everyone(seed, schedule, sets))
        if options["fit"]:
            careers = [one.answers for one in answered[1, "due first"]]
            self.stdout.write(f"facts: {fitted_weights(careers)}")
            return
        self.stdout.write(f"what is said of facts, {len(seeds)} seeds from {seeds[0]}")
        for sets in (1, 2):
            for memory in MEMORY_KINDS:
                self.stdout.write(f"{sets} set(s) of questions at a sitting, memory: {memory}")
                by_schedule = {
                    schedule: [one for one in answered[sets, schedule] if one.memory == memory]
                    for schedule in SCHEDULES
                }
                self._statements(by_schedule["due first"])
                for schedule, children in by_schedule.items():
                    self._schedule(schedule, children)

    def _statements(self, children: Sequence[Answering]) -> None:
        weak = [one for one in children if one.name == WEAK.name]
        self._line("chance of the next answer", predicted(one.answers for one in children))
        self._share("called secure, but false", false_secure(children), most=FALSE_SECURE_AIM)
        able = f"able and secure after {HALFWAY} weeks"
        self._share(able, reached(children), least=REACHED_AIM)
        self._share(f"  of those asked {FEWEST} times", reached(children, FEWEST))
        refreshing = refreshing_right(children)
        self._share("needs refreshing, next one right", refreshing, most=REFRESHING_AIM)
        self._share("weak children right", success(weak), least=SUCCESS_AIM)

    def _share(self, label: str, share: Share, *, least: float = 0, most: float = 1) -> None:
        if share.value is None:
            self.stdout.write(f"  {label:34}{share.of:8}{'–':>8}")
            return
        star = "" if least <= share.value <= most else "*"
        self.stdout.write(f"  {label:34}{share.of:8}{share.value:8.3f}{star}")

    def _schedule(self, schedule: Schedule, children: Sequence[Answering]) -> None:
        self.stdout.write(f"  {schedule}: recall three weeks after {late_recall(children):.3f}")
        for name in MODEL_CHILDREN:
            own = [one for one in children if one.name == name]
            asked = [mean(one.coverage[week - 1] for one in own) for week in (HALFWAY, 2 * HALFWAY)]
            self.stdout.write(
                f"    {name:7} asked after {HALFWAY} weeks {asked[0]:.2f}, after {2 * HALFWAY} "
                f"{asked[1]:.2f}; right {success(own).value:.3f}; "
                f"three weeks after {late_recall(own):.3f}"
            )

    def _tables(self, seeds: Sequence[int], options: dict[str, Any]) -> None:
        jobs = [(rounds, seed) for rounds in (1, 2) for seed in seeds]
        played: dict[int, list[Playing]] = {}
        with tqdm(jobs, unit="seed", disable=None if options["verbosity"] else True) as bar:
            for rounds, seed in bar:
                played.setdefault(rounds, []).extend(
                    everyone_playing(seed, options["weeks"], rounds)
                )
        self.stdout.write(f"what is said of tables, {len(seeds)} seeds from {seeds[0]}")
        for rounds, children in played.items():
            for memory in TABLE_MEMORIES:
                kind = memory or "neither learns nor forgets"
                self.stdout.write(f"{rounds} round(s) at a sitting, memory: {kind}")
                self._table_statements([one for one in children if one.memory == memory])
        self._chances_found([one for children in played.values() for one in children])

    def _table_statements(self, children: Sequence[Playing]) -> None:
        self._share(
            "table called secure, but false", false_secure_tables(children), most=FALSE_SECURE_AIM
        )
        self._share(
            "table called fluent, but false", false_fluent_tables(children), most=FALSE_SECURE_AIM
        )
        self._share("table not secure, but called so", unable_called_secure(children))
        able = f"able, table secure in {HALFWAY} weeks"
        self._share(able, reached_tables(children), least=REACHED_AIM)
        self._share(
            f"  of those with {MANY_CHANCES} chances", reached_tables(children, MANY_CHANCES)
        )
        refreshing = refreshing_found(children)
        self._share("needs refreshing, next row found", refreshing, most=REFRESHING_AIM)
        self._share("secure before break, unable after", unable_after_break(children))
        self._share("  next row found", found_after_break(children))

    def _chances_found(self, children: Sequence[Playing]) -> None:
        self.stdout.write("true chance                         chances   found at once")
        for true, (of, found, at_once) in found_by_true_chance(children).items():
            self.stdout.write(f"  {true:.1f} and more{'':22}{of:8}{found:8.3f}{at_once:8.3f}")
