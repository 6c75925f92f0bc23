"""The goal of a table that plays together: the first one, and how fast it follows the table.

A goal rises a little if it is reached and falls more if it is not (rules 9.4). So in the long run
every table, strong or weak, reaches it in `down / (up + down)` of the rounds. In a table's first
game the steps are larger, so that the goal soon fits the table. docs/pacing.md has the figures.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from games.coach.rows import rows_of_three
from games.engine.cards import JOKERS
from games.engine.round import LEAST_GOAL
from games.engine.ruleset import Ruleset

GOAL_SETTINGS: Final[Mapping[str, tuple[int, int]]] = {
    "gentle": (2, 5),
    "right": (2, 4),
    "challenge": (3, 5),
}
"""How hard a goal is: the numbers of steps by which it rises and falls."""
FIRST_GAME_SETTING: Final = (6, 13)
"""The setting of a table's first game, when nothing is known about the table."""
STEPS_OF_GOAL: Final = 30
"""A step is the first goal divided by this, at least one point."""
MOST_TURNS: Final = {True: 6, False: 8}
"""How many turns each player has in a round, by whether hands are refilled."""
FACTOR_WITHOUT_REFILL: Final = 5.0  # the factor of a first goal if hands are not refilled
FACTOR_OF_MORE_CHILDREN: Final = 1.3  # what each child after the second adds to it then
FACTOR_OF_CHILDREN: Final = 8.7  # the factor if no bot plays
FACTORS_BESIDE_BOTS: Final = {2: 6.8, 3: 5.0}
"""The factors for one child beside bots, which earn less, by the number of seats."""
FACTOR_BESIDE_BOTS: Final = 5.8  # the factor for any other number of seats
POWER_OF_ROWS: Final = 0.33  # the power of the number of rows of three
POWER_OF_CARDS: Final = 0.31  # the power of the share of the cards that can be in a row
LARGE_DECK: Final = (50, 0.65)
"""In a deck with more numbers than the first, cards that fit together meet less often, so the goal
is multiplied by the second."""


def with_goal(
    ruleset: Ruleset, seats: int, setting: str, *, children: int = 1, next_goal: int | None = None
) -> Ruleset:
    """The ruleset for a table that plays together. Each player has `MOST_TURNS` turns if the pile
    lasts that long. `next_goal` is the goal that would have come next in the table's last game by
    the same rules, if there was one. Raises `RulesetError` for a match to a target."""
    up, down = GOAL_SETTINGS[setting] if next_goal else FIRST_GAME_SETTING
    first = first_goal(ruleset, seats, children)
    step = max(1, round(first / STEPS_OF_GOAL))
    return replace(
        ruleset,
        piles=ruleset.piles or (None if ruleset.has_pot else 1),
        most_turns=MOST_TURNS[ruleset.refill],
        goal=next_goal or first,
        goal_up=up * step,
        goal_down=down * step,
    )


def first_goal(ruleset: Ruleset, seats: int, children: int = 1) -> int:
    """The goal, in points, of a table that has not played yet, of whose seats `children` have a
    child. Fitted to rounds of model children (`scripts.lab.simulate_together`)."""
    most_numbers, share = LARGE_DECK
    usable_cards = ruleset.sequences.numbers.bit_count() + len(JOKERS)
    factor = FACTOR_WITHOUT_REFILL + FACTOR_OF_MORE_CHILDREN * max(0, children - 2)
    if ruleset.refill:
        factor = FACTORS_BESIDE_BOTS.get(seats, FACTOR_BESIDE_BOTS)
        factor += (FACTOR_OF_CHILDREN - factor) * (children - 1) / (seats - 1)
    goal: float = factor * len(rows_of_three(ruleset)) ** POWER_OF_ROWS
    goal *= (usable_cards / (ruleset.highest + len(JOKERS))) ** POWER_OF_CARDS
    return max(LEAST_GOAL, round(goal * share if ruleset.highest > most_numbers else goal))
