"""Bytes → grid: reads the rows of a list in any encoding, with any separator.

UTF-8 and UTF-16 can be recognised. Of the encodings with one byte per character, it takes the one
in which the names look most like names in some language (`letters.toml`).
"""

import codecs
import csv
import io
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from html import unescape
from itertools import groupby, pairwise, zip_longest
from math import log
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from classrooms.roster.importing.cells import (
    LONGEST_CELL,
    NAMED,
    are_headings,
    can_be_name,
    is_name_too,
    listed,
    meaning,
)

MOST_FILE_BYTES: Final = 1_000_000  # bytes of a file
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
    name: (before, " ".join(_TABLES["groups"].get(group, group) for group in groups).split())
    for name, (before, *groups) in _TABLES["encodings"].items()
}
for _name in (*_MARKS.values(), "utf-16-le", "utf-16-be", *_ENCODINGS):
    codecs.lookup(_name)  # Loads the codec now, because no file can be opened later.
_WORD: Final = re.compile(
    "(?:[^\\W\\d_ªº]|[\u0e31\u0e34-\u0e4e])+(?:['’–][^\\W\\d_]+)*|[^\\x00-\\x7f]"
)
_BESIDE_WORDS: Final = re.compile(
    "(?<=[\\dNn])\\.?[ªº°]|\u00a0(?=[A-Z\\d\\s,;])|(?<!\\S)[–—…€](?!\\S)|(?:(?<=\\d)|(?<=\\d ))€"
)
_IN_QUOTES: Final = re.compile("(?<!\\w)[“„«](\\w[^“„”«»\n]*)[”“»](?!\\w)")
_QUIET: Final = "’‘–\u00a0ªº°"
_VOWELS: Final = frozenset("aeiouyøæœıαεηιουωаеёиоуыэюяіїєъ")
_TWO_SCRIPTS: Final = re.compile("[A-Za-z][\u0370-\u1dff]|[\u0370-\u1dff][A-Za-z]")
_ODD_PAIR: Final = re.compile(
    "[äöåøæü][aeiou]|[aiou][äöåøæü]|[èê][aeiou]|[ćč]{2}|ç[bcdfgjklmnpqrstvwxz]|yä[^yäö]|aã|[ao][őďâ]"
    "|[bcdfgjklmnpqrstvwxz][ëïğ]|õ(?!e)|[zdy]û|ï$|áa|[ae]ò|ií|ı[aeiou]|[aeiou]ı|ąu"
)
_MOST_CONSONANTS: Final = 3
_CONTROLS: Final = {byte: 0xDC00 + byte for byte in range(0x80, 0xA0)}
_JUDGED_BYTES: Final = 20_000
_CLEAR_SCORE: Final = 2.5
"""The teacher is asked unless the likeliest reading is better than all others by this much, or by
0.5 more if a single word decides."""
CLEAR_OVER_ONE_LANGUAGE: Final = 10.0
"""By how much it must be better than a reading whose letters all belong to one language, if its own
do not."""
_MOST_RIVALS: Final = 4
_WORST_SCORE: Final = -5.0  # a character's average score in what is not text
_SHARE_OF_NULS: Final = 0.3
Decoded = tuple[str, str, tuple[str, ...], bool]


def decode(data: bytes) -> Decoded:
    """The text of a file, its encoding, other encodings that read the names differently and nearly
    as well, and whether the lines have different encodings. Raises `Unreadable` with "nul" or
    "encoding"."""
    marked = (name for mark, name in _MARKS.items() if data.startswith(mark))
    name = next(marked, "") or _wide_without_mark(data)
    data = data if name else data.rstrip(b"\0\x1a")  # the end of a file in old programs
    try:
        text = data.decode(name or "latin-1")
        if "\0" in text:
            raise Unreadable("nul", text[: text.index("\0")].count("\n") + 1)
        text = text if name else data.decode()
    except UnicodeDecodeError:
        if name:
            raise Unreadable("encoding") from None
        return _by_line(data)
    # It may be UTF-8 by chance: "Íñigo" in code page 850 would begin with a Hebrew letter.
    if not name and _TWO_SCRIPTS.search(text):
        return _by_line(data)
    text = "\n".join(map(_undo_double_encoding, text.removeprefix("\ufeff").split("\n")))
    return text, name.removesuffix("-sig") or "utf-8", (), False


def _undo_double_encoding(line: str) -> str:
    """The line before a program mistook its UTF-8 for another encoding: "ZoÃ«" was "Zoë"."""
    for taken_for in () if line.isascii() else ("cp1252", "mac_roman"):
        with suppress(UnicodeError):
            before = line.translate(_CONTROLS).encode(taken_for, "surrogateescape").decode()
            if all(char in _QUIET or _is_known(char) for char in before):
                return before
    return line


def _wide_without_mark(data: bytes) -> str:
    """The byte order of UTF-16 without a mark, in which every second byte of plain letters is 0; ""
    if this is not UTF-16."""
    even, odd = (data[begin:2000:2].count(0) for begin in (0, 1))
    if bool(even) == bool(odd) or even + odd <= _SHARE_OF_NULS * len(data[:2000]) / 2:
        return ""
    return "utf-16-be" if even else "utf-16-le"


def _by_line(data: bytes) -> Decoded:
    """Decode each line as UTF-8 if possible, or else in the likeliest encoding: lists that were
    joined may mix encodings."""
    lines = data.splitlines(keepends=True)
    texts = list(map(_utf_8, lines))
    others = b"".join(line for line, text in zip(lines, texts, strict=True) if text is None)
    name, rivals = _single_byte(others[:_JUDGED_BYTES])
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
    return char.isascii() or _small(char) in _KNOWN


def _small(word: str) -> str:
    """The word in small letters, each of them a single character."""
    return word.replace("İ", "ı").lower()


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
    if not name or best - _ENCODINGS[name][0] < _WORST_SCORE * sum(byte > 127 for byte in data):
        raise Unreadable("encoding")
    words = {word for word in _WORD.findall(text) if not word.isascii()}
    clear = best - _CLEAR_SCORE - (len(words) == 1) / 2
    if not _is_in_one(text, _ENCODINGS[name][1]):
        in_one = (score for t, (score, e) in ranked if _is_in_one(t, _ENCODINGS[e][1]))
        clear = min(
            [clear, *(score - 1 for score in in_one if score > best - CLEAR_OVER_ONE_LANGUAGE)]
        )
    return name, tuple(other for _t, (score, other) in ranked[1:] if score > clear)[:_MOST_RIVALS]


def _is_in_one(text: str, languages: list[str]) -> bool:
    """Whether one of these languages has all the letters of the names."""
    letters = {char for word in _WORD.findall(text) for char in _small(word) if not char.isascii()}
    return any(letters <= {*_LETTERS[language], *_QUIET} for language in languages)


def _likelihood(text: str, languages: list[str]) -> float:
    """How likely these names are in the likeliest of the languages, as a logarithm."""
    shape = 0.0
    text = _BESIDE_WORDS.sub("", _IN_QUOTES.sub(r"\1", text))
    letters: Counter[str] = Counter()
    for word, n in Counter(_WORD.findall(text)).items():
        if not word.isascii():
            shape += min(n, 3) * _shape(word)
            letters.update({c: min(n, 3) for c in _small(word) if not c.isascii()})
    return shape + max(
        _TABLES["rare"].get(language, 0.0)
        + sum(n * _chance(char, language) for char, n in letters.items())
        for language in languages
    )


@cache
def _chance(char: str, language: str) -> float:
    """How likely this character is, among those other than a to z, in the language, as a
    logarithm."""
    own = _LETTERS[language]
    if char in own:
        return log(0.95 * 2 * (len(own) - own.index(char)) / (len(own) * (len(own) + 1)))
    return log(0.01 if char in _QUIET else 0.003 if _is_known(char) else 1e-5)


def _shape(word: str) -> float:
    """How much the shape of a word speaks against a name, as a logarithm: foreign capitals within
    it, no letter or a small foreign one at its start, many consonants or vowels in a row around a
    foreign letter, odd pairs of letters, or two scripts."""
    if not word[0].isalpha():
        return -2.0 if word in _QUIET else -6.0
    small = _small(word)
    capital = not word.isupper() and any(
        char.isupper() and not (before + char).isascii() and before not in "'’"
        for before, char in pairwise(word)
        if not char.isascii() or before.islower()
    )
    begins_small = word[0].islower() and not word[0].isascii()
    runs = ("".join(run) for _, run in groupby(small, _is_vowel))
    heaps = sum(len(run) > _MOST_CONSONANTS and not run.isascii() for run in runs)
    heaps *= small != word.upper()  # Scripts without capitals write few vowels.
    against = 6.0 * capital + 3.0 * begins_small + 3.0 * heaps + 2.0 * len(_ODD_PAIR.findall(small))
    return -against - 8.0 * bool(_TWO_SCRIPTS.search(word))


@cache
def _is_vowel(char: str) -> bool:
    return normalize("NFD", char)[:1] in _VOWELS


# Text → rows of cells.

SEPARATORS: Final = "\t;|,^~"
_RARE_SEPARATORS: Final = "#:"
"""Separators only between headings, because "#1 Dora" and "Class: 4A" are one cell each."""
MOST_CELLS: Final = 40
"""Further cells are ignored: they have no names."""
NOT_COMPUTED: Final = "\ufffc"  # the text of a cell whose formula has no result
_WITHIN_A_CELL: Final = re.compile(r'"[^"]*"|, (?!")')
"""Text between quotation marks, or the comma of "Smith, Ann"."""
_MARKED: Final = re.compile(r"""="(.*)"|['`‘](.*?)['`’]?""")
"""A text with a mark that makes Excel take it for one: ="4A", '4A, '4A'."""
_SAYS: Final = re.compile(r"[^\W_]")
_LINE_ENDS: Final = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # of word processors
_ADDRESS: Final = re.compile(
    r'(?:^|"|(?<=[<>;])|(?<=>,))([^"<>;\n]*[^"<>;\s])"?[^\S\n]*<[^<>\s@]+@[^<>\s]+>[;,]?',
    re.MULTILINE,
)
"""A name before a mail address. It begins at a sign, not at each letter of a long line."""
_LETTERED: Final = re.compile(r"[A-Za-z][.)]\s+\S")
_SPACES: Final = re.compile(r"(?<=[^\s,;|]) {2,}(?=\S)")
_TABBED: Final = re.compile(r"^(.*)\t(.*)$", re.MULTILINE)
_SAMPLE_LINES: Final = 40
_FEWEST_LETTERED: Final = 3  # lines that begin with A., B. and C.
_FEWEST_COPIED_LINES: Final = 3  # lines with the same text
_SURELY_COPIED_LINES: Final = 5
_LONGEST_LINE: Final = 20_000  # characters of a line that has all the names


class Row(NamedTuple):
    """A row that is not empty, with the line on which it begins."""

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
    """The rows of a list as a person sees them, and how they were encoded (`decode`)."""

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

    @property
    def often(self) -> set[str]:
        """The texts on every second or third line of a one-column list, copied below each name:
        "Student". Three children of one name may follow each other like this by chance, so a text
        also needs another beside it, a meaning in lists, or more lines."""
        places: dict[str, list[int]] = {}
        for number, row in enumerate(self.rows if self.width == 1 else ()):
            places.setdefault(row.cell(0), []).append(number)
        steady = {text: len(at) for text, at in places.items() if _is_steady(at, len(self.rows))}
        known = {text for text in steady if meaning(text)[1] and not is_name_too(text)}
        is_sure = bool(known) or max(steady.values(), default=0) >= _SURELY_COPIED_LINES
        names = [len(at) for text, at in places.items() if text not in steady]
        are_new = len(names) * 2 > sum(names)  # the texts between are many names, not one or two
        return set(steady) if are_new and (is_sure or len(steady) > 1) else set()

    def in_encoding(self, encoding: str) -> "Grid":
        """The grid, read in another encoding."""

        def recoded(cell: str) -> str:
            with suppress(UnicodeError):
                return cell.encode(self.source).decode(encoding)
            return cell

        rows = tuple(Row(line, tuple(map(recoded, cells))) for line, cells in self.rows)
        rivals = (self.source, *(rival for rival in self.rivals if rival != encoding))
        return self._replace(rows=rows, source=encoding, rivals=rivals)


def _is_steady(lines: Sequence[int], end: int) -> bool:
    """Whether these are every second or third line from the second or a later one to the end."""
    gaps = {after - before for before, after in pairwise(lines)}
    is_whole = lines[0] > 0 and lines[-1] + max(gaps, default=0) >= end
    return len(lines) >= _FEWEST_COPIED_LINES and gaps in ({2}, {3}) and is_whole


def grid_of_text(text: str, *written: Any) -> Grid:
    """The rows of a text: one name per line, all names on one line, or a table. `written` has the
    further fields of `Grid`. Raises `Unreadable`."""
    text = _without_stray_tab(_ADDRESS.sub(r"\1\n", _LINE_ENDS.sub("\n", text)))
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    letters = "".join(line[0].lower() for _, line in lines if _LETTERED.match(line))
    if len(letters) == len(lines) >= _FEWEST_LETTERED and ascii_lowercase.startswith(letters):
        lines = [(number, line[2:].strip()) for number, line in lines]
        text = "\n".join(line for _, line in lines)
    is_short = max((len(line) for _, line in lines), default=0) <= LONGEST_CELL
    split_name = [line.split(", ") for _, line in lines] if is_short else []
    if len(lines) == 1 and len(lines[0][1]) <= _LONGEST_LINE and (names := listed(lines[0][1])):
        lines = list(enumerate(names, start=1))
    elif len(lines) > 1 and all(_SPACES.search(line) and "\t" not in line for _, line in lines):
        return Grid(tuple(table(_SPACES.sub("\t", text))), *written)
    elif (
        re.search(r"[\t;|]", text)
        or not split_name
        or not all(len(parts) == 2 and all(map(can_be_name, parts)) for parts in split_name)
    ):
        return Grid(tuple(table(text)), *written)
    return Grid(tuple(Row(number, (line,)) for number, line in lines), *written)


def _without_stray_tab(text: str) -> str:
    """The text with a blank instead of its only tab, if that stands in or before one of many whole
    names: "Dora" and "Ek". Between first names, or between two whole names, it may separate two
    children."""
    found = _TABBED.search(text) if text.count("\t") == 1 else None
    if found is None:
        return text
    before, after = found[1].strip(), found[2].strip()
    is_first = can_be_name(before) and not meaning(before)[1] and _word_count(before) == 1
    others = [line for line in text.splitlines() if "\t" not in line and _SAYS.search(line)]
    are_whole = sum(_word_count(line) > 1 for line in others) * 2 > len(others)
    is_stray = are_whole and can_be_name(after) and (is_first or not before)
    return text.replace("\t", " ") if is_stray else text


def _word_count(text: str) -> int:
    return sum(word[0].isalpha() for word in text.split())


def table(text: str) -> list[Row]:
    """The rows of separated values that are not empty. Raises `Unreadable` with the line."""
    separator = ""
    if directive := re.match(r"\s*sep=(.)[^\S\n]*(?=\n|$)", text, re.IGNORECASE):
        # Excel names the separator like this. The line stays as an empty one, to keep the line
        # numbers.
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
            kept = tuple(map(cut, cells[:MOST_CELLS]))
            rows += [Row(line, kept)] if _SAYS.search("".join(kept)) else []
            line = reader.line_num + 1
    except csv.Error:
        raise Unreadable("quote", line) from None
    return unmarked(rows)


def unmarked(rows: Sequence[Row]) -> list[Row]:
    """The rows without marks, in columns where all texts below the first have them. Elsewhere an
    apostrophe belongs to a name: 'Ofa."""

    def inner(column: int, cell: str) -> str:
        found = _MARKED.fullmatch(cell) if column in marked else None
        return found[found.lastindex or 0] if found else cell

    columns = enumerate(zip_longest(*(row.cells for row in rows), fillvalue=""))
    texts = {column: [bool(_MARKED.fullmatch(c)) for c in cells if c] for column, cells in columns}
    marked = {column for column, are in texts.items() if sum(are) > 1 and all(are[1:])}
    return _spread([Row(r.line, tuple(inner(*each) for each in enumerate(r.cells))) for r in rows])


def _spread(rows: list[Row]) -> list[Row]:
    """The cells of a table that a program has put into one column, one line in each cell."""
    texts = [row.filled[0] for row in rows if len(row.filled) == 1]
    for char in SEPARATORS + _RARE_SEPARATORS if texts and len(texts) == len(rows) else ():
        counts = {text.count(char) for text in texts}
        heads = texts[0].split(char)
        is_table = len(counts) == 1 < len(heads) and are_headings(heads)
        if is_table and (char != "," or not {meaning(head)[1] for head in heads} <= NAMED):
            return [
                Row(row.line, tuple(map(str.strip, text.split(char))))
                for row, text in zip(rows, texts, strict=True)
            ]
    return rows


def cut(cell: str) -> str:
    """A cell, cut where it is far too long for a name. Its lines stay separate, because they may be
    several names. Some programs that write pages leave "O&#39;Brien" in their lists."""
    lines = unescape(cell[: 4 * LONGEST_CELL]).splitlines()
    kept = (" ".join(line.split()) for line in lines)
    return "\n".join(filter(None, kept))[: LONGEST_CELL + 1]


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
