"""Rules for children's names, and forms in which different spellings of a name are equal."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

LONGEST_NAME: Final = 40
LONGEST_READ: Final = 200
"""Only this many characters are read: joining accents takes quadratic time, and a longer text is no
name."""
SIGNS: Final = " '’-.()"
_JOINERS: Final = "\u200c\u200d"
_BYTE_ORDER_MARK: Final = "\ufeff"
LONGEST_PLAIN: Final = 80
_SPELLED_OUT: Final = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_UMLAUTS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))

NameProblem = Literal["missing", "too long", "sign", "no letter", "begins", "in class", "on line"]


@dataclass(frozen=True, slots=True)
class WrongLine:
    """A line of a pasted list that is not a usable name, and why.

    `detail`: the sign that is not allowed, or the line that already has the name.
    """

    line: int
    name: str
    problem: NameProblem
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a pasted list, and the lines that are wrong."""

    names: tuple[str, ...]
    wrong: tuple[WrongLine, ...]


def tidy(name: str) -> str:
    """The name with single spaces and accents joined to their letters. A text far too long for a
    name is cut."""
    spaced = " ".join(name.replace(_BYTE_ORDER_MARK, "").split())
    return unicodedata.normalize("NFC", spaced[:LONGEST_READ])


def same(name: str) -> str:
    """The tidied name without regard to capitals; equal for two spellings of the same name."""
    return tidy(name).casefold()


def read_names(text: str, taken: Iterable[str] = ()) -> Names:
    """The names, one a line, without empty lines. `taken`: the names already in the class.

    >>> read_names("Dora\\n\\nEmil").names
    ('Dora', 'Emil')
    """
    lines = ((number, raw) for number, raw in enumerate(text.splitlines(), start=1) if tidy(raw))
    return check_names(lines, taken)


def check_names(lines: Iterable[tuple[int, str]], taken: Iterable[str] = ()) -> Names:
    """The names in these numbered lines, and the lines that are wrong."""
    in_class = {same(name) for name in taken}
    seen: dict[str, int] = {}
    names: list[str] = []
    wrong: list[WrongLine] = []
    for number, raw in lines:
        name = tidy(raw)
        problem = check_name(name, number)
        if problem is None and same(name) in in_class:
            problem = WrongLine(number, name, "in class")
        if problem is None and same(name) in seen:
            problem = WrongLine(number, name, "on line", str(seen[same(name)]))
        if problem:
            wrong.append(problem)
        else:
            seen[same(name)] = number
            names.append(name)
    return Names(tuple(names), tuple(wrong))


def check_name(name: str, line: int = 1) -> WrongLine | None:
    """What is wrong with this name, apart from who else has it; None if nothing."""
    if not name:
        return WrongLine(line, name, "missing")
    if len(name) > LONGEST_NAME:
        return WrongLine(line, name[:LONGEST_NAME], "too long")
    for sign in name:
        if unicodedata.category(sign)[0] not in "LMN" and sign not in SIGNS + _JOINERS:
            return WrongLine(line, name, "sign", sign if sign.isprintable() else "")
    if not any(sign.isalpha() for sign in name):
        return WrongLine(line, name, "no letter")
    if name[0] in "-.)":
        return WrongLine(line, name, "begins", name[0])
    return None


def plain_name(name: str) -> str:
    """The letters and digits of a name, without capitals and accents, so that a child is recognised
    however it types its name. Empty if there are none.

    >>> plain_name("  Zoë  van-Dam ")
    'zovandam'
    >>> plain_name("Jürgen") == plain_name("JUERGEN")
    True
    """
    decomposed = unicodedata.normalize("NFKD", name.casefold()).casefold().translate(_SPELLED_OUT)
    plain = "".join(sign for sign in decomposed if sign.isalnum())
    for spelled, letter in _UMLAUTS:
        plain = plain.replace(spelled, letter)
    return plain[:LONGEST_PLAIN]
