"""The model children of simulations: three strengths of seeing rows.

The figures were chosen before any bot was fitted to them. No bot that plays with children reads
them. docs/learning.md (*Model children*) lists them too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

ADDING_FACTOR: Final = 0.8
CROSSING_FACTOR: Final = 0.5
JOKER_FACTOR: Final = 0.5
CHECK_SIGMA: Final = 0.4
"""The standard deviation of the logarithm of the seconds for a short question (log-normal)."""

SCHOOL_DAYS: Final = (0, 2, 4)
"""Three sittings a week: on Monday, Wednesday and Friday."""
GROUPS: Final = ((2, 5, 10), (3, 4), (6, 9), (7, 8), (11, 12))


@dataclass(frozen=True, slots=True)
class ModelChild:
    name: str
    notices: Mapping[int, float]
    """The chance (0–1) to notice a row that is there, by its times table. It is also the chance to
    answer a short question right."""
    notices_others: float  # the chance to notice rows with any other jump
    wrong_tries: float  # the share of turns in which they try cards that make no row
    check_seconds: float  # the median time of a short question
    overlooks: float = 0.0
    """The share of turns in which they again overlook the rows that they overlooked earlier in the
    round."""

    def chance(
        self, table: int | None, *, adds: bool = False, crosses: bool = False, joker: bool = False
    ) -> float:
        """The chance to notice a row of a times table, or of none (None). The row may add to rows
        (`adds`), cross rows or need a joker."""
        chance = self.notices.get(table or 0, self.notices_others)
        if adds:
            chance *= ADDING_FACTOR
        if crosses:
            chance *= CROSSING_FACTOR
        if joker:
            chance *= JOKER_FACTOR
        return chance


def _child(
    name: str,
    chances: tuple[float, float, float, float, float],
    other_tables: float,
    wrong_tries: float,
    check_seconds: float,
) -> ModelChild:
    by_table = {
        table: chance for group, chance in zip(GROUPS, chances, strict=True) for table in group
    }
    return ModelChild(name, MappingProxyType(by_table), other_tables, wrong_tries, check_seconds)


WEAK: Final = _child("weak", (0.60, 0.40, 0.25, 0.15, 0.15), 0.10, 0.15, 4.0)
MIDDLE: Final = _child("middle", (0.80, 0.65, 0.50, 0.40, 0.35), 0.30, 0.08, 2.5)
STRONG: Final = _child("strong", (0.95, 0.90, 0.85, 0.80, 0.75), 0.60, 0.03, 1.5)
MODEL_CHILDREN: Final[Mapping[str, ModelChild]] = MappingProxyType(
    {child.name: child for child in (WEAK, MIDDLE, STRONG)}
)
