"""Plays rounds of bots and prints the weights of the expert's outlook, learned from who wins, as a
file outlook_….csv for games/bots.

Sharp players play the first rounds, players with the weights learned from those the next rounds,
and so on. Now and then a player makes another of their better turns, so that the weights cover
these too. The weights come from a logistic regression.
"""

import csv
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final, NamedTuple

import numpy as np

from games.bots import sharp
from games.bots.outlook import PACES, Note, Outlook, RowPace, Weights
from games.bots.sharp import Judge, TurnChoice
from games.coach.times_tables import TABLES_TO_10
from games.engine.cards import shuffled
from games.engine.match import apply, new_match
from games.engine.ruleset import Ruleset, edition
from games.engine.view import View, view
from scripts.lab.processes import map_in_processes
from scripts.lab.regression import logistic_weights

PASSES: Final = 3
CHANCE_OF_OTHER_TURN: Final = 0.15
"""The chance that a player makes one of their other good turns instead of the best."""
GOOD_TURNS: Final = 6
PENALTY: Final = 3.0
"""The penalty by which weights with little evidence stay small."""
_ALWAYS: Final = "any"
"""The note of every turn."""
_ALMOST_NONE: Final = 1e-6
"""The penalty of the weight of `_ALWAYS`."""


class TrainingGroup(NamedTuple):
    """The rules and number of seats of a group of rounds, and its weight among the groups."""

    ruleset: Ruleset
    seats: int
    shares: int


class TrainingRound(NamedTuple):
    """A round to learn from; `deal` seeds it."""

    group: TrainingGroup
    deal: str


class TrainingExample(NamedTuple):
    """The notes of a turn, and whether its seat won the round: 1, ½ for a tie, or 0."""

    notes: list[Note]
    won: float


_EVERY = tuple(TABLES_TO_10)
GROUPS: Final[Mapping[RowPace, Sequence[TrainingGroup]]] = {
    "slow": (
        TrainingGroup(edition("simplified", tables=_EVERY), 2, 10),
        TrainingGroup(edition("simplified", tables=_EVERY, offers=False), 2, 2),
        TrainingGroup(edition("simplified", tables=_EVERY, offers=False), 4, 1),
        TrainingGroup(edition("simplified", tables=_EVERY), 3, 1),
        TrainingGroup(edition("simplified", tables=(2, 5, 10)), 2, 1),
        TrainingGroup(edition("simplified", tables=(3, 4, 6)), 2, 1),
        TrainingGroup(edition("simplified", tables=(6, 7, 8, 9)), 2, 1),
    ),
    "quick": (
        TrainingGroup(edition("classic"), 3, 6),
        TrainingGroup(edition("classic"), 2, 2),
        TrainingGroup(edition("advanced"), 3, 1),
        TrainingGroup(edition("simplified"), 2, 1),
        TrainingGroup(edition("blocks"), 3, 1),
    ),
}


def training_rounds(
    groups: Sequence[TrainingGroup], rounds: int, seed: str
) -> Iterator[TrainingRound]:
    """About `rounds` rounds to play, shared among the groups."""
    shares = sum(group.shares for group in groups)
    for place, group in enumerate(groups):
        for number in range(rounds * group.shares // shares):
            yield TrainingRound(group, f"{seed}/{place}/{number}")


def fit_weights(examples: Sequence[TrainingExample]) -> dict[str, float]:
    """The weights of the notes that best predict the winner."""
    names = sorted({name for example in examples for name, _ in example.notes})
    column = {name: place for place, name in enumerate(names)}
    rows = np.zeros((len(examples), len(names)))
    for row, example in zip(rows, examples, strict=True):
        for name, value in example.notes:
            row[column[name]] += value
    won = np.array([example.won for example in examples])
    penalty = np.array([_ALMOST_NONE if name == _ALWAYS else PENALTY for name in names])
    weights = logistic_weights(rows, np.ones_like(won), won, penalty)
    return dict(zip(names, weights.tolist(), strict=True))


def play_turns(to_play: TrainingRound, weights: Weights | None) -> list[TrainingExample]:
    """The turns of one round, at the time of their discard. The players use these weights, or are
    sharp players if there are none. The turns depend only on the arguments."""
    random = Random(to_play.deal)
    ruleset, seats = replace(to_play.group.ruleset, rounds=1), to_play.group.seats
    cards = shuffled(ruleset.cards, random.getrandbits(62))
    starter, reshuffles = random.randrange(seats), random.getrandbits(62)
    state = new_match(ruleset, seats, cards, starter, reshuffles)
    notes_of_turns: list[tuple[int, list[Note]]] = []
    while (seat := state.to_act) is not None:
        player_view = view(state, seat)
        if player_view.phase != "play":
            state = apply(state, sharp.choose(player_view, 0))
            continue
        choice = _choose_turn(player_view, random, weights)
        if choice.discard is not None and not choice.turn.plays and len(player_view.hand) > 1:
            notes_of_turns.append((seat, Outlook(player_view).notes(choice.turn, choice.discard)))
        state = apply(state, choice.first_action)
    gains = [ruleset.gain(score) for score in state.scores]
    return [TrainingExample(notes, _won(gains, seat)) for seat, notes in notes_of_turns]


def _choose_turn(view: View, random: Random, weights: Weights | None) -> TurnChoice:
    judge = Judge(view) if weights is None else Outlook(view, weights)
    ranked = sorted(judge.choices(view.position), key=lambda choice: -choice.worth)
    if view.play_count == 0 and random.random() < CHANCE_OF_OTHER_TURN:
        return ranked[random.randrange(min(GOOD_TURNS, len(ranked)))]
    return ranked[0]


def _won(gains: Sequence[int], seat: int) -> float:
    best = max(gain for rival, gain in enumerate(gains) if rival != seat)
    return (gains[seat] > best) / 2 + (gains[seat] >= best) / 2


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m scripts.lab.learn_outlook", description=__doc__)
    parser.add_argument("pace", choices=PACES, help="how soon rows come by the rules")
    parser.add_argument("--rounds", type=int, default=4000, help="in each of three passes")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    table = csv.writer(sys.stdout, lineterminator="\n")
    weights = learn_weights(options.pace, options.rounds, options.seed, options.processes)
    table.writerow(["note", "weight"])
    for name, weight in weights.items():
        table.writerow([name, f"{weight:z.4f}"])


def learn_weights(pace: RowPace, rounds: int, seed: int, processes: int) -> dict[str, float]:
    """The weights after all passes. Examples of the first pass are dropped once there are
    others."""
    weights: dict[str, float] | None = None
    examples: list[TrainingExample] = []
    for number in range(PASSES):
        if number == 1:
            examples = []
        todo = list(training_rounds(GROUPS[pace], rounds, f"{seed}/{number}"))
        for batch in map_in_processes(
            partial(play_turns, weights=weights), todo, processes, chunk=8
        ):
            examples += batch
        weights = fit_weights(examples)
        print(f"pass {number + 1} of {PASSES}: {len(examples)} turns", file=sys.stderr)
    assert weights is not None
    return weights


if __name__ == "__main__":
    main()
