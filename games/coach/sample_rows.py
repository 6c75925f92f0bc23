"""Sample rows that a ruleset allows or refuses, which show what its rules mean."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Literal

from games.coach.times_tables import RowTable, row_table_of
from games.engine.ruleset import Ruleset
from games.engine.sequences import FAMILIES, SHORTEST, Family, family_numbers

Fault = Literal["unequal", "other jump", "beside table", "counts back", "too short"]

MOST_ALLOWED: Final = 3
MOST_REFUSED: Final = 3
_JUMPS: Final = (4, 10, 5, 3, 7, 2, 6, 8, 9, 11, 12, 1)
"""The jumps of samples, the most telling ones first."""
_OFFSETS: Final = ((5, 1), (6, 2), (4, 1), (10, 1), (7, 3), (3, 1), (10, 3), (2, 1))
"""The (jump, offset) of rows beside a table. The numbers of 11-16-21 are one more than those of the
5 times table, and 14-20-26 counts back to 2."""
_ROW_OF_SUM: Final = (13, 17, 30)
_MEMBERS_SKIPPED: Final = 2
"""How many members of a family its sample skips, so that the jumps differ: 9-16-25, 5-7-11."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """Some numbers, from low to high, and whether a ruleset allows them as a row."""

    numbers: tuple[int, ...]
    fault: Fault | None  # why they are no row; None if they are one
    families: tuple[Family, ...]  # the agreed families in which they are a row
    row: RowTable


def samples(ruleset: Ruleset) -> tuple[list[SampleRow], list[SampleRow]]:
    """Up to `MOST_ALLOWED` rows that the ruleset allows (one more for each family beyond the
    second), and up to `MOST_REFUSED` rows that it refuses, for different reasons if possible.

    >>> from games.engine.ruleset import edition
    >>> allowed, refused = samples(edition("simplified", tables=(4, 5)))
    >>> [sample.numbers for sample in allowed], refused[0].numbers, refused[0].fault
    ([(12, 16, 20), (15, 20, 25), (4, 8, 12)], (11, 16, 21), 'beside table')
    """
    rows_beside_tables = [
        tuple(times * jump + offset for times in (2, 3, 4)) for jump, offset in _OFFSETS
    ]
    kinds = [
        [sample(numbers, ruleset) for numbers in kind if numbers[-1] <= ruleset.highest]
        for kind in (_rows_in_tables(ruleset), rows_beside_tables, _rows_with_unequal_jumps())
    ]
    return _allowed_rows(kinds), _refused_rows(kinds)


def sample(numbers: Sequence[int], ruleset: Ruleset) -> SampleRow:
    """The sample of these numbers, which go from low to high."""
    row = row_table_of(numbers)
    if ruleset.sequences.is_valid(numbers):
        families = tuple(ruleset.sequences.families_of(numbers))
        return SampleRow(tuple(numbers), None, families, row)
    return SampleRow(tuple(numbers), _fault(row, ruleset), (), row)


def _fault(row: RowTable, ruleset: Ruleset) -> Fault:
    if len(row.numbers) < SHORTEST:
        return "too short"
    if row.jump is None:
        return "unequal"
    if ruleset.tables is not None and row.jump not in ruleset.tables:
        return "other jump"
    return "counts back" if ruleset.tables is None else "beside table"


def _allowed_rows(kinds: Sequence[Sequence[SampleRow]]) -> list[SampleRow]:
    """Rows that the ruleset allows: some with equal jumps, of different kinds if possible, and one
    of each agreed family."""
    by_family: dict[Family, SampleRow] = {}
    for sample in kinds[-1]:
        for family in sample.families:
            by_family.setdefault(family, sample)
    equal = [[sample for sample in kind if sample.fault is None] for kind in kinds[:-1]]
    mixed = list(
        dict.fromkeys(sample for samples in zip_longest(*equal) for sample in samples if sample)
    )
    room = max(MOST_ALLOWED - len(by_family), 1)
    return [*mixed[:room], *by_family.values()]


def _refused_rows(kinds: Sequence[Sequence[SampleRow]]) -> list[SampleRow]:
    """Rows that the ruleset refuses: one for each reason, then more. The reasons that show most of
    the ruleset come first."""
    in_tables, near_tables, unequal = kinds
    near = [sample for sample in near_tables if sample.fault != "other jump"]
    refused = [sample for sample in (*near, *in_tables, *near_tables, *unequal) if sample.fault]
    first = {sample.fault: sample for sample in reversed(refused)}
    samples = sorted(first.values(), key=refused.index)
    samples += [sample for sample in refused if sample not in samples and sample.fault == "unequal"]
    return samples[:MOST_REFUSED]


def _rows_in_tables(ruleset: Ruleset) -> Iterator[tuple[int, ...]]:
    """Rows of times tables. Each has the third to fifth fact of its table if the deck goes that
    far. The chosen tables come first, then one with twice the jump of the last chosen table, then
    the other tables, and at the end two rows from the start of the first table."""
    jumps = list(_JUMPS)
    if ruleset.tables is not None:
        tables = ruleset.tables
        spread = dict.fromkeys((tables[0], tables[len(tables) // 2], tables[-1], *tables))
        jumps = [*spread, *(jump for jump in _JUMPS if jump not in tables)]
        if 2 * tables[-1] not in tables:
            jumps.insert(len(spread), 2 * tables[-1])
    for jump in jumps:
        first = next((n for n in (3, 2) if (n + SHORTEST - 1) * jump <= ruleset.highest), 1)
        yield tuple(times * jump for times in range(first, first + SHORTEST))
    for length in (SHORTEST, SHORTEST + 1):
        yield tuple(times * jumps[0] for times in range(1, length + 1))


def _rows_with_unequal_jumps() -> Iterator[tuple[int, ...]]:
    """Rows with unequal jumps: a sum, a row of each family, and two cards, one too few for a
    row."""
    yield _ROW_OF_SUM
    for family in FAMILIES:
        first = _MEMBERS_SKIPPED
        yield family_numbers(family, _ROW_OF_SUM[-1])[first : first + SHORTEST]
    yield (12, 16)
