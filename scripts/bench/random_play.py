"""Random play of the engine compared with random play of python-chess.

A decision is: list all legal actions, choose one at random, and compute the state after it. Dealing
is not timed. Rounds of both are interleaved, so that a busy machine slows both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

import chess

from games.engine.cards import deck, shuffled
from games.engine.match import apply, new_match
from games.engine.round import State
from games.engine.ruleset import Ruleset, edition
from games.engine.view import legal_actions

ROUNDS: Final = 9
SECONDS: Final = 1.5
SEATS: Final = 2
DRAWS_WITHOUT_CAPTURE: Final = 100

# As classes get them by default, the simplified edition has no offers.
RULESETS: Final[Mapping[str, Ruleset]] = {
    "simplified, tables 2–10": edition("simplified", tables=range(2, 11), offers=False, rounds=1),
    "simplified, anything": edition("simplified", offers=False, rounds=1),
    "classic": edition("classic", rounds=1),
}


@dataclass(frozen=True, slots=True)
class BenchRound:
    """The results of a round of the benchmark: seconds and decisions by phase, games, and legal
    actions."""

    draw: float
    play: float
    draws: int
    plays: int
    games: int
    actions: int

    @property
    def seconds(self) -> float:
        return self.draw + self.play

    @property
    def per_second(self) -> float:
        return (self.draws + self.plays) / self.seconds


def play_chess(seed: int) -> float:
    """Random decisions per second of python-chess."""
    random = Random(seed).random
    decisions, board, start = 0, chess.Board(), perf_counter()
    while perf_counter() - start < SECONDS:
        moves = list(board.legal_moves)
        if not moves or board.halfmove_clock >= DRAWS_WITHOUT_CAPTURE:
            board = chess.Board()
            continue
        board.push(moves[int(random() * len(moves))])
        decisions += 1
    return decisions / (perf_counter() - start)


def play_rounds(ruleset: Ruleset, seed: int) -> BenchRound:
    """Play whole random rounds for `SECONDS`. Cut rounds would give early turns too much weight."""
    random = Random(seed).random
    spent = [0.0, 0.0]
    decisions = [0, 0]
    games = actions = 0
    for number in count(seed * 1_000_000):
        state = _dealt(ruleset, number)
        while state.to_act is not None:
            in_play = state.phase == "play"
            start = perf_counter()
            legal = legal_actions(state)
            state = apply(state, legal[int(random() * len(legal))])
            spent[in_play] += perf_counter() - start
            decisions[in_play] += 1
            actions += len(legal)
        games += 1
        if sum(spent) > SECONDS:
            break
    return BenchRound(spent[0], spent[1], decisions[0], decisions[1], games, actions)


def _dealt(ruleset: Ruleset, number: int) -> State:
    return new_match(ruleset, SEATS, shuffled(deck(ruleset.highest), number), number % SEATS)


def main() -> None:
    """Print for each ruleset decisions per second, the ratio, and games per second."""
    chess_speeds: list[float] = []
    rounds_of: dict[str, list[BenchRound]] = {name: [] for name in RULESETS}
    for seed in range(ROUNDS):
        chess_speeds.append(play_chess(seed))
        for name, ruleset in RULESETS.items():
            rounds_of[name].append(play_rounds(ruleset, seed))
    chess_speed = median(chess_speeds)
    print(f"Random play, {SEATS} seats, medians of {ROUNDS} interleaved rounds")
    print(f"{'python-chess':26} {chess_speed:>9,.0f} decisions/s")
    for name, rounds in rounds_of.items():
        print(_result_line(name, rounds, chess_speeds))
    speeds = [
        sum(round_.draws + round_.plays for round_ in rounds) / sum(r.seconds for r in rounds)
        for rounds in zip(*rounds_of.values(), strict=True)
    ]
    ratios = [speed / chess for speed, chess in zip(speeds, chess_speeds, strict=True)]
    print(f"{'all three':26} {median(speeds):>9,.0f} decisions/s, ratio {median(ratios):.2f}")


def _result_line(name: str, rounds: Sequence[BenchRound], chess_speeds: Sequence[float]) -> str:
    ratios = [round_.per_second / chess for round_, chess in zip(rounds, chess_speeds, strict=True)]
    speed = median(r.per_second for r in rounds)
    draw = median(r.draw / r.draws for r in rounds) * 1e6
    play = median(r.play / r.plays for r in rounds) * 1e6
    games = median(r.games / r.seconds for r in rounds)
    actions = median(r.actions / (r.draws + r.plays) for r in rounds)
    return (
        f"{name:26} {speed:>9,.0f} decisions/s, ratio {median(ratios):.2f}; "
        f"draw {draw:.1f} µs, play {play:.1f} µs; {games:,.0f} games/s; "
        f"{actions:.1f} actions to choose from"
    )


if __name__ == "__main__":
    main()
