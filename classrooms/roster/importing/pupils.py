"""Columns → pupils: reads the names, family names and classes of the rows that are pupils. `RULES`
has the reasons to pass over a row, in order."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final, NamedTuple

from classrooms.child_names import name_key, plain_name, tidy
from classrooms.roster.importing import cells
from classrooms.roster.importing.columns import Columns, columns_of
from classrooms.roster.importing.encodings import UnreadableFile
from classrooms.roster.importing.grid import MOST_PUPILS, NOT_COMPUTED, Grid, Row

_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT_OR_COLON: Final = re.compile(r"[\d:]")
_REMARK: Final = re.compile(r"\((.+)\)|\s[-–]\s(.+)|\s([A-Z]{3,})$")
_DATUM: Final = re.compile(r"[\d/]|\S+@")
_SIGN_OF_A_NOTE: Final = re.compile(r"\w\s*:(?!//)|www\.|^\w+://|^[©®]")
_FIGURE: Final = re.compile(r"\d{1,3}([.,/]\d+)?\s?%?")
_YEAR_OR_DAY: Final = re.compile(r"\d{4}|[:=]|\d{1,2}[./-]\d{1,2}")
_YOUNGEST_PUPIL: Final = timedelta(days=550)


def gettext_noop(text: str) -> str:
    """Mark a text for translation, without Django."""
    return text


Reason = str
"""Why a row is not a pupil, in words for the teacher; "" if it is a pupil."""
HEADINGS: Final = gettext_noop("headings")
LEAVERS: Final = gettext_noop("a title above pupils who have left")
LEFT: Final = gettext_noop("has left, or is not here yet")
ADULT: Final = gettext_noop("an adult")
NO_NAME: Final = gettext_noop("has no name")
END: Final = gettext_noop("below the end of the list")
_WITHIN_A_PART: Final = frozenset({"", HEADINGS, LEFT, ADULT, NO_NAME, END})
"""A row that is passed over for one of these reasons does not end a part of the list."""
_FEWEST_CHILDREN: Final = 3  # of a class that is written only beside its first pupil


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil on a line of the list. `family` is "" if the family name is unknown. `row` is the
    number of the row in the grid; unlike `line`, no two pupils have the same."""

    line: int
    name: str
    family: str = ""
    group: str = ""
    extra: str = ""  # a date or number beside the name
    with_comma: str = ""  # the cell, if the name is after a comma in it
    row: int = 0

    @property
    def whole_name(self) -> str:
        return f"{self.name} {self.family}".strip()


class SkippedRow(NamedTuple):
    """The number and the text of a row that is passed over, and the reason."""

    number: int
    text: str
    reason: Reason


@dataclass(frozen=True)
class NameSheet:
    """A list with its columns, as the pages of the import send it along. `today` is the day on
    which it was read. `ticked` has the numbers of rows that the teacher has added, against the
    rules."""

    grid: Grid
    columns: Columns
    today: date
    ticked: Sequence[int] = ()

    @cached_property
    def row_reasons(self) -> list[tuple[Row, Reason]]:
        """Each row, and why it is not a pupil."""
        row_reasons: list[tuple[Row, Reason]] = []
        begin, begin_reason = -1, ""
        for number, row in enumerate(self.grid.rows):
            list_row = ListRow(self, number, begin, begin_reason)
            reason = next((reason for reason, applies in RULES if applies(list_row)), "")
            if reason not in _WITHIN_A_PART:
                begin, begin_reason = number, reason
            row_reasons.append((row, reason))
        return row_reasons

    @cached_property
    def pupils(self) -> list[Pupil]:
        rows = [(n, row) for n, (row, reason) in enumerate(self.row_reasons) if not reason]
        rows += [(number, self._ticked_row(number)) for number in self.ticked]
        pupils = [self._pupil(number, row) for number, row in rows]
        in_capitals = sum(pupil.family.isupper() for pupil in pupils) * 2 >= len(pupils)
        if self.columns.family is None and in_capitals:  # "LY Anna" on a list of "MARTEL Dora"
            pupils = [self._pupil(number, row, capitals=2) for number, row in rows]
        return pupils

    def _ticked_row(self, number: int) -> Row:
        """This row, with a name, and with the class of the pupil above if it has none."""
        row = self.grid.rows[number]
        name, _family, group = self.columns[:3]
        filled = row.padded(self.width)
        if name is not None:
            filled[name] = self.columns.name_in(row) or row.filled[0]
        if group is not None and not filled[group]:
            above = (row for row, reason in self.row_reasons[number::-1] if not reason)
            filled[group] = next(above, row).cell(group)
        return Row(row.line, tuple(filled))

    def _pupil(self, number: int, row: Row, capitals: int = cells.FEWEST_CAPITALS) -> Pupil:
        """The pupil on this row. For `capitals` see `split_name`."""
        columns = self.columns
        # Two lines of a cell may be two children, except beside a single family name.
        separator = " " if row.cell(columns.family) else "/"
        cell, addition = cells.without_date(columns.name_in(row).replace("\n", separator))
        names = cells.split_name(cells.bare_name(cell), capitals=capitals)
        is_first = columns.first_name_first and bool(names[1])
        name, last = names[::-1] if is_first else names
        with_comma = tidy(cell) if "," in cell and names[1] and not is_first else ""
        family = cells.family_name_in(row.cell(columns.family), name) or last
        name, family = tidy(cells.with_nickname(name, family)), tidy(family)
        if family and cells.meaning(self.heading.cell(columns.name))[1] != "given":
            name = name.removesuffix(f" {family}").removeprefix(f"{family} ")
        group = cells.class_in(tidy(row.cell(columns.group)))
        if columns.group is not None and not group and cells.is_class(addition):
            group = addition  # "Emil,4A" in a table with semicolons
        return Pupil(row.line, name, family, group, addition, with_comma, number)

    @cached_property
    def passed(self) -> dict[str, list[SkippedRow]]:
        """The rows that are passed over, by kind: "left", "teacher", or "no pupil" for all
        others."""
        kinds = {LEFT: "left", ADULT: "teacher"}
        passed: dict[str, list[SkippedRow]] = {}
        for number, (row, reason) in enumerate(self.row_reasons):
            # The row of headings is left out, because the labels of the columns show it.
            if reason and not (row.cells == self.heading.cells and self.width > 1):
                skipped = SkippedRow(number, " ".join(row.filled)[:80], reason)
                passed.setdefault(kinds.get(reason, "no pupil"), []).append(skipped)
        return passed

    @property
    def labels(self) -> list[str]:
        """A label for each column: its heading, its first cell, or its number."""
        rows = self.grid.rows[max(self.columns.head - 1, 0) :]
        return [rows[0].cell(column) or f"{column + 1}" for column in range(self.width)]

    @cached_property
    def _by_group(self) -> dict[str, list[Pupil]]:
        groups: dict[str, list[Pupil]] = {}
        for pupil in self.pupils:
            groups.setdefault(name_key(pupil.group), []).append(pupil)
        return groups

    def groups(self) -> list[tuple[str, int]]:
        """The classes and their numbers of pupils. Home groups come first, and pupils without a
        class last."""
        homes = self.homes or self._by_group
        ordered = sorted(self._by_group, key=lambda key: (not key, key not in homes, key))
        return [(self._by_group[key][0].group, len(self._by_group[key])) for key in ordered]

    @property
    def homes(self) -> set[str]:
        """The names of the home groups, in the form of `name_key`; empty if the list does not mark
        them."""
        home, group = self.columns.home, self.columns.group
        return {name_key(row.cell(group)) for row in self.grid.rows if row.cell(home)}

    def pupils_in(self, group: str | None) -> list[Pupil]:
        """The pupils of a class, or all pupils if it is None."""
        return self.pupils if group is None else self._by_group[name_key(group)]

    def in_encoding(self, encoding: str) -> "NameSheet":
        """The sheet in another of its likely encodings."""
        if encoding not in self.grid.rivals:
            return self
        return sheet_of(self.grid.in_encoding(encoding), self.today)

    @property
    def readings(self) -> list[tuple[str, str]]:
        """Each likely encoding, with the first foreign cells in it; empty if the encoding is
        certain."""
        rivals = self.grid.rivals
        cells_shown = (cell for row in self.grid.rows for cell in row.cells if not cell.isascii())
        grid = self.grid._replace(rows=(Row(0, tuple(dict.fromkeys(cells_shown))[:4]),))
        grids = [grid, *map(grid.in_encoding, rivals)] if rivals else []
        return [(grid.source, ", ".join(grid.rows[0].cells)) for grid in grids]

    def as_data(self) -> Any:
        return self.grid, self.columns, self.today.isoformat()

    @classmethod
    def from_data(cls, data: Any) -> "NameSheet":
        ((rows, source, rivals, mixed, hidden_rows, left_count, sheets), columns, today) = data
        rows = tuple(Row(line, tuple(cells)) for line, cells in rows)
        grid = Grid(rows, source, tuple(rivals), mixed, hidden_rows, left_count, tuple(sheets))
        return cls(grid, Columns(*columns), date.fromisoformat(today))

    # What the rules must know about the whole list.

    @cached_property
    def heading(self) -> Row:
        head = self.columns.head
        return self.grid.rows[head - 1] if head else Row(0, ())

    @cached_property
    def width(self) -> int:
        return self.grid.width

    @cached_property
    def says_students(self) -> bool:
        """Whether the column of roles has a word for pupils in some row."""
        return any(cells.is_student(row.cell(self.columns.role)) for row in self.grid.rows)

    @cached_property
    def shared_groups(self) -> set[str]:
        """The classes that several rows have."""
        counts = Counter(row.cell(self.columns.group) for row in self.grid.rows)
        return {group for group, count in counts.items() if group and count > 1}

    @cached_property
    def uses_salutations(self) -> bool:
        """Whether the list calls most pupils "Mr" or "Ms"."""
        names = [self.columns.name_in(row) for row in self.grid.rows[self.columns.head :]]
        return sum(map(bool, map(cells.salutation_length, names))) * 2 > len(names)

    @cached_property
    def days(self) -> list[date]:
        """The days beside names that are too late to be birthdays."""
        asides = (cells.without_date(self.columns.name_in(row))[1] for row in self.grid.rows)
        days = (day for text in asides if (day := cells.day_of(text)))
        return [day for day in days if abs(self.today - day) < _YOUNGEST_PUPIL]

    @cached_property
    def copies(self) -> set[str]:
        return self.grid.copies

    @cached_property
    def titles(self) -> set[int]:
        """The numbers of the rows above the headings. If the sheet repeats the headings for another
        class or page, these include similar rows above each repeat."""
        rows, head = self.grid.rows, self.columns.head
        titles = set(range(head - 1))
        for number in range(head, len(rows) if titles else 0):
            if rows[number].cells == self.heading.cells:
                before = range(number - 1, head - 1, -1)
                above = zip(before, rows[head - 2 :: -1], strict=False)
                titles |= {n for n, title in above if self._are_alike(rows[n], title)}
        return titles

    def _are_alike(self, row: Row, title: Row) -> bool:
        """Whether this row resembles the title: it has cells in the same columns, and the same
        first word or fewer cells than the headings."""
        forms = [[bool(cell) for cell in compared.cells] for compared in (row, title)]
        is_short = sum(forms[0]) < len(self.heading.filled)
        words = [" ".join(compared.cells).split()[0] for compared in (row, title)]
        return forms[0] == forms[1] and (is_short or words[0] == words[1])

    @cached_property
    def _is_full(self) -> list[bool]:
        """Whether each row has several cells."""
        return [len(row.filled) > 1 for row in self.grid.rows]

    @cached_property
    def last_full(self) -> int:
        """The number after the last row with several cells, if most rows have several; otherwise
        the number of rows."""
        fullness, count = self._is_full, len(self._is_full)
        return count - fullness[::-1].index(True) if sum(fullness) * 2 > count else count

    @cached_property
    def last_with_all(self) -> int:
        """The number after the last row with a family name or a class, if both have columns; but at
        most that of the last row."""
        rows, columns = self.grid.rows, (self.columns.family, self.columns.group)
        numbers = [n for n, row in enumerate(rows, start=1) if any(map(row.cell, columns))]
        return min(len(rows) - 1, numbers[-1] if numbers and None not in columns else len(rows))

    @cached_property
    def end_of_list(self) -> int:
        """The number of the first row of another list, or of the title above it; the number of rows
        if there is no other list."""
        count = len(self.grid.rows)
        begins = filter(self.begins_table, range(max(self.columns.head, 1), count))
        end = next((number for number in begins if not self._continues_list(number)), count)
        while end < count and not self._is_full[end - 1]:
            end -= 1
        return end

    def begins_table(self, number: int) -> bool:
        """Whether this row has the headings of another table, with one above the names."""
        row = self.grid.rows[number]
        before = self.grid.rows[number - 1]
        cell = row.cell(self.columns.name) if self.columns.head else ""
        if cells.meaning(cell)[1] not in cells.NAME_ROLES or cells.is_name_too(cell):
            return False
        roles = [cells.meaning(cell)[1] for cell in row.filled]
        count = sum(map(bool, roles))
        is_apart = row.line - before.line > 1 or len(before.filled) == 1
        is_data = any(_DATUM.match(cell) or cells.is_class(cell) for cell in row.cells)
        is_known = count == len(roles) or (is_apart and count * 2 >= len(roles) and not is_data)
        return len(roles) > 1 and is_known

    def _continues_list(self, number: int) -> bool:
        """Whether the headings in this row continue the list: they are above the same columns, and
        a new name is below them."""
        row = self.grid.rows[number]
        used = [column for column in self.columns[:3] if column is not None]
        if row.cells == self.heading.cells or len(used) < 2:
            return len(used) > 1
        of_row, of_list = (
            [cells.meaning(compared.cell(c))[1] for c in used] for compared in (row, self.heading)
        )
        return of_row == of_list and self._last_new_name > number

    @cached_property
    def _last_new_name(self) -> int:
        """The number of the last row with a name that no row above it has."""
        first: dict[tuple[str, str], int] = {}
        for number, row in enumerate(self.grid.rows):
            first.setdefault((self.columns.name_in(row), row.cell(self.columns.family)), number)
        return max(first.values())


class ListRow:
    """A row of a list, for the rules. `begin` is the number of the row that begins its part of the
    list: a title, a sum or a note. `reason` is that row's reason."""

    def __init__(self, sheet: NameSheet, number: int, begin: int, reason: Reason) -> None:
        self.sheet, self.number, self.columns = sheet, number, sheet.columns
        self.row = sheet.grid.rows[number]
        self.name = self.columns.name_in(self.row)
        self.family, self.group = map(self.row.cell, (self.columns.family, self.columns.group))
        self.filled = self.row.filled
        self.lettered = [cell for cell in self.filled if _LETTER.search(cell)]
        remark = _REMARK.search(self.name)
        self.remark = "".join(filter(None, remark.groups())) if remark else ""
        # The cell that may be a title; "" if a family name or a class shows that this is a pupil.
        self.title = self.name
        is_of_class = self.lettered == [self.group] and self.group in sheet.shared_groups
        if len(self.lettered) == 1 and not is_of_class:
            self.title = self.lettered[0]
        elif _LETTER.search(self.family) or self._is_whole:
            self.title = ""
        self.text, self.aside = cells.without_date(self.title)
        self.words = tuple(filter(None, map(plain_name, self.text.split())))
        self.is_alone = self.filled == [self.title]
        self.is_first = number == self.columns.head == 0
        self.is_last = number >= sheet.last_with_all
        self.is_below_leavers = reason == LEAVERS
        self.is_below_list = begin >= sheet.last_full and reason != LEAVERS
        self.part = sheet.grid.rows[begin].cells if begin >= 0 else ()

    @property
    def _is_whole(self) -> bool:
        """Whether all cells are filled, there is no column of family names, and other rows have the
        same class. "Total;2" below first and family names is not a pupil."""
        is_filled = len(self.filled) == len(self.row.cells)
        return is_filled and self.columns.family is None and self.group in self.sheet.shared_groups

    def is_title_of_leavers(self) -> bool:
        rows = self.sheet.grid.rows
        is_apart = self.number > 0 and self.row.line - rows[self.number - 1].line > 1
        is_sure = self.sheet.width > 1 or self.filled[0].endswith(":")
        is_title = is_sure and len(self.filled) == 1
        return is_apart and is_title and cells.is_word(self.filled[0], "left")

    def has_no_name(self) -> bool:
        """Whether the row has neither a name nor a class, although the list has columns for them. A
        row with only a class stands for a pupil."""
        is_name_alone = self.columns.family is None and self.columns.group is None
        return not (self.name or self.family or self.group or is_name_alone)

    def has_left_school(self) -> bool:
        columns = (getattr(self.columns, name) for name in ("status", "enabled", "begin", "end"))
        status, *other_cells = map(self.row.cell, columns)
        if status.isdigit():  # the heading says what 2 means
            status = f"{self.sheet.heading.cell(self.columns.status)} {status}"
        return cells.has_left(self.sheet.today, status or self.remark, *other_cells)

    def has_role_of_adult(self) -> bool:
        role = self.row.cell(self.columns.role)
        is_other = self.sheet.says_students and bool(role) and not cells.is_student(role)
        return is_other or cells.is_word(role or self.remark, "teachers")

    def is_called_mr_or_ms(self) -> bool:
        are_addressed = map(cells.salutation_length, (self.name, self.family))
        return any(are_addressed) and not self.sheet.uses_salutations

    def begins_like_title(self) -> bool:
        """Whether the row begins with a word such as "Total". If the word may also be a name, there
        must be a number or a day beside it."""
        words = self.words
        lengths = [n for n in range(1, len(words) + 1) if words[:n] in cells.NO_PUPIL]
        is_numbered = self.text != self.title.strip() or bool(_DIGIT_OR_COLON.search(self.text))
        if len(words) == 1 and cells.is_name_too(words[0]) and not is_numbered:
            return any(map(_FIGURE.fullmatch, self.filled))
        return bool(lengths) and (lengths[-1] > 1 or lengths[-1] == len(words) or is_numbered)

    def has_figures_below_list(self) -> bool:
        """Whether the row may be a sum below the list. A row with a birthday or a longer number is
        a new pupil."""
        if not self.lettered:
            return self.is_last and len(self.filled) == 1 and self.columns.group is not None
        figures = [cell for cell in self.filled if cell != self.title]
        is_sum = self.lettered == [self.title] and not self.group and bool(figures)
        is_sum &= None not in (self.columns.family, self.columns.group)
        return is_sum and self.is_last and all(map(_FIGURE.fullmatch, figures))

    def is_note(self) -> bool:
        """Whether the row has only one cell, which looks like a note."""
        if not self.is_alone:
            return False
        text, count, columns = self.text, len(self.words), self.columns
        is_edge = self.is_first or self.is_last or (columns.family is not None and count > 0)
        return bool(
            _SIGN_OF_A_NOTE.search(text)
            or (count > 1 and _YEAR_OR_DAY.search(text))
            or (columns.family is not None and (count > 2 or any(map(str.isdigit, text))))
            or (self.is_first and count > 1 and cells.is_title(self.title))
            # The only day too late for a birthday, at the edge of the list, is the day of the list.
            or (is_edge and self.aside and [cells.day_of(self.aside)] == self.sheet.days)
            or (count > (3 if columns.group is None else 2) and cells.is_sentence(text))
        )

    def is_test_account(self) -> bool:
        """Whether all words say that this pupil is only a test: "Student, Test", "Testschüler
        2"."""
        parts = re.split(r"[\s,]+", f"{self.name} {self.family}")
        plain = (plain_name(word).rstrip("0123456789") for word in parts)
        words = [word for word in plain if word]
        tests = [next((t for t in cells.WORDS["test"] if word.startswith(t)), "") for word in words]
        endings = [word.removeprefix(test) for word, test in zip(words, tests, strict=True)]
        is_named = all(not word or cells.meaning(word)[1] in cells.NAME_ROLES for word in endings)
        return is_named and any(tests) and (len(words) > 1 or endings != [""])


def _has_stem(words: Iterable[str], kind: str) -> bool:
    return any(stem in word for word in words for stem in cells.WORDS[kind])


_NOTE: Final = gettext_noop("a title, a sum or a note")
RULES: Final[Sequence[tuple[Reason, Callable[[ListRow], bool]]]] = (
    (gettext_noop("above the headings"), lambda row: row.number in row.sheet.titles),
    (gettext_noop("part of another list"), lambda row: row.number >= row.sheet.end_of_list),
    (END, lambda row: row.is_below_list),
    (HEADINGS, lambda row: row.row.cells == row.sheet.heading.cells),
    (HEADINGS, lambda row: row.sheet.begins_table(row.number)),
    (LEAVERS, ListRow.is_title_of_leavers),
    (NO_NAME, ListRow.has_no_name),
    (LEFT, ListRow.has_left_school),
    (ADULT, ListRow.has_role_of_adult),
    (ADULT, ListRow.is_called_mr_or_ms),
    (
        gettext_noop("repeated below each name"),
        lambda row: not row.sheet.copies.isdisjoint(row.filled),
    ),
    (_NOTE, ListRow.begins_like_title),
    (_NOTE, lambda row: _has_stem(row.words, "stems") or _has_stem(row.words, "farewells")),
    (_NOTE, ListRow.has_figures_below_list),
    (_NOTE, lambda row: row.is_alone and cells.counts_pupils(row.text)),
    (gettext_noop("a class"), lambda row: row.is_alone and cells.is_class(row.title)),
    (_NOTE, ListRow.is_note),
    (gettext_noop("an account for tests"), ListRow.is_test_account),
    (LEFT, lambda row: row.is_below_leavers),
    # Rows below a farewell, such as the signature of a letter, unless another class follows.
    (END, lambda row: _has_stem(map(plain_name, " ".join(row.part).split()), "farewells")),
)
"""The rules, in their order. The first that applies to a row is the reason to pass over it. A row
to which none applies is a pupil."""


def _below_classes(grid: Grid) -> Grid:
    """The grid with a name and a class in each row, if each column has the pupils of a class below
    its name."""
    groups = grid.rows[0].cells if grid.rows else ()
    rows = grid.rows[1:]
    named = [
        Row(row.line, (name, group))
        for column, group in enumerate(groups)
        for row in rows
        if (name := row.cell(column)) and not cells.are_headings(row.filled)
    ]
    is_of_classes = len(set(groups)) == grid.width > 1 and all(map(cells.is_class, groups))
    if not is_of_classes or not all(cells.can_be_name(row.cells[0]) for row in named):
        return grid
    return grid._replace(rows=(Row(grid.rows[0].line, ("name", "class")), *named))


def _with_classes(grid: Grid, columns: Columns, today: date) -> tuple[Grid, Columns]:
    """The grid with the class in each row, if the list has it in a title above the pupils, or only
    beside the first of them."""
    if columns.part is not None:
        return _with_whole_classes(grid, columns)
    column = grid.width if columns.group is None else columns.group
    names = [row.cell(column) for row in grid.rows[columns.head :] if row.cell(columns.name)]
    filled = [name for name in names if name]
    sheet = NameSheet(grid, columns, today)
    is_divided = len({grid.rows[number].cells for number in sheet.titles}) >= columns.head > 0
    titles = [
        _class_title(row, is_divided and number in sheet.titles) if columns.group is None else ""
        for number, row in enumerate(grid.rows)
    ]
    is_once = len(set(filled)) == len(filled) <= len(names) / 2 and len(names) >= _FEWEST_CHILDREN
    if not (any(titles) or (is_once and names[:1] == filled[:1])):
        return grid, columns
    group = ""
    rows: list[Row] = []
    for (row, reason), title in zip(sheet.row_reasons, titles, strict=True):
        padded = row.padded(column + 1)
        group = title or padded[column] or group
        if not reason:
            padded[column] = group
        elif columns.head and row.cells == sheet.heading.cells:
            padded[column] = padded[column] or "class"
        rows.append(Row(row.line, tuple(padded)))
    return grid._replace(rows=tuple(rows)), columns._replace(group=column)


def _with_whole_classes(grid: Grid, columns: Columns) -> tuple[Grid, Columns]:
    """The grid with another column, which joins the two halves of the class: "4" and "A"."""
    rows: list[Row] = []
    width = grid.width
    for number, row in enumerate(grid.rows, start=1):
        first, second = map(row.cell, (columns.part, columns.group))
        text = f"{first}{second}" if first.isdigit() or len(first) < 2 else f"{first} {second}"
        label = "class" if number == columns.head else text
        rows.append(Row(row.line, (*row.padded(width), label)))
    return grid._replace(rows=tuple(rows)), columns._replace(group=width, part=None)


def _class_title(row: Row, is_title: bool) -> str:
    """The class in this row, if it is the only cell, or if the row certainly is a title; otherwise
    ""."""
    filled = row.filled
    parts = [*filled, *" ".join(filled).split()] if is_title else filled if len(filled) == 1 else []
    is_title |= len(filled) == 1 and filled[0].endswith(":")
    is_title &= not cells.is_sentence(" ".join(filled[:1]))
    classes = [part for part in parts if cells.is_class(part)] or (filled[:1] if is_title else [])
    return " ".join(classes[0].replace(":", " ").split()) if classes else ""


def sheet_of(grid: Grid, today: date, columns: Columns | None = None) -> NameSheet:
    """The sheet of this grid, by default with the columns that `columns_of` finds. Raises
    `UnreadableFile` if it has no pupils or too many, or a name without a computed value."""
    grid = grid if columns else _below_classes(grid)
    grid, columns = _with_classes(grid, columns or columns_of(grid), today)
    sheet = NameSheet(grid, columns, today)
    if not sheet.pupils:
        raise UnreadableFile("nobody left" if "left" in sheet.passed else "empty")
    if len(sheet.pupils) > MOST_PUPILS:
        raise UnreadableFile("too many")
    for row in grid.rows:
        if NOT_COMPUTED in map(row.cell, (columns.name, columns.family, columns.group)):
            raise UnreadableFile("not computed", row.line)
    return sheet
