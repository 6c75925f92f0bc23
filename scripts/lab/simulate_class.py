"""Lets model children (weak, middle, strong) play rounds of the simplified edition with chosen
tables, against companions or at tables with children like them. A star marks a figure that misses
its aim."""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import cpu_count
from typing import Any, Final

from tqdm import tqdm

from classrooms.assignments.presets import PRESETS
from classrooms.demo.model_children import MODEL_CHILDREN
from games.engine.ruleset import Ruleset, edition
from games.play.log import derive_seed
from scripts.lab.processes import map_in_processes
from scripts.lab.simulation import (
    COUNTED_ROUNDS,
    SETTLING_ROUNDS,
    Round,
    Setup,
    Summary,
    career,
    summary,
)

TABLES: Final = ("2,5,10", "3,4,6", "6,7,8,9", "2,3,4,5,6,7,8,9,10")
ALL_TABLES: Final = 9
WINS: Final = (0.45, 0.65)
TURNS: Final = (4, 11)
MOST_WITHOUT_ROW: Final = 0.10
LEAST_TO_FIND: Final = {True: 0.50, False: 0.30}
"""The least share of turns with a row to find: with the tables 2–10, and with fewer tables."""
LEAST_POSSIBLE: Final = 0.75
MOST_EMPTY: Final = 0.05
HEAD: Final = (
    "child   tables                 rounds    wins   turns (90 %)   first row   without"
    "   to find   min.    dull   bot   possible   empty   rows"
)

Job = tuple[Setup, int]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m scripts.lab.simulate_class", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000, help="rounds of each line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", nargs="+", default=TABLES, metavar="2,5,10", help="as printed")
    parser.add_argument(
        "--presets",
        nargs="+",
        choices=PRESETS,
        help="games of the teacher's form instead, as it gives them",
    )
    parser.add_argument("--printed", action="store_true", help="presets without more rows")
    parser.add_argument("--children", nargs="+", choices=tuple(MODEL_CHILDREN))
    parser.add_argument("--bots", type=int, default=1)
    parser.add_argument("--mates", type=int, default=0, help="other children at the table")
    parser.add_argument("--processes", type=int, default=cpu_count() or 1)
    options = vars(parser.parse_args(arguments))
    if min(options["rounds"], options["processes"], options["bots"] + options["mates"]) < 1:
        raise SystemExit("rounds and processes are 1 or more, and so are bots or mates")
    setups = list(_all_setups(options))
    careers = -(-options["rounds"] // COUNTED_ROUNDS)
    jobs = [
        (setup, derive_seed(options["seed"], "career", number))
        for setup in setups
        for number in range(careers)
    ]
    rounds_of: dict[Setup, list[Round]] = defaultdict(list)
    results = map_in_processes(_career, jobs, options["processes"])
    for (setup, _), rounds in zip(tqdm(jobs, unit="career", disable=None), results, strict=True):
        rounds_of[setup] += rounds
    print(
        f"seed {options['seed']}, {careers} careers a line: "
        f"{SETTLING_ROUNDS} rounds to settle, {COUNTED_ROUNDS} that count"
    )
    print(HEAD)
    for setup in setups:
        print(_line(setup, summary(rounds_of[setup])))


def _career(job: Job) -> list[Round]:
    return career(*job)


def _all_setups(options: dict[str, Any]) -> Iterator[Setup]:
    for ruleset in _all_rulesets(options):
        if options["bots"] + options["mates"] >= ruleset.most_seats:
            raise SystemExit(f"no more than {ruleset.most_seats - 1} bots and mates")
        for name in options["children"] or MODEL_CHILDREN:
            yield Setup(name, ruleset, options["bots"], options["mates"])


def _all_rulesets(options: dict[str, Any]) -> Iterator[Ruleset]:
    for name in options["presets"] or ():
        choice = replace(PRESETS[name].choice, bots=options["bots"] + options["mates"], rounds=1)
        yield (replace(choice, more_rows=False) if options["printed"] else choice).ruleset()
    for tables in () if options["presets"] else options["tables"]:
        steps = [int(step) for step in tables.split(",")]
        yield edition("simplified", tables=steps, offers=False, rounds=1)


def _line(setup: Setup, figures: Summary) -> str:
    tables = setup.ruleset.tables or ()
    rules = ",".join(map(str, tables)) or setup.ruleset.edition
    to_find = LEAST_TO_FIND[len(tables) == ALL_TABLES]
    first = "–" if figures.first_row is None else f"{figures.first_row:g}"
    return "".join(
        (
            f"{setup.child:8}{rules:20}{figures.rounds:9}",
            _figure(f"{figures.wins:.1%}", 8, WINS[0] <= figures.wins <= WINS[1]),
            _figure(f"{figures.turns:g}", 7, TURNS[0] <= figures.turns <= TURNS[1]),
            f"({figures.long_turns:g})".rjust(6),
            first.rjust(12),
            _figure(f"{figures.without_row:.1%}", 10, figures.without_row <= MOST_WITHOUT_ROW),
            _figure(f"{figures.with_row_to_find:.1%}", 9, figures.with_row_to_find >= to_find),
            f"{figures.minutes:7.1f}{figures.dull:8.1%}{figures.strength:6.0f}",
            _figure(f"{figures.possible:.1%}", 10, figures.possible >= LEAST_POSSIBLE),
            _figure(f"{figures.empty:.1%}", 7, figures.empty <= MOST_EMPTY),
            f"{figures.rows:6.1f}",
        )
    )


def _figure(text: str, width: int, is_good: bool) -> str:
    """A figure, with a star if it misses its aim."""
    return text.rjust(width) + (" " if is_good else "*")


if __name__ == "__main__":
    main()
