"""Rows → which column holds what, by the headings. Where there are several columns and no heading
is known, nobody knows: the teacher is asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from classrooms.child_names import plain_name
from classrooms.roster.importing.cells import NAMED, can_be_name, is_class, meaning
from classrooms.roster.importing.grid import Grid, Row

_LOOKED_AT: Final = 30
"""Rows among which the heading is looked for: titles, dates and addresses stand above it."""
_MOSTLY: Final = 0.6


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns, from 0, of the name, the family name and the class, and of what else says who is
    a pupil. None where there is none."""

    name: int | None
    family: int | None = None
    group: int | None = None
    head: int = 0  # how many rows end with the heading; 0 without one
    sure: bool = True  # whether the headings or the teacher said so
    instead: int | None = None  # the column of the name where a preferred one is empty
    status: int | None = None
    enabled: int | None = None
    begin: int | None = None
    end: int | None = None
    role: int | None = None
    home: int | None = None  # the column that marks home groups, in a bundle


def columns_of(grid: Grid) -> tuple[Grid, Columns]:
    """The columns of the grid, in which a column "Last name, first name" has become two."""
    rows = list(grid.rows)
    head = _heading(rows)
    if head:
        rows = _parted(rows, head - 1)
        grid = replace(grid, rows=tuple(rows))
        return grid, _by_headings(rows, head)
    return grid, _by_content(rows)


def _heading(rows: Sequence[Row]) -> int:
    """How many rows end with the first that is of headings; 0 if none is."""
    for number, row in enumerate(rows[:_LOOKED_AT], start=1):
        below = rows[number : number + _LOOKED_AT]
        # What is said again below, such as "pupil", is no heading.
        roles = [
            role
            for column, cell in enumerate(row.cells)
            if not any(b.cell(column) == cell and b.cells != row.cells for b in below)
            for role in _roles(cell)
        ]
        cells = sum(bool(cell) for cell in row.cells)
        widest = max((sum(map(bool, each.cells)) for each in below), default=0)
        if NAMED & set(roles) and (len(roles) * 2 >= cells or cells >= widest):
            return number
    return 0


def _roles(cell: str) -> list[str]:
    """The role of a heading, or the two of "Last name, first name"."""
    role = meaning(cell)[1]
    if role or cell.count(",") != 1:
        return [role] if role else []
    both = [meaning(part)[1] for part in cell.split(",")]
    return both if all(both) else []


def _parted(rows: list[Row], heading: int) -> list[Row]:
    """The rows with the cells below a heading such as "Last name, first name" made two."""
    for column, cell in enumerate(rows[heading].cells):
        below = [row.cell(column) for row in rows[heading + 1 :]]
        commas = sum("," in each for each in below)
        if len(_roles(cell)) == 2 and commas > _MOSTLY * len([each for each in below if each]):
            return [_in_two(row, column) for row in rows]
    return rows


def _in_two(row: Row, column: int) -> Row:
    if column >= len(row.cells):
        return row
    first, _comma, second = row.cells[column].partition(",")
    cells = (*row.cells[:column], first.strip(), second.strip(), *row.cells[column + 1 :])
    return Row(row.line, cells)


def _by_headings(rows: Sequence[Row], head: int) -> Columns:
    places: dict[str, list[tuple[int, int]]] = {}
    known: set[int] = set()
    body = rows[head:]
    for column, cell in enumerate(rows[head - 1].cells):
        place, role = meaning(cell)
        if role:
            known.add(column)
            places.setdefault(role, []).append((place, column))

    def of(role: str) -> int | None:
        """The column of the best heading, among columns that hold anything."""
        filled = [each for each in places.get(role, ()) if any(r.cell(each[1]) for r in body)]
        return min(filled)[1] if filled else None

    preferred, given, full, family = of("preferred"), of("given"), of("full"), of("family")
    if family is None and (preferred is not None or given is not None):
        family = full if _is_family(body, full, preferred if given is None else given) else None
    name = next((each for each in (preferred, given, full) if each is not None), None)
    instead = next((each for each in (given, full) if each is not None and each != name), None)
    group = of("group")
    if group is None:
        free = [c for c in range(_width(rows)) if c not in known]
        group = next((c for c in free if _share(body, c, is_class) >= _MOSTLY), of("year"))
    return Columns(
        name if name is not None else _first_names(body, leave=known),
        family,
        group,
        head,
        name is not None or not body,
        instead if preferred is not None else None,
        of("status"),
        of("enabled"),
        of("begin"),
        of("end"),
        of("role"),
    )


def _is_family(rows: Sequence[Row], column: int | None, given: int | None) -> bool:
    """Whether the column "Name" beside one of first names has the family names: it does not if it
    has the first names too."""
    return column is not None and not any(
        plain_name(row.cell(given)) in plain_name(row.cell(column))
        for row in rows
        if row.cell(given)
    )


def _by_content(rows: Sequence[Row]) -> Columns:
    filled = [c for c in range(_width(rows)) if any(row.cell(c) for row in rows)]
    if len(filled) == 1:
        return Columns(filled[0])
    name = _first_names(rows, leave=set())
    family = _first_names(rows, leave=set(range(-1, (name or 0) + 1)))
    group = next((c for c in filled if c != name and _share(rows, c, is_class) >= _MOSTLY), None)
    follows = name is not None and family == name + 1
    return Columns(name, family if follows else None, group, sure=False)


def _first_names(rows: Sequence[Row], *, leave: set[int]) -> int | None:
    """The first column, not in `leave`, most of whose cells can be names."""
    columns = (c for c in range(_width(rows)) if c not in leave)
    return next((c for c in columns if _share(rows, c, can_be_name) >= _MOSTLY), None)


def _share(rows: Sequence[Row], column: int, fits: Callable[[str], bool]) -> float:
    return sum(fits(row.cell(column)) for row in rows) / len(rows) if rows else 0.0


def _width(rows: Sequence[Row]) -> int:
    return max((len(row.cells) for row in rows), default=0)
