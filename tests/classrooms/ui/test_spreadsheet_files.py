import csv
import io
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import RequestFactory
from openpyxl import load_workbook

from classrooms.ui.spreadsheet_files import Cell, csv_text, harmless, table_response


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+31", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "＝1", "＠x"],
)
def test_a_formula_is_only_text(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize(
    ("cell", "text"),
    [("Dora", "Dora"), ("2-5", "2-5"), (-3, "-3"), (0.5, "0.5"), (None, ""), ("", "")],
)
def test_what_is_none_stays_as_it_is(cell: str | float | None, text: str) -> None:
    assert harmless(cell) == text


def test_days_are_written_as_all_programs_read_them() -> None:
    assert harmless(date(2026, 11, 21)) == "2026-11-21"


def test_a_table_reads_back_cell_by_cell() -> None:
    rows: list[list[str | int | None]] = [["Zoë, van Dam", 3], ['"', None], ["line\nbreak", -1]]
    read = list(csv.reader(io.StringIO(csv_text(["=Name", "Rounds"], rows), newline="")))
    assert read == [
        ["'=Name", "Rounds"], ["Zoë, van Dam", "3"], ['"', ""], ["line\nbreak", "-1"],
    ]  # fmt: skip


def test_programs_get_csv_that_excel_sees_is_utf_8(rf: RequestFactory) -> None:
    response = table_response(rf.get("/?as=csv"), "5B / Zoë", ["Name"], [["Dora"]])
    assert response.content.startswith(b"\xef\xbb\xbfName")
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Type"] == "text/csv; charset=utf-8"


def test_a_workbook_has_texts_numbers_and_dates_and_no_formula(rf: RequestFactory) -> None:
    at = datetime(2026, 11, 27, 23, 30, tzinfo=ZoneInfo("Europe/Amsterdam"))
    row: list[Cell] = ["=1+1", "\x01Zoë", -3, 0.5, None, date(2026, 11, 27), at]
    response = table_response(rf.get("/"), "5B / Zoë", [str(each) for each in range(7)], [row])
    sheet = load_workbook(io.BytesIO(response.content)).active
    assert sheet is not None
    cells = next(sheet.iter_rows(min_row=2))
    assert [cell.value for cell in cells] == [
        "=1+1", "Zoë", -3, 0.5, None, datetime(2026, 11, 27), datetime(2026, 11, 27, 22, 30),
    ]  # fmt: skip
    assert [cell.data_type for cell in cells] == ["s", "s", "n", "n", "n", "d", "d"]
    assert response["Content-Disposition"].endswith(".xlsx")
