"""The rows of a file, and the names in them."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from classrooms.child_names import same, tidy
from classrooms.roster.importing.columns import (
    Columns,
    guess,
    has_headings,
    is_heading,
    parted,
)
from classrooms.roster.importing.decoding import decode
from classrooms.roster.importing.import_errors import MOST_ROWS, Unreadable
from classrooms.roster.importing.name_cells import (
    bare,
    can_be_name,
    in_two,
    listed,
    without_date,
)
from classrooms.roster.importing.separated import (
    LONGEST_CELL,
    CsvRow,
    read_rows,
)

_LONGEST_LISTED: Final = 20_000
"""Characters of one line with all the names."""
_QUOTED_CELL: Final = re.compile(r'\s*"[^"]*"\s*,')


@dataclass(frozen=True, slots=True)
class NameEntry:
    """The name on a line; `family` where known. `letters_added`: to make it unique. `aside`: a date
    or number that stood beside the name."""

    line: int
    name: str
    family: str = ""
    letters_added: bool = False
    aside: str = ""


@dataclass(frozen=True, slots=True)
class NameSheet:
    """All rows of a file, with the heading. `encoding` is empty for pasted text."""

    rows: tuple[CsvRow, ...]
    columns: Columns
    encoding: str = ""
    mixed: bool = False

    @property
    def body(self) -> Sequence[CsvRow]:
        return self.rows[1:] if self.columns.headed else self.rows

    @property
    def labels(self) -> list[str]:
        """A label for each column: its heading, or its first cell."""
        width = max((len(row.cells) for row in self.rows), default=0)
        first = self.rows[0].cells if self.rows else ()
        return [
            (first[column] if column < len(first) else "") or f"{column + 1}"
            for column in range(width)
        ]

    def groups(self) -> list[tuple[str, int]]:
        """The classes in the rows, each with its number of rows."""
        counts: dict[str, int] = defaultdict(int)
        for row in self.body:
            counts[row.cell(self.columns.group)] += 1
        return sorted(counts.items())

    def with_columns(self, columns: Columns) -> "NameSheet":
        return replace(self, columns=columns)

    def as_data(self) -> dict[str, Any]:
        """The sheet as JSON can hold it."""
        columns = self.columns
        return {
            "rows": [[row.line, *row.cells] for row in self.rows],
            "columns": [columns.name, columns.family, columns.group, columns.headed],
            "encoding": self.encoding,
            "mixed": self.mixed,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "NameSheet":
        rows = tuple(CsvRow(line, tuple(cells)) for line, *cells in data["rows"])
        return cls(rows, Columns(*data["columns"]), data["encoding"], data["mixed"])


def read_text(data: bytes) -> NameSheet:
    """A CSV file, or any list of names. Raises `Unreadable`."""
    decoded = decode(data)
    text = decoded.text
    rows = _one_line(text) or _last_first(text) or read_rows(text, MOST_ROWS + 1)
    return sheet_of(rows, decoded.encoding, mixed=decoded.mixed)


def read_pasted(text: str) -> NameSheet:
    """Pasted text: a name per line, cells of a spreadsheet, separated by tabs, or a list on one
    line."""
    text = text.replace("\0", "")
    if rows := _one_line(text):
        return sheet_of(rows)
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and (separator := _separator_of_pasted(lines)) is not None:
        return sheet_of(read_rows(text, MOST_ROWS + 1, separator))
    rows = [
        CsvRow(number, (_unquoted(line.strip()[: LONGEST_CELL + 1]),))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    if len(rows) > MOST_ROWS:
        raise Unreadable("too many", rows[MOST_ROWS].line)
    headed = bool(rows) and is_heading(rows[0].cells[0])
    if len(rows) == headed:
        raise Unreadable("empty")
    return NameSheet(tuple(rows), Columns(0, headed=headed))


def _one_line(text: str) -> list[CsvRow]:
    """A row for each name of a list on one line; none if the text is something else."""
    line = text.strip()
    if len(line) > _LONGEST_LISTED or len(line.splitlines()) != 1 or has_headings(line, ","):
        return []
    names = enumerate(listed(line), start=1)
    return [CsvRow(number, (name[: LONGEST_CELL + 1],)) for number, name in names]


def _last_first(text: str) -> list[CsvRow]:
    """A row for each line of a list without headings that has "Smith, Ann" on every line, as one
    cell; none if the text is something else."""
    if text.count("\n") + text.count("\r") > 4 * MOST_ROWS or not text.strip():
        return []
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in lines if line]
    fits = all(_is_last_first(line) for _number, line in lines)
    if len(lines) < 2 or not fits or has_headings(lines[0][1], ","):
        return []
    return [CsvRow(number, (line,)) for number, line in lines]


def _is_last_first(line: str) -> bool:
    last, sign, first = line.partition(", ")
    is_short = len(line) <= LONGEST_CELL
    return is_short and bool(sign) and can_be_name(last) and can_be_name(first)


def _separator_of_pasted(lines: Sequence[str]) -> str | None:
    """The separator of the cells, "" if it is to be guessed, or None if each line is a name."""
    if all("\t" in line or ";" in line for line in lines):
        return ""
    quoted = all(_QUOTED_CELL.match(line) for line in lines)
    return "," if quoted or has_headings(lines[0], ",") else None


def _unquoted(line: str) -> str:
    is_quoted = len(line) > 2 and line[0] == line[-1] == '"' and line.count('"') == 2
    return line[1:-1].strip() if is_quoted else line


def sheet_of(rows: list[CsvRow], encoding: str = "", *, mixed: bool = False) -> NameSheet:
    """The sheet of these rows. Raises `Unreadable` if there is no name, or too many rows."""
    rows = parted(rows)
    columns = guess(rows)
    body = rows[1:] if columns.headed else rows
    if not body:
        raise Unreadable("empty")
    if len(body) > MOST_ROWS:
        raise Unreadable("too many", body[MOST_ROWS].line)
    return NameSheet(tuple(rows), columns, encoding, mixed)


def entries(sheet: NameSheet, group: str | None = None) -> list[NameEntry]:
    """The names of the sheet, or of one class of it. Equal names get letters of the family name
    added, where there is one."""
    read = [
        _entry(row, sheet.columns)
        for row in sheet.body
        if group is None or row.cell(sheet.columns.group) == group
    ]
    return with_distinct_names(read)


def entries_by_class(sheet: NameSheet) -> list[tuple[str, list[NameEntry]]]:
    """The classes of the sheet, each with its names; 4A and 4a are one class. At the end is who has
    no class."""
    read: dict[str, tuple[str, list[NameEntry]]] = {}
    for row in sheet.body:
        name = tidy(row.cell(sheet.columns.group))
        read.setdefault(same(name), (name, []))[1].append(_entry(row, sheet.columns))
    ordered = sorted(read, key=lambda key: (not key, key))
    return [(read[key][0], with_distinct_names(read[key][1])) for key in ordered]


def _entry(row: CsvRow, columns: Columns) -> NameEntry:
    cell, aside = without_date(row.cell(columns.name))
    name, last = in_two(bare(cell))
    family = row.cell(columns.family) or last
    return NameEntry(row.line, tidy(name), tidy(family), aside=aside)


def with_distinct_names(read: Sequence[NameEntry]) -> list[NameEntry]:
    """Emma Bakker and Emma Visser become Emma B. and Emma V."""
    alike: dict[str, list[NameEntry]] = defaultdict(list)
    for entry in read:
        alike[same(entry.name)].append(entry)
    names = {same(entry.name) for entry in read}
    renamed: dict[int, NameEntry] = {}
    for twins in alike.values():
        if len(twins) > 1 and twins[0].name:
            renamed |= _with_letters(twins, names)
    return [renamed.get(entry.line, entry) for entry in read]


def _with_letters(twins: Sequence[NameEntry], taken: Collection[str]) -> dict[int, NameEntry]:
    """The twins by line with distinct names, as short as possible; empty if that cannot be done."""
    families = [entry.family for entry in twins]
    for letters in range(1, max(len(family) for family in families) + 1):
        names = [
            f"{entry.name} {entry.family[:letters].strip()}"
            + ("." if letters < len(entry.family) else "")
            for entry in twins
        ]
        keys = {same(name) for name in names}
        if all(families) and len(keys) == len(twins) and not keys & set(taken):
            return {
                entry.line: replace(entry, name=name, letters_added=True)
                for entry, name in zip(twins, names, strict=True)
            }
    return {}
