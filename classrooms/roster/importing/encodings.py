"""Bytes → text: reads a list in any encoding.

UTF-8 and UTF-16 can be recognised. Of the encodings with one byte per character, it chooses the one
in which the names look most like names of some language (`letters.toml`)."""

import codecs
import re
import tomllib
from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import groupby, pairwise
from math import log
from pathlib import Path
from typing import Final
from unicodedata import normalize


class UnreadableFile(Exception):
    """A file cannot be read. `kind` is the reason, `line` the place, `file` the name within a
    bundle, and `detail` the part that is missing."""

    def __init__(self, kind: str, line: int = 0, file: str = "", detail: str = "") -> None:
        super().__init__(kind, line, file, detail)
        self.kind, self.line, self.file, self.detail = kind, line, file, detail


_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
_TABLES: Final = tomllib.loads(Path(__file__).with_name("letters.toml").read_text("utf-8"))
_LETTERS: Final[dict[str, str]] = _TABLES["letters"]
_KNOWN_LETTERS: Final = frozenset("".join(_LETTERS.values()))
_ENCODINGS: Final[dict[str, tuple[float, list[str]]]] = {
    name: (before, " ".join(_TABLES["groups"].get(group, group) for group in groups).split())
    for name, (before, *groups) in _TABLES["encodings"].items()
}
for _name in (*_MARKS.values(), "utf-16-le", "utf-16-be", *_ENCODINGS):
    codecs.lookup(_name)  # Load the codec now, because no file can be opened later.
_WORD: Final = re.compile(
    "(?:[^\\W\\d_ªº]|[\u0e31\u0e34-\u0e4e])+(?:['’–][^\\W\\d_]+)*|[^\\x00-\\x7f]"
)
_BESIDE_WORDS: Final = re.compile(
    "(?<=[\\dNn])\\.?[ªº°]|\u00a0(?=[A-Z\\d\\s,;])|(?<!\\S)[–—…€](?!\\S)|(?:(?<=\\d)|(?<=\\d ))€"
)
_IN_QUOTES: Final = re.compile("(?<!\\w)[“„«](\\w[^“„”«»\n]*)[”“»](?!\\w)")
_NEUTRAL: Final = "’‘–\u00a0ªº°"
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
"""How much better than all others the likeliest reading must be, or else the teacher chooses. It
must be better by 0.5 more if a single word decides."""
CLEAR_SCORE_OVER_ONE_LANGUAGE: Final = 10.0
"""How much better a reading with letters of several languages must be than one with the letters of
a single language."""
_MOST_RIVALS: Final = 4
_WORST_SCORE: Final = -5.0  # a character's average score in what is not text
_SHARE_OF_NULS: Final = 0.3
Decoded = tuple[str, str, tuple[str, ...], bool]


def decode(data: bytes) -> Decoded:
    """The text of a file, its encoding, other encodings that are nearly as likely and give other
    names, and whether the lines have different encodings. Raises `UnreadableFile` with "nul" or
    "encoding"."""
    encodings = (name for mark, name in _MARKS.items() if data.startswith(mark))
    name = next(encodings, "") or _unmarked_utf_16(data)
    data = data if name else data.rstrip(b"\0\x1a")  # the end of a file in old programs
    try:
        text = data.decode(name or "latin-1")
        if "\0" in text:
            raise UnreadableFile("nul", text[: text.index("\0")].count("\n") + 1)
        text = text if name else data.decode()
    except UnicodeDecodeError:
        if name:
            raise UnreadableFile("encoding") from None
        return _decode_lines(data)
    # It may be UTF-8 by chance: "Íñigo" in code page 850 would begin with a Hebrew letter.
    if not name and _TWO_SCRIPTS.search(text):
        return _decode_lines(data)
    text = "\n".join(map(_undo_double_encoding, text.removeprefix("\ufeff").split("\n")))
    return text, name.removesuffix("-sig") or "utf-8", (), False


def _undo_double_encoding(line: str) -> str:
    """The line before a program mistook its UTF-8 for another encoding: "Zoë" for "ZoÃ«"."""
    for encoding in () if line.isascii() else ("cp1252", "mac_roman"):
        with suppress(UnicodeError):
            before = line.translate(_CONTROLS).encode(encoding, "surrogateescape").decode()
            if all(char in _NEUTRAL or _is_known(char) for char in before):
                return before
    return line


def _unmarked_utf_16(data: bytes) -> str:
    """The encoding of UTF-16 without a byte order mark, in which every second byte of plain letters
    is 0; "" if this is not UTF-16."""
    even, odd_zeros = (data[begin:2000:2].count(0) for begin in (0, 1))
    if bool(even) == bool(odd_zeros) or even + odd_zeros <= _SHARE_OF_NULS * len(data[:2000]) / 2:
        return ""
    return "utf-16-be" if even else "utf-16-le"


def _decode_lines(data: bytes) -> Decoded:
    """Decode each line as UTF-8 if possible, or else in the likeliest encoding. A list that was
    joined from several files may have several encodings."""
    lines = data.splitlines(keepends=True)
    texts = list(map(_decode_utf_8, lines))
    other_bytes = b"".join(line for line, text in zip(lines, texts, strict=True) if text is None)
    name, rivals = _likeliest_encoding(other_bytes[:_JUDGED_BYTES])
    mixed = any(text and not text.isascii() for text in texts)
    try:
        decoded = [
            line.decode(name) if t is None else t for line, t in zip(lines, texts, strict=True)
        ]
    except UnicodeDecodeError:
        raise UnreadableFile("encoding") from None
    return "".join(decoded), name, rivals, mixed


def _decode_utf_8(line: bytes) -> str | None:
    """The text of the line; None if it is not UTF-8, or is UTF-8 only by chance."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return None
    return text if all(map(_is_known, text)) else None


def _is_known(char: str) -> bool:
    return char.isascii() or _lower(char) in _KNOWN_LETTERS


def _lower(word: str) -> str:
    """The word in small letters, each of them a single character."""
    return word.replace("İ", "ı").lower()


def _likeliest_encoding(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The likeliest encoding, and others that are nearly as likely and give other names."""
    readings: dict[str, tuple[float, str]] = {}
    for encoding, (before, languages) in _ENCODINGS.items():
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        score = before + _likelihood(text, languages)
        rival, name = readings.get(text, (score, encoding))
        readings[text] = max(score, rival), name
    ranked = sorted(readings.items(), key=lambda reading: -reading[1][0])
    text, (best, name) = ranked[0] if ranked else ("", (0.0, ""))
    if not name or best - _ENCODINGS[name][0] < _WORST_SCORE * sum(byte > 127 for byte in data):
        raise UnreadableFile("encoding")
    words = {word for word in _WORD.findall(text) if not word.isascii()}
    clear = best - _CLEAR_SCORE - (len(words) == 1) / 2
    if not _fits_one_language(text, _ENCODINGS[name][1]):
        in_one = (score for t, (score, e) in ranked if _fits_one_language(t, _ENCODINGS[e][1]))
        clear = min(
            [
                clear,
                *(score - 1 for score in in_one if score > best - CLEAR_SCORE_OVER_ONE_LANGUAGE),
            ]
        )
    return name, tuple(rival for _t, (score, rival) in ranked[1:] if score > clear)[:_MOST_RIVALS]


def _fits_one_language(text: str, languages: list[str]) -> bool:
    """Whether one of these languages has all the letters of the names."""
    letters = {char for word in _WORD.findall(text) for char in _lower(word) if not char.isascii()}
    return any(letters <= {*_LETTERS[language], *_NEUTRAL} for language in languages)


def _likelihood(text: str, languages: list[str]) -> float:
    """How likely these names are in the likeliest of the languages, as a logarithm."""
    shape = 0.0
    text = _BESIDE_WORDS.sub("", _IN_QUOTES.sub(r"\1", text))
    letters: Counter[str] = Counter()
    for word, n in Counter(_WORD.findall(text)).items():
        if not word.isascii():
            shape += min(n, 3) * _shape(word)
            letters.update({c: min(n, 3) for c in _lower(word) if not c.isascii()})
    return shape + max(
        _TABLES["rare"].get(language, 0.0)
        + sum(n * _chance(char, language) for char, n in letters.items())
        for language in languages
    )


@cache
def _chance(char: str, language: str) -> float:
    """How likely this character is in the language, among those other than a to z, as a
    logarithm."""
    extra = _LETTERS[language]
    if char in extra:
        return log(0.95 * 2 * (len(extra) - extra.index(char)) / (len(extra) * (len(extra) + 1)))
    return log(0.01 if char in _NEUTRAL else 0.003 if _is_known(char) else 1e-5)


def _shape(word: str) -> float:
    """How unlikely a name of this shape is, as a logarithm. These count against it: a foreign
    capital within the word, no letter or a small foreign letter at its start, many consonants or
    vowels in a row around a foreign letter, odd pairs of letters, and two scripts."""
    if not word[0].isalpha():
        return -2.0 if word in _NEUTRAL else -6.0
    small = _lower(word)
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
