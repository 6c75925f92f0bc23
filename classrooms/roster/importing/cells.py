"""What a cell or line of a list can be: a heading, a class, or a name, perhaps with a bullet or
number before it and a date beside it."""

import re
import tomllib
from pathlib import Path
from typing import Final

from classrooms.child_names import check_name, plain_name, tidy

TABLES: Final = tomllib.loads(Path(__file__).with_name("headings.toml").read_text("utf-8"))
_MEANS: Final[dict[str, tuple[int, str]]] = {}
for _role, _table in TABLES["columns"].items():
    for _words in _table.values():
        for _place, _word in enumerate(_words):
            _MEANS.setdefault(plain_name(_word), (_place, _role))
WORDS: Final = {kind: frozenset(map(plain_name, words)) for kind, words in TABLES["words"].items()}
NO_PUPIL: Final = {tuple(map(plain_name, each.split())) for each in TABLES["words"]["no_pupil"]}
NAMED: Final = frozenset({"preferred", "given", "family", "full"})
_BESIDE: Final = re.compile(r"\[[^\]]*\]|\([^)]*\)")
"""What is written beside a heading: "[Required]", "(as in the passport)"."""


def meaning(cell: str) -> tuple[int, str]:
    """How well this heading fits its column (0 is best), and the column's role, "" if it is not
    known. Of "Naam / Name" one part is enough; "Last name, first name" is a whole name."""
    for part in (cell, _BESIDE.sub("", cell), *cell.split("/")):
        if found := _MEANS.get(plain_name(part)):
            return found
    is_whole = cell.count(",") == 1 and all(meaning(part)[1] in NAMED for part in cell.split(","))
    return 0, "full" if is_whole else ""


_BEFORE: Final = re.compile(
    r"(?:[•·◦▪‣●○]\s*|[-–—*]\s+|\(?\d{1,3}[.):]\s*|\d{1,3}\s+){1,2}(?=[^\W\d_]|['’])"
)
_CLASS: Final = re.compile(
    r"(?:class|form|year|group|klas|groep|klasse|gruppe|klass|grupp|åk)\s*\d{1,2}\s?[a-z]{0,2}"
    r"|\d{1,2}\s?[-./]?\s?[a-z]{1,2}",
    re.IGNORECASE,
)
_MONTH: Final = (
    r"(?:jan(?:uary?|uari)?|feb(?:ruary?|ruari)?|mar(?:ch|s)?|märz|maart|mrt|mrz|apr(?:il)?|ma[iyj]"
    r"|mei|jun[ie]?|jul[iy]?|aug(?:ust(?:us|i)?)?|sep(?:t|tember)?|o[ck]t(?:ober)?|nov(?:ember)?"
    r"|de[cz](?:ember)?)\.?"
)
_DATE: Final = (
    r"(?:\d{1,4}\s?(?P<sign>[./-])\s?\d{1,2}\s?(?P=sign)\s?\d{2,4}\.?|\d{1,2}\.\s?\d{1,2}\.?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[.\s-]{{1,2}}{_MONTH}[,\s-]{{1,2}}\d{{2,4}}"
    rf"|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}})(?:[T\s]\d{{1,2}}:\d{{2}}(?::\d{{2}})?)?"
)
"""A day as a spreadsheet writes it; one with the month in letters has a year, as Jan and Maj are
names."""
_BORN: Final = r"(?:(?:geb|geboren|born|född|f)\b\.?\s?|\*\s?)?"
_DATE_ALONE: Final = re.compile(_DATE, re.IGNORECASE)
_DATE_AFTER: Final = re.compile(rf"[\s,;(–-]+{_BORN}(?P<aside>{_DATE}|\d{{4,}})\)?$", re.IGNORECASE)
_NUMBER_AFTER: Final = re.compile(r"\s?[,;]\s?(?P<aside>\d+)$")
_DATE_BEFORE: Final = re.compile(
    rf"(?P<aside>{_DATE}|\d{{4,}})[\s,;:–-]+(?=[^\W\d_])", re.IGNORECASE
)
_FEWEST_LISTED: Final = 3
"""Names on one line that are taken for a list: two are a family and a first name."""


def bare(cell: str) -> str:
    """The cell without the bullet or number before a name.

    >>> [bare(cell) for cell in ("1. Ann", "• Ann", "- 2) Ann", "-Ann", "12")]
    ['Ann', 'Ann', 'Ann', '-Ann', '12']
    """
    before = _BEFORE.match(cell)
    return cell[before.end() :] if before else cell


def without_date(cell: str) -> tuple[str, str]:
    """The cell without a date or a long number beside the name, and what was set aside. A short
    number is left: "Anna 2" tells two children apart.

    >>> [without_date(c) for c in ("Anna 12.03.2016", "4711 Anna", "Anna, 7", "Anna 2")]
    [('Anna', '12.03.2016'), ('Anna', '4711'), ('Anna', '7'), ('Anna 2', '')]
    """
    cell = tidy(cell)
    if _DATE_ALONE.fullmatch(cell):
        return "", cell
    before = _DATE_BEFORE.match(cell)
    if before:
        return cell[before.end() :], before["aside"]
    after = _DATE_AFTER.search(cell) or _NUMBER_AFTER.search(cell)
    if after and any(char.isalpha() for char in cell[: after.start()]):
        return cell[: after.start()], after["aside"]
    return cell, ""


def in_two(cell: str) -> tuple[str, str]:
    """The first and the family name of a cell; "Smith, Ann" has both, in the order of registers.

    >>> in_two("Smith, Ann"), in_two("Velde, Lieke van der"), in_two("Ann Smith")
    (('Ann', 'Smith'), ('Lieke', 'van der Velde'), ('Ann Smith', ''))
    """
    last, comma, first = cell.partition(",")
    if not comma or not first.strip() or "," in first:
        return cell, ""
    words = first.split()
    begins = len(words)
    while begins > 1 and words[begins - 1] in TABLES["words"]["particles"]:
        begins -= 1
    return " ".join(words[:begins]), " ".join([*words[begins:], last.strip()])


def is_class(cell: str) -> bool:
    """Whether this reads as a class, such as 4A or Groep 5."""
    return bool(_CLASS.fullmatch(cell))


def can_be_name(cell: str) -> bool:
    """Whether this reads as a name."""
    names = [name for name in in_two(bare(without_date(cell)[0])) if name]
    return bool(names) and not is_class(cell) and all(check_name(tidy(n)) is None for n in names)


def listed(line: str) -> list[str]:
    """The names of a list that is one line, "Ann, Bob, Finn"; none if it is something else."""
    char = "," if "," in line else ";"
    names = [part for part in (part.strip() for part in line.split(char)) if part]
    is_list = (
        len(names) >= _FEWEST_LISTED and '"' not in line and not all(meaning(n)[1] for n in names)
    )
    return names if is_list and all(len(n) > 1 and can_be_name(n) for n in names) else []
