"""Columns that several files of the export have."""

from typing import Final

from classrooms.reports.tables.table_file import ExportColumn

CHILD: Final = ExportColumn("child", "id", "the child")
ASSIGNMENT: Final = ExportColumn("assignment", "id", "the assignment")
DAY: Final = ExportColumn("day", "day", "the day, by the class's clock")
