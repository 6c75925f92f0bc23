"""The map of a class: a line for each child, a cell for each times table, and the links that choose
the period and the group it is of."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.audience import groups_of
from classrooms.models import Child, SchoolClass
from classrooms.progress.figures import periods, words
from classrooms.progress.figures.class_counts import ChildLine, Report
from classrooms.progress.figures.periods import PERIODS
from classrooms.progress.figures.table_rows import Rows, TableCell
from classrooms.ui.sortable_table import PAGE, SortableColumn, SortableTable

WIDE: Final = 6
"""So many columns of tables fill the room that there is; fewer stay as narrow as they are."""


@dataclass(frozen=True, slots=True)
class Period:
    name: str
    label: Promise
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class GroupChoice:
    """A group whose lines the map can show. `name`: empty for the whole class."""

    key: str
    name: str
    children: frozenset[UUID]
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class MapCell:
    """A cell of the map. `look`: CSS classes of its shade; `address`: of the moves behind it, empty
    where there are none; `is_open`: whether they are shown."""

    look: str
    address: str
    label: str
    figure: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class ClassMap:
    """The map: of all children in `report`, or of those of the chosen group. `open_cell`: the child
    and the table of the cell that is open."""

    report: Report
    table: SortableTable[ChildLine]
    period: str
    groups: Sequence[GroupChoice]
    open_cell: tuple[Child, int] | None

    @property
    def group(self) -> GroupChoice | None:
        """The chosen group, None for the whole class."""
        return _chosen_group(self.groups)

    @property
    def is_wide(self) -> bool:
        return len(self.report.tables) >= WIDE

    @property
    def kept_query(self) -> str:
        """The part of the address that a link to a cell keeps: period, group, order and page."""
        group = f"&group={self.group.key}" if self.group else ""
        sort = f"&sort={self.table.sort_value}" if self.table.sort_value else ""
        page = f"&page={self.table.page.number}" if self.table.page.has_other_pages() else ""
        return f"&period={self.period}{group}{sort}{page}"

    @property
    def lines(self) -> Iterator[tuple[ChildLine, list[MapCell]]]:
        """The children's lines that are shown, each with its cells."""
        kept_query = self.kept_query
        for line in self.table.page:
            is_open = self.open_cell and self.open_cell[0] == line.child
            shown = self.open_cell[1] if self.open_cell and is_open else None
            yield line, [_map_cell(line.child, cell, kept_query, shown) for cell in line.cells]

    @property
    def steps(self) -> list[tuple[int, str]]:
        """The shades, each with the share found from which on a cell has it."""
        return list(enumerate(words.steps()))


def class_map(
    report: Report,
    groups: Sequence[GroupChoice],
    asked: QueryDict,
    period: str,
    open_cell: tuple[Child, int] | None,
) -> ClassMap:
    chosen = _chosen_group(groups)
    shown = report.narrowed(chosen.children) if chosen else report
    return ClassMap(shown, _sorted_lines(shown, asked), period, groups, open_cell)


def _chosen_group(groups: Sequence[GroupChoice]) -> GroupChoice | None:
    return next((group for group in groups if group.chosen and group.name), None)


def group_choices(
    school_class: SchoolClass, children: Sequence[Child], asked: QueryDict
) -> list[GroupChoice]:
    """The whole class and its groups with children, in one query; empty without such a group."""
    present = {child.pk for child in children}
    members: dict[tuple[str, str], set[UUID]] = defaultdict(set)
    for key, name, child in groups_of(school_class).values_list("pk", "name", "children"):
        if child in present:
            members[str(key), name].add(child)
    if not members:
        return []
    named = asked.get("group", "")
    chosen = named if any(named == key for key, _name in members) else ""
    everyone = {("", ""): present, **members}
    return [
        GroupChoice(key, name, frozenset(who), _address(asked, "group", key), key == chosen)
        for (key, name), who in everyone.items()
    ]


def period_of(asked: QueryDict, default: str = periods.USUAL) -> str:
    """The period that an address names."""
    named = asked.get("period", "")
    return named if named in PERIODS else default


def periods_offered(asked: QueryDict, chosen: str, anchor: str = "") -> list[Period]:
    """All periods, each with the address of the same page for it."""
    return [
        Period(name, label, _address(asked, "period", name) + anchor, name == chosen)
        for name, (_days, label) in PERIODS.items()
    ]


def _address(asked: QueryDict, name: str, value: str) -> str:
    """The same page with another value of one part of its address."""
    query = asked.copy()
    query.pop(PAGE, None)
    query[name] = value
    return f"?{query.urlencode()}"


def _sorted_lines(report: Report, asked: QueryDict) -> SortableTable[ChildLine]:
    """The lines of the map, sorted by name, by a table's share, or by all rows."""
    columns: list[SortableColumn[ChildLine]] = [
        SortableColumn("name", _("Child"), lambda line: line.child.name_order)
    ]
    for index, table in enumerate(report.tables):
        # Translators: rows of no times table, at the head of a column
        label = str(table) if table else gettext("other")
        columns.append(SortableColumn(f"t{table}", label, _share_of(index), number=True))
    columns.append(
        SortableColumn("all", _("all"), lambda line: _shown_share(line.total), number=True)
    )
    return SortableTable(asked, columns, report.lines)


def _map_cell(child: Child, cell: TableCell, kept_query: str, shown: int | None) -> MapCell:
    refreshing = " refreshing" if cell.needs_refreshing else ""
    if not cell.rows.chances:
        return MapCell(refreshing.strip(), "", words.cell_without_rows(cell), "–", is_open=False)
    is_shown = cell.rows.is_shown
    look, figure = (
        (f"step-{cell.rows.step}", words.figure(cell.rows)) if is_shown else ("untold", "–")
    )
    return MapCell(
        look=look + refreshing,
        address=f"?child={child.pk}&table={cell.table}{kept_query}#behind",
        label=f"{child.name}, {words.cell(cell, figure)}",
        figure=figure,
        is_open=shown == cell.table,
    )


def _share_of(index: int) -> Callable[[ChildLine], float | None]:
    return lambda line: _shown_share(line.cells[index].rows)


def _shown_share(rows: Rows) -> float | None:
    return rows.share if rows.is_shown else None
