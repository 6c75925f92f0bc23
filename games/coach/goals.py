"""The turns of a round, and the goal of a table that plays together: how fast it follows them.

A goal rises a little if it is reached and falls more if it is not (rules 9.4). So in the long run
every table, strong or weak, reaches it in `down / (up + down)` of the rounds. In a table's first
game the steps are larger, so that the goal soon fits the table. docs/pacing.md has the figures.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import exp
from typing import Final

from games.engine.cards import JOKERS
from games.engine.round import LEAST_GOAL
from games.engine.ruleset import Ruleset

GOAL_SETTINGS: Final[Mapping[str, tuple[int, int]]] = {
    "gentle": (2, 5),
    "right": (3, 6),
    "challenge": (4, 7),
}
"""How hard a goal is: the numbers of steps by which it rises and falls."""
FIRST_GAME_SETTING: Final = (5, 14)
"""The setting of a table's first game, when nothing is known about the table."""
STEPS_OF_GOAL: Final = 30
"""A step is the first goal divided by this, at least one point."""
TURNS: Final = {2: 6, 3: 5}
"""How many turns each player has in a round with a limit, by the number of seats; `FEWEST_TURNS`
for any other number. One fewer if at most `FEW_CARDS` cards can be in a row."""
FEWEST_TURNS: Final = 4
FEW_CARDS: Final = 30
CURVES: Final = {
    "small": (67, 1.25, 5),
    "large": (308, 1.5, 60),
    "printed": (41.5, 1.19, 10),
}
"""For each kind of game, (points, power, turns): the children lay rows worth about
`points` · share**`power` · (1 − e^(−their turns / `turns`)), where share is the part of the deck
that can be in a row. Hands are refilled from a small or a large deck, or the game is as printed."""
LARGE_DECK: Final = 50  # a deck with more numbers is large


def with_goal(
    ruleset: Ruleset, seats: int, setting: str, *, children: int = 1, next_goal: int | None = None
) -> Ruleset:
    """The ruleset for a table that plays together, where all use the same number of turns.
    `next_goal` is the goal that would have come next in the table's last game by the same rules, if
    there was one. Raises `RulesetError` for a match to a target."""
    up, down = GOAL_SETTINGS[setting] if next_goal else FIRST_GAME_SETTING
    first = first_goal(ruleset, seats, children)
    step = max(1, round(first / STEPS_OF_GOAL))
    return replace(
        ruleset,
        piles=None,
        most_turns=turns_of(ruleset, seats),
        equal_turns=True,
        builds_on=True,
        goal=next_goal or first,
        goal_up=up * step,
        goal_down=down * step,
    )


def bridges_between(ruleset: Ruleset, rounds: int, next_goal: int) -> int:
    """How many of a match's `rounds` with this ruleset reached their goals, after which the table's
    goal is `next_goal`."""
    up, down = ruleset.goal_up, ruleset.goal_down
    return (next_goal - (ruleset.goal or 0) + rounds * down) // (up + down)


def turns_of(ruleset: Ruleset, seats: int) -> int:
    """The turns of each of this many players in a round with more rows or with a goal."""
    has_few = ruleset.fitting_mask.bit_count() <= FEW_CARDS
    return TURNS.get(seats, FEWEST_TURNS) - has_few


def first_goal(ruleset: Ruleset, seats: int, children: int = 1) -> int:
    """The goal, in points, of a table that has not played yet and has this many `children`. Fitted
    to rounds of model children (`scripts.lab.simulate_together`)."""
    deck = "large" if ruleset.highest > LARGE_DECK else "small"
    points, power, turns = CURVES[deck if ruleset.refill else "printed"]
    share = ruleset.fitting_mask.bit_count() / (ruleset.highest + len(JOKERS))
    laid = 1 - exp(-children * turns_of(ruleset, seats) / turns)
    goal: float = points * share**power * laid
    return max(LEAST_GOAL, round(goal))
