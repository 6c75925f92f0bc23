"""What a cell or line of a list can be: a name with a bullet or number before it, or a class."""

import re
from typing import Final

from classrooms.models.child_names import check_name, tidy

_BEFORE: Final = re.compile(
    r"(?:[•·◦▪‣●○]\s*|[-–—*]\s+|\(?\d{1,3}[.):]\s*|\d{1,3}\s+){1,2}(?=[^\W\d_]|['’])"
)
_CLASS: Final = re.compile(
    r"(?:class|form|year|group|klas|groep|klasse|gruppe|klass|grupp|åk)\s*\d{1,2}\s?[a-z]{0,2}"
    r"|\d{1,2}\s?[-./]?\s?[a-z]{1,2}",
    re.IGNORECASE,
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


def in_two(cell: str) -> tuple[str, str]:
    """The first and the family name of a cell; "Smith, Ann" has both, in the order of registers."""
    last, comma, first = cell.partition(",")
    if comma and first.strip() and "," not in first:
        return first.strip(), last.strip()
    return cell, ""


def is_class(cell: str) -> bool:
    """Whether this reads as a class, such as 4A or Groep 5."""
    return bool(_CLASS.fullmatch(cell))


def can_be_name(cell: str) -> bool:
    """Whether this reads as a name."""
    names = [name for name in in_two(bare(cell)) if name]
    return bool(names) and not is_class(cell) and all(check_name(tidy(n)) is None for n in names)


def listed(line: str) -> list[str]:
    """The names of a list that is one line, "Ann, Bob, Finn"; none if it is something else."""
    sign = "," if "," in line else ";"
    names = [part for part in (part.strip() for part in line.split(sign)) if part]
    is_list = len(names) >= _FEWEST_LISTED and '"' not in line
    return names if is_list and all(len(n) > 1 and can_be_name(n) for n in names) else []
