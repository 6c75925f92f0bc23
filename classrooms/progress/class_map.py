"""The map of a class: a line for each child, a cell for each times table, and links that choose the
period and the group."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child
from classrooms.progress import words
from classrooms.progress.class_figures import ClassFigures
from classrooms.progress.class_report import ChildLine, Report
from classrooms.progress.periods import PERIODS, USUAL_PERIOD
from classrooms.progress.rows import OTHER_TABLES, TableCell
from classrooms.ui.sortable_table import PAGE, SortableColumn, SortableTable

WIDE_FROM: Final = 6
"""With at least this many columns, the map fills the width of the page."""


@dataclass(frozen=True, slots=True)
class Period:
    name: str
    label: Promise
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class GroupChoice:
    """A group whose lines the map can show. `name` is empty for the whole class."""

    key: str
    name: str
    children: frozenset[UUID]
    address: str
    is_chosen: bool


SIGN_CLASSES: Final[Mapping[str, str]] = {"✓": "finds-most", "!": "misses-some", "↓": "refreshing"}
"""The CSS class of a cell with this sign."""


@dataclass(frozen=True, slots=True)
class MapCell:
    css_class: str  # of the sign
    address: str  # the address of the moves behind the cell, "" if there are none
    label: str
    figure: str  # with its sign
    is_open: bool  # whether the page shows the moves behind the cell


@dataclass(frozen=True, slots=True)
class ClassMap:
    """The map of all children in `report`."""

    report: Report
    table: SortableTable[ChildLine]
    period: str
    groups: Sequence[GroupChoice]
    open_cell: tuple[Child, int] | None  # the child and table of the open cell

    @property
    def group(self) -> GroupChoice | None:
        """The chosen group; None for the whole class."""
        return _chosen_group(self.groups)

    @property
    def is_wide(self) -> bool:
        return len(self.report.tables) >= WIDE_FROM

    @property
    def other_meaning(self) -> str:
        return words.other_meaning() if OTHER_TABLES in self.report.tables else ""

    @property
    def kept_query(self) -> str:
        """The part of the address that a link to a cell keeps: period, group, order and page."""
        group = f"&group={self.group.key}" if self.group else ""
        sort = f"&sort={self.table.sort_value}" if self.table.sort_value else ""
        page = f"&page={self.table.page.number}" if self.table.page.has_other_pages() else ""
        return f"&period={self.period}{group}{sort}{page}"

    @property
    def lines(self) -> Iterator[tuple[ChildLine, list[MapCell]]]:
        """The lines of this page of the map, each with its cells."""
        kept_query = self.kept_query
        for line in self.table.page:
            open_table = None
            if self.open_cell and self.open_cell[0] == line.child:
                open_table = self.open_cell[1]
            yield line, [_map_cell(line.child, cell, kept_query, open_table) for cell in line.cells]

    @property
    def signs(self) -> list[tuple[str, str, str]]:
        """Each sign with its CSS class and its meaning, as class, sign and meaning."""
        return [(SIGN_CLASSES[sign], sign, meaning) for sign, meaning in words.signs()]


def class_map(
    report: Report,
    groups: Sequence[GroupChoice],
    query: QueryDict,
    period: str,
    open_cell: tuple[Child, int] | None,
) -> ClassMap:
    group = _chosen_group(groups)
    shown_report = report.for_children(group.children) if group else report
    return ClassMap(shown_report, _sorted_lines(shown_report, query), period, groups, open_cell)


def _chosen_group(groups: Sequence[GroupChoice]) -> GroupChoice | None:
    return next((group for group in groups if group.is_chosen and group.name), None)


def group_choices(figures: ClassFigures, query: QueryDict) -> list[GroupChoice]:
    """The whole class, and its groups that have children; empty if there are no such groups."""
    if not figures.groups:
        return []
    members = {(str(key), name): children for (key, name), children in figures.groups.items()}
    choice = query.get("group", "")
    chosen_key = choice if any(choice == key for key, _name in members) else ""
    everyone = {("", ""): {child.pk for child in figures.children}, **members}
    return [
        GroupChoice(key, name, frozenset(group), _address(query, "group", key), key == chosen_key)
        for (key, name), group in everyone.items()
    ]


def period_of(query: QueryDict) -> str:
    """The period that the address names, or else the usual one."""
    period = query.get("period", "")
    return period if period in PERIODS else USUAL_PERIOD


def periods_offered(query: QueryDict, period: str, anchor: str = "") -> list[Period]:
    """All periods, each with the address at which the same page shows it."""
    return [
        Period(name, label, _address(query, "period", name) + anchor, name == period)
        for name, (_days, label) in PERIODS.items()
    ]


def _address(query: QueryDict, name: str, value: str) -> str:
    """The address of the same page with another value for one parameter."""
    changed_query = query.copy()
    changed_query.pop(PAGE, None)
    changed_query[name] = value
    return f"?{changed_query.urlencode()}"


def _sorted_lines(report: Report, query: QueryDict) -> SortableTable[ChildLine]:
    """The lines of the map. They can be sorted by name or by the share of a table."""
    columns: list[SortableColumn[ChildLine]] = [
        SortableColumn("name", _("Child"), lambda line: line.child.name_order)
    ]
    for index, table in enumerate(report.tables):
        # Translators: rows of no times table, at the head of a column
        label = str(table) if table else gettext("other")
        columns.append(SortableColumn(f"t{table}", label, _share_of(index), number=True))
    return SortableTable(query, columns, report.lines)


def _map_cell(child: Child, cell: TableCell, kept_query: str, open_table: int | None) -> MapCell:
    css_class = SIGN_CLASSES.get(cell.sign, "")
    if not cell.rows.chances:
        label = words.cell_without_rows(cell)
        return MapCell(css_class, "", label, f"– {cell.sign}".rstrip(), is_open=False)
    figure = words.figure(cell.rows) if cell.rows.is_shown else "–"
    return MapCell(
        css_class=css_class if cell.rows.is_shown else f"untold {css_class}".strip(),
        address=f"?child={child.pk}&table={cell.table}{kept_query}#behind",
        label=f"{child.name}, {words.cell_text(cell, figure)}",
        figure=f"{figure} {cell.sign}".rstrip(),
        is_open=open_table == cell.table,
    )


def _share_of(index: int) -> Callable[[ChildLine], float | None]:
    def share(line: ChildLine) -> float | None:
        rows = line.cells[index].rows
        return rows.share if rows.is_shown else None

    return share
