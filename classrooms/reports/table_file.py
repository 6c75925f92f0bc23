"""A file of the export: its columns, and the source of its rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models import Model, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from classrooms.models import Child, SchoolClass
from classrooms.ui.spreadsheet_files import Cell

Type = Literal["id", "text", "number", "decimal", "numbers", "day", "moment", "yes/no"]
"""The type of a column. In a cell, an id is a UUID; numbers are separated by spaces; a day is
written 2026-11-21 and a moment, in UTC, 2026-11-21T09:30:00.250000+00:00; yes is 1 and no is 0. The
cell of a missing value is empty."""
TYPE_NAMES: Final[Mapping[Type, Promise]] = {
    "id": pgettext_lazy("type of a column", "id"),
    "text": pgettext_lazy("type of a column", "text"),
    "number": pgettext_lazy("type of a column", "number"),
    "decimal": pgettext_lazy("type of a column", "decimal"),
    "numbers": pgettext_lazy("type of a column", "numbers"),
    "day": pgettext_lazy("type of a column", "day"),
    "moment": _("time in UTC, such as 2026-11-21T09:30:00.250000+00:00"),
    "yes/no": _("1 (yes) or 0 (no)"),
}
"""The types, as `columns.csv` describes them."""

ExportRow = Mapping[str, Any]
ExportRows = Iterable[ExportRow] | QuerySet[Any]
CHUNK_ROWS: Final = 2000
"""How many rows are read from the database at a time."""


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column of the export. Its `name` never changes."""

    name: str
    type: Type
    meaning: Promise  # the meaning of a cell, with its unit, in the active language
    source_field: str = ""  # the field of the source row, if it is not `name`

    @property
    def source(self) -> str:
        return self.source_field or self.name


@dataclass(frozen=True, slots=True)
class ExportSheet:
    """A file of the export. Its rows come from `child_rows`, for each child, or `class_rows`."""

    name: str
    about: str
    columns: tuple[ExportColumn, ...]
    child_rows: Callable[[SchoolClass, Child], ExportRows] | None = None
    class_rows: Callable[[SchoolClass], ExportRows] | None = None

    @property
    def file(self) -> str:
        return f"{self.name}.csv"

    @property
    def head(self) -> list[str]:
        return [column.name for column in self.columns]

    def cells(self, rows: ExportRows) -> Iterator[Sequence[Cell]]:
        """The cells of these rows. At most `CHUNK_ROWS` rows are in memory at a time."""
        if isinstance(rows, QuerySet):
            fields = {column.source for column in self.columns}
            rows = rows.values(*fields).iterator(chunk_size=CHUNK_ROWS)
        for row in rows:
            yield [_cell(column.type, row[column.source]) for column in self.columns]


def rows_of(
    model: type[Model], *order: str, **conditions: Any
) -> Callable[[SchoolClass, Child], ExportRows]:
    """A function for `child_rows` that returns the rows of a model about a child in a class, in
    this order."""

    def child_rows(school_class: SchoolClass, child: Child) -> ExportRows:
        rows = model._default_manager.filter(child=child, school_class=school_class, **conditions)
        return rows.order_by(*order)

    return child_rows


def _cell(column_type: Type, value: Any) -> Cell:
    if value is None:
        return None
    match column_type:
        case "yes/no":
            return int(value)
        case "numbers":
            return " ".join(str(number) for number in value)
        case "id":
            return str(value)
        case "decimal":
            return round(float(value), 3)
    cell: Cell = value
    return cell
