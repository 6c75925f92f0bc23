"""Text → grid: reads the rows of a list, with any separator."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from html import unescape
from itertools import pairwise, zip_longest
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

from classrooms.roster.importing.cells import (
    LONGEST_CELL,
    NAME_ROLES,
    are_headings,
    can_be_name,
    is_name_too,
    meaning,
    names_in,
)
from classrooms.roster.importing.encodings import UnreadableFile

MOST_FILE_BYTES: Final = 1_000_000  # bytes of a file
MOST_PUPILS: Final = 20_000
"""The most pupils on a list, or enrolments in a bundle. This is enough for 1,000 pupils with a home
group and 15 subjects each."""

SEPARATORS: Final = "\t;|,^~"
_RARE_SEPARATORS: Final = "#:"
"""Separators only in lists with headings, because "#1 Dora" and "Class: 4A" are one cell each."""
MOST_CELLS: Final = 40
"""The most cells of a row that are read. The others contain no names."""
NOT_COMPUTED: Final = "\ufffc"  # the text of a cell whose formula has no result
_WITHIN_A_CELL: Final = re.compile(r'"[^"]*"|, (?!")')
"""Text between quotation marks, or the comma of "Smith, Ann"."""
_TEXT_MARK: Final = re.compile(r"""="(.*)"|['`‘](.*?)['`’]?""")
"""A cell with a mark that makes it text in Excel: ="4A", '4A, '4A'."""
_CONTENT: Final = re.compile(r"[^\W_]")
_LINE_ENDS: Final = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # of word processors
_ADDRESS: Final = re.compile(
    r'(?:^|"|(?<=[<>;])|(?<=>,))([^"<>;\n]*[^"<>;\s])"?[^\S\n]*<[^<>\s@]+@[^<>\s]+>[;,]?',
    re.MULTILINE,
)
"""A name before a mail address. It begins after a sign, not at each letter of a long line."""
_LETTER_BULLET: Final = re.compile(r"[A-Za-z][.)]\s+\S")
_SPACES: Final = re.compile(r"(?<=[^\s,;|]) {2,}(?=\S)")
_LINE_WITH_TAB: Final = re.compile(r"^(.*)\t(.*)$", re.MULTILINE)
_SAMPLE_LINES: Final = 40
_FEWEST_LETTER_BULLETS: Final = 3  # lines that begin with A., B. and C.
_FEWEST_COPIED_LINES: Final = 3  # lines with the same text
_SURELY_COPIED_LINES: Final = 5
_LONGEST_LINE: Final = 20_000  # characters of a line that has all the names


class Row(NamedTuple):
    """A row that is not empty, and the line of the file on which it begins."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """The cell in this column; "" if the row has none."""
        return self.cells[column] if column is not None and column < len(self.cells) else ""

    @property
    def filled(self) -> list[str]:
        """The cells that are not empty."""
        return [cell for cell in self.cells if cell]

    def padded(self, width: int) -> list[str]:
        return [*self.cells, *[""] * (width - len(self.cells))]


class Grid(NamedTuple):
    """The rows of a list as a person sees them, with what `decode` says about the encoding."""

    rows: tuple[Row, ...]
    source: str = ""  # the encoding, "Excel" or the kind of bundle
    rivals: tuple[str, ...] = ()
    mixed: bool = False
    hidden: int = 0  # rows that the file does not show
    left: int = 0  # pupils of a bundle who are not at the school now
    others: tuple[str, ...] = ()  # the names of the sheets that are not part of the list

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)

    @property
    def copies(self) -> set[str]:
        """The texts that are copied below each name of a list with one column, such as "Student".
        They are on every second or third line. Three children may have the same name by chance, so
        a text must also be a heading, be on many lines, or have another such text beside it."""
        places: dict[str, list[int]] = {}
        for number, row in enumerate(self.rows if self.width == 1 else ()):
            places.setdefault(row.cell(0), []).append(number)
        copies = {
            text: len(lines) for text, lines in places.items() if _is_steady(lines, len(self.rows))
        }
        headings = {text for text in copies if meaning(text)[1] and not is_name_too(text)}
        is_sure = bool(headings) or max(copies.values(), default=0) >= _SURELY_COPIED_LINES
        names = [len(lines) for text, lines in places.items() if text not in copies]
        are_different = len(names) * 2 > sum(names)  # many names, not the same one or two
        return set(copies) if are_different and (is_sure or len(copies) > 1) else set()

    def in_encoding(self, encoding: str) -> "Grid":
        """The grid in another encoding."""

        def recoded(cell: str) -> str:
            with suppress(UnicodeError):
                return cell.encode(self.source).decode(encoding)
            return cell

        rows = tuple(Row(line, tuple(map(recoded, cells))) for line, cells in self.rows)
        rivals = (self.source, *(rival for rival in self.rivals if rival != encoding))
        return self._replace(rows=rows, source=encoding, rivals=rivals)


def _is_steady(lines: Sequence[int], end: int) -> bool:
    """Whether these are every second or every third line up to the end, but not the first line."""
    gaps = {after - before for before, after in pairwise(lines)}
    is_whole = lines[0] > 0 and lines[-1] + max(gaps, default=0) >= end
    return len(lines) >= _FEWEST_COPIED_LINES and gaps in ({2}, {3}) and is_whole


def grid_of_text(text: str, *details: Any) -> Grid:
    """The rows of a text, which is one name per line, all names on one line, or a table. `details`
    are the other fields of `Grid`. Raises `UnreadableFile`."""
    text = _without_stray_tab(_ADDRESS.sub(r"\1\n", _LINE_ENDS.sub("\n", text)))
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    letters = "".join(line[0].lower() for _, line in lines if _LETTER_BULLET.match(line))
    if len(letters) == len(lines) >= _FEWEST_LETTER_BULLETS and ascii_lowercase.startswith(letters):
        lines = [(number, line[2:].strip()) for number, line in lines]
        text = "\n".join(line for _, line in lines)
    is_short = max((len(line) for _, line in lines), default=0) <= LONGEST_CELL
    split_name = [line.split(", ") for _, line in lines] if is_short else []
    if len(lines) == 1 and len(lines[0][1]) <= _LONGEST_LINE and (names := names_in(lines[0][1])):
        lines = list(enumerate(names, start=1))
    elif len(lines) > 1 and all(_SPACES.search(line) and "\t" not in line for _, line in lines):
        return Grid(tuple(rows_of_table(_SPACES.sub("\t", text))), *details)
    elif (
        re.search(r"[\t;|]", text)
        or not split_name
        or not all(len(parts) == 2 and all(map(can_be_name, parts)) for parts in split_name)
    ):
        return Grid(tuple(rows_of_table(text)), *details)
    return Grid(tuple(Row(number, (line,)) for number, line in lines), *details)


def _without_stray_tab(text: str) -> str:
    """The text with a space instead of its only tab, if this is within or before a whole name and
    most other lines are whole names too. Between first names, or between two whole names, the tab
    may separate two children."""
    match = _LINE_WITH_TAB.search(text) if text.count("\t") == 1 else None
    if match is None:
        return text
    before, after = match[1].strip(), match[2].strip()
    is_first = can_be_name(before) and not meaning(before)[1] and _word_count(before) == 1
    other_lines = [line for line in text.splitlines() if "\t" not in line and _CONTENT.search(line)]
    are_whole = sum(_word_count(line) > 1 for line in other_lines) * 2 > len(other_lines)
    is_stray = are_whole and can_be_name(after) and (is_first or not before)
    return text.replace("\t", " ") if is_stray else text


def _word_count(text: str) -> int:
    return sum(word[0].isalpha() for word in text.split())


def rows_of_table(text: str) -> list[Row]:
    """The rows of a table that are not empty. Raises `UnreadableFile` with the line."""
    separator = ""
    if directive := re.match(r"\s*sep=(.)[^\S\n]*(?=\n|$)", text, re.IGNORECASE):
        # This is how Excel names the separator. An empty line stays, to keep the line numbers.
        separator, text = directive[1], text[directive.end() :]
    csv.field_size_limit(MOST_FILE_BYTES)
    text = re.sub(r'(?m)(^|[\t;|,])=(?=")', r"\1", text)
    lines = io.StringIO(text, newline="")
    separator = separator or separator_of(text)
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            row_cells = tuple(map(cut, cells[:MOST_CELLS]))
            rows += [Row(line, row_cells)] if _CONTENT.search("".join(row_cells)) else []
            line = reader.line_num + 1
    except csv.Error:
        raise UnreadableFile("quote", line) from None
    return strip_quotes(rows)


def strip_quotes(rows: Sequence[Row]) -> list[Row]:
    """The rows without the marks of text, in columns in which all cells below the first have them.
    Elsewhere an apostrophe is part of a name: 'Ofa."""

    def inner(column: int, cell: str) -> str:
        match = _TEXT_MARK.fullmatch(cell) if column in marked else None
        return match[match.lastindex or 0] if match else cell

    columns = enumerate(zip_longest(*(row.cells for row in rows), fillvalue=""))
    texts = {
        column: [bool(_TEXT_MARK.fullmatch(c)) for c in cells if c] for column, cells in columns
    }
    marked = {column for column, are in texts.items() if sum(are) > 1 and all(are[1:])}
    return _spread([Row(r.line, tuple(inner(*pair) for pair in enumerate(r.cells))) for r in rows])


def _spread(rows: list[Row]) -> list[Row]:
    """The rows, with a cell for each value if a program has put whole lines into one column."""
    texts = [row.filled[0] for row in rows if len(row.filled) == 1]
    for char in SEPARATORS + _RARE_SEPARATORS if texts and len(texts) == len(rows) else ():
        counts = {text.count(char) for text in texts}
        heads = texts[0].split(char)
        is_table = len(counts) == 1 < len(heads) and are_headings(heads)
        if is_table and (char != "," or not {meaning(head)[1] for head in heads} <= NAME_ROLES):
            return [
                Row(row.line, tuple(map(str.strip, text.split(char))))
                for row, text in zip(rows, texts, strict=True)
            ]
    return rows


def cut(cell: str) -> str:
    """A cell, cut if it is far too long for a name. Its lines stay separate, because they may be
    several names. Some programs leave "O&#39;Brien" in their lists."""
    lines = unescape(cell[: 4 * LONGEST_CELL]).splitlines()
    texts = (" ".join(line.split()) for line in lines)
    return "\n".join(filter(None, texts))[: LONGEST_CELL + 1]


def separator_of(text: str) -> str:
    """The separator of the cells: the character whose number is the same on most lines."""
    lines = [line[:500] for line in text[:40_000].splitlines() if line.strip()]
    texts = [_WITHIN_A_CELL.sub("", line) for line in lines[:_SAMPLE_LINES]]

    def regularity(char: str) -> tuple[int, int]:
        counts = Counter(line.count(char) for line in texts)
        return max(((n, times) for times, n in counts.items() if times), default=(0, 0))

    separator = max(SEPARATORS, key=regularity)
    if regularity(separator)[0]:
        return separator
    # "Smith, Ann" is one cell, and so is "Ann, 7"; "Ann, Smith, 4A" is three, "Name, Class" two.
    roles = {meaning(part)[1] for part in lines[0].split(",")} if lines else set()
    is_heading = "" not in roles and not roles <= NAME_ROLES
    return "," if is_heading or all(line.count(", ") > 1 for line in lines) else "\t"
