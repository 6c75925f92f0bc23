"""Children's names from files: bytes → text → rows → columns → names, a module for each step."""

from classrooms.roster.importing.bundle import read_bundle
from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.import_errors import LARGEST, MOST_ROWS, Unreadable
from classrooms.roster.importing.name_sheet import (
    NameEntry,
    NameSheet,
    entries,
    entries_by_class,
    read_file,
    read_pasted,
)
from classrooms.roster.importing.workbook import is_workbook, read_workbook

__all__ = [
    "LARGEST",
    "MOST_ROWS",
    "Columns",
    "NameEntry",
    "NameSheet",
    "Unreadable",
    "entries",
    "entries_by_class",
    "is_workbook",
    "read_bundle",
    "read_file",
    "read_pasted",
    "read_workbook",
]
