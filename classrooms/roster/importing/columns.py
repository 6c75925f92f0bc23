"""Grid → columns: what each column contains, and which of several sheets has the list. If there is
no known heading and several columns may contain names, the teacher chooses."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, zip_longest
from typing import Final, NamedTuple

from classrooms.child_names import plain_name
from classrooms.roster.importing.cells import (
    NAME_ROLES,
    NO_PUPIL,
    WORDS,
    are_headings,
    can_be_name,
    is_class,
    is_name_too,
    is_word,
    meaning,
)
from classrooms.roster.importing.encodings import UnreadableFile
from classrooms.roster.importing.grid import Grid, Row

_HEADING_ROWS: Final = 30
"""The last row that may be a heading. Titles, dates and addresses may be above the heading."""
_SHARE_OF_ROWS: Final = 0.6
_WHOLE_CLASS: Final = re.compile(r".*\d\W*[^\W\d_ªº]{1,2}")
_LETTERS: Final = re.compile(r"[^\W\d_]{1,2}")
_ROWS_PER_COMMON_CELL: Final = 5  # a common cell is in one of this many rows
_FEWEST_ROWS_OF_CLASS: Final = 3


class Columns(NamedTuple):
    """The numbers of the columns, from 0: those of names and classes, and those that show who is a
    pupil."""

    name: int | None
    family: int | None = None
    group: int | None = None
    head: int = 0  # the number of the row with the headings, from 1; 0 if there is none
    is_sure: bool = True  # whether the headings, the cells or the teacher leave no doubt
    first_name_first: bool = False  # in cells such as "Ann, Smith"
    fallback: int | None = None  # the column of the name for rows without a preferred name
    status: int | None = None
    enabled: int | None = None
    begin: int | None = None
    end: int | None = None
    role: int | None = None
    home: int | None = None  # the column that marks home groups, in a bundle
    part: int | None = None  # the first half of the class, if two columns have it: "4" and "A"

    def name_in(self, row: Row) -> str:
        return row.cell(self.name) or row.cell(self.fallback)


OTHER_FIELDS: Final = ("head", "is_sure", "first_name_first", "home")
"""The fields of `Columns` that are not the number of a column."""


def columns_of(grid: Grid) -> Columns:
    """The columns of the grid, as far as they can be recognised."""
    head = _heading(grid.rows, grid.copies)
    if head:
        return _Table(
            _joined_headings(grid.rows[:head]), grid.rows[head:], head, grid.width
        ).columns()
    filled = [c for c in range(grid.width) if any(row.cell(c) for row in grid.rows)]
    if len(filled) == 1:
        return Columns(filled[0])
    name = _first_column(grid.rows, filled, can_be_name)
    family = name + 1 if name is not None and _is_mostly(grid.rows, name + 1, can_be_name) else None
    group = _first_column(grid.rows, [c for c in filled if c != name], is_class)
    other_columns = [c for c in filled if c != name]
    are_clear = not any(_may_be_names(grid.rows, c) for c in other_columns)
    is_one = sum(any(is_class(row.cell(c)) for row in grid.rows) for c in other_columns) <= 1
    return Columns(name, family, group, is_sure=name is not None and are_clear and is_one)


def _may_be_names(rows: Sequence[Row], column: int) -> bool:
    """Whether a cell of this column can be a name or a heading."""
    return any(can_be_name(cell) or meaning(cell)[1] for row in rows if (cell := row.cell(column)))


def _heading(rows: Sequence[Row], copies: Collection[str]) -> int:
    """The number of the last row of headings at the top, from 1; 0 if there is none."""
    for number, row in enumerate(rows[:_HEADING_ROWS], start=1):
        if _is_heading(row, rows[: number - 1], rows[number : number + _HEADING_ROWS], copies):
            return number + _is_heading_row(rows[number : number + 1])
    return 0


def _is_heading(
    row: Row, above: Sequence[Row], below: Sequence[Row], copies: Collection[str]
) -> bool:
    """Whether one of the cells is a heading of names, and most others are headings too."""
    roles = {column: meaning(cell)[1] for column, cell in enumerate(row.cells) if cell}
    # A word that many rows below repeat, such as "pupil", is not a heading.
    columns = [
        column
        for column, role in roles.items()
        if role
        and row.cell(column) not in copies
        and (all(roles.values()) or not _is_common(row, column, below))
    ]
    widest = max((len(line.filled) for line in below), default=0)
    is_known = len(columns) * 2 >= len(roles) or len(roles) >= widest
    # A word that is also a name is a name if there are single names above it.
    are_names = all(
        is_name_too(row.cell(c)) and any(_is_one_name(line.cell(c)) for line in above)
        for c in columns
    )
    return is_known and not are_names and not NAME_ROLES.isdisjoint(roles[c] for c in columns)


def _is_one_name(cell: str) -> bool:
    """Whether this is a name of one word, and not a title."""
    is_word = len(cell.split()) == 1 and not any(map(str.isdigit, cell))
    return is_word and can_be_name(cell) and (plain_name(cell),) not in NO_PUPIL


def _is_common(row: Row, column: int, below: Sequence[Row]) -> bool:
    """Whether many rows below have the same cell in this column."""
    other_rows = [line for line in below if line.cells != row.cells]
    count = sum(line.cell(column) == row.cell(column) for line in other_rows)
    return count * _ROWS_PER_COMMON_CELL > len(other_rows)


def _is_heading_row(rows: Sequence[Row]) -> bool:
    """Whether all cells of this row are headings, and there are several. "Ad Ende" is a child."""
    filled = [cell for row in rows for cell in row.filled]
    return len(filled) > 1 and are_headings(filled) and not is_name_too(filled[0])


def _joined_headings(rows: Sequence[Row]) -> list[str]:
    """The headings of the last row, each behind the heading above it. In the row above, "Pupil" or
    "Parent" is only in the first of its columns."""
    if not _is_heading_row(rows[-2:-1]):
        return list(rows[-1].cells)
    over = ""
    texts: list[str] = []
    for above, cell in zip_longest(rows[-2].cells, rows[-1].cells, fillvalue=""):
        over = above or over
        heading = f"{over} {cell}".strip()
        texts.append(heading if meaning(heading)[1] else cell)
    return texts


@dataclass(frozen=True)
class _Table:
    """The rows below headings."""

    heading: Sequence[str]
    rows: Sequence[Row]
    head: int
    width: int

    @cached_property
    def meanings(self) -> list[tuple[int, str]]:
        return [*map(meaning, self.heading), *[(0, "")] * (self.width - len(self.heading))]

    @cached_property
    def filled(self) -> list[int]:
        """The columns that are not empty."""
        return [c for c in range(self.width) if any(row.cell(c) for row in self.rows)]

    @cached_property
    def unknown_columns(self) -> list[int]:
        """The columns whose headings have no known meaning."""
        return [c for c in range(self.width) if not self.meanings[c][1]]

    def best(self, role: str, among: Sequence[int] | None = None) -> int | None:
        """The column whose heading fits this role best. `among` has the possible columns, by
        default all that are not empty."""
        among = self.filled if among is None else among
        places = [(self.meanings[c][0], c) for c in among if self.meanings[c][1] == role]
        return min(places)[1] if places else None

    def columns(self) -> Columns:
        preferred, given, whole, family = map(self.best, ("preferred", "given", "full", "family"))
        first = preferred if given is None else given
        if family is None and whole is not None and first is not None:
            # A column "Name" beside first names contains family names or whole names.
            family = whole
            whole = whole if self._has_whole_names(whole, first) else None
        names = [c for c in (preferred, given, whole) if c is not None]
        part, group = self._part_and_group()
        parts = self.heading[names[0]].split(",") if names else []
        return Columns(
            names[0] if names else _first_column(self.rows, self.unknown_columns, can_be_name),
            family,
            self.best("year") if group is None else group,
            self.head,
            not self.rows or (bool(names) and not self._is_doubtful(names[0], group)),
            len(parts) == 2 and meaning(parts[0])[1] in ("preferred", "given"),
            names[1] if preferred is not None and len(names) > 1 else None,
            self._status(),
            *(self.best(role, range(self.width)) for role in ("enabled", "begin", "end", "role")),
        )._replace(part=part)

    def _has_whole_names(self, full_column: int, first: int) -> bool:
        pairs = [(plain_name(row.cell(first)), row.cell(full_column)) for row in self.rows]
        return any("," in text or (name and name in plain_name(text)) for name, text in pairs)

    def _part_and_group(self) -> tuple[int | None, int | None]:
        """The columns with the first half and with the second half, or the whole, of the class."""
        group, year = self.best("group"), self.best("year")
        if group is None:
            group = _first_column(
                self.rows, self.unknown_columns, lambda cell: is_class(cell) and "/" not in cell
            )
        halves = [c for c in self.filled if c == year or self.meanings[c][1] == "group"]
        for pair in permutations(halves, 2):
            if group in pair and year in (None, pair[0]) and _are_halves(self.rows, *pair):
                return pair
        return None, group

    def _is_doubtful(self, name: int, group: int | None) -> bool:
        """Whether the teacher must choose although there is a heading of names."""
        rows, next_column = self.rows, name + 1
        return (
            # "Smith, Ann,4A" has more cells than headings.
            all(row.cell(len(self.heading)) for row in rows)
            or (group is None and any(_divides(rows, column) for column in self.unknown_columns))
            # "Name" is above two columns, and the first may contain the family names.
            or (
                self.meanings[name][1] == "full"
                and self.heading[next_column : next_column + 1] == [""]
                and _is_mostly(rows, next_column, can_be_name)
            )
            # The headings are in the first column.
            or (
                self.head == 1
                and len({row.cell(0) for row in rows}) == len(rows)
                and all(meaning(row.cell(0))[1] for row in rows)
            )
            or self._is_ambiguous(name)
            or (group is not None and self._is_ambiguous(group))
        )

    def _is_ambiguous(self, used: int) -> bool:
        """Whether another column with the same heading has other cells, because there are two lists
        side by side, or the classes of two years."""
        used_meaning = self.meanings[used]
        columns = [c for c in self.filled if self.meanings[c] == used_meaning != (0, "")]
        return any(row.cell(c) not in ("", row.cell(used)) for c in columns for row in self.rows)

    def _status(self) -> int | None:
        """The column that shows who has left. It has a known heading, or a similar heading above
        cells that all say that a pupil has left or is here."""
        best = self.best("status", range(self.width))
        if best in self.filled:
            return best
        for column in (c for c in self.unknown_columns if c < len(self.heading)):
            if not any(stem in plain_name(self.heading[column]) for stem in WORDS["status"]):
                continue
            values = {cell for row in self.rows if (cell := row.cell(column))}
            gone = {cell for cell in values if is_word(cell, "left")}
            if gone < values and gone and all(is_word(cell, "here") for cell in values - gone):
                return column
        return None


def _are_halves(rows: Sequence[Row], *pair: int) -> bool:
    """Whether these columns contain the two halves of classes: "4" and "A"."""
    starts, ends = ({row.cell(c) for row in rows} - {""} for c in pair)
    is_numbered = any(map(str.isdigit, "".join(starts)))
    are_short = all(map(_LETTERS.fullmatch, ends)) if is_numbered else all(map(str.isdigit, ends))
    return bool(starts and ends) and are_short and not any(map(_WHOLE_CLASS.fullmatch, starts))


def _first_column(
    rows: Sequence[Row], columns: Sequence[int], fits: Callable[[str], bool]
) -> int | None:
    return next((column for column in columns if _is_mostly(rows, column, fits)), None)


def _is_mostly(rows: Sequence[Row], column: int, fits: Callable[[str], bool]) -> bool:
    """Whether `fits` is true for most cells of the column."""
    return bool(rows) and sum(fits(row.cell(column)) for row in rows) >= _SHARE_OF_ROWS * len(rows)


def _divides(rows: Sequence[Row], column: int) -> bool:
    """Whether the column divides the rows into a few groups, as classes do."""
    counts = Counter(cell for row in rows if (cell := row.cell(column)))
    words = all(len(cell) > 1 and cell.upper() != cell.lower() for cell in counts)
    is_filled = words and len(counts) > 1 and counts.total() >= _SHARE_OF_ROWS * len(rows)
    return is_filled and min(counts.values()) >= _FEWEST_ROWS_OF_CLASS


# The sheets of a workbook, a page or a zip → the grid of the list.


@dataclass(frozen=True)
class Sheet:
    """A sheet of a file, with the properties that show whether it contains the list."""

    name: str
    grid: Grid

    @cached_property
    def columns(self) -> Columns:
        return columns_of(self.grid)

    @property
    def is_of_others(self) -> bool:
        """Whether the name of the sheet says that it lists adults, or pupils who have left."""
        other_words = WORDS["others"] | WORDS["teachers"] | WORDS["left"]
        return any(plain_name(word) in other_words for word in [self.name, *self.name.split()])

    @property
    def heading_key(self) -> object:
        """The form of the sheet: its headings of names and classes. Without headings, all sheets
        with one column have the same form, and each other sheet has its own."""
        if self.columns.head:
            heading = self.grid.rows[self.columns.head - 1]
            return [plain_name(heading.cell(place)) for place in self.columns[:3]]
        return self.grid if self.grid.width > 1 else None

    @property
    def pupils(self) -> set[tuple[str, str]]:
        """The names and the family names."""
        name, family = self.columns.name, self.columns.family
        return {(row.cell(name), row.cell(family)) for row in self.grid.rows[self.columns.head :]}


def grid_of_sheets(sheets: Iterable[Sheet]) -> Grid:
    """The rows of the sheet with most of the columns name, family name and class, or of the first
    of these. Sheets of the same form are one list, with the names of the sheets as classes. A sheet
    that names nobody new is left out, because it is about another term."""
    filled = [sheet for sheet in sheets if sheet.grid.rows]
    lists = [sheet for sheet in filled if sheet.columns.head] or filled
    if not lists:
        raise UnreadableFile("empty")
    lists.sort(key=lambda s: s.is_of_others)
    best = max(lists, key=lambda s: sum(column is not None for column in s.columns[:3]))
    sheets_alike, pupils_seen = list[Sheet](), set[tuple[str, str]]()
    for sheet in lists:
        is_like = sheet.heading_key == best.heading_key and sheet.is_of_others == best.is_of_others
        if is_like and (new_pupils := sheet.pupils - pupils_seen):
            sheets_alike.append(sheet)
            pupils_seen |= new_pupils
    sheets_alike = sheets_alike or [best]
    first = sheets_alike[0].grid
    rows = first.rows if len(sheets_alike) == 1 else tuple(_joined(sheets_alike))
    hidden_rows = sum(sheet.grid.hidden for sheet in sheets_alike)
    other_names = tuple(sheet.name for sheet in filled if sheet not in sheets_alike)
    return first._replace(rows=rows, hidden=hidden_rows, others=other_names)


def _joined(sheets: Sequence[Sheet]) -> Iterator[Row]:
    """The rows of these sheets below the headings of the first. If there is no column of classes,
    another column has the names of the sheets."""
    fields = [field for field in Columns._fields if field not in OTHER_FIELDS]
    width = max(sheet.grid.width for sheet in sheets)
    is_named = sheets[0].columns.group is None
    if not sheets[0].columns.head:
        yield Row(0, ("name", "class"))
    for sheet in sheets:
        pairs = ((getattr(sheets[0].columns, n), getattr(sheet.columns, n)) for n in fields)
        own_column = {column: own for column, own in pairs if column is not None}
        for number, row in enumerate(sheet.grid.rows, start=1):
            at = number - sheet.columns.head
            if at > 0 or sheet is sheets[0]:
                label = sheet.name if at > 0 else "" if at else "class"
                cells = tuple(row.cell(own_column.get(column, column)) for column in range(width))
                yield Row(row.line, (*cells, label) if is_named else cells)
