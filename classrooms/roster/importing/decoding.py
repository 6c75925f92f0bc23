"""Bytes → text, in any of the usual encodings."""

import codecs
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

import charset_normalizer

from classrooms.roster.importing.import_errors import Unreadable

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN: Final = "cp1252"
_OTHERS: Final = [
    "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp437", "cp850", "iso8859_2", "iso8859_5",
    "mac_roman", "big5", "gb18030", "shift_jis", "euc_kr",
]  # fmt: skip
_WESTERN_SIGNS: Final = frozenset("’‘“”–—…€·°´`\u00a0")
_MOSTLY: Final = 0.5
_IN_WESTERN: Final = bytes(range(256)).decode(_WESTERN, errors="ignore")
_LOWER: Final = "".join(sign for sign in _IN_WESTERN if sign.islower())
_UPPER_ACCENTS: Final = "".join(s for s in _IN_WESTERN if s.isupper() and not s.isascii())
_SHOUTED: Final = re.compile(f"[{_LOWER}][{_UPPER_ACCENTS}]")
_NULS_OF_UTF_16: Final = 0.3
_JUDGED: Final = 50_000
"""Bytes from which the encoding is guessed."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text and its encoding; `mixed` when the lines were in more than one."""

    text: str
    encoding: str
    mixed: bool = False


def load_encodings() -> None:
    """Load all that `decode` may need, from files."""
    for name in (*(name for _mark, name in _MARKS), "utf-16-le", "utf-16-be", *_OTHERS):
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
        return _checked(data.decode(), "utf-8")
    except UnicodeDecodeError:
        return _not_utf_8(data)


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
    rest = b"".join(line for line, text in zip(lines, decoded, strict=True) if text is None)
    name = _single_byte(rest if mixed else data)
    if not mixed:
        return Decoded(_strictly(data, name), name)
    texts = [
        _strictly(line, name) if text is None else text
        for line, text in zip(lines, decoded, strict=True)
    ]
    return Decoded("".join(texts), name, mixed=True)


def _utf_8(line: bytes) -> str | None:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return None


def _single_byte(data: bytes) -> str:
    """The encoding of bytes that are not UTF-8. A class list is too short for statistics: if it
    reads well as Western it is taken as that, though a few Czech names may do so too."""
    try:
        western = data.decode(_WESTERN)
    except UnicodeDecodeError:
        western = ""
    if western and _reads_well(western[:_JUDGED]):
        return _WESTERN
    best = charset_normalizer.from_bytes(data[:_JUDGED], cp_isolation=_OTHERS).best()
    if best is None:
        raise Unreadable("encoding")
    return best.encoding


def _reads_well(text: str) -> bool:
    """Whether it looks like Western words: few accents among the letters, no strange signs."""
    counts = Counter(text)
    foreign = [sign for sign in counts if not sign.isascii()]
    if any(not sign.isalpha() and sign not in _WESTERN_SIGNS for sign in foreign):
        return False
    letters = sum(count for sign, count in counts.items() if sign.isalpha())
    accents = sum(counts[sign] for sign in foreign if sign.isalpha())
    return not _SHOUTED.search(text) and accents < _MOSTLY * letters
