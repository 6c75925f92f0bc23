"""Times the search for the legal plays and for the best turn of a position, by the number of jokers
in the hand."""

from collections.abc import Callable, Iterator
from math import ceil
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from games.engine.cards import JOKERS, NUMBER_MASK, deck, mask_of, shuffled
from games.engine.match import apply, new_match
from games.engine.play_application import Position
from games.engine.plays import best_points, legal_plays
from games.engine.ruleset import Ruleset
from games.engine.view import legal_actions
from scripts.bench.random_play import RULESETS, SEATS

POSITIONS: Final = 200
MOST_JOKERS: Final = 2
JOKERS_IN_TURNS: Final = {"simplified, tables 2–10": 2, "simplified, anything": 2, "classic": 0}
"""The most jokers with which the best turn is searched. In classic with jokers, on the wide tables
of random play, an exact search would take seconds to minutes."""


def main() -> None:
    """Print median and 99th percentile in milliseconds for each ruleset and number of jokers."""
    print(f"\nOne position, {SEATS} seats, {POSITIONS} of random play; median / p99 in ms")
    print(f"{'':26} {'jokers':>6} {'legal_plays':>19} {'best_points':>21}")
    for name, ruleset in RULESETS.items():
        for jokers in range(MOST_JOKERS + 1):
            positions = list(_positions(ruleset, jokers))
            plays = _timed(legal_plays, positions)
            turns = (
                _timed(best_points, positions)
                if jokers <= JOKERS_IN_TURNS[name]
                else "not measured"
            )
            print(f"{name:26} {jokers:>6} {plays:>19} {turns:>21}")


def _timed(function: Callable[[Position], object], positions: list[Position]) -> str:
    spent = []
    for position in positions:
        start = perf_counter()
        function(position)
        spent.append((perf_counter() - start) * 1e3)
    spent.sort()
    return f"{median(spent):.3f} / {spent[ceil(len(spent) * 0.99) - 1]:.3f}"


def _positions(ruleset: Ruleset, jokers: int) -> Iterator[Position]:
    """Positions of random play in which a play is due, with `jokers` jokers in place of some cards
    of the hand."""
    random = Random(jokers)
    positions_left = POSITIONS
    number = 0
    while positions_left:
        number += 1
        state = new_match(ruleset, SEATS, shuffled(deck(ruleset.highest), number), 0)
        while state.to_act is not None and positions_left:
            if state.phase == "play" and random.random() < 0.1:
                spare = [joker for joker in JOKERS if joker not in state.table.laid_cards]
                cards = [c for c in range(1, 101) if state.hands[state.turn] & NUMBER_MASK & 1 << c]
                if len(spare) >= jokers and len(cards) > jokers:
                    hand = mask_of([*cards[jokers:], *spare[:jokers]])
                    has_opened = bool(state.opened_mask >> state.turn & 1)
                    yield Position(ruleset, state.table, hand, has_opened)
                    positions_left -= 1
            actions = legal_actions(state)
            state = apply(state, actions[int(random.random() * len(actions))])


if __name__ == "__main__":
    main()
