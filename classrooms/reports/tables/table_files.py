"""The files of the export, all in one place: docs/exports.md says the same (a test compares)."""

from typing import Final

from classrooms.reports.tables.class_and_assignments import TOLD
from classrooms.reports.tables.levels_and_counts import STANDING
from classrooms.reports.tables.played import PLAYED
from classrooms.reports.tables.table_file import ExportSheet

SHEETS: Final[tuple[ExportSheet, ...]] = (*TOLD, *PLAYED, *STANDING)
