"""Writes tables to files: workbooks, which open correctly in every country, and CSV for programs.
No cell is a formula."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import IO, Any, Final, TextIO

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

Cell = str | int | float | date | datetime | None

FORMULA: Final = re.compile(r"(^|;)(?=[ \u00a0]*[=+\-@\t\r\n＝＋－＠])")
"""The place before text that a spreadsheet could run as a formula, even if that begins with a
full-width sign (OWASP) or follows a semicolon, which begins a new cell in Dutch, German and Swedish
spreadsheets."""
BYTE_ORDER_MARK: Final = "\ufeff"
"""Without this mark Excel does not recognise UTF-8."""
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TITLE_FORBIDS: Final = re.compile(r"[\[\]:*?/\\]")
LONGEST_TITLE: Final = 31
"""Excel calls a file damaged if the title of a sheet is longer than this, or begins or ends with an
apostrophe."""
DAY: Final = "mm-dd-yy"
MOMENT: Final = "m/d/yy h:mm"
"""`DAY` and `MOMENT` are formats 14 and 22 of a workbook; each country shows them in its own
way."""


def harmless(cell: Cell) -> str:
    """The cell as text, with an apostrophe wherever a spreadsheet would see a formula. Numbers get
    none, not even negative ones.

    >>> harmless("=1+1"), harmless("5B;=1+1"), harmless(-3)
    ("'=1+1", "5B;'=1+1", '-3')
    """
    if cell is None:
        return ""
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    return FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else str(cell)


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table as comma-separated CSV. Each cell is harmless."""
    to = io.StringIO()
    csv_lines(to, head, rows)
    return to.getvalue()


def csv_lines(to: TextIO, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a table to a file as CSV, row by row."""
    writer = csv.writer(to, lineterminator="\r\n")
    writer.writerow([harmless(cell) for cell in head])
    writer.writerows([harmless(cell) for cell in row] for row in rows)


class Tables:
    """A workbook with a sheet for each table, written row by row."""

    def __init__(self) -> None:
        self._book = Workbook(write_only=True)

    def add(
        self, name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]
    ) -> Iterator[Sequence[Cell]]:
        """Add a sheet. Write each row, then yield it; the caller must take all rows."""
        title = TITLE_FORBIDS.sub(" ", name)[:LONGEST_TITLE].strip(" '") or "nmbrs"
        sheet = self._book.create_sheet(title)
        sheet.freeze_panes = "B2"
        sheet.append([_cell(sheet, cell) for cell in head])
        for row in rows:
            sheet.append([_cell(sheet, cell) for cell in row])
            yield row

    def save(self, to: IO[bytes]) -> None:
        self._book.save(to)


def _cell(sheet: Any, value: Cell) -> Any:
    if isinstance(value, datetime):
        cell = WriteOnlyCell(sheet, value.astimezone(UTC).replace(tzinfo=None))
        cell.number_format = MOMENT
    elif isinstance(value, date):
        cell = WriteOnlyCell(sheet, value)
        cell.number_format = DAY
    elif isinstance(value, str):
        cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", value))
        cell.data_type = "s"  # text that begins with = stays text
    else:
        cell = WriteOnlyCell(sheet, value)
    return cell


def table_response(
    request: HttpRequest, name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> HttpResponse:
    """A download with the table, named after `name`: a workbook, or CSV if the request has
    `as=csv`."""
    if "csv" in (request.GET.get("as"), request.POST.get("as")):
        content = (BYTE_ORDER_MARK + csv_text(head, rows)).encode()
        response = HttpResponse(content, content_type="text/csv; charset=utf-8")
        ending = "csv"
    else:
        response = HttpResponse(content_type=XLSX)
        tables = Tables()
        for _row in tables.add(name, head, rows):
            pass
        tables.save(response)  # type: ignore[arg-type]
        ending = "xlsx"
    file_name = f"{slugify(name, allow_unicode=True) or 'nmbrs'}.{ending}"
    response["Content-Disposition"] = str(content_disposition_header(True, file_name))
    return response
