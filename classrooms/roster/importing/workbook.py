"""An Excel workbook → rows. Only its cells are opened: no macro, no link, no formula is run."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, Final

from openpyxl import load_workbook

from classrooms.roster.importing.budget import Budget
from classrooms.roster.importing.import_errors import LARGEST, MOST_ROWS, Unreadable
from classrooms.roster.importing.name_sheet import NameSheet, sheet_of
from classrooms.roster.importing.separated import LONGEST_CELL, MOST_CELLS, CsvRow

LARGEST_UNPACKED: Final = 4_000_000
"""Bytes of all parts with cells. No more is unpacked, whatever sizes the file states."""
MOST_PARTS: Final = 2_000
_PARTS: Final = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|xl/workbook\.xml|xl/_rels/workbook\.xml\.rels"
    r"|xl/sharedStrings\.xml|xl/worksheets/[^/]+\.xml",
    re.IGNORECASE,
)
_FOREIGN: Final = re.compile(rb"<!DOCTYPE|<!ENTITY|\0", re.IGNORECASE)
"""What no workbook has: entities grow without bounds."""
_NOT_COMPUTED: Final = re.compile(
    rb'<c\b(?![^<>]*\bt="str")[^<>]*+>\s*+<f\b(?:[^<>]*/>|[^<>]*+>[^<]*+</f>)'
    rb"\s*+(?:<v\s*+/>|<v>\s*+</v>)?\s*+</c>"
)
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, ArithmeticError, AttributeError, EOFError, LookupError,
    NotImplementedError, OSError, RuntimeError, SyntaxError, TypeError, ValueError,
)  # fmt: skip
"""What zipfile and openpyxl raise for a damaged file; an error in its XML is a `SyntaxError`."""


def is_workbook(data: bytes) -> bool:
    """Whether this zip is an Excel workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except _BROKEN:
        return False


def read_workbook(data: bytes) -> NameSheet:
    """The first sheet with something in it, hidden ones left out. Raises `Unreadable`."""
    if len(data) > LARGEST:
        raise Unreadable("too large")
    budget = Budget()
    try:
        book = load_workbook(_cells_alone(data), read_only=True, data_only=True, keep_links=False)
        for sheet in book.worksheets:
            rows = list(_rows(sheet, budget)) if sheet.sheet_state == "visible" else []
            if rows:
                return sheet_of(rows, "Excel")
    except _BROKEN:
        raise Unreadable("broken workbook") from None
    raise Unreadable("empty")


def _cells_alone(data: bytes) -> io.BytesIO:
    """The workbook again with only the parts that have cells, in their true sizes."""
    left = LARGEST_UNPACKED
    to = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(to, "w") as kept:
        members = {each.filename: each for each in archive.infolist()}
        if len(members) > MOST_PARTS:
            raise Unreadable("broken workbook")
        for name, member in members.items():
            if not _PARTS.fullmatch(name):
                continue
            if member.compress_type not in _PACKED:
                raise Unreadable("broken workbook")
            with archive.open(member) as part:
                text = part.read(left + 1)
            left -= len(text)
            if left < 0:
                raise Unreadable("unpacked workbook too large")
            if _FOREIGN.search(text):
                raise Unreadable("broken workbook")
            if name.startswith("xl/worksheets/") and _NOT_COMPUTED.search(text):
                raise Unreadable("not computed")
            kept.writestr(name, text)
    to.seek(0)
    return to


def _rows(sheet: Any, budget: Budget) -> Iterator[CsvRow]:
    """The rows that are not empty, with their numbers in the sheet."""
    sheet.reset_dimensions()
    found = 0
    for number, row in enumerate(sheet.iter_rows(max_col=MOST_CELLS, values_only=True), start=1):
        budget.take(1, number)
        cells = tuple(map(_text, row))
        if not any(cells):
            continue
        found += 1
        if found > MOST_ROWS + 1:
            raise Unreadable("too many", number)
        yield CsvRow(number, cells)


def _text(value: object) -> str:
    """A cell as text: whole numbers without ".0", a line break as a space."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(str(value)[: LONGEST_CELL + 1].replace("\0", "").split())
