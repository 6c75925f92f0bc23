"""Grid → columns: finds by the headings what each column holds, and of several sheets the list. If
there are several columns and no known heading, the teacher is asked."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, zip_longest
from typing import Final, NamedTuple

from classrooms.child_names import plain_name
from classrooms.roster.importing.cells import (
    NAMED,
    NO_PUPIL,
    WORDS,
    are_headings,
    can_be_name,
    is_class,
    is_name_too,
    meaning,
    says,
)
from classrooms.roster.importing.grid import Grid, Row, Unreadable

_HEADING_ROWS: Final = 30
"""The heading is among this many rows: titles, dates and addresses may stand above it."""
_SHARE_OF_ROWS: Final = 0.6
_WHOLE_CLASS: Final = re.compile(r".*\d\W*[^\W\d_ªº]{1,2}")
_LETTERS: Final = re.compile(r"[^\W\d_]{1,2}")
_ROWS_FOR_ONE_COMMON: Final = 5  # one of so many
_FEWEST_ROWS_OF_CLASS: Final = 3


class Columns(NamedTuple):
    """The columns of names and classes, counted from 0, and those that say who is a pupil."""

    name: int | None
    family: int | None = None
    group: int | None = None
    head: int = 0  # the number of the row with the headings, from 1; 0 if there is none
    sure: bool = True  # whether the headings or the teacher say so
    first_name_first: bool = False  # in cells such as "Ann, Smith"
    instead: int | None = None  # the column of the name if the preferred name is empty
    status: int | None = None
    enabled: int | None = None
    begin: int | None = None
    end: int | None = None
    role: int | None = None
    home: int | None = None  # the column that marks home groups, in a bundle
    part: int | None = None  # of classes in two columns, "4" and "A", the one before `group`

    def name_in(self, row: Row) -> str:
        return row.cell(self.name) or row.cell(self.instead)


USED: Final = [f for f in Columns._fields if f not in ("head", "sure", "first_name_first", "home")]
"""The fields of `Columns` that say which column is read."""


def columns_of(grid: Grid) -> Columns:
    """The likely columns of the grid."""
    head = _heading(grid.rows, grid.often)
    if head:
        return _by_headings(_in_one(grid.rows[:head]), grid.rows[head:], head, grid.width)
    filled = [c for c in range(grid.width) if any(row.cell(c) for row in grid.rows)]
    if len(filled) == 1:
        return Columns(filled[0])
    name = _first(grid.rows, filled, can_be_name)
    family = name + 1 if name is not None and _fit(grid.rows, name + 1, can_be_name) else None
    group = _first(grid.rows, [c for c in filled if c != name], is_class)
    return Columns(name, family, group, sure=False)


def _heading(rows: Sequence[Row], often: Collection[str]) -> int:
    """The number of the first row of headings, from 1; 0 if there is none."""
    for number, row in enumerate(rows[:_HEADING_ROWS], start=1):
        below = rows[number : number + _HEADING_ROWS]
        cells = sum(map(bool, row.cells))
        roles = {column: meaning(cell)[1] for column, cell in enumerate(row.cells) if cell}
        # A word that often occurs below, such as "pupil", is not a heading.
        known = {
            column: role
            for column, role in roles.items()
            if role
            and row.cell(column) not in often
            and (all(roles.values()) or not _is_common(row, column, below))
        }
        widest = max((sum(map(bool, each.cells)) for each in below), default=0)
        is_name = all(
            is_name_too(row.cell(c))
            and any(map(_is_one_name, (above.cell(c) for above in rows[: number - 1])))
            for c in known
        )
        is_known = len(known) * 2 >= cells or cells >= widest
        if NAMED & set(known.values()) and is_known and not is_name:
            return number + _is_of_headings(below[:1])
    return 0


def _is_one_name(cell: str) -> bool:
    """Whether this is one word and no title."""
    is_word = len(cell.split()) == 1 and not any(map(str.isdigit, cell))
    return is_word and can_be_name(cell) and (plain_name(cell),) not in NO_PUPIL


def _is_common(row: Row, column: int, below: Sequence[Row]) -> bool:
    """Whether many other rows below have the same in this column."""
    others = [each for each in below if each.cells != row.cells]
    same = sum(each.cell(column) == row.cell(column) for each in others)
    return same * _ROWS_FOR_ONE_COMMON > len(others)


def _is_of_headings(rows: Sequence[Row]) -> bool:
    """Whether all cells of this row are headings, and there are several; "Ad Ende" is a child."""
    filled = [cell for row in rows for cell in row.cells if cell]
    return len(filled) > 1 and are_headings(filled) and not is_name_too(filled[0])


def _in_one(rows: Sequence[Row]) -> list[str]:
    """The headings of the last row, after those of the row above, where that one has some: a class
    of columns, "Pupil" and "Parent", is written above the first of them."""
    if not _is_of_headings(rows[-2:-1]):
        return list(rows[-1].cells)
    over = ""
    texts: list[str] = []
    for above, cell in zip_longest(rows[-2].cells, rows[-1].cells, fillvalue=""):
        over = above or over
        both = f"{over} {cell}".strip()
        texts.append(both if meaning(both)[1] else cell)
    return texts


def _by_headings(heading: Sequence[str], rows: Sequence[Row], head: int, width: int) -> Columns:
    meanings = [*map(meaning, heading), *[(0, "")] * (width - len(heading))]
    filled = [c for c in range(width) if any(row.cell(c) for row in rows)]
    free = [column for column in range(width) if not meanings[column][1]]

    def of(role: str, among: Sequence[int] = filled) -> int | None:
        """The column with the best heading for this role, among columns that are not empty."""
        places = [(meanings[c][0], c) for c in among if meanings[c][1] == role]
        return min(places)[1] if places else None

    def is_doubtful(used: int) -> bool:
        """Whether a column of the same heading says something else: two lists stand side by side,
        or the classes of two years."""
        same = [c for c in filled if meanings[c] == meanings[used] != (0, "")]
        return any(row.cell(c) not in ("", row.cell(used)) for c in same for row in rows)

    preferred, given, full, family = map(of, ("preferred", "given", "full", "family"))
    first = preferred if given is None else given
    if family is None and full is not None and first is not None:
        # A column "Name" beside a column of first names has the family names, or whole names.
        family = full
        pairs = [(plain_name(row.cell(first)), row.cell(full)) for row in rows]
        if not any("," in both or (one and one in plain_name(both)) for one, both in pairs):
            full = None
    names = [c for c in (preferred, given, full) if c is not None]
    group = of("group")
    if group is None:
        group = _first(rows, free, lambda cell: is_class(cell) and "/" not in cell)
    year, part = of("year"), None
    halves = [c for c in filled if c == year or meanings[c][1] == "group"]
    for pair in permutations(halves, 2):
        if part is None and group in pair and year in (None, pair[0]) and _are_halves(rows, *pair):
            part, group = pair
    used = [*names[:1], *([] if group is None else [group])]
    is_too_wide = rows and all(row.cell(len(heading)) for row in rows)  # of "Smith, Ann,4A"
    is_divided = group is None and any(_divides(rows, column) for column in free)
    # "Name" above two columns: the first may have the family names.
    beside = names[0] + 1 if names else width
    is_double = meanings[names[0]][1] == "full" if names else False
    is_double &= heading[beside : beside + 1] == [""] and _fit(rows, beside, can_be_name)
    firsts = [row.cell(0) for row in rows]
    is_turned = head == 1 and len(set(firsts)) == len(firsts) > 0
    is_turned &= all(meaning(first)[1] for first in firsts)
    is_clear = not (
        is_double or is_turned or is_too_wide or is_divided or any(map(is_doubtful, used))
    )
    parts = heading[names[0]].split(",") if names else [""]
    columns = Columns(
        names[0] if names else _first(rows, free, can_be_name),
        family,
        year if group is None else group,
        head,
        (bool(names) and is_clear) or not rows,
        len(parts) == 2 and meaning(parts[0])[1] in ("preferred", "given"),
        names[1] if preferred is not None and len(names) > 1 else None,
        *(of(role, range(width)) for role in ("status", "enabled", "begin", "end", "role")),
    )
    status = columns.status if columns.status in filled else _status(rows, free, heading)
    return columns._replace(part=part, status=status)


def _status(rows: Sequence[Row], free: Sequence[int], heading: Sequence[str]) -> int | None:
    """The column whose cells say of some that they have left, and of the others that they are
    here, if its heading sounds like that."""
    for column in (c for c in free if c < len(heading)):
        if not any(stem in plain_name(heading[column]) for stem in WORDS["status"]):
            continue
        said = {cell for row in rows if (cell := row.cell(column))}
        gone = {cell for cell in said if says(cell, "left")}
        if gone < said and gone and all(says(cell, "here") for cell in said - gone):
            return column
    return None


def _are_halves(rows: Sequence[Row], *pair: int) -> bool:
    """Whether these columns have the two halves of classes: "4" and "A"."""
    starts, ends = ({row.cell(c) for row in rows} - {""} for c in pair)
    is_numbered = any(map(str.isdigit, "".join(starts)))
    are_short = all(map(_LETTERS.fullmatch, ends)) if is_numbered else all(map(str.isdigit, ends))
    return bool(starts and ends) and are_short and not any(map(_WHOLE_CLASS.fullmatch, starts))


def _first(rows: Sequence[Row], columns: Sequence[int], fits: Callable[[str], bool]) -> int | None:
    return next((column for column in columns if _fit(rows, column, fits)), None)


def _fit(rows: Sequence[Row], column: int, fits: Callable[[str], bool]) -> bool:
    """Whether `fits` is true for most cells of the column."""
    return bool(rows) and sum(fits(row.cell(column)) for row in rows) >= _SHARE_OF_ROWS * len(rows)


def _divides(rows: Sequence[Row], column: int) -> bool:
    """Whether the column puts the rows into a few groups, as one of classes would."""
    counts = Counter(cell for row in rows if (cell := row.cell(column)))
    words = all(len(cell) > 1 and cell.upper() != cell.lower() for cell in counts)
    is_filled = words and len(counts) > 1 and counts.total() >= _SHARE_OF_ROWS * len(rows)
    return is_filled and min(counts.values()) >= _FEWEST_ROWS_OF_CLASS


# Sheets of a workbook, a page or a zip → the grid of the list among them.


@dataclass(frozen=True)
class Sheet:
    name: str
    grid: Grid

    @cached_property
    def columns(self) -> Columns:
        return columns_of(self.grid)

    @property
    def is_of_others(self) -> bool:
        """Whether its name says that it is of adults, or of pupils who have left."""
        others = WORDS["others"] | WORDS["teachers"] | WORDS["left"]
        return any(plain_name(word) in others for word in [self.name, *self.name.split()])

    @property
    def places(self) -> list[int | None]:
        """The columns that are read."""
        return [getattr(self.columns, name) for name in USED]

    @property
    def form(self) -> object:
        """The headings of names and classes. Without any, sheets of one column are alike, and all
        others differ."""
        if self.columns.head:
            heading = self.grid.rows[self.columns.head - 1]
            return [plain_name(heading.cell(place)) for place in self.columns[:3]]
        return self.grid if self.grid.width > 1 else None

    @property
    def pupils(self) -> set[tuple[str, str]]:
        """The names, with the family names."""
        name, family = self.columns.name, self.columns.family
        return {(row.cell(name), row.cell(family)) for row in self.grid.rows[self.columns.head :]}


def grid_of_sheets(sheets: Iterable[Sheet]) -> Grid:
    """The rows of the sheet that has most of name, family name and class, or else of the first with
    anything. Sheets of one form are one list, with their names as classes, except those that name
    nobody new: they are of another term."""
    filled = [each for each in sheets if each.grid.rows]
    lists = [each for each in filled if each.columns.head] or filled
    if not lists:
        raise Unreadable("empty")
    lists.sort(key=lambda each: each.is_of_others)
    best = max(lists, key=lambda each: sum(column is not None for column in each.columns[:3]))
    same, known = list[Sheet](), set[tuple[str, str]]()
    for each in lists:
        is_like = each.form == best.form and each.is_of_others == best.is_of_others
        if is_like and (new := each.pupils - known):
            same.append(each)
            known |= new
    same = same or [best]
    first = same[0].grid
    rows = first.rows if len(same) == 1 else tuple(_joined(same))
    hidden = sum(each.grid.hidden for each in same)
    others = tuple(each.name for each in filled if each not in same)
    return first._replace(rows=rows, hidden=hidden, others=others)


def _joined(sheets: Sequence[Sheet]) -> Iterator[Row]:
    """The rows of these sheets under the headings of the first. If no column has the classes, the
    names of the sheets are in a further one."""
    width = max(each.grid.width for each in sheets)
    is_named, head = sheets[0].columns.group is None, sheets[0].columns.head
    if not head:
        yield Row(0, ("name", "class"))
    for each in sheets:
        own = {
            at: place
            for at, place in zip(sheets[0].places, each.places, strict=True)
            if at is not None
        }
        for number, row in enumerate(each.grid.rows, start=1):
            at = number - each.columns.head
            if at > 0 or each is sheets[0]:
                label = each.name if at > 0 else "" if at else "class"
                cells = tuple(row.cell(own.get(column, column)) for column in range(width))
                yield Row(row.line, (*cells, label) if is_named else cells)
