"""The children of a class: names pasted, renamed, removed."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from django.db import transaction

from games.models import Game

from .models import Child, SchoolClass

LONGEST_NAME: Final = 40
MOST_CHILDREN: Final = 500
SIGNS: Final = " '’-.()"
_JOINERS: Final = "\u200c\u200d"
_BYTE_ORDER_MARK: Final = "\ufeff"

Problem = Literal["too long", "sign", "no letter", "in class", "on line"]


@dataclass(frozen=True, slots=True)
class WrongLine:
    """A line of the pasted list that cannot be a child, and why.

    `detail` is the sign that does not belong, or the line where the name already stands.
    """

    line: int
    name: str
    problem: Problem
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Names:
    """What a pasted list says: the names, and what is wrong with it by line."""

    names: tuple[str, ...]
    wrong: tuple[WrongLine, ...]


def tidy(name: str) -> str:
    """The name with single spaces, its accents joined to their letters."""
    return " ".join(unicodedata.normalize("NFC", name.replace(_BYTE_ORDER_MARK, "")).split())


def same(name: str) -> str:
    """What two spellings of the same name have in common."""
    return tidy(name).casefold()


def read_names(text: str, taken: Iterable[str] = ()) -> Names:
    """Names, one a line; empty lines do not count. `taken` are the names in the class.

    >>> read_names("Dora\\n\\nEmil").names
    ('Dora', 'Emil')
    """
    in_class = {same(name) for name in taken}
    lines: dict[str, int] = {}
    names: list[str] = []
    wrong: list[WrongLine] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        name = tidy(raw)
        if not name:
            continue
        problem = check_name(name, number)
        if problem is None and same(name) in in_class:
            problem = WrongLine(number, name, "in class")
        if problem is None and same(name) in lines:
            problem = WrongLine(number, name, "on line", str(lines[same(name)]))
        if problem:
            wrong.append(problem)
        else:
            lines[same(name)] = number
            names.append(name)
    return Names(tuple(names), tuple(wrong))


def check_name(name: str, line: int = 1) -> WrongLine | None:
    """What keeps this text from being a name, apart from who else has it."""
    if len(name) > LONGEST_NAME:
        return WrongLine(line, name[:LONGEST_NAME], "too long")
    for sign in name:
        if unicodedata.category(sign)[0] not in "LMN" and sign not in SIGNS + _JOINERS:
            return WrongLine(line, name, "sign", sign if sign.isprintable() else "")
    if not any(sign.isalpha() for sign in name):
        return WrongLine(line, name, "no letter")
    return None


def add_children(school_class: SchoolClass, names: Iterable[str]) -> list[Child]:
    """All of them or none; each is given pictures."""
    with transaction.atomic():
        return Child.objects.bulk_create(
            Child(school_class=school_class, name=name) for name in names
        )


def rename(child: Child, name: str) -> None:
    child.name = name
    child.save(update_fields=("name",))


def remove(child: Child) -> None:
    """Erase the child and all that it played: no name stays behind in a game."""
    with transaction.atomic():
        Game.objects.filter(attempt__child=child).delete()
        child.delete()
