"""Lets levels of bots play each other, with the same deals from every seat."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tqdm import tqdm

from games.bots.registry import BOTS, LEVELS
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, OPTIONS, Ruleset, edition
from scripts.lab.arena import Contest, Pair, Tally, elo, play, seatings_of, sum_of_results
from scripts.lab.processes import map_in_processes

HOW_WON = (
    "A round is won by the level whose score changed for the better in it: points earned less "
    "the cards left in hand; a tie is half a round."
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(
        prog="python -m scripts.lab.tournament", description=f"{__doc__} {HOW_WON}"
    )
    parser.add_argument("--edition", choices=list(EDITIONS), default="simplified")
    parser.add_argument("--tables", type=_tables, help="2-10 or 2,5,10; all rows if not given")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=JSON",
        help=f"any option of the rules: {', '.join(OPTIONS)}",
    )
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1000, help="for each pair, at least")
    parser.add_argument("--levels", default=",".join(LEVELS), help="weakest first")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = vars(parser.parse_args(arguments))
    contest = _contest(options)
    todo = seatings_of(contest)
    results = map_in_processes(partial(play, contest), todo, options["processes"], chunk=4)
    total: dict[Pair, Tally] = {}
    for result in tqdm(results, total=len(todo), unit="round", disable=None):
        total = sum_of_results([total, result])
    for line in report(contest, total):
        print(line)


def _contest(options: Mapping[str, Any]) -> Contest:
    levels = tuple(options["levels"].split(","))
    unknown = [level for level in levels if level not in BOTS]
    if unknown or len(set(levels)) < max(2, len(levels)):
        raise SystemExit(f"Name at least two of these levels, each once: {', '.join(BOTS)}.")
    ruleset = _ruleset(options)
    if not 2 <= options["seats"] <= ruleset.most_players or options["rounds"] < 1:
        raise SystemExit(f"Play with 2 to {ruleset.most_players} seats, 1 round or more.")
    return Contest(ruleset, levels, options["seats"], options["rounds"], options["seed"])


def _ruleset(options: Mapping[str, Any]) -> Ruleset:
    overrides = dict(options["set"])
    if options["tables"]:
        overrides["tables"] = options["tables"]
    try:
        return edition(options["edition"], **overrides)
    except (RulesetError, TypeError) as error:
        raise SystemExit(f"These rules cannot be played: {error}") from None


def report(contest: Contest, total: Mapping[Pair, Tally]) -> Iterator[str]:
    """The results as lines: every pair, then the ratings."""
    ruleset = contest.ruleset
    tables = "all rows" if ruleset.tables is None else f"tables {numbers_text(ruleset.tables)}"
    yield f"{ruleset.edition}, {tables}, {contest.seats} seats, seed {contest.seed}"
    yield HOW_WON
    yield ""
    yield f"{'level':<10} {'against':<10} {'rounds':>6} {'won':>7}   95 % interval   points a round"
    for (weaker, stronger), tally in total.items():
        won = tally.reversed
        low, high = won.interval
        points = f"{won.mean_gain:6.2f} : {tally.mean_gain:.2f}"
        yield (
            f"{stronger:<10} {weaker:<10} {tally.rounds:>6} {won.rate:>7.1%}"
            f"   {low:.1%}–{high:.1%}   {points}"
        )
    yield ""
    ratings = elo(contest.levels, total)
    for level in sorted(contest.levels, key=lambda level: -ratings[level]):
        yield f"{level:<10} Elo {ratings[level]:.0f}"


def numbers_text(numbers: tuple[int, ...]) -> str:
    """The numbers as `2–10`, or as `2, 5, 10`."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 2 and numbers == tuple(range(first, last + 1)):
        return f"{first}–{last}"
    return ", ".join(map(str, numbers))


def _tables(text: str) -> tuple[int, ...]:
    try:
        if "-" in text:
            first, last = map(int, text.split("-"))
            return tuple(range(first, last + 1))
        return tuple(map(int, text.split(",")))
    except ValueError:
        raise ArgumentTypeError(f"{text} is neither like 2-10 nor like 2,5,10") from None


def _option(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    if name not in OPTIONS or name == "rounds":
        raise ArgumentTypeError(f"{name} is not an option of the rules")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        raise ArgumentTypeError(f"{value} is not JSON") from None


if __name__ == "__main__":
    main()
