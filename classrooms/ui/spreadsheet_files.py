"""CSV files that are safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Final, TextIO

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

Cell = str | int | float | date | datetime | None

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Signs that start a formula in a spreadsheet, full-width ones too (OWASP)."""
BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it Excel does not recognise UTF-8."""


def harmless(cell: Cell) -> str:
    """The cell as text, with an apostrophe before it where a spreadsheet would see a formula.

    Numbers stay numbers, negative ones too.

    >>> harmless("=1+1"), harmless(-3)
    ("'=1+1", '-3')
    """
    if cell is None:
        return ""
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    text = str(cell)
    if isinstance(cell, str) and text.lstrip(" \u00a0").startswith(FORMULA):
        return f"'{text}"
    return text


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table as comma-separated CSV, with every cell harmless."""
    to = io.StringIO()
    csv_lines(to, head, rows)
    return to.getvalue()


def csv_lines(to: TextIO, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a table as CSV, row by row."""
    writer = csv.writer(to, lineterminator="\r\n")
    writer.writerow([harmless(cell) for cell in head])
    writer.writerows([harmless(cell) for cell in row] for row in rows)


def csv_response(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """A CSV file to download, named after `name`."""
    content = (BYTE_ORDER_MARK + csv_text(head, rows)).encode()
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    file_name = f"{slugify(name, allow_unicode=True) or 'nmbrs'}.csv"
    response["Content-Disposition"] = str(content_disposition_header(True, file_name))
    return response
