"""Grid → columns: finds by the headings what each column holds. If there are several columns and no
known heading, the teacher is asked."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from classrooms.child_names import plain_name
from classrooms.roster.importing.cells import NAMED, can_be_name, is_class, meaning
from classrooms.roster.importing.grid import Grid, Row

_LOOKED_AT: Final = 30
"""The heading is among this many rows: titles, dates and addresses may stand above it."""
_MOSTLY: Final = 0.6


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


def columns_of(grid: Grid) -> Columns:
    """The likely columns of the grid."""
    head = _heading(grid.rows)
    if head:
        return _by_headings(grid.rows[head - 1].cells, grid.rows[head:], head, grid.width)
    filled = [c for c in range(grid.width) if any(row.cell(c) for row in grid.rows)]
    if len(filled) == 1:
        return Columns(filled[0])
    name = _first(grid.rows, filled, can_be_name)
    family = name + 1 if name is not None and _fit(grid.rows, name + 1, can_be_name) else None
    group = _first(grid.rows, [c for c in filled if c != name], is_class)
    return Columns(name, family, group, sure=False)


def _heading(rows: Sequence[Row]) -> int:
    """The number of the first row of headings, from 1; 0 if there is none."""
    for number, row in enumerate(rows[:_LOOKED_AT], start=1):
        below = rows[number : number + _LOOKED_AT]
        # A word that also occurs below, such as "pupil", is no heading.
        known = {
            column: role
            for column, cell in enumerate(row.cells)
            if (role := meaning(cell)[1])
            and not any(b.cell(column) == cell and b.cells != row.cells for b in below)
        }
        cells = sum(map(bool, row.cells))
        widest = max((sum(map(bool, each.cells)) for each in below), default=0)
        if NAMED & set(known.values()) and (len(known) * 2 >= cells or cells >= widest):
            return number
    return 0


def _by_headings(heading: Sequence[str], rows: Sequence[Row], head: int, width: int) -> Columns:
    places: dict[str, list[tuple[int, int]]] = {}
    for column, cell in enumerate(heading):
        place, role = meaning(cell)
        places.setdefault(role, []).append((place, column))
    free = [c for c in range(width) if c >= len(heading) or not meaning(heading[c])[1]]

    def of(role: str) -> int | None:
        """The column with the best heading for this role, among columns that are not empty."""
        filled = [each for each in places.get(role, ()) if any(r.cell(each[1]) for r in rows)]
        return min(filled)[1] if filled else None

    preferred, given, full, family = map(of, ("preferred", "given", "full", "family"))
    first = preferred if given is None else given
    if family is None and full is not None and first is not None:
        # A column "Name" beside a column of first names has the family names, or whole names.
        pairs = [(plain_name(row.cell(first)), plain_name(row.cell(full))) for row in rows]
        family = None if any(one and one in other for one, other in pairs) else full
    names = [c for c in (preferred, given, full) if c is not None and c != family]
    group = of("group")
    if group is None:
        group = _first(rows, free, is_class)
    parts = heading[names[0]].split(",") if names else [""]
    return Columns(
        names[0] if names else _first(rows, free, can_be_name),
        family,
        of("year") if group is None else group,
        head,
        bool(names) or not rows,
        len(parts) == 2 and meaning(parts[0])[1] in ("preferred", "given"),
        names[1] if preferred is not None and len(names) > 1 else None,
        *map(of, ("status", "enabled", "begin", "end", "role")),
    )


def _first(rows: Sequence[Row], columns: Sequence[int], fits: Callable[[str], bool]) -> int | None:
    return next((column for column in columns if _fit(rows, column, fits)), None)


def _fit(rows: Sequence[Row], column: int, fits: Callable[[str], bool]) -> bool:
    """Whether `fits` is true for most cells of the column."""
    return bool(rows) and sum(fits(row.cell(column)) for row in rows) >= _MOSTLY * len(rows)
