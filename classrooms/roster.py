"""The children of a class: names pasted, renamed, removed."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from django.db import transaction
from django.utils import timezone

from .audit import What, audit, audit_children
from .bounds import room_for_children
from .models import Child, ChildSession, SchoolClass, User

LONGEST_NAME: Final = 40
LONGEST_READ: Final = 200
"""So much of a text is looked at: joining accents takes quadratic time, and a longer text is no
name anyway."""
SIGNS: Final = " '’-.()"
_JOINERS: Final = "\u200c\u200d"
_BYTE_ORDER_MARK: Final = "\ufeff"

Problem = Literal["missing", "too long", "sign", "no letter", "begins", "in class", "on line"]


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
    """The name with single spaces, its accents joined to their letters; of what is far too long
    for a name only the beginning."""
    spaced = " ".join(name.replace(_BYTE_ORDER_MARK, "").split())
    return unicodedata.normalize("NFC", spaced[:LONGEST_READ])


def same(name: str) -> str:
    """What two spellings of the same name have in common."""
    return tidy(name).casefold()


def read_names(text: str, taken: Iterable[str] = ()) -> Names:
    """Names, one a line; empty lines do not count. `taken` are the names in the class.

    >>> read_names("Dora\\n\\nEmil").names
    ('Dora', 'Emil')
    """
    lines = ((number, raw) for number, raw in enumerate(text.splitlines(), start=1) if tidy(raw))
    return check_names(lines, taken)


def check_names(lines: Iterable[tuple[int, str]], taken: Iterable[str] = ()) -> Names:
    """The names of these numbered lines, and what is wrong by line."""
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
    """What keeps this text from being a name, apart from who else has it."""
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


def add_children(
    school_class: SchoolClass, names: Iterable[str], by: User | None = None
) -> list[Child]:
    """All of them or none, at one moment; each is given pictures.

    Raises `IntegrityError` where a name has been added meanwhile, and `bounds.Full`.
    """
    now = timezone.now()
    children = [Child(school_class=school_class, name=name, created_at=now) for name in names]
    with transaction.atomic():
        room_for_children(school_class, len(children))
        added = Child.objects.bulk_create(children)
        audit_children(by, What.ADDED, added)
    return added


def rename(child: Child, name: str, by: User | None = None) -> None:
    with transaction.atomic():
        child.name = name
        child.save(update_fields=("name",))
        audit(by, What.RENAMED, child=child)


def remove(child: Child, by: User | None = None) -> None:
    """Take the child off every list and sign it out everywhere. Until it is erased it can be
    brought back with all that it played."""
    with transaction.atomic():
        child.removed_at = timezone.now()
        child.save(update_fields=("removed_at",))
        ChildSession.objects.filter(child=child).delete()
        audit(by, What.REMOVED, child=child)


def bring_back(child: Child, by: User | None = None) -> bool:
    """Undo the removal; not while another child of the class has the name. Raises
    `bounds.Full`."""
    if _has_other(child.school_class, child.name):
        return False
    with transaction.atomic():
        room_for_children(child.school_class, kept=0)
        child.removed_at = None
        child.save(update_fields=("removed_at",))
        audit(by, What.BROUGHT_BACK, child=child)
    return True


def removed_of(school_class: SchoolClass) -> list[Child]:
    """The children of the class that can still be brought back, the last removed first."""
    gone = Child.everyone.filter(school_class=school_class).exclude(removed_at=None)
    return list(gone.order_by("-removed_at"))


def take_back(school_class: SchoolClass, added_at: datetime, by: User | None = None) -> int:
    """Remove the children that were added together then; how many that were."""
    with transaction.atomic():
        added = Child.objects.filter(school_class=school_class, created_at=added_at)
        children = list(added.select_for_update())
        ChildSession.objects.filter(child__in=children).delete()
        audit_children(by, What.REMOVED, children)
        return added.update(removed_at=timezone.now())


def move(child: Child, to: SchoolClass, by: User | None = None) -> bool:
    """Put the child in another class; what it played stays where it was played. Not while a child
    there has its name. It signs in anew, for its card has another code, and it is in no group. The
    owners of both classes see it in their logs. Raises `bounds.Full`."""
    if _has_other(to, child.name):
        return False
    before = child.school_class
    with transaction.atomic():
        room_for_children(to)
        child.school_class = to
        child.save(update_fields=("school_class",))
        audit(by, What.MOVED, child=child, school_class=before, to=str(to.pk))
        audit(by, What.MOVED, child=child, school_class=to, origin=str(before.pk))
        child.groups.clear()
        ChildSession.objects.filter(child=child).delete()
    return True


def _has_other(school_class: SchoolClass, name: str) -> bool:
    names = school_class.children.values_list("name", flat=True)
    return same(name) in {same(other) for other in names}
