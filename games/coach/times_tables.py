"""Which times table a row belongs to, and the facts of its numbers (rules 2.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

from games.engine.sequences import step_of

TABLES_TO_10: Final = range(2, 11)
TABLES_TO_12: Final = range(2, 13)
"""All times tables that the site has names for."""
FIRST_TABLES: Final = (2, 5, 10)
"""The tables that are taught first."""
TEACHING_ORDER: Final = (2, 10, 5, 4, 3, 6, 9, 8, 7, 11, 12)
"""The tables in the order in which they are mostly taught."""


@dataclass(frozen=True, slots=True)
class RowTable:
    """A row as part of a times table."""

    numbers: tuple[int, ...]
    step: int | None  # its jump, None if its jumps differ (a family, 2.4)
    offset: int | None  # how far its numbers are above the multiples of `step`
    times_table: int | None
    """The step, if it is 2 or more and all numbers are in its table; else None."""
    common: tuple[int, ...]  # the tables that all its numbers are in, high to low
    facts: tuple[tuple[int, int], ...]  # (n, d) for each number n × d of a row in the d times table


def describe(numbers: Sequence[int]) -> RowTable:
    """Which table a row is in. The numbers go from low to high.

    >>> describe([12, 16, 20]).facts
    ((3, 4), (4, 4), (5, 4))
    >>> describe([11, 16, 21]).offset
    1
    """
    step = step_of(numbers)
    offset = None if step is None else numbers[0] % step
    table = step if step is not None and step > 1 and offset == 0 else None
    facts = () if table is None else tuple((number // table, table) for number in numbers)
    return RowTable(tuple(numbers), step, offset, table, common_tables(numbers), facts)


def common_tables(numbers: Sequence[int]) -> tuple[int, ...]:
    """The times tables, 2 and up, that all the numbers are in, from high to low.

    >>> common_tables([10, 30, 50])
    (10, 5, 2)
    """
    shared = gcd(*numbers)
    return tuple(table for table in range(shared, 1, -1) if shared % table == 0)
