"""The times tables: the table of a row (rules 2.5), and the facts of the tables."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final, Literal

from games.engine.sequences import jump_of

TABLES_TO_10: Final = range(2, 11)
TABLES_TO_12: Final = range(2, 13)
"""The times tables that have a name on the site."""
FIRST_TABLES: Final = (2, 5, 10)
"""The tables that are taught first."""
TEACHING_ORDER: Final = (2, 10, 5, 4, 3, 6, 9, 8, 7, 11, 12)
"""The tables in the order in which they are mostly taught."""


@dataclass(frozen=True, slots=True)
class RowTable:
    numbers: tuple[int, ...]
    jump: int | None  # None if its jumps differ (a family, 2.4)
    offset: int | None  # how far its numbers are above the multiples of `jump`
    times_table: int | None  # the jump, if it is 2 or more and all numbers are in its table
    common: tuple[int, ...]  # the tables that have all its numbers, from high to low
    facts: tuple[tuple[int, int], ...]  # (n, d) for each number n × d of a row in the d times table


def row_table_of(numbers: Sequence[int]) -> RowTable:
    """The row of these numbers, which go from low to high, as part of a times table.

    >>> row_table_of([12, 16, 20]).facts
    ((3, 4), (4, 4), (5, 4))
    >>> row_table_of([11, 16, 21]).offset
    1
    """
    jump = jump_of(numbers)
    offset = None if jump is None else numbers[0] % jump
    table = jump if jump is not None and jump > 1 and offset == 0 else None
    facts = () if table is None else tuple((number // table, table) for number in numbers)
    return RowTable(tuple(numbers), jump, offset, table, common_tables(numbers), facts)


def common_tables(numbers: Sequence[int]) -> tuple[int, ...]:
    """The times tables from 2 on that have all these numbers, from high to low.

    >>> common_tables([10, 30, 50])
    (10, 5, 2)
    """
    shared = gcd(*numbers)
    return tuple(table for table in range(shared, 1, -1) if shared % table == 0)


Fact = tuple[int, int]
"""Two factors, the smaller one first: 6 × 8 and 8 × 6 are the same fact."""

FACTORS: Final = TABLES_TO_10
"""The factors of the questions about every table."""
STEPPING_STONES: Final = (10, 5, 2)
"""The factors that children learn first. From these they derive all others at the beginning."""

_Way = Literal["more", "less", "double", "half"]


def fact_of(first: int, second: int) -> Fact:
    """The fact of two factors in either order."""
    return (first, second) if first <= second else (second, first)


def facts_of(tables: Collection[int]) -> list[Fact]:
    """The facts of these times tables, each once, from low to high.

    >>> facts_of([2])[:3], len(facts_of(range(2, 13)))
    ([(2, 2), (2, 3), (2, 4)], 66)
    """
    times = {*FACTORS, *(table for table in tables if table > 1)}
    return sorted({fact_of(factor, table) for table in tables if table > 1 for factor in times})


def is_practised(first: int, second: int, tables: Collection[int]) -> bool:
    """Whether a product is a fact of these times tables, or of those from 2 to 10 if there are
    none. The product of 1 and a table counts too.

    >>> is_practised(6, 8, []), is_practised(23, 2, []), is_practised(1, 7, [7])
    (True, False, True)
    """
    practised_tables = tables or TABLES_TO_10
    factors = {1, *FACTORS, *practised_tables}
    is_in_table = first in practised_tables or second in practised_tables
    return is_in_table and {first, second} <= factors


@dataclass(frozen=True, slots=True)
class Derivation:
    """How to derive `times` × `table` from `near_factor` × `table`: add or subtract the table once
    or twice (`steps`), or double or halve the product (`steps` is 0)."""

    times: int
    table: int
    near_factor: int
    way: _Way
    steps: int

    @property
    def product(self) -> int:
        return self.times * self.table

    @property
    def known_product(self) -> int:
        return self.near_factor * self.table


def derive(times: int, table: int, secure: Collection[Fact]) -> Derivation:
    """The shortest way to derive `times` × `table` from a fact in which the child is secure; if
    none is near, from a stepping stone or, last, from 1 × `table`, which everyone knows. Tens are
    counted on, which is easier than anything else.

    >>> derive(6, 7, {(5, 7)})
    Derivation(times=6, table=7, near_factor=5, way='more', steps=1)
    """
    if table == 10 and times > 1:
        return Derivation(times, table, times - 1, "more", 1)
    secure_factors = [near for near in range(1, 13) if fact_of(near, table) in secure]
    for factors in (secure_factors, STEPPING_STONES, (1,)):
        ways = [way for near in factors if (way := _way(times, table, near))]
        if ways:
            # One step is shorter than doubling or halving, and these are shorter than two steps.
            length = {1: 0, 0: 1, 2: 2}
            return min(ways, key=lambda way: (length[way.steps], way.way == "less"))
    return Derivation(times, table, times - 1, "more", 1)


def _way(times: int, table: int, near: int) -> Derivation | None:
    if near == times:
        return None
    if 2 * near == times and near > 2:
        return Derivation(times, table, near, "double", 0)
    if near == 10 and 2 * times == near:
        return Derivation(times, table, near, "half", 0)
    steps = abs(times - near)
    if steps > 2:
        return None
    return Derivation(times, table, near, "more" if near < times else "less", steps)
