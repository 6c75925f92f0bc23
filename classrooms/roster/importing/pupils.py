"""Columns → pupils: the names, families and classes of the rows that `rules` leaves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final, NamedTuple

from classrooms.child_names import same, tidy
from classrooms.roster.importing import cells
from classrooms.roster.importing.columns import Columns, columns_of
from classrooms.roster.importing.grid import MOST_PUPILS, NOT_COMPUTED, Grid, Row, Unreadable
from classrooms.roster.importing.rules import ADULT, LEFT, NameList, Reason, judged_rows

_FEWEST_CHILDREN: Final = 3  # of a list that has its class only beside the first


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil on a line of the list. `family` is the family name, "" if it is unknown. `row` is the
    number of their row in the grid: a file may have several lines of one number."""

    line: int
    name: str
    family: str = ""
    group: str = ""
    aside: str = ""  # a date or number beside the name
    with_comma: str = ""  # the cell, if the name was read behind a comma
    row: int = 0

    @property
    def whole_name(self) -> str:
        return f"{self.name} {self.family}".strip()


class SkippedRow(NamedTuple):
    """A row that is passed over, by its number: its text, and why."""

    number: int
    text: str
    reason: Reason


def _pupil(number: int, row: Row, columns: Columns, *, is_whole: bool, capitals: int) -> Pupil:
    """`is_whole`: the name may have the family name too. `capitals`: see `in_two`."""
    cell, aside = cells.without_date(columns.name_in(row).replace("\n", "/"))
    names = cells.in_two(cells.bare(cell), capitals=capitals)
    is_first = columns.first_name_first and bool(names[1])
    name, last = names[::-1] if is_first else names
    with_comma = tidy(cell) if "," in cell and names[1] and not is_first else ""
    family = cells.family_name_in(row.cell(columns.family), name) or last
    name, family = tidy(cells.called(name, family)), tidy(family)
    if is_whole and family:
        name = name.removesuffix(f" {family}").removeprefix(f"{family} ")
    group = tidy(row.cell(columns.group))
    if columns.group is not None and not group and cells.is_class(aside):
        group = aside  # "Emil,4A" in a table with semicolons
    return Pupil(row.line, name, family, group, aside, with_comma, number)


@dataclass(frozen=True)
class NameSheet(NameList):
    """A list as the pages of the import carry it along. `ticked` has the numbers of rows that are
    pupils' because the teacher says so, whatever the rules say."""

    ticked: Sequence[int] = ()

    @cached_property
    def _judged(self) -> list[tuple[Row, Reason]]:
        return list(judged_rows(self))

    @cached_property
    def pupils(self) -> list[Pupil]:
        is_whole = cells.meaning(self.heading.cell(self.columns.name))[1] != "given"
        rows = [(n, row) for n, (row, reason) in enumerate(self._judged) if not reason]
        rows += zip(self.ticked, self._ticked_rows, strict=True)
        read = [
            _pupil(*each, self.columns, is_whole=is_whole, capitals=cells.FEWEST_CAPITALS)
            for each in rows
        ]
        in_capitals = sum(pupil.family.isupper() for pupil in read) * 2 >= len(read)
        if self.columns.family is None and in_capitals:  # "LY Anna" on a list of "MARTEL Dora"
            read = [_pupil(*each, self.columns, is_whole=is_whole, capitals=2) for each in rows]
        return read

    @property
    def _ticked_rows(self) -> list[Row]:
        """The ticked rows, each with a name and with the class of the pupil above."""
        rows: list[Row] = []
        for number in self.ticked:
            row, (name, _family, group) = self.grid.rows[number], self.columns[:3]
            filled = [*row.cells, *[""] * (self.grid.width - len(row.cells))]
            if name is not None:
                filled[name] = self.columns.name_in(row) or next(filter(None, row.cells))
            if group is not None and not filled[group]:
                above = (each for each, reason in self._judged[number::-1] if not reason)
                filled[group] = next(above, row).cell(group)
            rows.append(Row(row.line, tuple(filled)))
        return rows

    @cached_property
    def passed(self) -> dict[str, list[SkippedRow]]:
        """The rows that are passed over: "left", "teacher" or other, "no pupil"."""
        kinds = {LEFT: "left", ADULT: "teacher"}
        passed: dict[str, list[SkippedRow]] = {}
        for number, (row, reason) in enumerate(self._judged):
            # That the headings of a table are no pupil is seen in the labels of its columns.
            if reason and not (row.cells == self.heading.cells and self.grid.width > 1):
                skipped = SkippedRow(number, " ".join(filter(None, row.cells))[:80], reason)
                passed.setdefault(kinds.get(reason, "no pupil"), []).append(skipped)
        return passed

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
        """The names of the home groups, as `same` writes them, if the list marks them."""
        home, group = self.columns.home, self.columns.group
        return {same(row.cell(group)) for row in self.grid.rows if row.cell(home)}

    def pupils_in(self, group: str | None) -> list[Pupil]:
        """The pupils of a class, or all pupils if it is None."""
        return self.pupils if group is None else self._by_group[same(group)]

    def in_encoding(self, encoding: str) -> "NameSheet":
        """The sheet, read in another of its likely encodings."""
        if encoding not in self.grid.rivals:
            return self
        return sheet_of(self.grid.in_encoding(encoding), self.today)

    @property
    def readings(self) -> list[tuple[str, str]]:
        """If the encoding is in doubt, each likely one, and the first foreign cells as it reads
        them."""
        rows, rivals = self.grid.rows, self.grid.rivals
        foreign = dict.fromkeys(cell for row in rows for cell in row.cells if not cell.isascii())
        grid = self.grid._replace(rows=(Row(0, tuple(foreign)[:4]),))
        grids = [grid, *map(grid.in_encoding, rivals)] if rivals else []
        return [(each.source, ", ".join(each.rows[0].cells)) for each in grids]

    def as_data(self) -> Any:
        """The sheet as JSON values."""
        return self.grid, self.columns, self.today.isoformat()

    @classmethod
    def from_data(cls, data: Any) -> "NameSheet":
        ((rows, source, rivals, mixed, hidden, left, others), columns, today) = data
        rows = tuple(Row(line, tuple(cells)) for line, cells in rows)
        grid = Grid(rows, source, tuple(rivals), mixed, hidden, left, tuple(others))
        return cls(grid, Columns(*columns), date.fromisoformat(today))


def _below_classes(grid: Grid) -> Grid:
    """The grid with a name and a class in each row, if each column has names below a class."""
    groups, rows = grid.rows[0].cells if grid.rows else (), grid.rows[1:]
    named = [
        Row(row.line, (name, group))
        for column, group in enumerate(groups)
        for row in rows
        if (name := row.cell(column))
    ]
    is_of_classes = len(set(groups)) == grid.width > 1 and all(map(cells.is_class, groups))
    if not is_of_classes or not all(cells.can_be_name(row.cells[0]) for row in named):
        return grid
    return grid._replace(rows=(Row(grid.rows[0].line, ("name", "class")), *named))


def _with_classes(grid: Grid, columns: Columns, today: date) -> tuple[Grid, Columns]:
    """The grid with a column for the class, if the list names it in a title above the pupils, or
    only beside the first of them."""
    if columns.part is not None:
        return _with_whole_classes(grid, columns)
    at = grid.width if columns.group is None else columns.group
    named = [row.cell(at) for row in grid.rows[columns.head :] if row.cell(columns.name)]
    known = [name for name in named if name]
    whole = NameList(grid, columns, today)
    is_divided = len({grid.rows[number].cells for number in whole.titles}) >= columns.head > 0
    titles = [
        _class_title(row, is_divided and number in whole.titles) if columns.group is None else ""
        for number, row in enumerate(grid.rows)
    ]
    is_once = len(set(known)) == len(known) <= len(named) / 2 and len(named) >= _FEWEST_CHILDREN
    if not (any(titles) or (is_once and named[:1] == known[:1])):
        return grid, columns
    group = ""
    rows: list[Row] = []
    for (row, reason), title in zip(judged_rows(whole), titles, strict=True):
        padded = [*row.cells, *[""] * (at + 1 - len(row.cells))]
        group = title or padded[at] or group
        if not reason:
            padded[at] = group
        elif columns.head and row.cells == whole.heading.cells:
            padded[at] = padded[at] or "class"
        rows.append(Row(row.line, tuple(padded)))
    return grid._replace(rows=tuple(rows)), columns._replace(group=at)


def _with_whole_classes(grid: Grid, columns: Columns) -> tuple[Grid, Columns]:
    """The grid with a further column of the classes that are in two columns, "4" and "A"."""
    rows: list[Row] = []
    for number, row in enumerate(grid.rows, start=1):
        first, second = map(row.cell, (columns.part, columns.group))
        text = f"{first}{second}" if first.isdigit() or len(first) < 2 else f"{first} {second}"
        padding = [""] * (grid.width - len(row.cells))
        label = "class" if number == columns.head else text
        rows.append(Row(row.line, (*row.cells, *padding, label)))
    return grid._replace(rows=tuple(rows)), columns._replace(group=grid.width, part=None)


def _class_title(row: Row, is_title: bool) -> str:
    """The class that stands alone on a row, or anywhere in one that certainly is a title."""
    filled = [cell for cell in row.cells if cell]
    parts = [*filled, *" ".join(filled).split()] if is_title else filled if len(filled) == 1 else []
    is_title |= len(filled) == 1 and filled[0].endswith(":")
    is_title &= not cells.is_sentence(" ".join(filled[:1]))
    named = [part for part in parts if cells.is_class(part)] or (filled[:1] if is_title else [])
    return " ".join(named[0].replace(":", " ").split()) if named else ""


def sheet_of(grid: Grid, today: date, columns: Columns | None = None) -> NameSheet:
    """The sheet of this grid, by default with its likely columns. Raises `Unreadable` if it has no
    pupils or too many, or a name without a computed value."""
    grid = grid if columns else _below_classes(grid)
    grid, columns = _with_classes(grid, columns or columns_of(grid), today)
    sheet = NameSheet(grid, columns, today)
    if not sheet.pupils:
        raise Unreadable("nobody left" if "left" in sheet.passed else "empty")
    if len(sheet.pupils) > MOST_PUPILS:
        raise Unreadable("too many")
    for row in grid.rows:
        if NOT_COMPUTED in map(row.cell, (columns.name, columns.family, columns.group)):
            raise Unreadable("not computed", row.line)
    return sheet
