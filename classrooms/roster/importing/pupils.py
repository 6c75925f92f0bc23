"""Columns → pupils: who on a list is a pupil and at the school today. Titles, totals, teachers,
test accounts and pupils who have left are passed over, and the preview says so."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from classrooms.child_names import plain_name, same, tidy
from classrooms.roster.importing import cells
from classrooms.roster.importing.columns import Columns, columns_of
from classrooms.roster.importing.grid import MOST_PUPILS, NOT_COMPUTED, Grid, Row, Unreadable

Reason = Literal["no pupil", "left", "teacher"]
_DAY: Final = re.compile(r"(\d{4})[./-](\d\d?)[./-](\d\d?)|(\d\d?)[./-](\d\d?)[./-](\d{4})")
_NUMBERED: Final = re.compile(r"\d{4}|[:=]|\d{1,2}[./-]\d{1,2}")
"""Signs of a title or a footer that no name has: a year, a day, a colon, an equals sign."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil on a line of the list. `family` is the family name, "" if it is unknown."""

    line: int
    name: str
    family: str = ""
    group: str = ""
    aside: str = ""  # a date or number beside the name

    @property
    def whole_name(self) -> str:
        return f"{self.name} {self.family}".strip()


class SkippedRow(NamedTuple):
    """A row that is passed over, as text, and why."""

    text: str
    reason: Reason


def _pupil(row: Row, columns: Columns, group: str) -> Pupil:
    cell, aside = cells.without_date(row.cell(columns.name) or row.cell(columns.instead))
    names = cells.in_two(cells.bare(cell))
    name, last = names[::-1] if columns.first_name_first and names[1] else names
    family = row.cell(columns.family) or last
    return Pupil(row.line, tidy(name), tidy(family), tidy(group), aside)


def _reason(row: Row, columns: Columns, today: date) -> Reason | Literal[""] | None:
    """Why this row is passed over: "" if the preview need not say so, None if it is a pupil's."""
    name = row.cell(columns.name) or row.cell(columns.instead)
    family, group = row.cell(columns.family), row.cell(columns.group)
    is_name_alone = columns.family is None and columns.group is None
    if not (name or family or group or is_name_alone):
        return ""  # A row with a class but no name stands for somebody.
    status = (row.cell(c) for c in (columns.status, columns.enabled, columns.begin, columns.end))
    if has_left(today, *status):
        return "left"
    if plain_name(row.cell(columns.role)) in cells.WORDS["teachers"]:
        return "teacher"
    count = sum(map(bool, row.cells))
    is_title = not family and count < max(len(row.cells), 2) and _is_a_title(name, count == 1)
    return "no pupil" if is_title or _is_a_test(f"{name} {family}") else None


def _is_a_title(cell: str, is_only: bool) -> bool:
    """Whether this cell is a title, a sum or a footer. `is_only` says that its row has no other
    cell."""
    text, _aside = cells.without_date(cell)
    words = tuple(filter(None, map(plain_name, text.split())))
    begins = max((n for n in range(1, len(words) + 1) if words[:n] in cells.NO_PUPIL), default=0)
    if begins:
        is_whole = begins > 1 or begins == len(words)
        return is_whole or text != cell.strip() or bool(re.search(r"[\d:]", text))
    return is_only and (cells.is_class(text) or (len(words) > 1 and bool(_NUMBERED.search(text))))


def _is_a_test(name: str) -> bool:
    """Whether this is the name of a test account, such as "Student, Test"."""
    words = [word for word in re.split(r"[\s,]+", name) if word]
    tests = [plain_name(word).rstrip("0123456789") in cells.WORDS["test"] for word in words]
    others = [w for w, is_test in zip(words, tests, strict=True) if not (is_test or w.isdigit())]
    named = all(cells.meaning(word)[1] in cells.NAMED for word in others)
    return len(words) > 1 and any(tests) and named


def has_left(today: date, status: str, enabled: str, begin: str, end: str) -> bool:
    """Whether somebody has left the school or is not there yet."""
    first, last = _day(begin), _day(end)
    no = plain_name(status) in cells.WORDS["left"] or plain_name(enabled) in cells.WORDS["no"]
    return no or bool(first and first > today) or bool(last and last < today)


def _day(cell: str) -> date | None:
    """The day in a cell, or None. The month comes before the day only if it cannot be otherwise."""
    found = _DAY.match(cell)
    if not found:
        return None
    year, month, day = (int(each) for each in found.groups() if each)
    if day > 31:
        year, day = day, year
    try:
        return date(year, day, month) if month > 12 else date(year, month, day)
    except ValueError:
        return None


def letters_for(
    twins: Sequence[Pupil], is_new: Sequence[bool], taken: Collection[str]
) -> list[str]:
    """The names of pupils with the same name, each with as few letters of the family name as are
    needed to tell them apart; empty if that is impossible. `taken` has the names, in the form of
    `same`, that no new pupil can have."""
    families = [without_particle(pupil.family) for pupil in twins]
    for letters in range(1, max(map(len, families)) + 1):
        names = [
            f"{pupil.name} {family[:letters].strip()}" + ("." if letters < len(family) else "")
            for pupil, family in zip(twins, families, strict=True)
        ]
        keys = list(map(same, names))
        if all(
            not new or (family and keys.count(key) == 1 and key not in taken)
            for key, family, new in zip(keys, families, is_new, strict=True)
        ):
            return names
    return []


def without_particle(family: str) -> str:
    """The family name from its first capital on: "Velde" for "van der Velde"."""
    words = family.split()
    while len(words) > 1 and words[0].islower():
        del words[0]
    return " ".join(words)


@dataclass(frozen=True)
class NameSheet:
    """A list as the pages of the import carry it along. `today` is the day on which it was read."""

    grid: Grid
    columns: Columns
    today: date

    @cached_property
    def read(self) -> tuple[list[Pupil], list[SkippedRow]]:
        """The pupils, and the rows that are passed over."""
        head, rows = self.columns.head, self.grid.rows
        group, goes_on = "", self._goes_on
        pupils: list[Pupil] = []
        passed: list[SkippedRow] = []
        for number, row in enumerate(rows, start=1):
            is_heading = head > 0 and row.cells == rows[head - 1].cells
            reason = "no pupil" if number < head else _reason(row, self.columns, self.today)
            if reason is None and not is_heading:
                group = row.cell(self.columns.group) or (group if goes_on else "")
                pupils.append(_pupil(row, self.columns, group))
            elif reason and not is_heading:
                passed.append(SkippedRow(" ".join(filter(None, row.cells))[:80], reason))
        return pupils, passed

    @property
    def _goes_on(self) -> bool:
        """Whether each class stands only at the first of its pupils, as where cells are merged."""
        group, name = self.columns.group, self.columns.name
        cells = [r.cell(group) for r in self.grid.rows[self.columns.head :] if r.cell(name)]
        classes = [cell for cell in cells if cell]
        is_once = len(set(classes)) == len(classes) and len(classes) * 2 <= len(cells)
        return bool(cells and cells[0]) and is_once

    @property
    def pupils(self) -> list[Pupil]:
        return self.read[0]

    @property
    def passed(self) -> list[SkippedRow]:
        return self.read[1]

    @property
    def passed_over(self) -> dict[str, list[str]]:
        """The texts of the rows that are passed over, by the reason."""
        over = {"left": [""] * self.grid.left, "hidden": [""] * self.grid.hidden}
        for each in self.passed:
            over.setdefault(each.reason, []).append(f"“{each.text}”")
        return {reason: texts for reason, texts in over.items() if texts}

    @property
    def labels(self) -> list[str]:
        """A label for each column: its heading, its first cell, or its number."""
        rows = self.grid.rows[max(self.columns.head - 1, 0) :]
        return [rows[0].cell(column) or f"{column + 1}" for column in range(self.grid.width)]

    @cached_property
    def _by_group(self) -> dict[str, list[Pupil]]:
        groups: dict[str, list[Pupil]] = {}
        for pupil in self.pupils:
            groups.setdefault(same(pupil.group), []).append(pupil)
        return groups

    def groups(self) -> list[tuple[str, int]]:
        """The classes and how many pupils each has. Home groups come first, pupils without a class
        last."""
        homes = self.homes or self._by_group
        ordered = sorted(self._by_group, key=lambda key: (not key, key not in homes, key))
        return [(self._by_group[key][0].group, len(self._by_group[key])) for key in ordered]

    @property
    def homes(self) -> set[str]:
        """The names of the home groups, in the form of `same`, if the list marks them."""
        home, group = self.columns.home, self.columns.group
        return {same(row.cell(group)) for row in self.grid.rows if row.cell(home)}

    def pupils_in(self, group: str | None) -> list[Pupil]:
        """The pupils of a class, or all pupils if it is None."""
        return self.pupils if group is None else self._by_group[same(group)]

    def in_encoding(self, encoding: str) -> "NameSheet":
        """The sheet, read in another of its likely encodings."""
        now = self.grid.source
        if encoding not in self.grid.rivals:
            return self
        rows = tuple(
            Row(line, tuple(_otherwise(cell, now, encoding) for cell in cells))
            for line, cells in self.grid.rows
        )
        rivals = (now, *(each for each in self.grid.rivals if each != encoding))
        grid = self.grid._replace(rows=rows, source=encoding, rivals=rivals)
        return sheet_of(grid, self.today)

    @property
    def readings(self) -> list[tuple[str, str]]:
        """If the encoding is in doubt, each likely one, and the first foreign cells as it reads
        them."""
        now, rivals = self.grid.source, self.grid.rivals
        cells = list(dict.fromkeys(c for r in self.grid.rows for c in r.cells if not c.isascii()))
        return [
            (each, ", ".join(_otherwise(cell, now, each) for cell in cells[:4]))
            for each in ((now, *rivals) if rivals else ())
        ]

    def as_data(self) -> Any:
        """The sheet as JSON values."""
        return self.grid, self.columns, self.today.isoformat()

    @classmethod
    def from_data(cls, data: Any) -> "NameSheet":
        (rows, source, rivals, *more), columns, today = data
        rows = tuple(Row(line, tuple(cells)) for line, cells in rows)
        grid = Grid(rows, source, tuple(rivals), *more)
        return cls(grid, Columns(*columns), date.fromisoformat(today))


def _otherwise(cell: str, encoding: str, other: str) -> str:
    try:
        return cell.encode(encoding).decode(other)
    except UnicodeError:
        return cell


def sheet_of(grid: Grid, today: date, columns: Columns | None = None) -> NameSheet:
    """The sheet of this grid, by default with its likely columns. Raises `Unreadable` if it has no
    pupils or too many, or a name without a computed value."""
    columns = columns or columns_of(grid)
    sheet = NameSheet(grid, columns, today)
    if not sheet.pupils:
        has_left = any(each.reason == "left" for each in sheet.passed)
        raise Unreadable("nobody left" if has_left else "empty")
    if len(sheet.pupils) > MOST_PUPILS:
        raise Unreadable("too many")
    for row in grid.rows:
        if NOT_COMPUTED in map(row.cell, (columns.name, columns.family, columns.group)):
            raise Unreadable("not computed", row.line)
    return sheet
