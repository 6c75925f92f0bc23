"""Checks children's names, and brings different spellings of a name into one form.

Teachers' lists and the door, where children type their names, use the same tables: which characters
are dropped, which are equal, and which look like the same letter.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final, Literal

LONGEST_NAME: Final = 40
LONGEST_READ: Final = 200
"""Only this many characters are read, because no real name is longer and composing accents takes
quadratic time."""
SIGNS: Final = " '’-.()"
UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
"""NUL and halves of surrogate pairs, which no page and no database can hold."""
_CHILD_OF: Final = re.compile(r"\b(?:[sd]/o|a/[lp])\b", re.IGNORECASE)
""""Son of" and "daughter of" in Tamil names of Singapore and Malaysia."""
_JOINERS: Final = "\u200c\u200d"
INVISIBLE: Final = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202c\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc\U000e0000-\U000e007f]"
    "|(?:^|(?<=[\x00-\x7f]))[\u200c\u200d]+|[\u200c\u200d]+(?=[\x00-\x7f]|$)"
)
"""Invisible characters, and joiners with nothing to join. Characters that force the direction
(U+202D, U+202E) are not among them: they make a name look like another one, so they are
reported."""
_VARIANT_FORMS: Final = re.compile(
    "[\u0132\u0133\u01c4-\u01cc\u01f1-\u01f3\u2160-\u217f\ufb00-\ufdff\ufe70-\ufefc\uff01-\uffdc]"
)
"""Ligatures, letters as they are written within a word, and full-width and half-width forms."""
_SAME_SIGN: Final = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\u05be", "-")
    | dict.fromkeys("\u2018\u201b\u02bc\u02bb\u02b9\u2032\u0060\u00b4", "\u2019")
)
_SAME_LETTER: Final = str.maketrans(
    dict.fromkeys("\u064a\u0649\u06d2\u06d0\u0626", "\u06cc")
    | dict.fromkeys("\u06c1\u06be\u0629\u06c3\u06c0\u06d5", "\u0647")
    | {"\u0643": "\u06a9", "\u0671": "\u0627", "\u0624": "\u0648", "\u0640": ""}
    | dict(zip("ൺൻർൽൾൿ", "ണനരലളക", strict=True))
    | {"װ": "וו", "ױ": "וי", "ײ": "יי"}
    | {0x30A1 + kana: 0x3041 + kana for kana in range(86)}
)
"""Letters for which keyboards have different characters: of Arabic, Persian and Urdu, Malayalam
consonants without a vowel, Yiddish pairs, and the two Japanese syllabaries."""
LONGEST_PLAIN: Final = 80
_SPELLED_OUT: Final = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ŋ": "ng"}
    | dict(zip("ħŧəǝɛɔɓɗƙƴґ", "hteeeobdkyг", strict=True))
)
_UMLAUTS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))

NameProblem = Literal["missing", "too long", "sign", "no letter", "begins", "in class", "on line"]


@dataclass(frozen=True, slots=True)
class WrongLine:
    """A line of a list that cannot be used as a name, and why."""

    line: int
    name: str
    problem: NameProblem
    detail: str = ""  # the character that is not allowed, or the line that already has the name
    free_name: str = ""  # if the name is taken, a similar one that is free


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a list, and its wrong lines."""

    names: tuple[str, ...]
    wrong: tuple[WrongLine, ...]


def tidy(name: str) -> str:
    """The name with single spaces, with accents joined to their letters, and without invisible
    characters. A text far too long for a name is cut.

    >>> tidy("So\ufb01a"), tidy("Anne\u2010Marie"), tidy("Gu\xadnnar")
    ('Sofia', 'Anne-Marie', 'Gunnar')
    """
    cut = " ".join(name[: 4 * LONGEST_READ].split())[:LONGEST_READ]
    if not cut.isascii() or "`" in cut:
        visible = INVISIBLE.sub("", cut).translate(_SAME_SIGN)
        visible = _VARIANT_FORMS.sub(lambda char: unicodedata.normalize("NFKC", char[0]), visible)
        cut = " ".join(unicodedata.normalize("NFC", visible).split())
    return cut


def name_key(name: str) -> str:
    """The key by which two spellings of a name are compared: tidied, without capitals."""
    return tidy(name).casefold()


def read_names(text: str, taken_names: Iterable[str] = ()) -> Names:
    """Read one name from each line that is not empty. `taken_names` are those of the class.

    >>> read_names("Dora\\n\\nEmil").names
    ('Dora', 'Emil')
    """
    lines = ((number, raw) for number, raw in enumerate(text.splitlines(), start=1) if tidy(raw))
    return check_names(lines, taken_names)


def check_names(lines: Iterable[tuple[int, str]], taken_names: Iterable[str] = ()) -> Names:
    """Read the names in these numbered lines. `taken_names` are those of the class."""
    lines = list(lines)
    in_class = {name_key(name) for name in taken_names}
    used = in_class | {name_key(raw) for _number, raw in lines}
    places: dict[str, int] = {}
    names: list[str] = []
    wrong: list[WrongLine] = []
    for number, raw in lines:
        name = tidy(raw)
        problem = check_name(name, number)
        if problem is None and name_key(name) in in_class:
            problem = WrongLine(number, name, "in class", free_name=with_letter(name, used))
        if problem is None and name_key(name) in places:
            line = str(places[name_key(name)])
            problem = WrongLine(number, name, "on line", line, with_letter(name, used))
        if problem:
            wrong.append(problem)
            used.add(name_key(problem.free_name))
        else:
            places[name_key(name)] = number
            names.append(name)
    return Names(tuple(names), tuple(wrong))


def with_letter(name: str, taken_names: Collection[str]) -> str:
    """The name and a letter, from B on, that makes it differ from `taken_names`, which are in the
    form of `name_key`.

    >>> with_letter("Sam", {"sam", "sam b"})
    'Sam C'
    """
    names = (f"{name} {letter}" for letter in ascii_uppercase[1:])
    free_names = (free_name for free_name in names if name_key(free_name) not in taken_names)
    return next(free_names, f"{name} {len(taken_names)}")


def check_name(name: str, line: int = 1) -> WrongLine | None:
    """What is wrong with this name, apart from other names; None if nothing is."""
    if not name:
        return WrongLine(line, name, "missing")
    if len(name) > LONGEST_NAME:
        return WrongLine(line, name[:LONGEST_NAME], "too long")
    for char in _CHILD_OF.sub("", name):
        if unicodedata.category(char)[0] not in "LMN" and char not in SIGNS + _JOINERS:
            return WrongLine(line, name, "sign", char if char.isprintable() else "")
    if not any(char.isalpha() for char in name):
        return WrongLine(line, name, "no letter")
    if name[0] in "-.)":
        return WrongLine(line, name, "begins", name[0])
    return None


def plain_name(name: str) -> str:
    """The letters and digits of a name, without capitals and accents; empty if there are none. By
    these, children are recognised however they type their names.

    >>> plain_name("  Zoë  van-Dam ")
    'zovandam'
    >>> plain_name("Jürgen") == plain_name("JUERGEN")
    True
    """
    plain = tidy(name).casefold()
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFKD", plain).casefold()
        letters = decomposed.translate(_SPELLED_OUT).translate(_SAME_LETTER)
        plain = "".join(str(unicodedata.decimal(letter, letter)) for letter in letters)
    plain = "".join(filter(str.isalnum, plain))
    for spelled, letter in _UMLAUTS:
        plain = plain.replace(spelled, letter)
    return plain[:LONGEST_PLAIN]
