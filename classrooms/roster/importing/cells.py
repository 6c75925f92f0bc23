"""Recognises the content of a cell: a heading, a class, or a name, perhaps beside a number or a
date."""

import re
import tomllib
from collections.abc import Iterable
from datetime import date, timedelta
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from classrooms.child_names import check_name, name_key, plain_name, tidy

TABLES: Final = tomllib.loads(Path(__file__).with_name("headings.toml").read_text("utf-8"))
_MEANINGS: Final[dict[str, tuple[int, str]]] = {}
_SPELLINGS: Final[set[str]] = set()  # the headings with their accents
for _role, _table in TABLES["columns"].items():
    for _words in _table.values():
        for _place, _word in enumerate(_words):
            _MEANINGS.setdefault(plain_name(_word), (_place, _role))
            _SPELLINGS.add(name_key(_word))
WORDS: Final = {
    kind: frozenset(plain_name(word) or word for word in words)
    for kind, words in TABLES["words"].items()
}
NO_PUPIL: Final = {tuple(map(plain_name, phrase.split())) for phrase in TABLES["words"]["no_pupil"]}
NAME_ROLES: Final = frozenset({"preferred", "given", "family", "full"})
_BRACKETS: Final = re.compile(r"\[[^\]]*\]|\([^)]*\)")
"""A remark beside a heading, such as "[Required]" or "(as in the passport)"."""
_HEADING_WORD: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])")
"""A word of a heading, also within "lastName"."""


@lru_cache(maxsize=10_000)
def meaning(cell: str) -> tuple[int, str]:
    """How well this heading fits its role (0 is best), and the role; "" if it is unknown. One known
    part of "Naam / Name" is enough. "Last name, first name" is a whole name.

    >>> [meaning(cell)[1] for cell in ("Pupil's surname", "Mother's surname", "Mentor group")]
    ['family', 'other', 'group']
    """
    if is_name_too(cell) and name_key(cell) not in _SPELLINGS and not cell.isupper():
        return 0, ""
    alone = _BRACKETS.sub("", cell)
    for part in (cell, alone, *re.split(r"[/|\n]", cell)):
        if kind := _MEANINGS.get(plain_name(part)):
            return kind
    words = alone.split()
    for n in range(1, len(words)):  # a heading in two languages, such as "Voornaam First name"
        two = [_MEANINGS.get(plain_name(" ".join(half))) for half in (words[:n], words[n:])]
        if two[0] and two[1] and two[0][1] == two[1][1]:
            return two[0]
    parts = cell.split(",")
    if len(parts) == 2 and all(meaning(part)[1] in NAME_ROLES for part in parts):
        return 0, "full"
    words = list(map(plain_name, _HEADING_WORD.findall(alone)))
    other_words = WORDS["others"].intersection(words)
    words_left = [word for word in words if word not in other_words | WORDS["pupil"]]
    if not words_left and cell.strip()[-1:].isalpha():  # "Child 1" is a name
        words_left = words[:1]
    place, role = _MEANINGS.get("".join(words_left), (0, ""))
    roles = {_MEANINGS.get(word, (0, ""))[1] for word in words_left}
    is_both = len(words_left) > 1 and roles in ({"given", "family"}, {"full", "family"})
    if is_both and not (role or other_words):
        return 0, "full"
    is_group = role == "group" and words[-1] not in other_words  # also "Class 2026/27"
    if not is_group and words_left == words:
        place, role = 0, ""
    is_other = (other_words and not is_group) or not WORDS["former"].isdisjoint(words)
    return (0, "other") if is_other else (place, role)


def is_name_too(cell: str) -> bool:
    """Whether this word, which occurs in headings or sums, is also a name."""
    return plain_name(cell) in WORDS["names"]


def are_headings(texts: Iterable[str]) -> bool:
    """Whether all of these are headings, and at least one is a heading of names."""
    roles = {meaning(text)[1] for text in texts}
    return "" not in roles and not NAME_ROLES.isdisjoint(roles)


def is_word(cell: str, kind: str) -> bool:
    """Whether the cell is one of the words of this kind."""
    return bool(cell) and (plain_name(cell) or cell) in WORDS[kind]


_PREFIX: Final = re.compile(
    r"^(?:[•·◦▪‣●○→➤►▶☐☑☒✓✔✗\ue000-\uf8ff]\s*|\[[ xX]?\]\s*|(?:[-–—*]|(?-i:o))\s+"
    r"|[\u2460-\u24ff\u2776-\u2793]\s*|\d\u20e3\s*|(?:n[or]\.?\s?|#)?\(?\d{1,3}(?:[.):、．]|\s?[-–])\s*"
    r"|(?:n[or]\.?\s?|#)?\d{1,3}\s+|[a-z]\)\s+){1,2}(?=[^\W\d_]|['’])",
    re.IGNORECASE,
)
_NEW_SUFFIX: Final = re.compile(
    r"\s*(?:\((?:{0})\)|\s[-–]\s(?:{0}))$".format("|".join(TABLES["words"]["new"])), re.IGNORECASE
)
_MAIL_SUFFIX: Final = re.compile(r"\s*<[^<>]*@[^<>]*>$")
_CLASS_SUFFIX: Final = re.compile(r"\s\(([^()]+)\)$")
_SALUTATION: Final = re.compile(
    rf"(?:{'|'.join(TABLES['words']['addressed'])})\.?\s+(?=\w)", re.IGNORECASE
)
_CLASS_WORD, _MONTH, _BORN = (
    "|".join(sorted(" ".join(TABLES["words"][k]).split(), key=len, reverse=True))
    for k in ("classes", "months", "born")
)
MONTHS: Final = {
    plain_name(word): number
    for number, words in enumerate(TABLES["words"]["months"], start=1)
    for word in words.split()
}
_CLASS: Final = re.compile(
    rf"(?:(?:{_CLASS_WORD})\s*:?\s*\d{{1,2}}(?:[/-]\d{{1,2}})?\s?[-./]?\s?[a-z]{{0,2}}"
    r"|\d{1,2}\s?[º°ª]?\s?[-./]?\s?[a-z]{1,2}|\d{1,2}/\d{1,2}"
    r"|(?-i:[IVX]{1,4}[ .-]\s?[A-Za-z]|C(?:P|E[12]|M[12])(?:\s?[A-Za-z])?))(?:\s[-–]\s.+)?",
    re.IGNORECASE,
)
# A day as a spreadsheet writes it. One with the name of a month needs a year, because Jan is a
# name.
_DATE: Final = (
    r"(?:\d{1,4}\s?(?P<sign>[./-])\s?\d{1,2}\s?(?P=sign)\s?\d{2,4}\.?|\d{1,2}\.\s?\d{1,2}\.?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[.\s-]{{1,2}}(?:{_MONTH})\.?[,\s-]{{1,2}}\d{{2,4}}"
    rf"|(?:{_MONTH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}})"
    r"(?:[T\s]\d{1,2}:\d{2}(?::\d{2})?)?"
)
_DATE_ALONE, _DATE_AFTER, _DATE_BEFORE, _NUMBER_AFTER = (
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        _DATE,
        rf"(?<![\s,;(–-])[\s,;(–-]++(?:(?:{_BORN})\b\.?\s?|[*°]\s?)?(?P<aside>{_DATE}|\d{{1,2}}\.?\s(?:{_MONTH})\.?"
        r"|\d{1,2}[/-]\d{1,2}"
        r"|\+?\d[\d /().-]{4,}\d|\d{4,}|\d{1,2}[a-z])\)?$",
        rf"(?P<aside>{_DATE}|\d{{4,}}|\d{{1,2}}[/-]\d{{1,2}}|\d{{1,2}}\.?\s(?:{_MONTH})\.?(?=\s?(?::|[–-]\s)))"
        r"[\s,;:–-]+(?=[^\W\d_])",
        r"\s?[,;(]\s?(?P<aside>\d+)\)?$",
    )
)
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_DAY_OF_MONTH: Final = re.compile(
    rf"\d{{1,2}}[.\s-]{{1,2}}(?:{_MONTH})\.?|(?:{_MONTH})\.?[\s-]\d{{1,2}}", re.IGNORECASE
)
_PART_OF_DAY: Final = re.compile(r"\d+|[^\W\d_]+")
_DAY_WITHOUT_SIGNS: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:\d{6})?$")
_DAY_ZERO: Final = date(1899, 12, 30)  # of spreadsheets
_INITIALS: Final = re.compile(r"^(?:\w{1,2}\.[\s-]?)+\(([^()]+)\)")
"""Initials before the name that a child goes by: "Velde, L.M. (Lieke) van der"."""
_NICKNAME: Final = re.compile(
    r"""\s(?:\(([^\W\d_]{2,})\)|["“”„'‘]([^\W\d_]{2,})(?:["“”]|['’](?=\s|$)))"""
)
_AND: Final = re.compile(rf"\s(?:{'|'.join(TABLES['words']['and'])})\s")
LONGEST_CELL: Final = 80
"""A longer cell is cut, because it cannot be a name."""
FEWEST_CAPITALS: Final = 3  # fewer are initials
_FEWEST_NAMES_ON_LINE: Final = 3  # two would be a family name and a first name


def bare_name(cell: str) -> str:
    """The cell without what is not part of the name: a bullet or number before it ("1. Ann",
    "• Ann", "- 2) Ann"), a mail address or "(new)" after it, or "Mr"."""
    cell = _PREFIX.sub("", _NEW_SUFFIX.sub("", _MAIL_SUFFIX.sub("", cell)), count=1)
    return cell[salutation_length(cell) :]


def salutation_length(cell: str) -> int:
    """The length of "Ms " or another form of address at the start of the cell; else 0."""
    match = _SALUTATION.match(cell)
    return match.end() if match else 0


def without_date(cell: str) -> tuple[str, str]:
    """The cell without a date, number or class beside the name, and what was beside it.

    >>> [without_date(c) for c in ("Anna 12.03.2016", "4711 Anna", "Anna, 7", "Anna 2")]
    [('Anna', '12.03.2016'), ('Anna', '4711'), ('Anna', '7'), ('Anna 2', '')]
    """
    cell = tidy(cell)
    if _DATE_ALONE.fullmatch(cell):
        return "", cell
    if before := _DATE_BEFORE.match(cell):
        return cell[before.end() :], before["aside"]
    after = _DATE_AFTER.search(cell) or _NUMBER_AFTER.search(cell)
    if after and any(char.isalpha() for char in cell[: after.start()]):
        return cell[: after.start()], after["aside"]
    if (match := _CLASS_SUFFIX.search(cell)) and is_class(match[1]):
        return cell[: match.start()], match[1]
    return cell, ""


def day_of(cell: str) -> date | None:
    """The day that a cell of a list contains; None if there is none. The month comes before the day
    only if there is no other way to read the cell. A month without a day is its 28th.

    >>> [str(day_of(text)) for text in ("16-10-26", "20261016", "den 16 oct. 2026", "10/16/2026")]
    ['2026-10-16', '2026-10-16', '2026-10-16', '2026-10-16']
    """
    text = cell.strip()
    if len(text) == 5 and text.isdecimal():
        return _DAY_ZERO + timedelta(days=int(text))
    parts = _PART_OF_DAY.findall(_DAY_WITHOUT_SIGNS.sub(r"\1-\2-\3", text))
    if len(parts) == 2 and max(map(len, filter(str.isdecimal, parts)), default=0) == 4:
        parts.append("28")
    months = [part for part in parts if plain_name(part) in MONTHS]
    parts = [part for part in parts if part.isdecimal() or part in months[-1:]][:3]
    numbers = [int(p) if p.isdecimal() else MONTHS[plain_name(p)] for p in parts]
    if len(numbers) < 3 or 0 in numbers[:2]:
        return None
    if numbers[1] > 31:  # a month and a year
        numbers[:2] = numbers[1::-1]
    year, month, day = numbers if numbers[0] > 31 else numbers[::-1]
    if month > 12 or parts[0].isalpha():
        month, day = day, month
    try:
        return date(year + 2000 if year < 100 else year, month, day)
    except (ValueError, OverflowError):  # the latter for a year of many digits
        return None


def class_in(cell: str) -> str:
    """The class in a cell, even if Excel has turned a class of two years into a date.

    >>> [class_in(cell) for cell in ("05. Jun", "2026-06-05", "8-jul", "Nov-12", "4A")]
    ['5/6', '5/6', '7/8', '11/12', '4A']
    """
    day = None
    if _DAY_OF_MONTH.fullmatch(cell):
        day = day_of(f"{cell} {_DAY_ZERO.year}")
    elif _DATE_ALONE.fullmatch(cell):
        day = day_of(cell)
    years = sorted((day.day, day.month)) if day else [0, 0]
    return f"{years[0]}/{years[1]}" if years[1] - years[0] == 1 else cell


def split_name(cell: str, *, capitals: int = FEWEST_CAPITALS) -> tuple[str, str]:
    """The first and the family name in a cell. If they cannot be separated, the whole cell and "".
    A family name in capitals has at least `capitals` letters.

    >>> [split_name(c) for c in ("Velde, Lieke van der", "Velde, van der, Lieke", "MARTIN Zoé")]
    [('Lieke', 'van der Velde'), ('Lieke', 'van der Velde'), ('Zoé', 'MARTIN')]
    """
    last, *parts = [part for part in map(str.strip, cell.split(",")) if part] or [""]
    if not parts:
        return _by_capitals(cell, capitals)
    particles = [p for p in parts if len(parts) > 1 and all(map(_is_particle, p.split()))]
    firsts = [part for part in parts if part not in particles]
    if len(firsts) != 1 or len(parts) > 2 or firsts[0][0].isdigit():
        return cell, ""
    words = _INITIALS.sub(r"\1", firsts[0]).split()
    while words[0].islower() and words[-1][0].isupper() and _is_particle(words[0]):
        particles.append(words.pop(0))
    begins = len(words)
    while begins > 1 and _is_particle(words[begins - 1]):
        begins -= 1
    if not last.isupper() and all(word[0].isupper() for word in words[begins:]):
        begins = len(words)  # "Lopez, Maria La"
    return " ".join(words[:begins]), " ".join([*words[begins:], *particles, last])


def with_nickname(name: str, family: str) -> str:
    """The name, with a nickname instead of the first names before it. What is in brackets behind a
    name may be the family name instead.

    >>> [with_nickname(name, "") for name in ("Zoë (Zo) Bos", 'Zoë "Zo"', "Zoë (Bos)")]
    ['Zo Bos', 'Zo', 'Zoë (Bos)']
    """
    match = _NICKNAME.search(name)
    nickname = (match[1] or match[2]) if match else ""
    if not match or not nickname.istitle() or plain_name(nickname) in WORDS["pupil"]:
        return name
    is_family = not family and not match[2] and match.end() == len(name)
    is_family |= plain_name(nickname) in plain_name(family)
    return name if is_family else nickname + name[match.end() :]


def family_name_in(cell: str, given_name: str) -> str:
    """The family name in a cell that may contain the whole name. `given_name` is in another cell.

    >>> [family_name_in(c, "Emma") for c in ("Bos", "Bos, Emma", "Emma van Dam", "Emma")]
    ['Bos', 'Bos', 'van Dam', 'Emma']
    """
    firsts, plain = given_name.split(), set(map(plain_name, given_name.split()))
    words = (word for word in cell.split() if word not in firsts)
    family = [word for word in words if word.islower() or plain_name(word) not in plain]
    return split_name(cell)[1] or " ".join(family or [cell])


def _by_capitals(cell: str, capitals: int) -> tuple[str, str]:
    """Like `split_name`, for a family name in capitals: "LE GALL Hugo", "Zoé MARTIN"."""
    words = cell.split()
    runs = [(large, list(run)) for large, run in groupby(words, str.isupper)]
    names = {large: " ".join(run) for large, run in runs}
    is_one = len(runs) == 2 and sum(map(str.isalpha, names[True])) >= capitals
    is_one = is_one and bool(names[True].strip("IVX"))  # "Henry VIII"
    if is_one and all(len(w) > 1 and (w[0].isupper() or _is_particle(w)) for w in words):
        return names[False], names[True]
    return cell, ""


def _is_particle(word: str) -> bool:
    return word.lower() in TABLES["words"]["particles"]


def is_class(cell: str) -> bool:
    """Whether this looks like a class: 4A, Groep 5, "Year 4 (Ms Smith)"."""
    return bool(_CLASS.fullmatch(_BRACKETS.sub("", cell).strip(" :#=*")))


def is_title(cell: str) -> bool:
    """Whether this looks like a title: "Our class", "Pupils of Ms Smith" or "Nr. Name", but not
    "Anna Kinder"."""
    *before, last = words = cell.split()
    titled = words if last.islower() else before
    return are_headings(words) or any(plain_name(word) in WORDS["titles"] for word in titled)


def counts_pupils(text: str) -> bool:
    """Whether this is a number of pupils, such as "2 pupils"."""
    return text[:1].isdigit() and meaning(bare_name(text))[1] in NAME_ROLES


def is_sentence(text: str) -> bool:
    """Whether this contains a word in small letters that occurs in no name: "Status is active"."""
    words = (word.strip(",.()") for word in text.split()[1:])
    return any(word[:1].islower() and not _is_particle(word) for word in words)


def can_be_name(cell: str) -> bool:
    """Whether this looks like a name."""
    names = [name for name in split_name(bare_name(without_date(cell)[0])) if name]
    return bool(names) and not is_class(cell) and all(check_name(tidy(n)) is None for n in names)


def names_in(line: str) -> list[str]:
    """The names in a line such as "Ann, Bob, Finn"; empty if it is not a line of names."""
    char = next((char for char in ";；，、/•·|" if char in line), ",")
    *parts, last = line.split(char)
    parts += _AND.split(last) if parts else [last]
    names = [name for part in parts if (name := part.strip())]
    is_list = len(names) >= _FEWEST_NAMES_ON_LINE and '"' not in line
    is_list = is_list and all(1 < len(name) <= LONGEST_CELL for name in names)
    return names if is_list and not are_headings(names) and all(map(can_be_name, names)) else []


def is_student(role: str) -> bool:
    """Whether this role contains a word for pupils."""
    return not WORDS["students"].isdisjoint(map(plain_name, _LETTERS.findall(role)))


def has_left(today: date, status: str, enabled: str, begin: str, end: str) -> bool:
    """Whether somebody is no longer, or not yet, at the school. `end` is a day, or a word such as
    "yes"."""
    first = day_of(begin)
    last = day_of(end)
    is_said = _says_left(status) or is_word(enabled, "no") or is_word(end, "yes") or _says_left(end)
    return is_said or bool((first and first > today) or (last and last < today))


def _says_left(status: str) -> bool:
    """Whether the status means that somebody has left: "Left 1 May", but not "Left handed"."""
    word, _, rest = status.partition(" ")
    since = any(map(str.isdigit, rest)) or is_word(rest.partition(" ")[0], "since")
    return is_word(status, "left") or (is_word(word, "left") and since)
