"""Columns → pupils: who on a list is one, and is there today. Titles, totals, teachers, accounts of
tests and those who have left are passed over, and said to be."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, Final, Literal

from classrooms.child_names import plain_name, same, tidy
from classrooms.roster.importing.cells import (
    LEFT,
    NAMED,
    NO,
    NO_PUPIL,
    TEACHERS,
    TEST,
    bare,
    in_two,
    is_class,
    meaning,
    without_date,
)
from classrooms.roster.importing.columns import Columns, columns_of
from classrooms.roster.importing.grid import MOST_PUPILS, NOT_COMPUTED, Grid, Row, Unreadable

Reason = Literal["no pupil", "left", "teacher"]
_DAY: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[./-](\d{1,2})[./-](\d{4})")
_NUMBERED: Final = re.compile(r"\d{4}|[:=]|\d{1,2}[./-]\d{1,2}")
"""What a title or a footer has, and no name: a year, a day, a colon."""
_FIGURE: Final = re.compile(r"[\d:]")


@dataclass(frozen=True, slots=True)
class Pupil:
    """The name on a line; `family` where known."""

    line: int
    name: str
    family: str = ""
    group: str = ""
    aside: str = ""  # a date or number that stood beside it

    @property
    def whole_name(self) -> str:
        return f"{self.name} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row that is passed over: its text, and why."""

    text: str
    reason: Reason


def pupils_of(
    rows: Sequence[Row], columns: Columns, today: date
) -> tuple[list[Pupil], list[SkippedRow]]:
    """The pupils of the rows, and the rows that are passed over."""
    pupils: list[Pupil] = []
    passed = [SkippedRow(_words(row), "no pupil") for row in rows[: max(columns.head - 1, 0)]]
    heading = rows[columns.head - 1].cells if columns.head else ()
    for row in rows[columns.head :]:
        reason = _reason(row, columns, heading, today)
        if reason is None:
            pupils.append(_pupil(row, columns))
        elif reason:
            passed.append(SkippedRow(_words(row), reason))
    return pupils, passed


def _words(row: Row) -> str:
    return " ".join(cell for cell in row.cells if cell)[:80]


def _pupil(row: Row, columns: Columns) -> Pupil:
    cell, aside = without_date(row.cell(columns.name) or row.cell(columns.instead))
    name, last = in_two(bare(cell))
    family = row.cell(columns.family) or last
    return Pupil(row.line, tidy(name), tidy(family), tidy(row.cell(columns.group)), aside)


def _reason(
    row: Row, columns: Columns, heading: tuple[str, ...], today: date
) -> Reason | Literal[""] | None:
    """Why this row is passed over; "" without a word, None if it is not."""
    name = row.cell(columns.name) or row.cell(columns.instead)
    family = row.cell(columns.family)
    if row.cells == heading or (not (name or family) and not _is_in_a_class(row, columns)):
        return ""
    if _has_left(row, columns, today):
        return "left"
    if plain_name(row.cell(columns.role)) in TEACHERS:
        return "teacher"
    if _is_a_test(name, family):
        return "no pupil"
    count = sum(bool(cell) for cell in row.cells)
    if not family and count < max(len(row.cells), 2) and _is_a_title(name, count == 1):
        return "no pupil"
    return None


def _is_in_a_class(row: Row, columns: Columns) -> bool:
    """Whether the row means somebody without a name: it has the class, and little else."""
    return bool(row.cell(columns.group)) or (columns.family is None and columns.group is None)


def _is_a_title(cell: str, is_only: bool) -> bool:
    """Whether this is a title, a sum or a footer; `is_only`: nothing else is in its row."""
    text, _aside = without_date(cell)
    words = tuple(filter(None, map(plain_name, text.split())))
    begins = [words[:n] for n in range(1, len(words) + 1) if words[:n] in NO_PUPIL]
    if begins:
        is_whole = begins[-1] == words or len(begins[-1]) > 1
        return is_whole or text != cell.strip() or bool(_FIGURE.search(text))
    return is_only and (is_class(text) or (len(words) > 1 and bool(_NUMBERED.search(text))))


def _is_a_test(name: str, family: str) -> bool:
    """Whether all words say that it is a pupil of a test: "Student, Test"."""
    words = [plain_name(word) for word in re.split(r"[\s,]+", f"{name} {family}") if word]
    tests = [word.rstrip("0123456789") in TEST for word in words]
    others = [
        test or meaning(word)[1] in NAMED or word.isdigit()
        for word, test in zip(words, tests, strict=True)
    ]
    return len(words) > 1 and any(tests) and all(others)


def _has_left(row: Row, columns: Columns, today: date) -> bool:
    begin, end = _day(row.cell(columns.begin)), _day(row.cell(columns.end))
    return (
        plain_name(row.cell(columns.status)) in LEFT
        or plain_name(row.cell(columns.enabled)) in NO
        or bool(begin and begin > today)
        or bool(end and end < today)
    )


def _day(cell: str) -> date | None:
    """A day as lists write it, with the month before the day only where it cannot be otherwise."""
    found = _DAY.match(cell)
    if not found:
        return None
    year, month, day = (int(each or 0) for each in found.groups()[:3])
    if not year:
        day, month, year = (int(each) for each in found.groups()[3:])
        if month > 12:
            day, month = month, day
    try:
        return date(year, month, day)
    except ValueError:
        return None


def is_current(status: str, begin: str, end: str, today: date) -> bool:
    """Whether a record of a bundle is of today."""
    row = Row(0, (status, begin, end))
    return not _has_left(row, Columns(None, status=0, begin=1, end=2), today)


def letters_for(
    twins: Sequence[Pupil], is_new: Sequence[bool], taken: Collection[str]
) -> list[str]:
    """The names of pupils of one name with as few letters of their family names as tell them apart;
    none if that cannot be done. `taken`: names, as `same` has them, that nobody new can have."""
    families = [without_particle(pupil.family) for pupil in twins]
    for letters in range(1, max(map(len, families)) + 1):
        names = [
            f"{pupil.name} {family[:letters].strip()}" + ("." if letters < len(family) else "")
            for pupil, family in zip(twins, families, strict=True)
        ]
        keys = list(map(same, names))
        added = [
            (key, family) for key, family, new in zip(keys, families, is_new, strict=True) if new
        ]
        if all(family and keys.count(key) == 1 and key not in taken for key, family in added):
            return names
    return []


def without_particle(family: str) -> str:
    """The family name from its first capital on: Velde distinguishes "van der Velde"."""
    words = family.split()
    while len(words) > 1 and words[0].islower():
        del words[0]
    return " ".join(words)


# A list as it travels in a page between its steps.


@dataclass(frozen=True)
class NameSheet:
    """The rows of a list, and which column holds what. `today`: the day on which it was read."""

    grid: Grid
    columns: Columns
    today: date

    @cached_property
    def read(self) -> tuple[list[Pupil], list[SkippedRow]]:
        return pupils_of(self.grid.rows, self.columns, self.today)

    @property
    def pupils(self) -> list[Pupil]:
        return self.read[0]

    @property
    def passed(self) -> list[SkippedRow]:
        return self.read[1]

    @property
    def labels(self) -> list[str]:
        """A label for each column: its heading, or its first cell."""
        rows = self.grid.rows
        width = max((len(row.cells) for row in rows), default=0)
        first = rows[max(self.columns.head - 1, 0)] if rows else Row(0, ())
        return [first.cell(column) or f"{column + 1}" for column in range(width)]

    @property
    def first_rows(self) -> Sequence[Row]:
        return self.grid.rows[:6]

    def groups(self) -> list[tuple[str, int]]:
        """The classes, each with its number of pupils; 4A and 4a are one. Home groups come first,
        and at the end who has no class."""
        names: dict[str, str] = {}
        for pupil in self.pupils:
            names.setdefault(same(pupil.group), pupil.group)
        counts = Counter(same(pupil.group) for pupil in self.pupils)
        homes = self.homes
        ordered = sorted(counts, key=lambda key: (not key, bool(homes) and key not in homes, key))
        return [(names[key], counts[key]) for key in ordered]

    @property
    def homes(self) -> set[str]:
        """The home groups, where the list says which are, as `same` has them."""
        columns = self.columns
        if columns.home is None:
            return set()
        return {same(r.cell(columns.group)) for r in self.grid.rows if r.cell(columns.home)}

    def pupils_in(self, group: str | None) -> list[Pupil]:
        """The pupils of a class, or all."""
        return [p for p in self.pupils if group is None or same(p.group) == same(group)]

    def with_columns(self, chosen: Mapping[str, int | None], *, headed: bool) -> "NameSheet":
        """The sheet with the columns for name, family and group that somebody chose, and perhaps a
        heading in the first row."""
        before = self.columns
        head = (before.head or 1) if headed else 0
        instead = before.instead if chosen["name"] == before.name else None
        columns = replace(before, **chosen, head=head, sure=True, instead=instead)
        return NameSheet(self.grid, columns, self.today)

    def in_encoding(self, encoding: str) -> "NameSheet":
        """The sheet as it is in another of its likely encodings."""
        grid = self.grid
        if encoding not in grid.rivals:
            return self
        rows = tuple(
            Row(row.line, tuple(_otherwise(c, grid.source, encoding) for c in row.cells))
            for row in grid.rows
        )
        others = (grid.source, *(each for each in grid.rivals if each != encoding))
        return sheet_of(replace(grid, rows=rows, source=encoding, rivals=others), self.today)

    @property
    def readings(self) -> list[tuple[str, str]]:
        """Each likely encoding where the letters are doubtful, the present one first, and the first
        cells that it reads otherwise than the others."""
        grid = self.grid
        if not grid.rivals:
            return []
        cells = list(dict.fromkeys(c for r in grid.rows for c in r.cells if not c.isascii()))[:4]
        return [
            (encoding, ", ".join(_otherwise(cell, grid.source, encoding) for cell in cells))
            for encoding in (grid.source, *grid.rivals)
        ]

    def as_data(self) -> dict[str, Any]:
        """The sheet as JSON can hold it."""
        grid, columns = self.grid, self.columns
        return {
            "rows": [[row.line, *row.cells] for row in grid.rows],
            "read": [grid.source, grid.rivals, grid.mixed, grid.hidden, grid.left],
            "columns": [getattr(columns, name) for name in columns.__slots__],
            "today": self.today.isoformat(),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "NameSheet":
        rows = tuple(Row(line, tuple(cells)) for line, *cells in data["rows"])
        day = date.fromisoformat(data["today"])
        source, rivals, *more = data["read"]
        return cls(Grid(rows, source, tuple(rivals), *more), Columns(*data["columns"]), day)


def _otherwise(cell: str, encoding: str, other: str) -> str:
    try:
        return cell.encode(encoding).decode(other)
    except UnicodeError:
        return cell


def sheet_of(grid: Grid, today: date, columns: Columns | None = None) -> NameSheet:
    """The sheet of this grid, with its likely columns. Raises `Unreadable` if nobody is on it."""
    if columns is None:
        grid, columns = columns_of(grid)
    sheet = NameSheet(grid, columns, today)
    if not sheet.pupils:
        has_left = any(passed.reason == "left" for passed in sheet.passed)
        raise Unreadable("nobody left" if has_left else "empty")
    if len(sheet.pupils) > MOST_PUPILS:
        raise Unreadable("too many")
    used = [columns.name, columns.family, columns.group]
    for row in grid.rows:
        if any(row.cell(column) == NOT_COMPUTED for column in used):
            raise Unreadable("not computed", row.line)
    return sheet
