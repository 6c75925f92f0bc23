"""Which number sequences are valid, as bit masks (rules 2).

Bit `n` of a mask stands for the number `n`. With the numbers at hand as one mask, all rows of
three with step d are found at once: `at_hand & at_hand >> d & at_hand >> 2 * d`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from .cards import mask_of
from .ruleset import Family, Ruleset

SHORTEST: Final = 3


def step_of(numbers: Sequence[int]) -> int | None:
    """The one difference between neighbours, or None (2.1). `numbers` from low to high."""
    steps = {after - before for before, after in pairwise(numbers)}
    if len(numbers) < SHORTEST or len(steps) != 1 or 0 in steps:
        return None
    return steps.pop()


@cache
def members(family: Family, highest: int) -> tuple[int, ...]:
    """The numbers of a family up to `highest`, in order (2.4)."""
    numbers = range(1, highest + 1)
    if family == "squares":
        return tuple(n * n for n in numbers if n * n <= highest)
    if family == "triangular":
        return tuple(n * (n + 1) // 2 for n in numbers if n * (n + 1) // 2 <= highest)
    return tuple(n for n in numbers if n > 1 and all(n % d for d in range(2, int(n**0.5) + 1)))


class Sequences:
    """The valid sequences of one ruleset. Made by `sequences_of`, which caches them."""

    __slots__ = ("_families", "_family_runs", "_run_masks", "_steps", "highest")

    def __init__(self, ruleset: Ruleset) -> None:
        self.highest = ruleset.highest
        self._families = ruleset.families
        self._steps = self._steps_and_starts(ruleset)
        runs = (
            (numbers[start:end], mask_of(numbers[start:end]))
            for family in self._families
            for numbers in (members(family, self.highest),)
            for start in range(len(numbers))
            for end in range(start + SHORTEST, len(numbers) + 1)
        )
        by_mask = {mask: run for run, mask in runs}
        self._run_masks = frozenset(by_mask)
        self._family_runs = tuple(
            (run, mask) for mask, run in by_mask.items() if not self.is_even_row(run)
        )

    @staticmethod
    def _steps_and_starts(ruleset: Ruleset) -> tuple[tuple[int, int], ...]:
        """Each step that a row may have, with the mask of the numbers it may start at."""
        found = []
        for step in range(1, (ruleset.highest - 1) // (SHORTEST - 1) + 1):
            if ruleset.tables is not None and step not in ruleset.tables:
                continue
            back = ruleset.counts_back_to
            offsets = set(range(step) if back is None else (target % step for target in back))
            if ruleset.tables is not None:
                offsets &= {0}
            last_start = ruleset.highest - (SHORTEST - 1) * step
            starts = [start for start in range(1, last_start + 1) if start % step in offsets]
            if starts:
                found.append((step, mask_of(starts)))
        return tuple(found)

    def is_even_row(self, numbers: Sequence[int]) -> bool:
        """Whether the numbers fit 2.1, with 2.3 and 2.6 where agreed. From low to high."""
        step = step_of(numbers)
        if step is None:
            return False
        starts = dict(self._steps).get(step, 0)
        return bool(starts >> numbers[0] & 1) and numbers[-1] <= self.highest

    def is_valid(self, numbers: Sequence[int]) -> bool:
        """Whether the numbers, from low to high, make a valid line as a whole (2.4)."""
        return self.is_even_row(numbers) or (
            len(set(numbers)) == len(numbers) and mask_of(numbers) in self._run_masks
        )

    def families_of(self, numbers: Sequence[int]) -> list[Family]:
        """The agreed families that the numbers fit, alphabetically."""
        run = tuple(numbers)
        return sorted(
            family
            for family in self._families
            if len(run) >= SHORTEST and _is_run(run, members(family, max(run)))
        )

    def within(self, at_hand: int, wild: int) -> Iterator[tuple[Sequence[int], int]]:
        """All valid sequences that lack at most `wild` numbers of those `at_hand`, as
        (numbers, mask); each once."""
        for step, starts in self._steps:
            yield from self._rows_of_step(step, starts, at_hand, wild)
        for run, mask in self._family_runs:
            if (mask & ~at_hand).bit_count() <= wild:
                yield run, mask

    def _rows_of_step(
        self, step: int, starts: int, at_hand: int, wild: int
    ) -> Iterator[tuple[Sequence[int], int]]:
        first, second, third = at_hand, at_hand >> step, at_hand >> 2 * step
        if wild == 0:
            starts &= first & second & third
        elif wild == 1:
            starts &= (first & second) | (first & third) | (second & third)
        elif wild == 2:
            starts &= first | second | third
        while starts:
            lowest = starts & -starts
            starts ^= lowest
            start = lowest.bit_length() - 1
            last = start + 2 * step
            mask = lowest | lowest << step | lowest << 2 * step
            lacking = (mask & ~at_hand).bit_count()
            while lacking <= wild and last <= self.highest:
                yield range(start, last + 1, step), mask
                last += step
                mask |= 1 << last
                lacking += not at_hand >> last & 1


def _is_run(run: tuple[int, ...], numbers: tuple[int, ...]) -> bool:
    if run[0] not in numbers:
        return False
    start = numbers.index(run[0])
    return numbers[start : start + len(run)] == run


@cache
def _cached(
    highest: int,
    counts_back_to: tuple[int, ...] | None,
    tables: tuple[int, ...] | None,
    families: tuple[Family, ...],
) -> Sequences:
    return Sequences(
        Ruleset(
            "sequences",
            highest=highest,
            most_players=2,
            hand=0,
            hand_of_two=0,
            counts_back_to=counts_back_to,
            tables=tables,
            families=families,
        )
    )


def sequences_of(ruleset: Ruleset) -> Sequences:
    """The valid sequences of a ruleset, computed once for all that agree on them."""
    return _cached(ruleset.highest, ruleset.counts_back_to, ruleset.tables, ruleset.families)
