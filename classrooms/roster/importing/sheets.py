"""Several sheets, of a workbook, a page or a zip of lists → the grid of the list among them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from classrooms.child_names import plain_name
from classrooms.roster.importing.cells import WORDS
from classrooms.roster.importing.columns import USED, Columns, columns_of
from classrooms.roster.importing.grid import Grid, Row, Unreadable


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
