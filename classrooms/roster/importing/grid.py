"""Bytes → grid: reads the rows of a list in any encoding, with any separator. UTF-8 and UTF-16 can
be recognised. Otherwise, of the encodings with one byte per character, it takes the one in which
the names look most like names in some language (`letters.toml`)."""

import codecs
import csv
import io
import re
import tomllib
from collections import Counter
from functools import cache
from html import unescape
from itertools import groupby, pairwise
from math import log
from pathlib import Path
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from classrooms.roster.importing.cells import NAMED, can_be_name, listed, meaning

LARGEST: Final = 1_000_000  # bytes of a file
MOST_PUPILS: Final = 20_000
"""Pupils on a list, or enrolments in a bundle. Enough for 1,000 pupils with a home group and 15
subjects each."""


class Unreadable(Exception):
    """A file, or `file` in a bundle, cannot be read. `kind` says why, `line` where, and `detail`
    which part is missing."""

    def __init__(self, kind: str, line: int = 0, file: str = "", detail: str = "") -> None:
        super().__init__(kind, line, file, detail)
        self.kind, self.line, self.file, self.detail = kind, line, file, detail


_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
_TABLES: Final = tomllib.loads(Path(__file__).with_name("letters.toml").read_text("utf-8"))
_LETTERS: Final[dict[str, str]] = _TABLES["letters"]
_KNOWN: Final = frozenset("".join(_LETTERS.values()))
_ENCODINGS: Final[dict[str, tuple[float, list[str]]]] = {
    name: (before, " ".join(_TABLES["groups"].get(each, each) for each in groups).split())
    for name, (before, *groups) in _TABLES["encodings"].items()
}
for _name in (*_MARKS.values(), "utf-16-le", "utf-16-be", *_ENCODINGS):
    codecs.lookup(_name)  # Loads the codec now, because no file can be opened later.
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|[^\x00-\x7f]")
_VOWELS: Final = frozenset("aeiouyαεηιουωаеёиоуыэюяіїєъ")
_BASES: Final = {"ø": "o", "æ": "a", "œ": "o", "ı": "i"}
_TWO_SCRIPTS: Final = re.compile("[A-Za-z][\u0370-\u1dff]|[\u0370-\u1dff][A-Za-z]")
_ODD_PAIR: Final = re.compile(
    "[äöåøæü][aeiou]|[aiou][äöåøæü]|[èê][aeiou]|[ćč]{2}|ç[bcdfgjklmnpqrstvwxz]"
)
_LONGEST_CLUSTER: Final = 3
_CONTROLS: Final = {byte: 0xDC00 + byte for byte in range(0x80, 0xA0)}
_JUDGED: Final = 20_000
_CLEAR: Final = 2.5
"""The teacher is asked unless the likeliest reading is better than all others by this much, or by
0.5 more if a single word decides."""
_MOST_RIVALS: Final = 4
_WORST: Final = -5.0  # a character's score, on average, in what is not text
_NULS_OF_UTF_16: Final = 0.3


Decoded = tuple[str, str, tuple[str, ...], bool]


def decode(data: bytes) -> Decoded:
    """The text of a file, its encoding, other encodings that read the names differently and nearly
    as well, and whether the lines have more than one encoding. Raises `Unreadable` with "nul" or
    "encoding"."""
    marked = (name for mark, name in _MARKS.items() if data.startswith(mark))
    name = next(marked, "") or _wide_without_mark(data)
    try:
        text = data.decode(name or "latin-1")
        if "\0" in text:
            raise Unreadable("nul", text[: text.index("\0")].count("\n") + 1)
        text = text if name else data.decode()
    except UnicodeDecodeError:
        if name:
            raise Unreadable("encoding") from None
        return _by_line(data)
    # It may be valid UTF-8 by chance: "Íñigo" in code page 850 would begin with a Hebrew letter.
    if not name and _TWO_SCRIPTS.search(text):
        return _by_line(data)
    text = "\n".join(map(_undoubled, text.removeprefix("\ufeff").split("\n")))
    return text, name.removesuffix("-sig") or "utf-8", (), False


def _undoubled(line: str) -> str:
    """The line as it was before a program took UTF-8 for something else: "ZoÃ«" was "Zoë"."""
    for taken_for in () if line.isascii() else ("cp1252", "mac_roman"):
        try:
            return line.translate(_CONTROLS).encode(taken_for, "surrogateescape").decode()
        except UnicodeError:
            continue
    return line


def _wide_without_mark(data: bytes) -> str:
    """The byte order of UTF-16 without a mark, in which every second byte of plain letters is 0; ""
    if it is something else."""
    even, odd = (data[begin:2000:2].count(0) for begin in (0, 1))
    if bool(even) == bool(odd) or even + odd <= _NULS_OF_UTF_16 * len(data[:2000]) / 2:
        return ""
    return "utf-16-be" if even else "utf-16-le"


def _by_line(data: bytes) -> Decoded:
    """Decode each line as UTF-8 if possible, or else in the likeliest encoding, because lists that
    were joined may mix encodings."""
    lines = data.splitlines(keepends=True)
    texts = list(map(_utf_8, lines))
    others = b"".join(line for line, text in zip(lines, texts, strict=True) if text is None)
    name, rivals = _single_byte(others[:_JUDGED])
    mixed = any(text and not text.isascii() for text in texts)
    try:
        decoded = [
            line.decode(name) if t is None else t for line, t in zip(lines, texts, strict=True)
        ]
    except UnicodeDecodeError:
        raise Unreadable("encoding") from None
    return "".join(decoded), name, rivals, mixed


def _utf_8(line: bytes) -> str | None:
    """The text of the line if it is UTF-8, and not only by chance."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return None
    return text if all(map(_is_known, text)) else None


def _is_known(char: str) -> bool:
    return char.isascii() or char.lower() in _KNOWN


def _single_byte(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The likeliest encoding, and others that are nearly as likely and read the names
    differently."""
    readings: dict[str, tuple[float, str]] = {}
    for encoding, (before, languages) in _ENCODINGS.items():
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        score = before + _likelihood(text, languages)
        other, name = readings.get(text, (score, encoding))
        readings[text] = max(score, other), name
    ranked = sorted(readings.items(), key=lambda reading: -reading[1][0])
    text, (best, name) = ranked[0] if ranked else ("", (0.0, ""))
    if not name or best - _ENCODINGS[name][0] < _WORST * sum(byte > 127 for byte in data):
        raise Unreadable("encoding")
    words = {word for word in _WORD.findall(text) if not word.isascii()}
    clear = best - _CLEAR - (len(words) == 1) / 2
    return name, tuple(other for _t, (score, other) in ranked[1:] if score > clear)[:_MOST_RIVALS]


def _likelihood(text: str, languages: list[str]) -> float:
    """How likely these names are in the likeliest of the languages, as a logarithm."""
    shape = 0.0
    letters: Counter[str] = Counter()
    for word, n in Counter(_WORD.findall(text)).items():
        if not word.isascii():
            shape += min(n, 3) * _shape(word)
            letters.update({c: min(n, 3) for c in word.lower() if not c.isascii()})
    return shape + max(
        _TABLES["rare"].get(language, 0.0)
        + sum(n * _chance(char, language) for char, n in letters.items())
        for language in languages
    )


@cache
def _chance(char: str, language: str) -> float:
    """How likely this character is among those other than a to z in the language, as a
    logarithm."""
    own = _LETTERS[language]
    if char in own:
        return log(0.95 * 2 * (len(own) - own.index(char)) / (len(own) * (len(own) + 1)))
    return log(0.01 if char in "’‘–\u00a0" else 0.003 if _is_known(char) else 1e-5)


def _shape(word: str) -> float:
    """How much the shape of a word speaks against it as a name, as a logarithm: foreign capitals
    within it, no letter at its start, a small foreign letter there, many consonants or vowels in a
    row around a foreign letter, odd pairs of letters, or two scripts."""
    if not word[0].isalpha():
        return -2.0 if word in "’‘–\u00a0" else -6.0
    small = word.lower()
    capital = not word.isupper() and any(
        char.isupper() and not char.isascii() and before not in "'’"
        for before, char in pairwise(word)
    )
    begins_small = word[0].islower() and not word[0].isascii()
    runs = ("".join(run) for _, run in groupby(small, lambda char: _base(char) in _VOWELS))
    heaps = sum(len(run) > _LONGEST_CLUSTER and not run.isascii() for run in runs)
    against = 6.0 * capital + 1.5 * begins_small + 3.0 * heaps + 2.0 * len(_ODD_PAIR.findall(small))
    return -against - 8.0 * bool(_TWO_SCRIPTS.search(word))


@cache
def _base(char: str) -> str:
    """The letter without its accent."""
    return _BASES.get(char, normalize("NFD", char)[:1])


# Text → rows of cells.

SEPARATORS: Final = "\t;|,"
LONGEST_CELL: Final = 80
MOST_CELLS: Final = 40
"""Longer cells are cut and further cells are ignored, because they have no names."""
NOT_COMPUTED: Final = "\ufffc"  # the text of a cell whose formula has no result
_WITHIN_A_CELL: Final = re.compile(r'"[^"]*"|, (?!")')
"""Text between quotation marks, or the comma of "Smith, Ann"."""
_AS_TEXT: Final = re.compile(
    r'(?m)(?:^|(?<=[\t;|,]))(?:="([^"\n]*)"|"=""([^"\n]*)""")(?=[\t;|,\r]|$)'
)
"""A cell that some programs write as a formula, so that Excel takes it for a text: ="4A"."""
_WRAPPED: Final = re.compile(r"""="(.*)"|'(.+)'""")
"""What programs write around a text: ="0012", 'Ann'."""
_SAYS: Final = re.compile(r"[^\W_]")
_LINE_ENDS: Final = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # of word processors
_SPACES: Final = re.compile(r"(?<=[^\s,;|]) {2,}(?=\S)")
_MANY_LINES: Final = 3
_SAMPLE_LINES: Final = 40
_LONGEST_LISTED: Final = 20_000  # characters of a line that has all the names


class Row(NamedTuple):
    """A row that is not empty, with the line on which it begins."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """The cell in this column; "" if the row has none."""
        return self.cells[column] if column is not None and column < len(self.cells) else ""


class Grid(NamedTuple):
    """The rows of a list as a person sees them, and how they were written (`decode`)."""

    rows: tuple[Row, ...]
    source: str = ""  # the encoding, "Excel" or the kind of bundle
    rivals: tuple[str, ...] = ()
    mixed: bool = False
    hidden: int = 0  # rows that the file does not show
    left: int = 0  # pupils of a bundle who are not at the school now
    others: tuple[str, ...] = ()  # sheets of a workbook that hold other lists

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


def grid_of_text(text: str, *written: Any) -> Grid:
    """The rows of a text: one name per line, all names on one line, or a table. `written` has the
    further fields of `Grid`. Raises `Unreadable`."""
    text = _LINE_ENDS.sub("\n", text)
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    in_two = [line.split(", ") if len(line) <= LONGEST_CELL else [] for _, line in lines]
    if len(lines) == 1 and len(lines[0][1]) <= _LONGEST_LISTED and (names := listed(lines[0][1])):
        lines = list(enumerate(names, start=1))
    elif len(lines) > 1 and all(_SPACES.search(line) and "\t" not in line for _, line in lines):
        return Grid(tuple(table(_SPACES.sub("\t", text))), *written)
    elif not lines or not all(len(two) == 2 and all(map(can_be_name, two)) for two in in_two):
        return Grid(tuple(table(text)), *written)
    return Grid(tuple(Row(number, (line,)) for number, line in lines), *written)


def table(text: str) -> list[Row]:
    """The rows of separated values that are not empty. Raises `Unreadable` with the line."""
    separator = ""
    if directive := re.match(r"\s*sep=(.)[^\S\n]*(?=\n|$)", text, re.IGNORECASE):
        # Excel names the separator like this. Its line stays as an empty one, to keep line numbers.
        separator, text = directive[1], text[directive.end() :]
    csv.field_size_limit(LARGEST)
    text = _AS_TEXT.sub(r'"\1\2"', text)
    lines = io.StringIO(text, newline="")
    separator = separator or separator_of(text)
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            kept = tuple(map(cut, cells[:MOST_CELLS]))
            rows += [Row(line, kept)] if _SAYS.search("".join(kept)) else []
            line = reader.line_num + 1
    except csv.Error:
        raise Unreadable("quote", line) from None
    return _without_quotes(rows)


def _without_quotes(rows: list[Row]) -> list[Row]:
    """The rows without the apostrophes about all cells of a column, or before them, with which
    programs keep a spreadsheet from seeing numbers and formulas. One cell may be a name: ’Ofa."""
    columns: dict[int, list[str]] = {}
    for row in rows[1:]:
        for column, cell in enumerate(row.cells):
            columns.setdefault(column, []).extend([cell] if cell else [])
    marked = {c for c, own in columns.items() if own[1:] and all(x[0] == "'" for x in own)}
    if not marked:
        return rows
    return [
        Row(row.line, tuple(x.strip("'") if c in marked else x for c, x in enumerate(row.cells)))
        for row in rows
    ]


def cut(cell: str) -> str:
    """A cell on one line, cut where it is far too long for a name. One of several lines has several
    names, which are kept apart; programs that write pages leave "O&#39;Brien" in their lists."""
    cell = unescape(cell[: 4 * LONGEST_CELL]).strip()
    if wrapped := _WRAPPED.fullmatch(cell):
        cell = wrapped[1] or wrapped[2]
    if len(cell.splitlines()) >= _MANY_LINES:
        cell = "/".join(cell.splitlines())
    return " ".join(cell.split())[: LONGEST_CELL + 1]


def separator_of(text: str) -> str:
    """The separator of the cells: the character that most lines have equally often."""
    lines = [line[:500] for line in text[:40_000].splitlines() if line.strip()]
    between = [_WITHIN_A_CELL.sub("", line) for line in lines[:_SAMPLE_LINES]]

    def regularity(char: str) -> tuple[int, int]:
        counts = Counter(line.count(char) for line in between)
        return max(((n, times) for times, n in counts.items() if times), default=(0, 0))

    likely = max(SEPARATORS, key=regularity)
    if regularity(likely)[0]:
        return likely
    # "Smith, Ann" is one cell, and so is "Ann, 7"; "Ann, Smith, 4A" is three, "Name, Class" two.
    roles = {meaning(part)[1] for part in lines[0].split(",")} if lines else set()
    is_heading = "" not in roles and not roles <= NAMED
    return "," if is_heading or all(line.count(", ") > 1 for line in lines) else "\t"
