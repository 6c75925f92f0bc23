"""Tests on classes of model children whether statements about children are true (docs/mastery.md).

Model children play real rounds against companions that adapt to them. Rounds hardly depend on each
other, so a class is drawn from these rounds. If all its children draw from the same rounds, they
are equally able: their cards, tables and numbers of rounds differ only by luck, and every "more"
and "fewer" about one of them is false.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from random import Random
from typing import Final

from classrooms.demo.model_children import ModelChild
from games.coach.chances import UNCOUNTED_OUTCOMES, chances
from games.coach.rating import Rating
from games.coach.rows import NO_TABLE
from games.coach.statements.certainty import (
    FALSE_CHANGES,
    FALSE_COMPARISONS,
    STUCK_BELOW,
    which_are_stuck,
)
from games.coach.statements.contrasts import (
    Share,
    Stratum,
    contrast,
    hard_kinds,
    strata_among_children,
    strata_over_time,
    which_stand_out,
)
from games.coach.times_tables import TABLES_TO_10
from games.engine.ruleset import edition
from scripts.lab.mastery_evaluation import one_round

CHILDREN: Final = 24
WEAK_CHILDREN: Final = 3
"""The number of weak children in a class with some."""
ROUNDS_OF_A_CAREER: Final = 12
"""The rounds that a model child plays in succession, while their rating and companion change."""
SETS_OF_TABLES: Final[Sequence[Sequence[int]]] = (
    (2, 5, 10),
    (3, 4, 6),
    (6, 7, 8, 9),
    tuple(TABLES_TO_10),
)
"""The tables of each bank of rounds."""
WITHOUT_HELP: Final = ("at once", "later")


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """The counts of a round: turns, and the chances of each table with those found without help."""

    turns: int
    tables: Mapping[int, Share]

    @property
    def chances(self) -> int:
        return sum(part.total for part in self.tables.values())


Rounds = Sequence[RoundCounts]


def rounds_of(child: ModelChild, tables: Collection[int], random: Random) -> list[RoundCounts]:
    """The career of a model child who begins with the rating of a new child."""
    ruleset = edition("simplified", tables=tuple(tables), offers=False, rounds=1)
    rating = Rating()
    rounds = []
    for _ in range(ROUNDS_OF_A_CAREER):
        log, rating = one_round(child, ruleset, rating, random)
        parts: dict[int, Share] = {}
        for chance in chances(log, 0):
            if chance.outcome not in UNCOUNTED_OUTCOMES:
                before = parts.get(chance.table, Share(0, 0))
                count = before.found + (chance.outcome in WITHOUT_HELP)
                parts[chance.table] = Share(count, before.total + 1)
        rounds.append(RoundCounts(log[-1].after.turns[0], parts))
    return rounds


def simulated_rounds(
    child: ModelChild, tables: Collection[int], careers: int, random: Random
) -> list[RoundCounts]:
    """The rounds of this many model children of one strength."""
    return [one for _ in range(careers) for one in rounds_of(child, tables, random)]


def equal_children(bank: Rounds, most: int, random: Random) -> list[Rounds]:
    """A class of equally able children, each with half to all of `most` rounds."""
    return [random.choices(bank, k=random.randint(most // 2, most)) for _ in range(CHILDREN)]


def class_with_weak_children(
    weak: Rounds, others: Rounds, rounds: int, random: Random
) -> list[Rounds]:
    """A class with some weak children, who come first."""
    return [
        random.choices(weak if place < WEAK_CHILDREN else others, k=rounds)
        for place in range(CHILDREN)
    ]


@dataclass(frozen=True, slots=True)
class ClassStatements:
    """The statements of the pages about a class. About each child: who finds more or fewer rows
    than before, who finds fewer than the others, and the tables at which they are stuck. About the
    class: the tables at which all find fewer."""

    changed: Sequence[bool]
    fewer: Sequence[bool]
    tables: Collection[int]
    stuck: Sequence[Collection[int]]

    def is_false_of_equals(self, true: Mapping[int, float]) -> bool:
        """Whether any statement about equally able children who learn nothing is false. `true` has
        the share of each table that they really find."""
        stuck = {table for tables in self.stuck for table in tables}
        false_stuck = any(true[table] >= STUCK_BELOW for table in stuck)
        false_tables = any(true[table] >= max(true.values()) for table in self.tables)
        return false_stuck or false_tables or any(self.changed) or any(self.fewer)


def statements_about(children: Sequence[Rounds]) -> ClassStatements:
    """The statements that the functions of the pages make. A change is one from the first half of
    the rounds to the second."""
    counts = [_by_table(child) for child in children]
    changes = [
        strata_over_time(_by_table(child[: len(child) // 2]), _by_table(child[len(child) // 2 :]))
        for child in children
    ]
    return ClassStatements(
        _who_stands_out(changes, FALSE_CHANGES, with_more=True),
        _who_stands_out(strata_among_children(counts), FALSE_COMPARISONS, with_more=False),
        set(hard_kinds(list(enumerate(counts)))) - {NO_TABLE},
        _stuck(children),
    )


def _who_stands_out(
    children: Sequence[Mapping[int, Stratum]], false_share: float, *, with_more: bool
) -> list[bool]:
    contrasts = which_stand_out([contrast(strata.values()) for strata in children], false_share)
    return [one is not None and (with_more or one.difference < 0) for one in contrasts]


def _stuck(children: Sequence[Rounds]) -> list[list[int]]:
    cells = [
        (place, table, part)
        for place, child in enumerate(children)
        for table, part in _by_table(child).items()
        if table != NO_TABLE
    ]
    stuck_at: list[list[int]] = [[] for _ in children]
    certain = which_are_stuck([part for _place, _table, part in cells])
    for (place, table, _part), is_certain in zip(cells, certain, strict=True):
        if is_certain:
            stuck_at[place].append(table)
    return stuck_at


def shares_found(rounds: Rounds) -> Mapping[int, float]:
    """The share of all chances that was found, by table."""
    return {table: part.found / part.total for table, part in _by_table(rounds).items()}


def spread_of_finds(rounds: Rounds) -> float:
    """The variance of a round's finds, divided by that of independent chances."""
    return _spread([one.tables for one in rounds], shares_found(rounds))


def spread_in_a_table(rounds: Rounds) -> float:
    """The variance of a round's finds of one table, divided by that of independent chances."""
    parts = [{table: part} for one in rounds for table, part in one.tables.items()]
    return _spread(parts, shares_found(rounds))


def _spread(parts_of_children: Iterable[Mapping[int, Share]], shares: Mapping[int, float]) -> float:
    squares = variance = 0.0
    for tables in parts_of_children:
        total = 0.0
        for table, (finds, of) in tables.items():
            total += finds - of * shares[table]
            variance += of * shares[table] * (1 - shares[table])
        squares += total**2
    return squares / variance if variance else nan


def _by_table(rounds: Rounds) -> Mapping[int, Share]:
    return _sums(item for one in rounds for item in one.tables.items())


def _sums(parts: Iterable[tuple[int, Share]]) -> dict[int, Share]:
    sums: dict[int, Share] = defaultdict(lambda: Share(0, 0))
    for kind, part in parts:
        before = sums[kind]
        sums[kind] = Share(before.found + part.found, before.total + part.total)
    return sums
