"""Lets model children of three strengths play rounds and answer short questions for weeks, with
practice and forgetting. Mastery and two plain baselines predict what the children do in the second
half, each time from the days before; their true chances are the best possible prediction. Then it
compares statements about facts and tables with the true chances, for several kinds of memory and
ways to choose facts."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import mean
from typing import Any, Final, TypeVar

from tqdm import tqdm

from classrooms.demo.model_children import MIDDLE, MODEL_CHILDREN, WEAK
from games.coach.mastery import FACT_PARAMETERS, FEWEST_FOR_A_LEVEL, ROW_PARAMETERS, Parameters
from scripts.lab.fact_evaluation import (
    CHILD_KINDS,
    HALFWAY,
    MEMORY_KINDS,
    SCHEDULES,
    AnsweringChild,
    Schedule,
    Share,
    answer_as_kind,
    everyone,
    false_first_calls,
    false_secure,
    late_recall,
    share_reached,
    spread,
    success,
)
from scripts.lab.mastery_evaluation import (
    SETS_OF_TABLES,
    WEAK_CHILDREN,
    Forecast,
    Record,
    RoundCounts,
    by_last_three,
    by_mastery,
    by_overall_share,
    by_true_ability,
    by_true_sight,
    career,
    class_with_weak_children,
    equal_children,
    fit_parameters,
    fit_weights,
    forecast,
    predictions_of,
    seed_of,
    shares_found,
    simulated_rounds,
    spread_in_a_table,
    spread_of_finds,
    statements_about,
)
from scripts.lab.table_evaluation import (
    TABLE_MEMORIES,
    ModelChildWeeks,
    by_one_look,
    by_share_found,
    everyone_playing,
    false_first_table_calls,
    false_fluent_tables,
    false_secure_tables,
    found_after_break,
    found_by_true_chance,
    play_as_kind,
    reached_tables,
    refreshing_found,
    unable_after_break,
    unable_called_secure,
)

T = TypeVar("T")
AUC_AIM: Final = 0.75
ERROR_AIM: Final = 0.05
FALSE_SECURE_AIM: Final = 0.05
REACHED_AIM: Final = 0.8
REFRESHING_AIM: Final = 0.75
SUCCESS_AIM: Final = 0.7
"""The aims for statements about facts and tables: the largest share of false ones among those
called secure, the smallest share of what is truly known that is called secure, the largest share
of next rows found in tables that need refreshing, and the smallest share of right answers of the
weak."""
MANY_CHANCES: Final = 20
ANSWERERS_PER_PLAYER: Final = 5
"""More children answer than play, because answering takes less time."""
FALSE_CLASSES_AIM: Final = 0.05
CLASS_ROUNDS: Final = (12, 24, 72)
"""The rounds of a child: one or two at each of three sittings a week for four weeks, and two for
twelve."""
HEAD: Final = f"{'':30}{'count':>8}{'AUC':>8}{'calibration error':>20}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m scripts.lab.evaluate_mastery", description=__doc__)
    parser.add_argument("--children", type=int, default=20, help="of each strength")
    parser.add_argument("--weeks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=5, help="for statements: how many")
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--classes",
        type=int,
        default=0,
        help="only what is said about this many classes; --children: model children of each "
        "strength and set of tables whose rounds they draw",
    )
    only.add_argument(
        "--kinds",
        type=int,
        default=0,
        help="only this many children of each of twelve kinds, who play for --weeks, and five "
        "times as many who answer",
    )
    parser.add_argument(
        "--fit", action="store_true", help="print parameters fitted to these children instead"
    )
    options = vars(parser.parse_args(arguments))
    if options["classes"]:
        _classes(options["classes"], options)
        return
    if options["kinds"]:
        _kinds(options["kinds"], options)
        return
    seeds = range(options["seed"], options["seed"] + options["seeds"])
    _predictions(options)
    _facts(seeds, options)
    if not options["fit"]:
        _tables(seeds, options)


def _predictions(options: dict[str, Any]) -> None:
    weeks, seed = options["weeks"], options["seed"]
    jobs = [(name, number) for name in MODEL_CHILDREN for number in range(options["children"])]
    careers = [
        career(MODEL_CHILDREN[name], weeks, seed_of(seed, name, number))
        for name, number in tqdm(jobs, unit="child", disable=None)
    ]
    since = 7 * weeks // 2
    kinds: Sequence[tuple[str, Sequence[Record], Parameters]] = (
        ("rows found in play", [career.rows for career in careers], ROW_PARAMETERS),
        ("answers of short questions", [career.facts for career in careers], FACT_PARAMETERS),
    )
    print(f"seed {seed}, {len(careers)} model children, {weeks} weeks")
    if not options["fit"]:
        print(HEAD)
    for name, records, kind in kinds:
        if options["fit"]:
            print(f"{name}: {fit_parameters(records, kind, since)}")
        else:
            _evaluate(name, records, kind, since)


def _evaluate(name: str, records: Sequence[Record], kind: Parameters, since: int) -> None:
    mastery, true_chance = ("mastery", by_mastery(kind)), ("its true chance", by_true_ability)
    plain = (("overall share right", by_overall_share), ("last three", by_last_three))
    print(name)
    for label, predict in (mastery, *plain, true_chance):
        _print_forecast(label, forecast(records, predict, since))
    if kind is ROW_PARAMETERS:
        print("of these, those there as the turn began, with no joker")
        for label, predict in (
            mastery,
            true_chance,
            ("its true chance at the cards", by_true_sight),
        ):
            _print_forecast(label, forecast(records, predict, since, seen_only=True), stars=False)


def _print_forecast(label: str, result: Forecast, *, stars: bool = True) -> None:
    error = result.calibration_error
    misses = label == "mastery" and (result.auc < AUC_AIM or error > ERROR_AIM)
    star = "*" * (stars and misses)
    print(f"  {label:28}{len(result.successes):8}{result.auc:8.3f}{error:20.3f}{star}")


def _classes(classes: int, options: dict[str, Any]) -> None:
    jobs = [(name, tables) for tables in SETS_OF_TABLES for name in MODEL_CHILDREN]
    banks: dict[tuple[str, Sequence[int]], Sequence[RoundCounts]] = {}
    for name, tables in tqdm(jobs, unit="bank", disable=None):
        random = Random(f"{options['seed']}/{name}/{tables}")
        banks[name, tables] = simulated_rounds(
            MODEL_CHILDREN[name], tables, options["children"], random
        )
    random = Random(options["seed"])
    print(f"{classes} classes of equally able children")
    for (name, tables), bank in banks.items():
        _print_equal_children(name, tables, bank, classes, random)
    print(f"{classes} classes with {WEAK_CHILDREN} weak children among middle ones")
    for tables in SETS_OF_TABLES:
        weak, middle = banks[WEAK.name, tables], banks[MIDDLE.name, tables]
        _print_weak_children(tables, weak, middle, classes, random)


def _print_equal_children(
    name: str,
    tables: Sequence[int],
    bank: Sequence[RoundCounts],
    classes: int,
    random: Random,
) -> None:
    true = shares_found(bank)
    shares = []
    for rounds in CLASS_ROUNDS:
        statements = (
            statements_about(equal_children(bank, rounds, random)) for _ in range(classes)
        )
        shares.append(sum(statement.is_false_of_equals(true) for statement in statements) / classes)
    false = "".join(f"{share:7.3f}{'*' * (share > FALSE_CLASSES_AIM)}" for share in shares)
    print(
        f"  {name:7}{'-'.join(map(str, tables)):19}"
        f"chances a round {mean(counts.chances for counts in bank):.2f}, spread of finds "
        f"{spread_of_finds(bank):.2f}, in a table {spread_in_a_table(bank):.2f}; classes with "
        f"a false statement{false}"
    )


def _print_weak_children(
    tables: Sequence[int],
    weak: Sequence[RoundCounts],
    middle: Sequence[RoundCounts],
    classes: int,
    random: Random,
) -> None:
    for rounds in CLASS_ROUNDS:
        statements = [
            statements_about(class_with_weak_children(weak, middle, rounds, random))
            for _ in range(classes)
        ]
        fewer = mean(sum(statement.fewer[:WEAK_CHILDREN]) for statement in statements)
        stuck = mean(sum(map(bool, statement.stuck[:WEAK_CHILDREN])) for statement in statements)
        fewer_others = mean(sum(statement.fewer[WEAK_CHILDREN:]) for statement in statements)
        print(
            f"  {'-'.join(map(str, tables)):19}{rounds:3} rounds: of {WEAK_CHILDREN} weak, fewer "
            f"{fewer:.2f}, stuck {stuck:.2f}; of the others, fewer {fewer_others:.3f}"
        )


def _kinds(number: int, options: dict[str, Any]) -> None:
    first = options["seed"]
    for kind in tqdm(CHILD_KINDS, unit="kind", disable=None):
        print(kind.name)
        seeds = range(first, first + ANSWERERS_PER_PLAYER * number)
        children = [answer_as_kind(kind, seed) for seed in seeds]
        aim = FALSE_SECURE_AIM
        _print_share_with_interval("fact called secure, but false", false_secure, children, aim)
        _print_share_with_interval("  among first calls", false_first_calls, children, aim)
        weeks = options["weeks"]
        players = [play_as_kind(kind, seed, weeks=weeks) for seed in seeds[:number]]
        looks = {"by rows found": by_share_found(players), "by one look": by_one_look}
        for label, is_false in looks.items():
            for_all = partial(false_secure_tables, is_false=is_false)
            _print_share_with_interval(f"most rows, but false {label}", for_all, players, aim)
            first_ones = partial(false_first_table_calls, is_false=is_false)
            _print_share_with_interval("  among first calls", first_ones, players, aim)
        _print_share_with_interval(
            "fewer rows lately, next one found", refreshing_found, players, REFRESHING_AIM
        )


def _print_share_with_interval(
    label: str, statistic: Callable[[Sequence[T]], Share], children: Sequence[T], most: float
) -> None:
    """Print a share of all these children, and its interval."""
    interval = spread([statistic([child]) for child in children], Random(label))
    ends = "{:.3f} to {:.3f}".format(*interval) if interval else ""
    _print_share(label, statistic(children), most=most, note=ends)


def _facts(seeds: Sequence[int], options: dict[str, Any]) -> None:
    jobs = [(sets, schedule, seed) for sets in (1, 2) for schedule in SCHEDULES for seed in seeds]
    children_of: dict[tuple[int, Schedule], list[AnsweringChild]] = {}
    for sets, schedule, seed in tqdm(jobs, unit="seed", disable=None):
        children_of.setdefault((sets, schedule), []).extend(everyone(seed, schedule, sets))
    if options["fit"]:
        careers = [child.answers for child in children_of[1, "due first"]]
        print(f"facts: {fit_weights(careers)}")
        return
    print(f"what is said about facts, {len(seeds)} seeds from {seeds[0]}")
    for sets in (1, 2):
        for memory in MEMORY_KINDS:
            print(f"{sets} set(s) of questions at a sitting, memory: {memory}")
            by_schedule = {
                schedule: [child for child in children_of[sets, schedule] if child.memory == memory]
                for schedule in SCHEDULES
            }
            _print_statements(by_schedule["due first"])
            for schedule, children in by_schedule.items():
                _print_schedule(schedule, children)


def _print_statements(children: Sequence[AnsweringChild]) -> None:
    weak = [child for child in children if child.name == WEAK.name]
    _print_forecast(
        "chance of the next answer", predictions_of(child.answers for child in children)
    )
    _print_share("called secure, but false", false_secure(children), most=FALSE_SECURE_AIM)
    able = f"able and secure after {HALFWAY} weeks"
    _print_share(able, share_reached(children), least=REACHED_AIM)
    _print_share(
        f"  of those asked {FEWEST_FOR_A_LEVEL} times", share_reached(children, FEWEST_FOR_A_LEVEL)
    )
    _print_share("weak children right", success(weak), least=SUCCESS_AIM)


def _print_share(
    label: str, share: Share, *, least: float = 0, most: float = 1, note: str = ""
) -> None:
    if share.value is None:
        print(f"  {label:34}{share.of:8}{'–':>8}")
        return
    star = "" if least <= share.value <= most else "*"
    print(f"  {label:34}{share.of:8}{share.value:8.3f}{star:2}{note}".rstrip())


def _print_schedule(schedule: Schedule, children: Sequence[AnsweringChild]) -> None:
    print(f"  {schedule}: recall three weeks after {late_recall(children):.3f}")
    for name in MODEL_CHILDREN:
        own = [child for child in children if child.name == name]
        coverage = [
            mean(child.coverage[week - 1] for child in own) for week in (HALFWAY, 2 * HALFWAY)
        ]
        print(
            f"    {name:7} asked after {HALFWAY} weeks {coverage[0]:.2f}, after {2 * HALFWAY} "
            f"{coverage[1]:.2f}; right {success(own).value:.3f}; "
            f"three weeks after {late_recall(own):.3f}"
        )


def _tables(seeds: Sequence[int], options: dict[str, Any]) -> None:
    jobs = [(rounds, seed) for rounds in (1, 2) for seed in seeds]
    weeks_of: dict[int, list[ModelChildWeeks]] = {}
    for rounds, seed in tqdm(jobs, unit="seed", disable=None):
        weeks_of.setdefault(rounds, []).extend(everyone_playing(seed, options["weeks"], rounds))
    print(f"what is said about tables, {len(seeds)} seeds from {seeds[0]}")
    for rounds, children in weeks_of.items():
        for memory in TABLE_MEMORIES:
            kind = memory or "neither learns nor forgets"
            print(f"{rounds} round(s) at a sitting, memory: {kind}")
            _print_table_statements([child for child in children if child.memory == memory])
    _print_chances_found([child for children in weeks_of.values() for child in children])


def _print_table_statements(children: Sequence[ModelChildWeeks]) -> None:
    _print_share(
        "table called secure, but false", false_secure_tables(children), most=FALSE_SECURE_AIM
    )
    _print_share(
        "table called fluent, but false", false_fluent_tables(children), most=FALSE_SECURE_AIM
    )
    _print_share("table not secure, but called so", unable_called_secure(children))
    label = f"able, table secure in {HALFWAY} weeks"
    _print_share(label, reached_tables(children), least=REACHED_AIM)
    _print_share(f"  of those with {MANY_CHANCES} chances", reached_tables(children, MANY_CHANCES))
    refreshing = refreshing_found(children)
    _print_share("needs refreshing, next row found", refreshing, most=REFRESHING_AIM)
    _print_share("secure before break, unable after", unable_after_break(children))
    _print_share("  next row found", found_after_break(children))


def _print_chances_found(children: Sequence[ModelChildWeeks]) -> None:
    print("true chance                         chances   found at once")
    for true, (of, finds, at_once) in found_by_true_chance(children).items():
        print(f"  {true:.1f} and more{'':22}{of:8}{finds:8.3f}{at_once:8.3f}")


if __name__ == "__main__":
    main()
