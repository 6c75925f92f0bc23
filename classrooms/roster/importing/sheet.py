"""A list of names as it travels in a page between its steps."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from classrooms.child_names import same
from classrooms.roster.importing.columns import Columns, columns_of
from classrooms.roster.importing.grid import NOT_COMPUTED, Grid, Row
from classrooms.roster.importing.import_errors import MOST_PUPILS, Unreadable
from classrooms.roster.importing.pupils import Passed, Pupil, pupils_of, with_distinct_names


@dataclass(frozen=True)
class NameSheet:
    """The rows of a list, and which column holds what. `today`: the day on which it was read."""

    grid: Grid
    columns: Columns
    today: date

    @cached_property
    def read(self) -> tuple[list[Pupil], list[Passed]]:
        return pupils_of(self.grid.rows, self.columns, self.today)

    @property
    def pupils(self) -> list[Pupil]:
        return self.read[0]

    @property
    def passed(self) -> list[Passed]:
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
        """The pupils of a class, or all, with distinct names."""
        return with_distinct_names(
            [p for p in self.pupils if group is None or same(p.group) == same(group)]
        )

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
        """Where the letters are doubtful: each likely encoding, and the first cells that it reads
        otherwise than the others. The first is how they are read."""
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
