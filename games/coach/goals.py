"""The goal of a table that plays together: what it is at first, and how far it follows the table.

A goal that is reached rises a little, one that is not falls more (rules 9.4). So in the long run
every table, strong or weak, reaches it in `down / (up + down)` of the rounds. In a table's first
game the steps are larger, so that the goal soon fits the table. docs/pacing.md has the figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from games.coach.rows import rows_of_three
from games.engine.cards import JOKERS
from games.engine.round import LEAST_GOAL
from games.engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Setting:
    """How hard a goal is: the numbers of steps by which it rises and falls."""

    up: int
    down: int


SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {
        "gentle": Setting(2, 5),
        "right": Setting(2, 4),
        "challenge": Setting(3, 5),
    }
)
AT_FIRST: Final = Setting(6, 13)
"""The same for all settings in a table's first game, when nothing is known about it."""
STEPS_OF_GOAL: Final = 30
"""A step is the first goal divided by this, at least one point."""
MOST_TURNS: Final = {True: 6, False: 8}
"""How many turns each player has in a round, if hands fill up and if not."""
FACTOR_WITHOUT_REFILL: Final = 5.0
FACTOR_OF_CHILDREN: Final = 7.6
FACTORS_BESIDE_BOTS: Final = {2: 6.8, 3: 5.0}
FACTOR_BESIDE_BOTS: Final = 5.8
"""The factors of a first goal: if hands do not fill up; for children among themselves; and for one
child beside bots, which earn less, by the number of seats, or for any other number."""
POWER_OF_ROWS: Final = 0.33
POWER_OF_CARDS: Final = 0.31
"""The powers of the number of rows of three, and of the part of the cards that can be in a row."""
LARGE_DECK: Final = (50, 0.65)
"""In a deck with more numbers than this, cards that fit together meet less often, so the goal is
only this part."""


def with_goal(
    ruleset: Ruleset, seats: int, setting: str, *, children: int = 1, before: int | None = None
) -> Ruleset:
    """The ruleset for a table that plays together. `before` is the goal that would have come next
    in the table's last game by the same rules. Each player has `MOST_TURNS` turns, if the pile
    lasts that long. Raises `RulesetError` for a match to a target."""
    goal_setting = SETTINGS[setting] if before else AT_FIRST
    first = first_goal(ruleset, seats, children)
    step = max(1, round(first / STEPS_OF_GOAL))
    return replace(
        ruleset,
        piles=ruleset.piles or (None if ruleset.has_pot else 1),
        most_turns=MOST_TURNS[ruleset.refill],
        goal=before or first,
        goal_up=goal_setting.up * step,
        goal_down=goal_setting.down * step,
    )


def first_goal(ruleset: Ruleset, seats: int, children: int = 1) -> int:
    """The goal, in points, of a table that has played no round yet. `children` of its seats have a
    child. Fitted to rounds of model children (`scripts.lab.simulate_together`)."""
    largest_deck, part = LARGE_DECK
    usable_cards = ruleset.sequences.numbers.bit_count() + len(JOKERS)
    factor = FACTOR_WITHOUT_REFILL
    if ruleset.refill:
        factor = FACTORS_BESIDE_BOTS.get(seats, FACTOR_BESIDE_BOTS)
        factor += (FACTOR_OF_CHILDREN - factor) * (children - 1) / (seats - 1)
    goal: float = factor * len(rows_of_three(ruleset)) ** POWER_OF_ROWS
    goal *= (usable_cards / (ruleset.highest + len(JOKERS))) ** POWER_OF_CARDS
    return max(LEAST_GOAL, round(goal * part if ruleset.highest > largest_deck else goal))
