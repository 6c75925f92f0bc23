"""Columns → pupils: who on a list is a pupil and at the school today. Titles, totals, teachers,
test accounts and pupils who have left are passed over, and the preview says so."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from classrooms.child_names import LONGEST_NAME, plain_name, same, tidy
from classrooms.roster.importing import cells
from classrooms.roster.importing.columns import Columns, columns_of
from classrooms.roster.importing.grid import MOST_PUPILS, NOT_COMPUTED, Grid, Row, Unreadable

Reason = Literal["", "blank", "no pupil", "left", "teacher"]
"""Why a row is passed over: "blank" without a word; "" if it is a pupil's."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_PART_OF_DAY: Final = re.compile(r"\d+|[^\W\d_]+")
_DAY_WITHOUT_SIGNS: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:\d{6})?$")
_DAY_ZERO: Final = date(1899, 12, 30)  # of spreadsheets
_REMARK: Final = re.compile(r"\((.+)\)|\s[-–]\s(.+)|\s([A-Z]{3,})$")
_TEST: Final = re.compile("|".join(cells.WORDS["test"]), re.IGNORECASE)
_LETTER: Final = re.compile(r"[^\W\d_]")
_FEWEST_BELOW: Final = 2
_NO_BIRTHDAY: Final = timedelta(days=550)  # no pupil is that young
_DATUM: Final = re.compile(r"[\d/]|\S+@")
_NO_NAME: Final = re.compile(r"\w\s*:(?!//)|www\.|^\w+://|^[©®]")
_FIGURE: Final = re.compile(r"\d{1,3}([.,/]\d+)?\s?%?")
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
    with_comma: str = ""  # the cell, if the name was read behind a comma

    @property
    def whole_name(self) -> str:
        return f"{self.name} {self.family}".strip()


class SkippedRow(NamedTuple):
    """A row that is passed over, as text, and why."""

    text: str
    reason: Reason


def _name_in(row: Row, columns: Columns) -> str:
    return row.cell(columns.name) or row.cell(columns.instead)


def _pupil(row: Row, columns: Columns, *, is_whole: bool, capitals: int) -> Pupil:
    """`is_whole`: the name may have the family name too. `capitals`: see `in_two`."""
    cell, aside = cells.without_date(_name_in(row, columns).replace("\n", "/"))
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
    return Pupil(row.line, name, family, group, aside, with_comma)


@dataclass(frozen=True)
class _Judge:
    """Says of each row of a list whether it is a pupil's."""

    grid: Grid
    columns: Columns
    today: date

    @cached_property
    def _heading(self) -> Row:
        head = self.columns.head
        return self.grid.rows[head - 1] if head else Row(0, ())

    @cached_property
    def _says_students(self) -> bool:
        """Whether the column of roles says of somebody that they are a pupil."""
        return any(_is_student(row.cell(self.columns.role)) for row in self.grid.rows)

    @cached_property
    def _is_polite(self) -> bool:
        """Whether the list calls most pupils "Mr" or "Ms"."""
        names = [_name_in(row, self.columns) for row in self.grid.rows[self.columns.head :]]
        return sum(map(bool, map(cells.is_addressed, names))) * 2 > len(names)

    @cached_property
    def _dates(self) -> list[date]:
        """The days that stand beside names, too late for a birthday."""
        asides = (cells.without_date(_name_in(row, self.columns))[1] for row in self.grid.rows)
        days = (day for aside in asides if (day := _day(aside)))
        return [day for day in days if abs(self.today - day) < _NO_BIRTHDAY]

    @cached_property
    def _tail(self) -> int:
        """The number of the last row, or of the first after all those with family names and
        classes."""
        rows, columns = self.grid.rows, (self.columns.family, self.columns.group)
        full = [n for n, row in enumerate(rows, start=1) if any(map(row.cell, columns))]
        return min(len(rows) - 1, full[-1] if full and None not in columns else len(rows))

    @cached_property
    def _often(self) -> set[str]:
        return self.grid.often

    def rows(self) -> Iterator[tuple[Row, Reason]]:
        """Each row, and why it is passed over."""
        rows, head = self.grid.rows, self.columns.head
        above, end, name = _titles(rows, head), self._end(), self.columns.name
        is_footer = is_gone = False
        for number, row in enumerate(rows):
            reason: Reason = "blank"
            if number in above or number >= end[1] or is_footer:
                reason = "no pupil"
            elif row.cells != self._heading.cells and not (
                head and _begins_table(rows, number, name)
            ):
                is_first, is_last = not (number or head), number >= self._tail
                reason = self._reason(row, is_first=is_first, is_last=is_last)
                is_footer = number >= end[0] and reason == "no pupil"
            filled = list(filter(None, row.cells))
            is_apart = number > 0 and row.line - rows[number - 1].line > 1
            if is_apart and self.grid.width > 1 == len(filled) and cells.says(filled[0], "left"):
                is_gone, reason = True, "no pupil"
            elif reason == "no pupil":
                is_gone = False
            elif is_gone and not reason:
                reason = "left"
            yield row, reason

    def _end(self) -> tuple[int, int]:
        """The number of the row from which on no row has several cells, where most have; and that
        of the first row of another table or of its title."""
        rows, head = self.grid.rows, self.columns.head
        is_full = [sum(map(bool, row.cells)) > 1 for row in rows]
        last = len(rows) - is_full[::-1].index(True) if sum(is_full) * 2 > len(rows) else len(rows)
        begins = (
            n
            for n in range(max(head, 1), len(rows))
            if head and _begins_table(rows, n, self.columns.name)
        )
        end = next((n for n in begins if not self._goes_on(n)), len(rows))
        while end < len(rows) and not is_full[end - 1]:
            end -= 1
        return last, end

    def _goes_on(self, number: int) -> bool:
        """Whether the headings of this row stand above the same columns as those of the list, and
        somebody new."""
        row = self.grid.rows[number]
        used = [c for c in self.columns[:3] if c is not None]
        of_row, of_list = (
            [cells.meaning(each.cell(c))[1] for c in used] for each in (row, self._heading)
        )
        is_alike = of_row == of_list and len(used) > 1
        return is_alike and (row.cells == self._heading.cells or self._names_new(number))

    def _names_new(self, number: int) -> bool:
        """Whether there is a name below this row that is not above it."""
        above, below = (
            {(_name_in(each, self.columns), each.cell(self.columns.family)) for each in rows}
            for rows in (self.grid.rows[:number], self.grid.rows[number + 1 :])
        )
        return not below <= above

    def _reason(self, row: Row, *, is_first: bool, is_last: bool) -> Reason:
        columns = self.columns
        name, family = _name_in(row, columns), row.cell(columns.family)
        is_name_alone = columns.family is None and columns.group is None
        if not (name or family or row.cell(columns.group) or is_name_alone):
            return "blank"  # A row with a class but no name stands for somebody.
        remark = "".join(filter(None, found.groups())) if (found := _REMARK.search(name)) else ""
        status, *others = map(
            row.cell, (columns.status, columns.enabled, columns.begin, columns.end)
        )
        if status.isdigit():  # of 2 the heading says what it means
            status = f"{self._heading.cell(columns.status)} {status}"
        if has_left(self.today, status or remark, *others):
            return "left"
        role = row.cell(columns.role)
        is_other = self._says_students and bool(role) and not _is_student(role)
        is_polite = cells.is_addressed(name) > 0 and not self._is_polite
        if is_other or is_polite or cells.says(role or remark, "teachers"):
            return "teacher"
        is_title = self._is_a_title(row, is_first=is_first, is_last=is_last)
        return "no pupil" if is_title or _is_a_test(f"{name} {family}") else ""

    def _is_a_title(self, row: Row, *, is_first: bool, is_last: bool) -> bool:
        """Whether this is a title, a sum or a footer."""
        columns = self.columns
        filled = [cell for cell in row.cells if cell]
        if not self._often.isdisjoint(filled):
            return True
        lettered = [cell for cell in filled if _LETTER.search(cell)]
        cell = _name_in(row, columns)
        if len(lettered) == 1 and lettered != [row.cell(columns.group)]:
            cell = lettered[0]
        elif row.cell(columns.family) or (
            len(filled) == len(row.cells) and row.cell(columns.group)
        ):
            return False
        text, aside = cells.without_date(cell)
        words = tuple(filter(None, map(plain_name, text.split())))
        known = [n for n in range(1, len(words) + 1) if words[:n] in cells.NO_PUPIL]
        is_whole = bool(known) and (known[-1] > 1 or known[-1] == len(words))
        if is_whole or (known and (text != cell.strip() or re.search(r"[\d:]", text))):
            return True
        if any(stem in word for word in words for stem in cells.WORDS["stems"]):
            return True
        begins_with = text[:1].isdigit() and cells.meaning(cells.bare(text))[1]  # "2 pupils"
        in_table = columns.family is not None and bool(words)
        is_edge = in_table or is_first or is_last
        if is_last and columns.group is not None and not lettered:
            return len(filled) == 1
        is_alone = lettered == [cell] and not row.cell(columns.group)
        if is_last and is_alone and None not in (columns.family, columns.group):
            figures = [each for each in filled if each != cell]
            if figures and all(map(_FIGURE.fullmatch, figures)):
                return True  # Perhaps a sum. With a birthday or a number it is a new pupil.
        return filled == [cell] and (
            begins_with in cells.NAMED
            or cells.is_class(cell)
            or bool(_NO_NAME.search(text))
            or (len(words) > 1 and bool(_NUMBERED.search(text)))
            or (in_table and (len(words) > 2 or any(map(str.isdigit, text))))
            or (is_first and len(words) > 1 and cells.is_title(cell))
            or (is_edge and bool(aside) and [_day(aside)] == self._dates)
            or (len(words) > (3 if columns.group is None else 2) and cells.is_sentence(text))
        )


def _is_student(role: str) -> bool:
    return not cells.WORDS["students"].isdisjoint(map(plain_name, _WORD.findall(role)))


def _begins_table(rows: Sequence[Row], number: int, name: int | None) -> bool:
    """Whether this row has the headings of a further table, one of them above the names."""
    row, before = rows[number], rows[number - 1]
    if cells.meaning(row.cell(name))[1] not in cells.NAMED:
        return False
    roles = [cells.meaning(cell)[1] for cell in row.cells if cell]
    known = sum(map(bool, roles))
    is_apart = row.line - before.line > 1 or sum(map(bool, before.cells)) == 1
    is_data = any(_DATUM.match(cell) or cells.is_class(cell) for cell in row.cells)
    is_known = known == len(roles) or (is_apart and known * 2 >= len(roles) and not is_data)
    return len(roles) > 1 and is_known


def _titles(rows: Sequence[Row], head: int) -> set[int]:
    """The places of the rows above the headings. If a sheet repeats them, for a further class or
    page, rows of the same form stand above them again."""
    titles = set(range(head - 1))
    for number in range(head, len(rows) if titles else 0):
        if rows[number].cells == rows[head - 1].cells:
            before = range(number - 1, head - 1, -1)
            titles |= {
                n
                for n, title in zip(before, rows[head - 2 :: -1], strict=False)
                if _are_alike(rows[n], title, rows[number])
            }
    return titles


def _are_alike(row: Row, title: Row, heading: Row) -> bool:
    """Whether this row is filled like a title, with fewer cells than the headings or the title's
    first word."""
    forms = [[bool(cell) for cell in each.cells] for each in (row, title)]
    is_short = sum(forms[0]) < sum(map(bool, heading.cells))
    words = [" ".join(each.cells).split()[0] for each in (row, title)]
    return forms[0] == forms[1] and (is_short or words[0] == words[1])


def _is_a_test(name: str) -> bool:
    """Whether all words say that it is a pupil of a test: "Student, Test", "Testschüler 2"."""
    if not _TEST.search(name):
        return False
    plain = (plain_name(word).rstrip("0123456789") for word in re.split(r"[\s,]+", name))
    words = [word for word in plain if word]
    tests = [next((t for t in cells.WORDS["test"] if word.startswith(t)), "") for word in words]
    rest = [word.removeprefix(test) for word, test in zip(words, tests, strict=True)]
    named = all(not word or cells.meaning(word)[1] in cells.NAMED for word in rest)
    return named and any(tests) and (len(words) > 1 or rest != [""])


def has_left(today: date, status: str, enabled: str, begin: str, end: str) -> bool:
    """Whether somebody is not at the school now, or not yet. `end`: a day, or that there is one."""
    first, last = _day(begin), _day(end)
    is_said = (
        _says_left(status) or cells.says(enabled, "no") or cells.says(end, "yes") or _says_left(end)
    )
    return is_said or bool((first and first > today) or (last and last < today))


def _says_left(status: str) -> bool:
    """Also "Left on 1 May", but not "Left handed"."""
    word, _, more = status.partition(" ")
    since = any(map(str.isdigit, more)) or cells.says(more.partition(" ")[0], "since")
    return cells.says(status, "left") or (cells.says(word, "left") and since)


def _day(cell: str) -> date | None:
    """A day as lists write it, with the month before the day only where it cannot be otherwise; of
    a month, its end.

    >>> [str(_day(text)) for text in ("16-10-26", "20261016", "den 16 oct. 2026", "10/16/2026")]
    ['2026-10-16', '2026-10-16', '2026-10-16', '2026-10-16']
    """
    text = cell.strip()
    if len(text) == 5 and text.isdecimal():
        return _DAY_ZERO + timedelta(days=int(text))
    parts = _PART_OF_DAY.findall(_DAY_WITHOUT_SIGNS.sub(r"\1-\2-\3", text))
    if len(parts) == 2 and max(map(len, filter(str.isdecimal, parts)), default=0) == 4:
        parts.append("28")
    months = [part for part in parts if plain_name(part) in cells.MONTHS]
    parts = [part for part in parts if part.isdecimal() or part in months[-1:]][:3]
    numbers = [int(p) if p.isdecimal() else cells.MONTHS[plain_name(p)] for p in parts]
    if len(numbers) < 3 or 0 in numbers[:2]:
        return None
    if numbers[1] > 31:  # a month and a year
        numbers[:2] = numbers[1::-1]
    year, month, day = numbers if numbers[0] > 31 else numbers[::-1]
    if month > 12 or parts[0].isalpha():
        month, day = day, month
    try:
        return date(year + 2000 if year < 100 else year, month, day)
    except ValueError:
        return None


def letters_for(
    twins: Sequence[Pupil], is_new: Sequence[bool], taken: Collection[str]
) -> list[str]:
    """The names of pupils with the same name, each with as few letters of the family name as are
    needed to tell them apart; empty if that is impossible. `taken` has the names, in the form of
    `same`, that no new pupil can have."""
    families = [without_particle(pupil.family) for pupil in twins]
    for letters in range(1, min(max(map(len, families)), LONGEST_NAME) + 1):
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
    def _judged(self) -> list[tuple[Row, Reason]]:
        return list(_Judge(self.grid, self.columns, self.today).rows())

    @cached_property
    def pupils(self) -> list[Pupil]:
        heading = self.grid.rows[self.columns.head - 1] if self.columns.head else Row(0, ())
        is_whole = cells.meaning(heading.cell(self.columns.name))[1] != "given"
        rows = [row for row, reason in self._judged if not reason]
        read = [
            _pupil(row, self.columns, is_whole=is_whole, capitals=cells.SHORTEST_CAPITALS)
            for row in rows
        ]
        in_capitals = sum(pupil.family.isupper() for pupil in read) * 2 >= len(read)
        if self.columns.family is None and in_capitals:  # "LY Anna" on a list of "MARTEL Dora"
            read = [_pupil(row, self.columns, is_whole=is_whole, capitals=2) for row in rows]
        return read

    @property
    def passed(self) -> list[SkippedRow]:
        return [
            SkippedRow(" ".join(filter(None, row.cells))[:80], reason)
            for row, reason in self._judged
            if reason not in ("", "blank")
        ]

    @property
    def passed_over(self) -> dict[str, list[str]]:
        """The texts of the rows that are passed over, by the reason."""
        over = {"left": [""] * self.grid.left, "hidden": [""] * self.grid.hidden}
        over["sheets"] = [f"“{name}”" for name in self.grid.others]
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


def _with_classes(grid: Grid, columns: Columns, today: date) -> tuple[Grid, Columns]:
    """The grid with a column for the class, if the list names it in a title above the pupils, or
    only beside the first of them."""
    if columns.part is not None:
        return _with_whole_classes(grid, columns)
    at = grid.width if columns.group is None else columns.group
    named = [row.cell(at) for row in grid.rows[columns.head :] if row.cell(columns.name)]
    known = [name for name in named if name]
    above = _titles(grid.rows, columns.head)
    is_divided = len({grid.rows[place].cells for place in above}) >= columns.head > 0
    titles = [
        _class_title(row, is_divided and place in above) if columns.group is None else ""
        for place, row in enumerate(grid.rows)
    ]
    is_once = len(set(known)) == len(known) <= len(named) / 2 and len(named) > _FEWEST_BELOW
    if not (any(titles) or (is_once and named[:1] == known[:1])):
        return grid, columns
    group = ""
    rows: list[Row] = []
    for (row, reason), title in zip(_Judge(grid, columns, today).rows(), titles, strict=True):
        padded = [*row.cells, *[""] * (at + 1 - len(row.cells))]
        group = title or padded[at] or group
        if not reason:
            padded[at] = group
        elif columns.head and row.cells == grid.rows[columns.head - 1].cells:
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
    named = [part for part in parts if cells.is_class(part)] or (filled[:1] if is_title else [])
    return named[0].strip(" :") if named else ""


def sheet_of(grid: Grid, today: date, columns: Columns | None = None) -> NameSheet:
    """The sheet of this grid, by default with its likely columns. Raises `Unreadable` if it has no
    pupils or too many, or a name without a computed value."""
    grid, columns = _with_classes(grid, columns or columns_of(grid), today)
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
