"""Files that leave the site: one way for all of them, safe to open in a spreadsheet."""

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
"""What a spreadsheet takes for the beginning of a formula, in full width too (OWASP)."""
BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it Excel reads UTF-8 as something else."""


def harmless(cell: Cell) -> str:
    """The cell as text that no spreadsheet takes for a formula: with an apostrophe before it.

    Numbers are numbers, below zero too.

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
    """A table as CSV, with commas, every cell harmless."""
    to = io.StringIO()
    csv_lines(to, head, rows)
    return to.getvalue()


def csv_lines(to: TextIO, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a table as CSV, a row at a time."""
    writer = csv.writer(to, lineterminator="\r\n")
    writer.writerow([harmless(cell) for cell in head])
    writer.writerows([harmless(cell) for cell in row] for row in rows)


def csv_response(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """A CSV file to keep, called after `name`."""
    content = (BYTE_ORDER_MARK + csv_text(head, rows)).encode()
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    file_name = f"{slugify(name, allow_unicode=True) or 'nmbrs'}.csv"
    response["Content-Disposition"] = str(content_disposition_header(True, file_name))
    return response
