import csv
import io
from datetime import date

import pytest

from classrooms.ui.spreadsheet_files import csv_response, csv_text, harmless


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


def test_the_file_is_one_to_keep_and_excel_sees_that_it_is_utf_8() -> None:
    response = csv_response("5B / Zoë", ["Name"], [["Dora"]])
    assert response.content.startswith(b"\xef\xbb\xbfName")
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
