"""Text → rows of cells: the first of the steps that are the same for every kind of list."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from classrooms.roster.importing.cells import can_be_name, listed
from classrooms.roster.importing.decoding import decode
from classrooms.roster.importing.import_errors import LARGEST, Unreadable

SEPARATORS: Final = "\t;|,"
LONGEST_CELL: Final = 80
MOST_CELLS: Final = 40
"""Longer cells are cut and further ones ignored: no name is there."""
NOT_COMPUTED: Final = "\ufffc"
"""The text of a cell with a formula without a result."""
_WITHIN_A_CELL: Final = re.compile(r'"[^"]*"|, ')
"""What is between quotation marks, and the comma of "Smith, Ann"."""
_SAMPLE_LINES: Final = 40
_SAMPLE_SIGNS: Final = 500
_LONGEST_LISTED: Final = 20_000
"""Characters of one line with all the names."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not empty, and the line on which it begins."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """The cell in this column; "" where the row has none."""
        return self.cells[column] if column is not None and column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a list as its reader sees them. `source`: the encoding, "Excel" or the kind of
    bundle; `rivals`: other encodings in which the names would be likely too; `hidden`: rows that
    the file does not show; `left`: pupils who are not at the school now."""

    rows: tuple[Row, ...]
    source: str = ""
    rivals: tuple[str, ...] = ()
    mixed: bool = False
    hidden: int = 0
    left: int = 0


def grid_of_file(data: bytes) -> Grid:
    """The rows of a text file, in whatever encoding. Raises `Unreadable`."""
    decoded = decode(data)
    return Grid(_rows(decoded.text), decoded.encoding, decoded.rivals, decoded.mixed)


def grid_of_text(text: str) -> Grid:
    """The rows of pasted text."""
    return Grid(_rows(text.replace("\0", "")))


def _rows(text: str) -> tuple[Row, ...]:
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) == 1 and len(lines[0][1]) <= _LONGEST_LISTED and (names := listed(lines[0][1])):
        return tuple(Row(number, (name,)) for number, name in enumerate(names, start=1))
    if lines and all(_is_last_first(line) for _, line in lines):
        return tuple(Row(number, (line,)) for number, line in lines)
    return tuple(table(text))


def _is_last_first(line: str) -> bool:
    last, sign, first = line.partition(", ")
    return len(line) <= LONGEST_CELL and bool(sign) and can_be_name(last) and can_be_name(first)


def table(text: str) -> list[Row]:
    """The rows of separated values, without empty ones. Raises `Unreadable` with the line."""
    first, _, rest = text.partition("\n")
    directive = first.strip().lower()
    separator = ""
    if directive.startswith("sep=") and len(directive) == 5:
        # Excel names the separator like this. An empty line takes its place, to keep line numbers.
        separator, text = directive[-1], f"\n{rest}"
    csv.field_size_limit(LARGEST)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator or separator_of(text), strict=True
    )
    rows: list[Row] = []
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return rows
        except csv.Error:
            raise Unreadable("quote", line) from None
        kept = tuple(cut(cell) for cell in cells[:MOST_CELLS])
        if any(kept):
            rows.append(Row(line, kept))


def cut(cell: str) -> str:
    """A cell on one line, cut where it is far too long for a name."""
    return " ".join(cell[: 4 * LONGEST_CELL].split())[: LONGEST_CELL + 1]


def separator_of(text: str) -> str:
    """The separator of the cells: the sign that is on the most lines equally often."""
    lines = [line[:_SAMPLE_SIGNS] for line in text[:40_000].splitlines() if line.strip()]
    between = [_WITHIN_A_CELL.sub("", line) for line in lines[:_SAMPLE_LINES]]

    def regularity(sign: str) -> tuple[int, int]:
        counts = Counter(line.count(sign) for line in between)
        return max(((n, times) for times, n in counts.items() if times), default=(0, 0))

    likely = max(SEPARATORS, key=regularity)
    if regularity(likely)[0]:
        return likely
    # "Smith, Ann" is one cell, and so is "Ann, 7"; "Ann, Smith, 4A" is three.
    return "," if all(line.count(", ") > 1 for line in lines) and lines else "\t"
