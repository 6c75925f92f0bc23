import csv
import io
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from openpyxl import load_workbook

from classrooms.ui.sortable_table import Filter, SortableColumn, SortableTable, plain
from classrooms.ui.spreadsheet_files import Cell, csv_text, harmless, table_response
from tests.counts import for_each


@dataclass(frozen=True)
class Row:
    name: str
    played: int | None = None


ROWS = (Row("Zoë", 3), Row("Dora", None), Row("emil", 7), Row("Åsa", 1))
COLUMNS: tuple[SortableColumn[Row], ...] = (
    SortableColumn("name", "Name", lambda row: plain(row.name)),
    SortableColumn("played", "Played", lambda row: row.played, number=True),
    SortableColumn("change", "Change", hidden=True),
)
PLAYED: Filter[Row] = Filter(
    "show",
    "Show",
    (("all", "everyone"), ("played", "who has played")),
    lambda row, choice: choice == "all" or row.played is not None,
)


def table(address: str, prefix: str = "") -> SortableTable[Row]:
    return SortableTable(
        QueryDict(address),
        COLUMNS,
        ROWS,
        text=lambda row: row.name,
        filters=(PLAYED,),
        prefix=prefix,
    )


def names(address: str, prefix: str = "") -> list[str]:
    return [row.name for row in table(address, prefix).rows]


def test_names_are_sorted_without_regard_to_capitals_and_accents() -> None:
    assert names("sort=name") == ["Åsa", "Dora", "emil", "Zoë"]
    assert names("sort=-name") == ["Zoë", "emil", "Dora", "Åsa"]


def test_what_has_no_value_stands_last_either_way() -> None:
    assert names("sort=played") == ["Åsa", "Zoë", "emil", "Dora"]
    assert names("sort=-played") == ["emil", "Zoë", "Åsa", "Dora"]


def test_a_search_finds_a_name_without_its_accents() -> None:
    assert names("q=ZOE") == ["Zoë"]
    assert names("q=asa&sort=name") == ["Åsa"]


def test_a_filter_keeps_its_rows_and_the_table_knows_how_many_there_are() -> None:
    played = table("show=played")
    assert [row.name for row in played.rows] == ["Zoë", "emil", "Åsa"]
    assert (played.total, played.is_narrowed) == (4, True)
    assert not table("sort=name").is_narrowed


def test_a_heading_sorts_and_turns_round_and_keeps_the_rest_of_the_address() -> None:
    name, played, change = table("q=e&show=played&sort=name").heads
    assert (name.sorted, name.address) == ("ascending", "?q=e&show=played&sort=-name")
    assert (played.sorted, played.address) == ("", "?q=e&show=played&sort=played")
    assert change.address == ""
    assert table("sort=-name").heads[0].sorted == "descending"
    assert table("sort=-name").heads[0].address == "?sort=name"


def test_two_tables_of_a_page_do_not_hear_each_others_words() -> None:
    assert names("sort=name&q=zoe", prefix="b-") == names("")
    assert names("b-q=zoe", prefix="b-") == ["Zoë"]


@for_each(
    ["=1+1", "+31", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "＝1", "＠x"]
)
def test_a_formula_is_only_text(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


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


@pytest.mark.parametrize(
    ("name", "title"),
    [("'t Nest", "t Nest"), ("'s Ochtends'", "s Ochtends"), ("5/6 [b]", "5 6  b"), ("?", "nmbrs")],
)
def test_a_sheet_has_a_title_that_excel_takes(rf: RequestFactory, name: str, title: str) -> None:
    response = table_response(rf.get("/"), name, ["Name"], [["Dora"]])
    assert load_workbook(io.BytesIO(response.content)).sheetnames == [title]


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
