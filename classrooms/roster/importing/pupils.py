"""Columns → pupils: who on a list is one, and is there today. Titles, totals, teachers, accounts of
tests and those who have left are passed over, and said to be."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Literal

from classrooms.child_names import plain_name, same, tidy
from classrooms.roster.importing.cells import bare, in_two, is_class, without_date
from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.grid import Row
from classrooms.roster.importing.headings import LEFT, NAMED, NO, NO_PUPIL, TEACHERS, TEST, meaning

Reason = Literal["no pupil", "left", "teacher"]
_DAY: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[./-](\d{1,2})[./-](\d{4})")
_NUMBERED: Final = re.compile(r"\d{4}|[:=]|\d{1,2}[./-]\d{1,2}")
"""What a title or a footer has, and no name: a year, a day, a colon."""
_FIGURE: Final = re.compile(r"[\d:]")


@dataclass(frozen=True, slots=True)
class Pupil:
    """The name on a line; `family` where known. `given`: the name before letters of the family name
    were added to make it unique. `aside`: a date or number that stood beside the name."""

    line: int
    name: str
    given: str
    family: str = ""
    group: str = ""
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """A row that is passed over: what stands in it, and why."""

    text: str
    reason: Reason


def pupils_of(
    rows: Sequence[Row], columns: Columns, today: date
) -> tuple[list[Pupil], list[Passed]]:
    """The pupils of the rows, and the rows that are passed over. Equal names are as they stand:
    `with_distinct_names` tells them apart, class by class."""
    pupils: list[Pupil] = []
    passed = [Passed(_words(row), "no pupil") for row in rows[: max(columns.head - 1, 0)]]
    heading = rows[columns.head - 1].cells if columns.head else ()
    for row in rows[columns.head :]:
        reason = _reason(row, columns, heading, today)
        if reason is None:
            pupils.append(_pupil(row, columns))
        elif reason:
            passed.append(Passed(_words(row), reason))
    return pupils, passed


def _words(row: Row) -> str:
    return " ".join(cell for cell in row.cells if cell)[:80]


def _pupil(row: Row, columns: Columns) -> Pupil:
    cell, aside = without_date(row.cell(columns.name) or row.cell(columns.instead))
    name, last = in_two(bare(cell))
    family = row.cell(columns.family) or last
    name = tidy(name)
    return Pupil(row.line, name, name, tidy(family), tidy(row.cell(columns.group)), aside)


def _reason(
    row: Row, columns: Columns, heading: tuple[str, ...], today: date
) -> Reason | Literal[""] | None:
    """Why this row is passed over; "" without a word, None if it is not."""
    name = row.cell(columns.name) or row.cell(columns.instead)
    family = row.cell(columns.family)
    if row.cells == heading or (not (name or family) and not _is_in_a_class(row, columns)):
        return ""
    if _has_left(row, columns, today):
        return "left"
    if plain_name(row.cell(columns.role)) in TEACHERS:
        return "teacher"
    if _is_a_test(name, family):
        return "no pupil"
    count = sum(bool(cell) for cell in row.cells)
    if not family and count < max(len(row.cells), 2) and _is_a_title(name, count == 1):
        return "no pupil"
    return None


def _is_in_a_class(row: Row, columns: Columns) -> bool:
    """Whether somebody without a name is meant: the class stands there, and little else is said."""
    return bool(row.cell(columns.group)) or (columns.family is None and columns.group is None)


def _is_a_title(cell: str, is_only: bool) -> bool:
    """Whether this is a title, a sum or a footer; `is_only`: nothing else is in its row."""
    text, _aside = without_date(cell)
    words = tuple(filter(None, map(plain_name, text.split())))
    begins = [words[:n] for n in range(1, len(words) + 1) if words[:n] in NO_PUPIL]
    if begins:
        is_whole = begins[-1] == words or len(begins[-1]) > 1
        return is_whole or text != cell.strip() or bool(_FIGURE.search(text))
    return is_only and (is_class(text) or (len(words) > 1 and bool(_NUMBERED.search(text))))


def _is_a_test(name: str, family: str) -> bool:
    """Whether all words say that it is a pupil of a test: "Student, Test"."""
    words = [plain_name(word) for word in re.split(r"[\s,]+", f"{name} {family}") if word]
    tests = [word.rstrip("0123456789") in TEST for word in words]
    others = [
        test or meaning(word)[1] in NAMED or word.isdigit()
        for word, test in zip(words, tests, strict=True)
    ]
    return len(words) > 1 and any(tests) and all(others)


def _has_left(row: Row, columns: Columns, today: date) -> bool:
    begin, end = _day(row.cell(columns.begin)), _day(row.cell(columns.end))
    return (
        plain_name(row.cell(columns.status)) in LEFT
        or plain_name(row.cell(columns.enabled)) in NO
        or bool(begin and begin > today)
        or bool(end and end < today)
    )


def _day(cell: str) -> date | None:
    """A day as lists write it, with the month before the day only where it cannot be otherwise."""
    found = _DAY.match(cell)
    if not found:
        return None
    year, month, day = (int(each or 0) for each in found.groups()[:3])
    if not year:
        day, month, year = (int(each) for each in found.groups()[3:])
        if month > 12:
            day, month = month, day
    try:
        return date(year, month, day)
    except ValueError:
        return None


def is_current(status: str, begin: str, end: str, today: date) -> bool:
    """Whether a record of a bundle is of today."""
    row = Row(0, (status, begin, end))
    return not _has_left(row, Columns(None, status=0, begin=1, end=2), today)


def with_distinct_names(read: Sequence[Pupil]) -> list[Pupil]:
    """Emma Bakker and Emma van Dam become Emma B. and Emma D."""
    alike: dict[str, list[Pupil]] = defaultdict(list)
    for pupil in read:
        alike[same(pupil.name)].append(pupil)
    names = {same(pupil.name) for pupil in read}
    renamed: dict[int, Pupil] = {}
    for twins in alike.values():
        if len(twins) > 1 and twins[0].name:
            renamed |= _with_letters(twins, names)
    return [renamed.get(pupil.line, pupil) for pupil in read]


def _with_letters(twins: Sequence[Pupil], taken: Collection[str]) -> dict[int, Pupil]:
    """The twins by line with distinct names, as short as possible; empty if that cannot be done."""
    families = [_without_particle(pupil.family) for pupil in twins]
    for letters in range(1, max(len(family) for family in families) + 1):
        names = [
            shortened(pupil.name, family, letters)
            for pupil, family in zip(twins, families, strict=True)
        ]
        keys = {same(name) for name in names}
        if all(families) and len(keys) == len(twins) and not keys & set(taken):
            return {
                pupil.line: replace(pupil, name=name)
                for pupil, name in zip(twins, names, strict=True)
            }
    return {}


def shortened(name: str, family: str, letters: int) -> str:
    """The name with so many letters of the family name."""
    return f"{name} {family[:letters].strip()}" + ("." if letters < len(family) else "")


def _without_particle(family: str) -> str:
    """The family name from its first capital on: "van der Velde" is told apart by Velde."""
    words = family.split()
    while len(words) > 1 and words[0].islower():
        del words[0]
    return " ".join(words)


def spellings(pupil: Pupil) -> Iterable[str]:
    """The names under which a child may be in a class already: its own, with letters of the family
    name, or with all of it; as `same` has them."""
    yield same(pupil.name)
    yield same(pupil.given)
    for family in {pupil.family, _without_particle(pupil.family)} - {""}:
        yield same(f"{pupil.given} {family}")
        for letters in range(1, len(family)):
            yield same(shortened(pupil.given, family, letters))
