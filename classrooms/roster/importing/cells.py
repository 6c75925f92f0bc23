"""Recognises what a cell is: a heading, a class, or a name, perhaps beside a number or a date."""

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
"""A remark beside a heading, such as "[Required]" or "(as in the passport)"."""


def meaning(cell: str) -> tuple[int, str]:
    """How well this heading fits its column (0 is best), and the role of the column, "" if it is
    unknown. One known part of a heading such as "Naam / Name" is enough. "Last name, first name"
    means a whole name."""
    for part in (cell, _BESIDE.sub("", cell), *cell.split("/")):
        if found := _MEANS.get(plain_name(part)):
            return found
    is_whole = cell.count(",") == 1 and all(meaning(part)[1] in NAMED for part in cell.split(","))
    return 0, "full" if is_whole else ""


_BEFORE: Final = re.compile(
    r"^(?:[•·◦▪‣●○]\s*|[-–—*]\s+|\(?\d{1,3}[.):]\s*|\d{1,3}\s+){1,2}(?=[^\W\d_]|['’])"
)
_CLASS_WORD, _MONTH, _BORN = ("|".join(TABLES["words"][k]) for k in ("classes", "months", "born"))
_CLASS: Final = re.compile(
    rf"(?:{_CLASS_WORD})\s*\d{{1,2}}\s?[a-z]{{0,2}}|\d{{1,2}}\s?[-./]?\s?[a-z]{{1,2}}",
    re.IGNORECASE,
)
# A day as a spreadsheet writes it. A day with a month in letters has a year, because Jan is a name.
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
        rf"[\s,;(–-]+(?:(?:{_BORN})\b\.?\s?|\*\s?)?(?P<aside>{_DATE}|\d{{4,}})\)?$",
        rf"(?P<aside>{_DATE}|\d{{4,}})[\s,;:–-]+(?=[^\W\d_])",
        r"\s?[,;]\s?(?P<aside>\d+)$",
    )
)
_FEWEST_LISTED: Final = 3  # names on one line; two would be a family name and a first name


def bare(cell: str) -> str:
    """The cell without a bullet or number before the name, as in "1. Ann", "• Ann", "- 2) Ann"."""
    return _BEFORE.sub("", cell, count=1)


def without_date(cell: str) -> tuple[str, str]:
    """The cell without the date or number beside the name, and that date or number.

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
    return cell, ""


def in_two(cell: str) -> tuple[str, str]:
    """The first and the family name in a cell: "Lieke" and "van der Velde" for "Velde, Lieke van
    der". The cell and "" if it has no comma or several."""
    last, comma, first = cell.partition(",")
    if not comma or not first.strip() or "," in first:
        return cell, ""
    words = first.split()
    begins = len(words)
    while begins > 1 and words[begins - 1] in TABLES["words"]["particles"]:
        begins -= 1
    return " ".join(words[:begins]), " ".join([*words[begins:], last.strip()])


def is_class(cell: str) -> bool:
    """Whether this looks like a class, such as 4A or Groep 5."""
    return bool(_CLASS.fullmatch(cell))


def can_be_name(cell: str) -> bool:
    """Whether this looks like a name."""
    names = [name for name in in_two(bare(without_date(cell)[0])) if name]
    return bool(names) and not is_class(cell) and all(check_name(tidy(n)) is None for n in names)


def listed(line: str) -> list[str]:
    """The names in a line such as "Ann, Bob, Finn"; empty if the line is something else."""
    char = "," if "," in line else ";"
    names = [part for part in (part.strip() for part in line.split(char)) if part]
    is_heading = all(meaning(name)[1] for name in names)
    if is_heading or len(names) < _FEWEST_LISTED or '"' in line:
        return []
    return names if all(len(name) > 1 and can_be_name(name) for name in names) else []
