"""All files of the export; a test compares them with docs/exports.md."""

from typing import Final

from classrooms.reports.tables.check_up_sheets import CHECK_UP_SHEETS
from classrooms.reports.tables.class_and_assignments import CLASS_SHEETS
from classrooms.reports.tables.levels_and_counts import COUNT_SHEETS
from classrooms.reports.tables.played import PLAYED_SHEETS
from classrooms.reports.tables.table_file import ExportSheet

SHEETS: Final[tuple[ExportSheet, ...]] = (
    *CLASS_SHEETS,
    *PLAYED_SHEETS,
    *CHECK_UP_SHEETS,
    *COUNT_SHEETS,
)
