"""Lets model children (weak, middle, strong) play rounds of the simplified edition with chosen
tables, against companions or at tables with children like them. A star marks a figure that misses
its aim."""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from os import cpu_count
from statistics import median
from typing import Any, Final

from tqdm import tqdm

from classrooms.assignments.presets import PRESETS
from classrooms.demo.model_children import (
    BETWEEN_ROUNDS_SECONDS,
    DISCARDING_SECONDS,
    DRAWING_SECONDS,
    LAYING_SECONDS,
    MODEL_CHILDREN,
    RECALLS_PER_LOOK,
    WATCHING_SECONDS,
    WRONG_TRY_SECONDS,
    ModelChild,
    ModelPlayer,
)
from games.bots import companion
from games.coach.deals import DealSetting, kindest_order, kindness_for
from games.coach.rating import Rating, Result, opponent_for, rating_after_round
from games.engine.actions import Discard, DrawClosed, DrawOpen, Take
from games.engine.cards import Card, shuffled
from games.engine.match import apply, new_match
from games.engine.plays import plays_with_jokers, plays_without_jokers
from games.engine.round import DRAW_PHASES, State
from games.engine.ruleset import Ruleset
from games.engine.table import Play
from games.engine.view import View, view
from games.play.log import derive_seed
from scripts.lab.processes import map_in_processes

# Lets model children play rounds against companions, and computes figures about these rounds. Every
# child plays a career: first rounds in which their rating settles and the companion adapts, then
# rounds that count. One seed decides everything.

SETTLING_ROUNDS: Final = 20
"""The rounds of a career in which the rating settles; they do not count."""
COUNTED_ROUNDS: Final = 20
CHILD: Final = 0


@dataclass(frozen=True, slots=True)
class Setup:
    """The players and the game. The deals and the companions follow from the rules and the rating,
    as in a class."""

    child: str  # the name of a model child
    ruleset: Ruleset
    bots: int
    mates: int = 0  # how many other children of the same strength sit at the table

    @property
    def seats(self) -> int:
        return 1 + self.mates + self.bots


@dataclass(frozen=True, slots=True)
class Round:
    won: bool
    turns: int  # the number of the child's turns, including one that ended the round
    turns_with_row: int
    """Turns in which the child laid a row, or could have laid one without a joker from the hand."""
    possible: int
    """Turns in which a row was possible, even if only with a joker or with an open card that the
    child did not take."""
    empty: int  # the most turns in a row in which no row was possible
    seconds: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures about the rounds that count. Shares are from 0 to 1; medians are over rounds."""

    rounds: int
    wins: float
    turns: float
    possible: float  # the share of turns in which a row was possible
    empty: float  # the share of rounds with two or more turns in a row in which none was
    rows: float  # mean number of turns in a round with a row to find without a joker
    minutes: float


def career(setup: Setup, seed: int) -> list[Round]:
    rating = Rating()
    rounds = []
    for number in range(SETTLING_ROUNDS + COUNTED_ROUNDS):
        last_round = play_round(setup, derive_seed(seed, "round", number), rating.value)
        result = Result(opponent_for(rating.value), last_round.won)
        rating = rating_after_round(rating, result)
        rounds.append(last_round)
    return rounds[SETTLING_ROUNDS:]


def play_round(setup: Setup, seed: int, rating: float) -> Round:
    answer = companion.companion_of(opponent_for(rating))
    child = MODEL_CHILDREN[setup.child]
    seeds = [derive_seed(seed, "child", mate) for mate in range(1 + setup.mates)]
    players = [(ModelPlayer(child, player_seed), _Watch(child)) for player_seed in seeds]
    state = deal_round(setup.ruleset, setup.seats, seed, rating, len(players))
    watch = players[CHILD][1]
    moment = 0
    while state.to_act is not None:
        player_view = view(state, state.to_act)
        if state.to_act < len(players):
            player, own_watch = players[state.to_act]
            own_watch.note_view(player_view, player)
            action = player.choose(player_view)
            own_watch.note_act(action)
        else:
            moment += 1
            action = answer(player_view, derive_seed(seed, "bot", moment))
            if isinstance(action, DrawOpen | DrawClosed | Take):
                watch.seconds += WATCHING_SECONDS
        state = apply(state, action)
    seconds = BETWEEN_ROUNDS_SECONDS + sum(each.seconds for _player, each in players)
    return watch.result(state.round_winner == CHILD, seconds)


def deal_round(ruleset: Ruleset, seats: int, seed: int, rating: float, children: int = 1) -> State:
    """Deal a round to children with this rating, who have the first seats."""
    starter = derive_seed(seed, "starter") % seats
    cards = kindest_order(
        DealSetting(ruleset, seats, starter, tuple(range(children))),
        kindness_for(ruleset, rating),
        lambda purpose, number: shuffled(ruleset.cards, derive_seed(seed, purpose, number)),
    )
    return new_match(ruleset, seats, cards, starter, derive_seed(seed, "reshuffle"))


def summary(rounds: Sequence[Round]) -> Summary:
    turns = [each.turns for each in rounds]
    return Summary(
        rounds=len(rounds),
        wins=sum(each.won for each in rounds) / len(rounds),
        turns=median(turns),
        possible=sum(each.possible for each in rounds) / sum(turns),
        empty=sum(each.empty > 1 for each in rounds) / len(rounds),
        rows=sum(each.turns_with_row for each in rounds) / len(rounds),
        minutes=median(each.seconds for each in rounds) / 60,
    )


class _Watch:
    """Counts what a child does in a round, and how long it takes."""

    def __init__(self, child: ModelChild) -> None:
        self._look = RECALLS_PER_LOOK * child.check_seconds
        self.seconds = 0.0
        self._turns: set[tuple[int, ...]] = set()
        self._with_row: set[tuple[int, ...]] = set()
        self._possible: list[bool] = []
        self._open_gives_row = False
        self._turn: tuple[int, ...] = ()

    def note_view(self, view_before: View, player: ModelPlayer) -> None:
        """Note what the child sees before they act."""
        if view_before.phase in DRAW_PHASES:
            self._open_gives_row = _any_row(view_before, view_before.open_cards)
        if view_before.phase != "play" or view_before.turns in self._turns:
            return
        self._possible.append(self._open_gives_row or _any_row(view_before, (None,)))
        self._open_gives_row = False
        self._turn = view_before.turns
        self._turns.add(self._turn)
        self.seconds += self._look
        if player.tries_wrongly(view_before):
            self.seconds += WRONG_TRY_SECONDS
        if plays_without_jokers(view_before.position):
            self._with_row.add(self._turn)

    def note_act(self, action: object) -> None:
        if isinstance(action, Play):
            self._with_row.add(self._turn)
            self.seconds += LAYING_SECONDS + self._look
        elif isinstance(action, DrawOpen | DrawClosed | Take):
            self.seconds += DRAWING_SECONDS
        elif isinstance(action, Discard):
            self.seconds += DISCARDING_SECONDS

    def result(self, won: bool, seconds: float) -> Round:
        return Round(
            won=won,
            turns=len(self._turns),
            turns_with_row=len(self._with_row),
            possible=sum(self._possible),
            empty=max([len(list(run)) for row, run in groupby(self._possible) if not row] or [0]),
            seconds=seconds,
        )


def _any_row(player_view: View, cards: Iterable[Card | None]) -> bool:
    """Whether a row can be laid, even with jokers, if one of these cards is added to the hand."""
    position = player_view.position
    hands = [position.hand if card is None else position.hand | 1 << card for card in cards]
    return any(
        plays_with_jokers(position._replace(hand=hand), n) for n in (0, 1, 2) for hand in hands
    )


WINS: Final = (0.45, 0.65)
TURNS: Final = (4, 11)
LEAST_POSSIBLE: Final = 0.75
MOST_EMPTY: Final = 0.05
HEAD: Final = (
    "child   tables                 rounds    wins   turns   min.   possible   empty   rows"
)

Job = tuple[Setup, int]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m scripts.lab.simulate_class", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000, help="rounds of each line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--presets",
        nargs="+",
        choices=PRESETS,
        default=("first", "next", "hard", "all"),
        help="games of the teacher's form",
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
    for name in options["presets"]:
        choice = replace(PRESETS[name].choice, bots=options["bots"] + options["mates"], rounds=1)
        yield (replace(choice, more_rows=False) if options["printed"] else choice).ruleset()


def _line(setup: Setup, figures: Summary) -> str:
    tables = setup.ruleset.tables or ()
    rules = ",".join(map(str, tables)) or setup.ruleset.edition
    return "".join(
        (
            f"{setup.child:8}{rules:20}{figures.rounds:9}",
            _figure(f"{figures.wins:.1%}", 8, WINS[0] <= figures.wins <= WINS[1]),
            _figure(f"{figures.turns:g}", 7, TURNS[0] <= figures.turns <= TURNS[1]),
            f"{figures.minutes:7.1f}",
            _figure(f"{figures.possible:.1%}", 10, figures.possible >= LEAST_POSSIBLE),
            _figure(f"{figures.empty:.1%}", 7, figures.empty <= MOST_EMPTY),
            f"{figures.rows:6.1f}",
        )
    )


def _figure(text: str, width: int, is_good: bool) -> str:
    return text.rjust(width) + (" " if is_good else "*")


if __name__ == "__main__":
    main()
