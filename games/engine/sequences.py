"""The valid number sequences (rules 2), as progressions and bit masks.

A **progression** is a list of numbers in order, such as 4 8 12 … 48 for the 4 times table or
1 4 9 … 49 for the squares. A row is valid if it is three or more neighbours of one progression. The
chosen tables, the numbers that rows must count back to, and the agreed families only decide which
progressions there are. Bit `n` of a mask stands for the number `n`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import gcd
from typing import Final, Literal, NamedTuple, get_args

from games.engine.cards import cards_in, mask_of

Family = Literal["squares", "primes", "triangular"]
FAMILIES: Final[tuple[Family, ...]] = get_args(Family)
SHORTEST: Final = 3

Progression = tuple[int, ...]


class ProgressionPlace(NamedTuple):
    """The place of some numbers in a progression: the lowest is at index `first`, the highest at
    index `last`."""

    progression: int  # the index of the progression
    first: int
    last: int
    between: int  # the mask of the other numbers between them
    beside: int  # the mask of the one or two numbers next to them


def jump_of(numbers: Sequence[int]) -> int | None:
    """The difference between neighbours if it is always the same, otherwise None (2.1). The numbers
    go from low to high."""
    jumps = {after - before for before, after in pairwise(numbers)}
    if len(numbers) < SHORTEST or len(jumps) != 1 or 0 in jumps:
        return None
    return jumps.pop()


@cache
def family_numbers(family: Family, highest: int) -> Progression:
    """The numbers of a family up to `highest`, in order (2.4)."""
    numbers = range(1, highest + 1)
    if family == "squares":
        return tuple(n * n for n in numbers if n * n <= highest)
    if family == "triangular":
        return tuple(n * (n + 1) // 2 for n in numbers if n * (n + 1) // 2 <= highest)
    return tuple(n for n in numbers if n > 1 and all(n % d for d in range(2, int(n**0.5) + 1)))


class Sequences:
    """The valid sequences. Rulesets with the same options share one object (`sequences_of`)."""

    def __init__(
        self,
        highest: int,
        counts_back_to: tuple[int, ...] | None,
        tables: tuple[int, ...] | None,
        families: tuple[Family, ...],
    ) -> None:
        self.highest = highest
        self.families = families
        regular = tuple(_regular_progressions(highest, counts_back_to, tables))
        runs = (family_numbers(family, highest) for family in families)
        family_runs = tuple(run for run in runs if len(run) >= SHORTEST)
        self.progressions = (*regular, *family_runs)
        self._regular_at = {
            (run[1] - run[0], run[0] % (run[1] - run[0])): i for i, run in enumerate(regular)
        }
        self._family_at = tuple(range(len(regular), len(self.progressions)))
        regular_rows = frozenset(row for run in regular for row in _windows(run))
        family_rows = frozenset(row for run in family_runs for row in _windows(run))
        self.rows = regular_rows | family_rows
        """The masks of all valid rows."""
        self._family_rows = tuple(
            row for row in family_rows - regular_rows if row.bit_count() > SHORTEST
        )
        self._longer_starts: dict[int, int] = {}
        for run in regular:
            if starts := mask_of(run[:-SHORTEST]):
                jump = run[1] - run[0]
                self._longer_starts[jump] = self._longer_starts.get(jump, 0) | starts
        self.third_masks = [[0] * (highest + 1) for _ in range(highest + 1)]
        """`third_masks[a][b]` is the mask of the numbers that make a valid row of three with a and
        b."""
        self.threes: dict[int, tuple[ProgressionPlace, ...]] = {}
        """The places of each valid row of three, by its mask."""
        for index in range(len(self.progressions)):
            self._add_threes(index)
        self.thirds = [[tuple(cards_in(mask)) for mask in masks] for masks in self.third_masks]
        """`thirds[a][b]` are the numbers of `third_masks[a][b]`, one by one."""
        self.numbers_mask = mask_of(number for run in self.progressions for number in run)
        """The mask of the numbers in any row."""
        self._places: dict[int, tuple[ProgressionPlace, ...]] = {}
        self._pairs: dict[int, tuple[tuple[int, int], ...]] = {}

    def _add_threes(self, index: int) -> None:
        progression = self.progressions[index]
        for first in range(len(progression) - SHORTEST + 1):
            a, b, c = progression[first : first + SHORTEST]
            for number, other, third in ((a, b, c), (a, c, b), (b, c, a)):
                self.third_masks[number][other] |= 1 << third
                self.third_masks[other][number] |= 1 << third
            three = mask_of((a, b, c))
            place = self._place(index, first, first + SHORTEST - 1, three)
            self.threes[three] = (*self.threes.get(three, ()), place)

    def is_valid(self, numbers: Sequence[int]) -> bool:
        """Whether these numbers make one valid line (2.1–2.6)."""
        return len(set(numbers)) == len(numbers) and mask_of(numbers) in self.rows

    def families_of(self, numbers: Sequence[int]) -> list[Family]:
        """The agreed families in which the numbers are a valid row, alphabetically."""
        run = tuple(numbers)
        return sorted(
            family
            for family in self.families
            if len(run) >= SHORTEST and _is_run(run, family_numbers(family, max(run)))
        )

    def places(self, row: int) -> tuple[ProgressionPlace, ...]:
        """All places of a row's numbers in progressions. 10-20-30 lies in the one with jumps of 10
        and, with numbers between, in those with jumps of 5, 2 and 1."""
        places = self._places.get(row)
        if places is None:
            places = self._places[row] = tuple(self._find_places(row))
        return places

    def _find_places(self, row: int) -> Iterator[ProgressionPlace]:
        numbers = cards_in(row)
        common = gcd(*(after - before for before, after in pairwise(numbers)))
        jumps = [jump for jump in range(1, common + 1) if common % jump == 0]
        indices = [self._regular_at.get((jump, numbers[0] % jump)) for jump in jumps]
        for index in (*indices, *self._family_at):
            if index is not None and not row & ~mask_of(self.progressions[index]):
                progression = self.progressions[index]
                first, last = progression.index(numbers[0]), progression.index(numbers[-1])
                yield self._place(index, first, last, row)

    def _place(self, index: int, first: int, last: int, row: int) -> ProgressionPlace:
        numbers = self.progressions[index]
        beside = (*numbers[max(first - 1, 0) : first], *numbers[last + 1 : last + 2])
        between = mask_of(numbers[first : last + 1]) & ~row
        return ProgressionPlace(index, first, last, between, mask_of(beside))

    def pairs_with(self, number: int) -> tuple[tuple[int, int], ...]:
        """The pairs of numbers that make a valid row of three with this number."""
        pairs = self._pairs.get(number)
        if pairs is None:
            rows = [row ^ 1 << number for row in self.threes if row >> number & 1]
            pairs = tuple([((row & -row).bit_length() - 1, row.bit_length() - 1) for row in rows])
            self._pairs[number] = pairs
        return pairs

    def longer_rows(self, available: int, jokers: int) -> Iterator[tuple[int, int]]:
        """The valid rows of four or more numbers of which at most `jokers` (1 to 4) are not in the
        mask `available`, each as two masks: the row, and the numbers that are not available. One
        bit operation first sifts all starts by the first four numbers of their rows."""
        for jump, starts in self._longer_starts.items():
            a, b = available, available >> jump
            c, d = available >> 2 * jump, available >> 3 * jump
            if jokers == 1:
                starts &= (a & b & (c | d)) | (c & d & (a | b))
            elif jokers == 2:
                starts &= (a & b) | (c & d) | ((a | b) & (c | d))
            elif jokers == 3:
                starts &= a | b | c | d
            while starts:
                start = starts.bit_length() - 1
                starts ^= 1 << start
                last = start + SHORTEST * jump
                row = 1 << start | 1 << start + jump | 1 << last - jump | 1 << last
                lacking = row & ~available
                while lacking.bit_count() <= jokers:
                    yield row, lacking
                    last += jump
                    if last > self.highest:
                        break
                    row |= 1 << last
                    lacking = row & ~available
        for row in self._family_rows:
            lacking = row & ~available
            if lacking.bit_count() <= jokers:
                yield row, lacking


def _regular_progressions(
    highest: int, counts_back_to: tuple[int, ...] | None, tables: tuple[int, ...] | None
) -> Iterator[Progression]:
    """The progressions with equal jumps (2.1) in the chosen tables (2.6) that count back to these
    numbers (2.3)."""
    for jump in range(1, (highest - 1) // (SHORTEST - 1) + 1):
        if tables is not None and jump not in tables:
            continue
        back = range(jump) if counts_back_to is None else counts_back_to
        offsets = {target % jump for target in back}
        if tables is not None:
            offsets &= {0}
        for offset in sorted(offsets):
            numbers = tuple(range(offset or jump, highest + 1, jump))
            if len(numbers) >= SHORTEST:
                yield numbers


def _windows(progression: Progression) -> Iterator[int]:
    """The masks of all valid rows in a progression."""
    for first in range(len(progression) - SHORTEST + 1):
        mask = mask_of(progression[first : first + SHORTEST - 1])
        for number in progression[first + SHORTEST - 1 :]:
            mask |= 1 << number
            yield mask


def _is_run(run: Progression, numbers: Progression) -> bool:
    if run[0] not in numbers:
        return False
    start = numbers.index(run[0])
    return numbers[start : start + len(run)] == run


@cache
def sequences_of(
    highest: int,
    counts_back_to: tuple[int, ...] | None,
    tables: tuple[int, ...] | None,
    families: tuple[Family, ...],
) -> Sequences:
    """The valid sequences under these options of a ruleset, computed once."""
    return Sequences(highest, counts_back_to, tables, families)
