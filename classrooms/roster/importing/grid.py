"""Bytes → grid: the rows of a list in whatever encoding, with whatever separator."""

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Final, Literal
from unicodedata import normalize

from classrooms.roster.importing.cells import can_be_name, listed

LARGEST: Final = 1_000_000
"""Most bytes of a file."""
MOST_ROWS: Final = 500
"""Most pupils that are shown for one class."""
MOST_PUPILS: Final = 20_000
"""The most pupils of a list, or enrolments of a bundle: 1,000 pupils with a home group and 15
subjects."""

ErrorKind = Literal[
    "too large", "empty", "nul", "encoding", "quote", "too many", "not computed", "not a list",
    "workbook", "broken workbook", "zip", "too much", "too slow", "unknown", "lacks file",
    "lacks column", "nobody", "nobody left", "many pupils", "many classes",
]  # fmt: skip


class Unreadable(Exception):
    """The file cannot be read, from this `line` on (0 for the whole file). In a bundle `file` says
    which; `detail` is the missing file or column."""

    def __init__(self, kind: ErrorKind, line: int = 0, *, file: str = "", detail: str = "") -> None:
        super().__init__(kind, line, file, detail)
        self.kind = kind
        self.line = line
        self.file = file
        self.detail = detail


# Bytes → text. UTF-8 and UTF-16 show themselves; of the encodings with one byte a sign, the one in
# which the names look most like names of some language.

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LETTERS: Final = {
    "nl": "ëïéèüöáóçêú", "de": "üöäß", "sv": "åäöé", "da": "øæåé", "fi": "äöå", "is": "óáíéúðþöæý",
    "fr": "éèëïçêîôâàûœùüÿ", "es": "éáíóñúü", "ca": "éàèíïóòúüç", "pt": "ãéáçíóâêôúõà",
    "it": "àèìòùé", "ga": "áéíóú", "cy": "ŵŷâêîôûïë", "et": "õäöüšž",
    "pl": "łśńóążćęź", "cs": "áíéěřšžčůýúňťďó", "sk": "áíéčšžľýúňťôäďóŕĺ", "hu": "áéóíöőüúű",
    "ro": "ăîșâțşţ", "hr": "čćšžđ", "tr": "üıçşğöiâ", "lv": "āīšņēļūžčģķ", "lt": "ėūžšįčąųę",
    "sq": "ëç", "el": "αισοντηςρεμλκάίδγήέόπύώυθωβφχζψξϊΐϋΰ",
    "ru": "аеинорлтсвкмдуяьгйбзыхчжшюцщэфёъ", "uk": "аоиінертвлскмядйуьзгбпчхжшєюцщїґф",
    "bg": "аиенортвлсдмкпгяъбзучйцхжшщьюф", "sr": "аиоејнрсвкмлтдугзшбпћчцхжњфљђџ",
}  # fmt: skip
"""Each language's letters beside a to z, the commoner ones of names first."""
_SMALL: Final = {"is": -1.5, "cy": -1.0}
"""Languages of few schools: how likely each is before a list is looked at, as a logarithm."""
_WESTERN: Final = (
    "cy", "nl", "de", "sv", "da", "fi", "is", "fr", "es", "ca", "pt", "it", "ga", "sq",
)  # fmt: skip
_CENTRAL: Final = ("pl", "cs", "sk", "hu", "ro", "hr", "de", "sq")
_CYRILLIC: Final = ("ru", "uk", "bg", "sr")
_ENCODINGS: Final = {
    "cp1252": (0.0, (*_WESTERN, "et")),
    "cp1250": (-1.0, _CENTRAL),
    "cp1254": (-1.5, ("tr",)),
    "cp1257": (-2.0, ("lv", "lt", "et")),
    "cp1251": (-1.0, _CYRILLIC),
    "cp1253": (-1.0, ("el",)),
    "iso8859_15": (-1.0, (*_WESTERN, "et")),
    "mac_roman": (-1.5, _WESTERN),
    "cp850": (-2.5, _WESTERN),
    "iso8859_2": (-1.5, _CENTRAL),
    "mac_latin2": (-4.0, _CENTRAL),
    "cp852": (-2.5, _CENTRAL),
    "mac_turkish": (-3.0, ("tr",)),
    "cp857": (-3.0, ("tr",)),
    "iso8859_4": (-4.0, ("lv", "lt", "et")),
    "cp775": (-4.0, ("lv", "lt", "et")),
    "koi8_u": (-2.0, _CYRILLIC),
    "mac_cyrillic": (-3.0, _CYRILLIC),
    "cp866": (-2.5, _CYRILLIC),
    "iso8859_7": (-1.0, ("el",)),
    "mac_greek": (-3.0, ("el",)),
}
"""How likely a list is in each before it is looked at, as a logarithm, and for which languages."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|[^\x00-\x7f]")
_VOWELS: Final = frozenset("aeiouyαεηιουωаеёиоуыэюяіїєъ")
_TWO_SCRIPTS: Final = re.compile("[A-Za-z][\u0370-\u1dff]|[\u0370-\u1dff][A-Za-z]")
_ODD_PAIR: Final = re.compile(
    "[äöåøæü][aeiou]|[aiou][äöåøæü]|[èê][aeiou]|[ćč]{2}|ç[bcdfgjklmnpqrstvwxz]"
)
_LONGEST_CLUSTER: Final = 3
_JUDGED: Final = 20_000
"""Bytes of lines with foreign characters from which the encoding is guessed."""
_CLEAR: Final = 2.5
"""By how much the likeliest reading must surpass the next; by half of one more where a single word
decides."""
_MOST_RIVALS: Final = 4
_WORST: Final = -9.0
"""A character's score, on average, in what is not text."""
_NULS_OF_UTF_16: Final = 0.3


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text and its encoding; `mixed` when the lines were in more than one."""

    text: str
    encoding: str
    mixed: bool = False
    rivals: tuple[str, ...] = ()  # other encodings that read the names otherwise and nearly as well


def load_encodings() -> None:
    """Load all that `decode` may need, from files."""
    for name in (*(name for _mark, name in _MARKS), "utf-16-le", "utf-16-be", *_ENCODINGS):
        codecs.lookup(name)


def decode(data: bytes) -> Decoded:
    """The text of a file. Raises `Unreadable`: "nul" with its line, or "encoding"."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _checked(_strictly(data, name), name.removesuffix("-sig"))
    if wide := _wide_without_mark(data):
        return _checked(_strictly(data, wide), wide)
    if b"\0" in data:
        raise Unreadable("nul", data[: data.index(b"\0")].count(b"\n") + 1)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _not_utf_8(data)
    # UTF-8 by chance: "Íñigo" in code page 850 would begin in Hebrew.
    return _not_utf_8(data) if _TWO_SCRIPTS.search(text) else _checked(text, "utf-8")


def _strictly(data: bytes, name: str) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        raise Unreadable("encoding") from None


def _checked(text: str, name: str) -> Decoded:
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        raise Unreadable("nul", text[: text.index("\0")].count("\n") + 1)
    return Decoded(text, name)


def _wide_without_mark(data: bytes) -> str:
    """The encoding if this is UTF-16 without a byte order mark: every second byte of plain letters
    is 0. Else ""."""
    start = data[:2000]
    if len(start) < 4:
        return ""
    even, odd = start[0::2].count(0), start[1::2].count(0)
    half = len(start) / 2
    if odd > _NULS_OF_UTF_16 * half and not even:
        return "utf-16-le"
    if even > _NULS_OF_UTF_16 * half and not odd:
        return "utf-16-be"
    return ""


def _not_utf_8(data: bytes) -> Decoded:
    """Decode each line as UTF-8 if it is, else by a guess: joined lists may mix encodings."""
    lines = data.splitlines(keepends=True)
    decoded = [_utf_8(line) for line in lines]
    mixed = any(text is not None and not text.isascii() for text in decoded)
    others = b"".join(line for line, text in zip(lines, decoded, strict=True) if text is None)
    name, rivals = _single_byte(others[:_JUDGED])
    if not mixed:
        return Decoded(_strictly(data, name), name, rivals=rivals)
    texts = [
        _strictly(line, name) if text is None else text
        for line, text in zip(lines, decoded, strict=True)
    ]
    return Decoded("".join(texts), name, mixed=True, rivals=rivals)


def _utf_8(line: bytes) -> str | None:
    """The line if it is UTF-8, and not by chance."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return None
    return text if all(map(_is_known, text)) else None


@cache
def _is_known(char: str) -> bool:
    small = char.lower()
    return char.isascii() or any(small in letters for letters in _LETTERS.values())


def _single_byte(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The likeliest encoding, and others that read the names otherwise and are nearly as likely."""
    readings: dict[str, tuple[float, str]] = {}
    for encoding, (before, languages) in _ENCODINGS.items():
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        score = before + _likelihood(text, languages)
        # Encodings that read the same names are one.
        if all(text != other for _score, other in readings.values()):
            readings[encoding] = score, text
        else:
            same = next(name for name, (_score, other) in readings.items() if other == text)
            readings[same] = max(score, readings[same][0]), text
    ranked = sorted(readings, key=lambda name: -readings[name][0])
    chars = sum(byte > 127 for byte in data)
    if not ranked or readings[ranked[0]][0] < _WORST * chars:
        raise Unreadable("encoding")
    best = ranked[0]
    words = {word for word in _WORD.findall(readings[best][1]) if not word.isascii()}
    clear = _CLEAR + (len(words) == 1) / 2
    near = [name for name in ranked[1:] if readings[name][0] > readings[best][0] - clear]
    return best, tuple(near[:_MOST_RIVALS])


def _likelihood(text: str, languages: tuple[str, ...]) -> float:
    """The logarithm of how likely these names are in the likeliest of the languages."""
    words = Counter(_WORD.findall(text))
    foreign = [(word, min(n, 3)) for word, n in words.items() if not word.isascii()]
    shape = sum(n * _shape(word) for word, n in foreign)
    letters: Counter[str] = Counter()
    for word, n in foreign:
        letters.update({char: n for char in word.lower() if not char.isascii()})
    return shape + max(
        _SMALL.get(language, 0.0) + sum(n * _chance(char, language) for char, n in letters.items())
        for language in languages
    )


@cache
def _chance(char: str, language: str) -> float:
    """The logarithm of how likely this one is among the characters beside a to z."""
    own = _LETTERS[language]
    if char in own:
        # The commoner come first.
        return log(0.95 * 2 * (len(own) - own.index(char)) / (len(own) * (len(own) + 1)))
    if char in "’‘–\u00a0":
        return log(0.01)
    return log(0.003) if _is_known(char) else log(1e-5)


def _shape(word: str) -> float:
    """What speaks against a word as a name, as a logarithm: capitals within it, no letter at all,
    a small letter at its start, or a heap of consonants or vowels about a foreign letter."""
    if not word[0].isalpha():
        return -2.0 if word in "’‘–\u00a0" else -6.0
    score = 0.0
    inside = word[1:]
    if not word.isupper() and any(
        char.isupper() and not char.isascii() and before not in "'’"
        for before, char in zip(word, inside, strict=False)
    ):
        score -= 6.0
    if word[0].islower() and not word[0].isascii():
        score -= 1.5
    if any(char.isascii() for char in word) and any(
        "\u0370" < char < "\u1e00" for char in word.lower()
    ):
        score -= 8.0
    score -= 2.0 * len(_ODD_PAIR.findall(word.lower()))
    plain = [(char, _base(char) in _VOWELS) for char in word.lower()]
    run: list[str] = []
    kind: bool | None = None
    for char, vowel in [*plain, ("", None)]:
        if vowel is kind:
            run.append(char)
            continue
        if len(run) > _LONGEST_CLUSTER and not all(each.isascii() for each in run):
            score -= 3.0
        run, kind = [char], vowel
    return score


@cache
def _base(char: str) -> str:
    """The letter without its accent."""
    return {"ø": "o", "æ": "a", "œ": "o", "ı": "i"}.get(char, normalize("NFD", char)[:1])


# Text → rows of cells.

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
    """The rows of a list as its reader sees them."""

    rows: tuple[Row, ...]
    source: str = ""  # the encoding, "Excel" or the kind of bundle
    rivals: tuple[str, ...] = ()  # other encodings in which the names would be likely too
    mixed: bool = False
    hidden: int = 0  # rows that the file does not show
    left: int = 0  # pupils who are not at the school now


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
    last, char, first = line.partition(", ")
    return len(line) <= LONGEST_CELL and bool(char) and can_be_name(last) and can_be_name(first)


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
    """The separator of the cells: the character that is on the most lines equally often."""
    lines = [line[:_SAMPLE_SIGNS] for line in text[:40_000].splitlines() if line.strip()]
    between = [_WITHIN_A_CELL.sub("", line) for line in lines[:_SAMPLE_LINES]]

    def regularity(char: str) -> tuple[int, int]:
        counts = Counter(line.count(char) for line in between)
        return max(((n, times) for times, n in counts.items() if times), default=(0, 0))

    likely = max(SEPARATORS, key=regularity)
    if regularity(likely)[0]:
        return likely
    # "Smith, Ann" is one cell, and so is "Ann, 7"; "Ann, Smith, 4A" is three.
    return "," if all(line.count(", ") > 1 for line in lines) and lines else "\t"
