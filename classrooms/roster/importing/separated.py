"""Text → rows of cells, whatever the separator."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from classrooms.roster.importing.import_errors import LARGEST, Unreadable

SEPARATORS: Final = ",;\t|"
LONGEST_CELL: Final = 80
MOST_CELLS: Final = 40
"""Longer cells are cut and further ones ignored: no name is there."""
_WITHIN_A_CELL: Final = re.compile(r'"[^"]*"|, ')
"""What is between quotation marks, and the comma of "Smith, Ann"."""
_SAMPLE_LINES: Final = 12
_SAMPLE_SIGNS: Final = 200


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row that is not empty, and the line on which it begins."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """The cell in this column; "" where the row has none."""
        return self.cells[column] if column is not None and column < len(self.cells) else ""


def read_rows(text: str, most: int | None = None, separator: str = "") -> list[CsvRow]:
    """The rows of a CSV text, with its heading. Raises `Unreadable` with the line."""
    first, _, rest = text.partition("\n")
    directive = first.strip().lower()
    if directive.startswith("sep=") and len(directive) == 5:
        # Excel names the separator like this. An empty line takes its place, to keep line numbers.
        separator, text = directive[-1], f"\n{rest}"
    csv.field_size_limit(LARGEST)
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=separator or separator_of(text), strict=True)
    rows: list[CsvRow] = []
    while True:
        row_line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return rows
        except csv.Error:
            raise Unreadable("quote", row_line) from None
        kept = tuple(cell.strip()[: LONGEST_CELL + 1] for cell in cells[:MOST_CELLS])
        if not any(kept):
            continue
        if len(rows) == most:
            raise Unreadable("too many", row_line)
        rows.append(CsvRow(row_line, kept))


def separator_of(text: str) -> str:
    """The separator of the cells: by `csv.Sniffer` if plausible, else the commonest candidate."""
    lines = [line[:_SAMPLE_SIGNS] for line in text[:20_000].splitlines() if line.strip()]
    sample = lines[:_SAMPLE_LINES]
    between = [_WITHIN_A_CELL.sub("", line) for line in sample]
    counts = Counter(sign for line in between for sign in set(line) if sign in SEPARATORS)
    if not counts:
        return ","
    try:
        sniffed = csv.Sniffer().sniff("\n".join(sample), delimiters=SEPARATORS).delimiter
    except csv.Error:
        sniffed = ""
    likely = max(SEPARATORS, key=lambda sign: counts[sign])
    # A separator is on at least as many lines as any other candidate.
    return sniffed if sniffed and counts[sniffed] == counts[likely] else likely
