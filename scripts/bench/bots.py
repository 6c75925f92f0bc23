"""Times the answer of three bots to a child's move, and compares it with a floor request."""

from math import ceil
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from games.bots import beginner, expert
from games.bots.registry import find_bot
from games.engine.cards import deck, shuffled
from games.engine.match import apply, new_match
from games.engine.round import State
from games.engine.ruleset import edition
from games.engine.view import view
from scripts.bench.floor import client_of_a_teacher, site, timed_request

RULES: Final = edition("simplified", tables=range(2, 11), offers=False, rounds=1)
BOTS: Final = ("steady", "sharp", "companion 1000")
REQUESTS: Final = 400
ANSWERS: Final = 1000
EXPERT_CHOICES: Final = 60


def main() -> None:
    """Print the times of the bots' answer and of the floor, their ratio, and the expert's cost."""
    with site():
        client = client_of_a_teacher()
        floor = [timed_request(client) for _ in range(REQUESTS)][REQUESTS // 10 :]
    answers = _answer_times()
    middle = median(floor)
    print(f"\nThe bots' answer to a child's move: {', '.join(BOTS)}; 4 seats, tables 2–10")
    print(f"{'floor request, PostgreSQL':26} median {middle:.2f} ms")
    print(
        f"{'answer, all three':26} median {median(answers):.2f} ms, p99 {_p99(answers):.2f} ms; "
        f"over the floor {median(answers) / middle:.2f}, p99 {_p99(answers) / middle:.2f}"
    )
    choices = _expert_times()
    print(
        f"{'one choice of the expert':26} median {median(choices):.0f} ms, "
        f"p99 {_p99(choices):.0f} ms ({len(choices)} choices of a turn, 2 seats)"
    )


def _p99(spent: list[float]) -> float:
    return sorted(spent)[ceil(len(spent) * 0.99) - 1]


def _dealt(seats: int, number: int) -> State:
    return new_match(RULES, seats, shuffled(deck(RULES.highest), number), number % seats)


def _answer_times() -> list[float]:
    """Milliseconds from the child's discard to their next turn, for `ANSWERS` discards."""
    chooses = [find_bot(name) for name in BOTS]
    seeds = Random(1)
    spent: list[float] = []
    for number in range(ANSWERS):
        state = _dealt(len(BOTS) + 1, number)
        while state.to_act is not None and len(spent) < ANSWERS:
            if state.to_act == 0:
                state = apply(state, beginner.choose(view(state, 0), seeds.getrandbits(32)))
                continue
            start = perf_counter()
            while state.to_act:
                choose = chooses[state.to_act - 1]
                state = apply(state, choose(view(state, state.to_act), seeds.getrandbits(32)))
            spent.append((perf_counter() - start) * 1e3)
    return spent


def _expert_times() -> list[float]:
    """Milliseconds of the expert's choices in phase play against a beginner."""
    seeds = Random(2)
    spent: list[float] = []
    for number in range(EXPERT_CHOICES):
        state = _dealt(2, number)
        while state.to_act is not None and len(spent) < EXPERT_CHOICES:
            choose = beginner.choose if state.to_act == 0 else expert.choose
            player_view, seed = view(state, state.to_act), seeds.getrandbits(32)
            start = perf_counter()
            action = choose(player_view, seed)
            if state.to_act and state.phase == "play":
                spent.append((perf_counter() - start) * 1e3)
            state = apply(state, action)
    return spent


if __name__ == "__main__":
    main()
