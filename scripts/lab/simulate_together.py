"""Lets model children play together with companions, or with each other (rules 9), and prints how
often a table reaches its goal.

What a table earns until all turns are over does not depend on the goal. So each round is played to
its end; then the goals are tried on the rounds, one after another."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from os import cpu_count
from random import Random
from statistics import mean
from typing import Final

from tqdm import tqdm

from classrooms.assignments.choice import Choice
from classrooms.demo.model_children import MODEL_CHILDREN, ModelPlayer
from games.bots import companion
from games.coach.goals import GOAL_SETTINGS, with_goal
from games.coach.rating import START_RATING, opponent_for
from games.engine.match import apply
from games.engine.round import goal_after
from games.engine.ruleset import Ruleset
from games.engine.view import view
from games.play.log import derive_seed
from scripts.lab.processes import map_in_processes
from scripts.lab.simulate_class import deal_round

OUT_OF_REACH: Final = 9999
SAMPLE: Final = 3000
"""The goals are tried on this many rounds, drawn from those that were played."""
ROUNDS_OF_A_MATCH: Final = 3
TABLES: Final = ("2,5,10", "6,7,8,9", "2,3,4,5,6,7,8,9,10")


@dataclass(frozen=True, slots=True)
class Table:
    choice: Choice
    child: str  # the name of a model child
    children: int
    seats: int

    @property
    def ruleset(self) -> Ruleset:
        return replace(with_goal(self.choice.ruleset(), self.seats, "right"), goal=OUT_OF_REACH)


def play_table(job: tuple[Table, int]) -> int:
    """The points that a table earns in a round."""
    table, seed = job
    state = deal_round(table.ruleset, table.seats, seed, START_RATING, table.children)
    helper = companion.companion_of(opponent_for(START_RATING))
    child = MODEL_CHILDREN[table.child]
    players = [ModelPlayer(child, derive_seed(seed, "child", n)) for n in range(table.children)]
    moment = 0
    while state.to_act is not None:
        player_view = view(state, state.to_act)
        moment += 1
        if state.to_act < table.children:
            action = players[state.to_act].choose(player_view)
        else:
            action = helper(player_view, derive_seed(seed, "bot", moment))
        state = apply(state, action)
    return state.earned_together


def goals_reached(ruleset: Ruleset, totals: Sequence[int]) -> list[bool]:
    """Whether each of these rounds, one after another, reached its goal."""
    goal, reached = ruleset.goal, list[bool]()
    for total in totals:
        reached.append(goal is not None and total >= goal)
        goal = goal_after(ruleset, goal, total)
    return reached


def share_in_first_matches(ruleset: Ruleset, totals: Sequence[int]) -> float:
    starts = range(0, len(totals), ROUNDS_OF_A_MATCH)
    matches = [
        goals_reached(ruleset, totals[start : start + ROUNDS_OF_A_MATCH]) for start in starts
    ]
    return mean(figure for match in matches for figure in match)


def tables(options: dict[str, list[str]]) -> Iterator[Table]:
    for more_rows in (True, False):
        for numbers in options["tables"]:
            choice = Choice(
                tables=[int(number) for number in numbers.split(",")],
                more_rows=more_rows,
                together="right",
            )
            for child in options["children"]:
                for text in options["seats"]:
                    children, seats = map(int, text.split("/"))
                    yield Table(choice, child, children, seats)


def rules_of(table: Table, setting: str, before: int | None = None) -> Ruleset:
    rules, children = table.choice.ruleset(), table.children
    return with_goal(rules, table.seats, setting, children=children, next_goal=before)


def shares(table: Table, totals: Sequence[int], setting: str) -> tuple[float, float]:
    first = rules_of(table, setting)
    sample = Random(1).choices(totals, k=SAMPLE)
    later = rules_of(table, setting, first.goal)
    return share_in_first_matches(first, sample), mean(goals_reached(later, sample))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m scripts.lab.simulate_together", description=__doc__)
    parser.add_argument("--rounds", type=int, default=60, help="rounds of each line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", nargs="+", default=list(TABLES), metavar="2,5,10")
    parser.add_argument("--children", nargs="+", default=list(MODEL_CHILDREN))
    parser.add_argument(
        "--seats", nargs="+", default=["1/2", "1/3", "1/4"], help="children/seats of each table"
    )
    parser.add_argument("--processes", type=int, default=cpu_count() or 1)
    options = vars(parser.parse_args(arguments))
    table_list = list(tables(options))
    seeds = [
        derive_seed(options["seed"], "together", number) for number in range(options["rounds"])
    ]
    jobs = [(table, seed) for table in table_list for seed in seeds]
    played_rounds = map_in_processes(play_table, jobs, options["processes"], chunk=2)
    results = iter(tqdm(played_rounds, total=len(jobs), disable=None))
    of_child: dict[str, list[Mapping[str, tuple[float, float]]]] = {}
    for table in table_list:
        totals = list(islice(results, len(seeds)))
        reached = {setting: shares(table, totals, setting) for setting in GOAL_SETTINGS}
        of_child.setdefault(table.child, []).append(reached)
    print("all these tables of a child: the mean share, and the least and the largest")
    for child, by_setting in of_child.items():
        for setting in GOAL_SETTINGS:
            columns = zip(*(figures[setting] for figures in by_setting), strict=True)
            texts = [
                f"{mean(column):.3f} ({min(column):.2f}-{max(column):.2f})" for column in columns
            ]
            print(f"{child:7s} {setting:10s} first matches {texts[0]}  later {texts[1]}")


if __name__ == "__main__":
    main()
