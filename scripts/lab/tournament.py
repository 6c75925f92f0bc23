"""Lets levels of bots play each other, with the same deals from every seat."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, permutations
from math import ceil, log, sqrt
from random import Random
from statistics import mean
from typing import Any, Final

import numpy as np
from scipy.special import ndtri
from tqdm import tqdm

from games.bots.registry import BOTS, LEVELS
from games.coach.rating import ELO_SCALE
from games.engine.cards import shuffled
from games.engine.errors import RulesetError
from games.engine.match import apply, new_match
from games.engine.ruleset import EDITIONS, OPTIONS, Ruleset, edition
from games.engine.view import view
from scripts.lab.processes import map_in_processes
from scripts.lab.regression import logistic_weights

# Tournaments: levels of bots against each other, with the same deals from every seat. A round
# counts by its real result: the points that a seat earned, minus the cost of the cards left in its
# hand (rules 6.3; in blocks only the penalty points, 7.5; in simple blocks who won, 7.6). Of two
# levels, the one whose score changed for the better has won the round; a tie is half a win for
# each. If a level has several seats, their mean counts.

Pair = tuple[str, str]
FIRST_ELO: Final = 1000.0
_MOST_FOR_ALL_ORDERS: Final = 3
_Z: Final = float(ndtri(0.975))


@dataclass(frozen=True, slots=True)
class Contest:
    ruleset: Ruleset
    levels: tuple[str, ...]  # names of bots, weakest first
    seats: int = 2
    rounds: int = 1000  # the least number of rounds for each pair of levels
    seed: int = 1


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """A round to play: which level sits where, and the number of the deal."""

    order: tuple[str, ...]
    deal: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of one level against another. `points` is the change of its scores in all rounds
    together, `others` that of the other level's."""

    rounds: int = 0
    won: float = 0.0  # rounds won; a tie counts half
    points: float = 0.0
    others: float = 0.0

    def __add__(self, tally: "Tally") -> "Tally":
        return Tally(
            self.rounds + tally.rounds,
            self.won + tally.won,
            self.points + tally.points,
            self.others + tally.others,
        )

    @property
    def reversed(self) -> "Tally":
        """The results from the other level's side."""
        return Tally(self.rounds, self.rounds - self.won, self.others, self.points)

    @property
    def rate(self) -> float:
        """The share of rounds won (0–1)."""
        return self.won / self.rounds

    @property
    def mean_gain(self) -> float:
        """The mean change of the score in a round."""
        return self.points / self.rounds

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate, by Wilson. The true interval is narrower, because of ties
        and of deals that are played from both seats. SciPy has this interval only for whole
        wins."""
        n, square = self.rounds, _Z * _Z
        centre = (self.rate + square / (2 * n)) / (1 + square / n)
        spread = sqrt(self.rate * (1 - self.rate) / n + square / (4 * n * n))
        half = _Z * spread / (1 + square / n)
        return centre - half, centre + half


def rounds_of(contest: Contest) -> list[TournamentRound]:
    """All rounds to play: every choice of levels that fits the seats, with enough deals to give
    each pair its rounds, and every deal in every order. With more seats than levels, the levels of
    a choice get the extra seats in turn, because one against two is not a fair match."""
    levels, seats = contest.levels, contest.seats
    level_count = min(seats, len(levels))
    line_ups = [
        tuple(choice[(first + seat) % level_count] for seat in range(seats))
        for choice in combinations(levels, level_count)
        for first in range(level_count if seats % level_count else 1)
    ]
    meetings = sum({levels[0], levels[1]} <= set(line_up) for line_up in line_ups)
    deals = ceil(contest.rounds / (meetings * len(_orders(line_ups[0]))))
    return [
        TournamentRound(order, deal)
        for deal in range(deals)
        for line_up in line_ups
        for order in _orders(line_up)
    ]


def _orders(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """Every order of a line-up. A large one has only its rotations, so that each level still sits
    in every seat."""
    if len(line_up) <= _MOST_FOR_ALL_ORDERS:
        return sorted(set(permutations(line_up)))
    turns = range(len(line_up))
    return sorted({(*line_up[turn:], *line_up[:turn]) for turn in turns})


def play(contest: Contest, planned_round: TournamentRound) -> dict[Pair, Tally]:
    """The result of a round for each pair of levels, in the order of the contest. It depends only
    on the arguments."""
    gains = play_round(contest.ruleset, planned_round.order, f"{contest.seed}/{planned_round.deal}")
    seated = list(zip(planned_round.order, gains, strict=True))
    by_level = {
        level: mean(gain for other, gain in seated if other == level)
        for level in contest.levels
        if level in planned_round.order
    }
    return {
        (level, other): Tally(
            1, _won(by_level[level], by_level[other]), by_level[level], by_level[other]
        )
        for level, other in combinations(by_level, 2)
    }


def _won(gain: float, rival: float) -> float:
    return 0.5 if gain == rival else float(gain > rival)


def play_round(ruleset: Ruleset, order: Sequence[str], deal: str) -> tuple[int, ...]:
    """The change of each seat's score in a round; more is better. `deal` seeds the cards, who
    begins, and the bots."""
    seats = len(order)
    random = Random(deal)
    ruleset = replace(ruleset, rounds=1)
    cards = shuffled(ruleset.cards, random.getrandbits(62))
    starter, reshuffles = random.randrange(seats), random.getrandbits(62)
    state = new_match(ruleset, seats, cards, starter, reshuffles)
    while state.to_act is not None:
        choose = BOTS[order[state.to_act]]
        state = apply(state, choose(view(state, state.to_act), random.getrandbits(62)))
    return tuple(ruleset.gain(score - ruleset.start) for score in state.scores)


def elo(levels: Sequence[str], total: Mapping[Pair, Tally]) -> dict[str, float]:
    """The ratings that fit the results best (Bradley and Terry), with the first level at 1000. An
    extra tie for each pair keeps the rating finite if a level never lost."""
    tallies = [tally + Tally(1, 0.5) for tally in total.values()]
    rows = np.array(
        [[(level == first) - (level == other) for level in levels[1:]] for first, other in total],
        float,
    )
    log_odds = logistic_weights(
        rows,
        np.array([tally.rounds for tally in tallies]),
        np.array([tally.won for tally in tallies]),
        np.zeros(len(levels) - 1),
    )
    above = ELO_SCALE / log(10) * log_odds
    return dict(zip(levels, [FIRST_ELO, *(FIRST_ELO + above).tolist()], strict=True))


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
    todo = rounds_of(contest)
    results = map_in_processes(partial(play, contest), todo, options["processes"], chunk=4)
    total: dict[Pair, Tally] = {}
    for result in tqdm(results, total=len(todo), unit="round", disable=None):
        for pair, tally in result.items():
            total[pair] = total.get(pair, Tally()) + tally
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
