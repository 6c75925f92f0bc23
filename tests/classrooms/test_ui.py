"""Tables, texts and spreadsheets of pages, and processes for files from users."""

import csv
import io
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.test import RequestFactory
from django.urls import reverse
from django.utils import translation
from django.utils.translation import override
from openpyxl import load_workbook

from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.ui import processes
from classrooms.ui.dates import FARTHEST_DAY, check_future_day, written
from classrooms.ui.processes import ProcessKilled
from classrooms.ui.sortable_table import Filter, SortableColumn, SortableTable, plain
from classrooms.ui.spreadsheet_files import (
    BYTE_ORDER_MARK,
    Cell,
    Tables,
    csv_text,
    harmless,
    table_response,
)
from classrooms.ui.tables_and_facts import facts_text, parse_facts
from games.screen.words import products
from tests.classrooms.code_process import printed_by
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.counts import for_each
from tests.repository import ROOT

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Row:
    name: str
    played: int | None = None


ROWS = (Row("Zoë", 3), Row("Dora", None), Row("emil", 7), Row("Åsa", 1))
COLUMNS: tuple[SortableColumn[Row], ...] = (
    SortableColumn("name", "Name", lambda row: plain(row.name)),
    SortableColumn("played", "Played", lambda row: row.played, number=True),
    SortableColumn("change", "Change", is_hidden=True),
)
PLAYED: Filter[Row] = Filter(
    "show",
    "Show",
    (("all", "everyone"), ("played", "who has played")),
    lambda row, choice: choice == "all" or row.played is not None,
)


def table(address: str) -> SortableTable[Row]:
    return SortableTable(
        QueryDict(address),
        COLUMNS,
        ROWS,
        text=lambda row: row.name,
        filters=(PLAYED,),
    )


def names(address: str) -> list[str]:
    return [row.name for row in table(address).rows]


def test_names_are_sorted_without_regard_to_capitals_and_accents() -> None:
    assert names("sort=name") == ["Åsa", "Dora", "emil", "Zoë"]
    assert names("sort=-name") == ["Zoë", "emil", "Dora", "Åsa"]


def test_rows_without_a_value_come_last_in_either_direction() -> None:
    assert names("sort=played") == ["Åsa", "Zoë", "emil", "Dora"]
    assert names("sort=-played") == ["emil", "Zoë", "Åsa", "Dora"]


def test_a_search_finds_a_name_without_its_accents() -> None:
    assert names("q=ZOE") == ["Zoë"]
    assert names("q=asa&sort=name") == ["Åsa"]


def test_a_filter_keeps_its_rows_and_their_number() -> None:
    played = table("show=played")
    assert [row.name for row in played.rows] == ["Zoë", "emil", "Åsa"]
    assert (played.total, played.is_narrowed) == (4, True)
    assert not table("sort=name").is_narrowed


def test_a_heading_sorts_reverses_and_keeps_the_address() -> None:
    name, played, change = table("q=e&show=played&sort=name").heads
    assert (name.sorted, name.address) == ("ascending", "?q=e&show=played&sort=-name")
    assert (played.sorted, played.address) == ("", "?q=e&show=played&sort=played")
    assert change.address == ""
    assert table("sort=-name").heads[0].sorted == "descending"
    assert table("sort=-name").heads[0].address == "?sort=name"


@for_each(
    ["=1+1", "+31", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "＝1", "＠x"]
)
def test_a_formula_is_only_text(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


def test_days_are_written_in_a_form_that_all_programs_read() -> None:
    assert harmless(date(2026, 11, 21)) == "2026-11-21"


def test_a_table_can_be_read_back_cell_by_cell() -> None:
    rows: list[list[str | int | None]] = [["Zoë, van Dam", 3], ['"', None], ["line\nbreak", -1]]
    cells = list(csv.reader(io.StringIO(csv_text(["=Name", "Rounds"], rows), newline="")))
    assert cells == [
        ["'=Name", "Rounds"], ["Zoë, van Dam", "3"], ['"', ""], ["line\nbreak", "-1"],
    ]  # fmt: skip


def test_csv_files_say_to_excel_that_they_are_utf_8(rf: RequestFactory) -> None:
    response = table_response(rf.get("/?as=csv"), "5B / Zoë", ["Name"], [["Dora"]])
    assert response.content.startswith(b"\xef\xbb\xbfName")
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Type"] == "text/csv; charset=utf-8"


@pytest.mark.parametrize(
    ("name", "title"),
    [("'t Nest", "t Nest"), ("'s Ochtends'", "s Ochtends"), ("5/6 [b]", "5 6  b"), ("?", "nmbrs")],
)
def test_the_title_of_a_sheet_is_valid_in_excel(rf: RequestFactory, name: str, title: str) -> None:
    response = table_response(rf.get("/"), name, ["Name"], [["Dora"]])
    assert load_workbook(io.BytesIO(response.content)).sheetnames == [title]


def test_a_workbook_has_texts_numbers_and_dates_and_no_formula(rf: RequestFactory) -> None:
    at = datetime(2026, 11, 27, 23, 30, tzinfo=ZoneInfo("Europe/Amsterdam"))
    row: list[Cell] = ["=1+1", "\x01Zoë", -3, 0.5, None, date(2026, 11, 27), at]
    response = table_response(rf.get("/"), "5B / Zoë", [str(number) for number in range(7)], [row])
    sheet = load_workbook(io.BytesIO(response.content)).active
    assert sheet is not None
    cells = next(sheet.iter_rows(min_row=2))
    assert [cell.value for cell in cells] == [
        "=1+1", "Zoë", -3, 0.5, None, datetime(2026, 11, 27), datetime(2026, 11, 27, 22, 30),
    ]  # fmt: skip
    assert [cell.data_type for cell in cells] == ["s", "s", "n", "n", "n", "d", "d"]
    assert response["Content-Disposition"].endswith(".xlsx")


# Texts


@pytest.mark.parametrize("text", ["6 × 7, 7 × 8", "7x6;8X7", " 6*7 ,, 7·8,", "6 × 7, 7 × 6, 7 × 8"])
def test_facts_are_read_as_teachers_write_them(text: str) -> None:
    assert parse_facts(text) == [(6, 7), (7, 8)]


def test_pages_have_the_sign_of_the_language_and_files_have_one() -> None:
    with translation.override("de"):
        assert products([(6, 7), (7, 8)]) == "6 · 7, 7 · 8"
        assert facts_text([(6, 7), (7, 8)]) == "6 × 7, 7 × 8"
        assert parse_facts(products([(6, 7), (7, 8)])) == [(6, 7), (7, 8)]


def assign_facts(alice: User, school_class: SchoolClass, **more: object) -> Assignment | str:
    """The new assignment, or the page's message."""
    address = url_of("assign_detail", school_class)
    client = client_of(alice)
    form = client.get(address).context["form"]
    fields = {field.html_name: field.value() for field in form}
    posted = {name: value for name, value in fields.items() if value not in (None, False)}
    answer = client.post(address, posted | more)
    return Assignment.objects.first() or text_on(answer)


def test_the_form_takes_facts_and_a_copy_keeps_them(alice: User, school_class: SchoolClass) -> None:
    assignment = assign_facts(alice, school_class, facts="7 x 6, 7 × 8")
    assert isinstance(assignment, Assignment)
    assert assignment.facts == [[6, 7], [7, 8]]
    address = url_of("assign_detail", school_class)
    copied = client_of(alice).get(f"{address}?of={assignment.pk}").context["form"]
    assert copied["facts"].value() == "6 × 7, 7 × 8"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ("6 and 7", "Write facts such as 6 × 7"),
        (", ".join(f"{n} × 12" for n in range(2, 13)) + ", 2 × 3, 2 × 4", "At most 12 facts"),
    ],
)
def test_unreadable_facts_get_a_message_and_nothing_is_lost(
    alice: User, school_class: SchoolClass, facts: str, words: str
) -> None:
    page = assign_facts(alice, school_class, facts=facts, note="Good luck")
    assert isinstance(page, str)
    assert words in page
    assert facts in page
    assert "Good luck" in page


def test_the_childs_list_and_the_teachers_name_the_facts(
    alice: User, dora: Child, assignment: Assignment
) -> None:
    assignment.facts = [[6, 7], [7, 8]]
    assignment.save()
    page = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    title = "2, 5 and 10 times tables, with questions on 6 × 7 and 7 × 8"
    assert title in " ".join(page.split())
    address = url_of("assignments", dora.school_class)
    assert title in " ".join(text_on(client_of(alice).get(address)).split())


SATURDAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Saturday 28 November"),
        ("nl", "zaterdag 28 november"),
        ("de", "Samstag, 28. November"),
        ("sv", "lördag 28 november"),
    ],
)
def test_a_date_is_written_as_its_language_does(language: str, words: str) -> None:
    with override(language):
        assert written(SATURDAY, "l j F").lower() == words.lower()


# Future days that a teacher enters


TODAY = date(2026, 9, 1)


@pytest.mark.parametrize("day", [None, TODAY, TODAY + FARTHEST_DAY])
def test_today_and_two_years_from_now_are_allowed(day: date | None) -> None:
    assert check_future_day(day, TODAY) == day


@pytest.mark.parametrize(
    ("days", "words"), [(-1, "has passed"), (FARTHEST_DAY.days + 1, "more than two years away")]
)
def test_other_days_are_refused_with_the_reason(days: int, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        check_future_day(TODAY + timedelta(days=days), TODAY)


# Spreadsheets open in the reader's country


TABLE_HEAD: Final = ["Name", "Rows", "Share", "Day", "Moment", "Text"]
MOMENT: Final = datetime(2026, 3, 12, 14, 5, tzinfo=UTC)
ROWS_OF_A_SHEET: Final[list[list[Cell]]] = [
    ["Zoë", 1234, 0.5, date(2026, 3, 12), MOMENT, "=1+1"],
    ["مريم", -3, 1234.25, date(2026, 12, 1), None, "3.5"],
    ["Ann; Bob", 0, 3.5, None, None, "1-2"],
]
COUNTRIES: Final = {
    "de-DE": ("0,5", "1234,25", "12.03.2026", "01.12.2026"),
    "nl-NL": ("0,5", "1234,25", "12-03-2026", "01-12-2026"),
    "sv-SE": ("0,5", "1234,25", "2026-03-12", "2026-12-01"),
    "en-GB": ("0.5", "1234.25", "12/03/2026", "01/12/2026"),
}
LOCALE: Final = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">
<value>{}</value></prop></item></oor:items>"""
AS_SHOWN: Final = "csv:Text - txt - csv (StarCalc):59,34,76,1,,0,false,true,false"


def cells_shown(file: Path, country: str, *options: str) -> list[list[str]]:
    """The cells of this file as LibreOffice shows them in this country."""
    subprocess.run([ROOT / "scripts" / "debian.sh", "soffice", "libreoffice-calc"], check=True)
    profile = file.parent / "profile"
    (profile / "user").mkdir(parents=True, exist_ok=True)
    settings = profile / "user" / "registrymodifications.xcu"
    settings.write_text(LOCALE.format(country))
    home = f"-env:UserInstallation=file://{profile}"
    to = ("--convert-to", AS_SHOWN, "--outdir", str(file.parent / "shown"), str(file))
    subprocess.run(
        ["soffice", "--headless", home, *options, *to], check=True, capture_output=True, timeout=300
    )
    text = (file.parent / "shown" / f"{file.stem}.csv").read_text()
    return list(csv.reader(text.splitlines(), delimiter=";"))


@pytest.mark.proof
@pytest.mark.parametrize("country", COUNTRIES)
def test_a_workbook_shows_numbers_and_days_as_the_country_does(
    country: str, tmp_path: Path
) -> None:
    tables = Tables()
    for _row in tables.add("Groep 5 🦊/A", TABLE_HEAD, ROWS_OF_A_SHEET):
        pass
    file = tmp_path / "table.xlsx"
    with file.open("wb") as to:
        tables.save(to)
    half, many, march, december = COUNTRIES[country]
    assert cells_shown(file, country) == [
        TABLE_HEAD,
        ["Zoë", "1234", half, march, f"{march} 14:05:00", "=1+1"],
        ["مريم", "-3", many, december, "", "3.5"],
        ["Ann; Bob", "0", half.replace("0", "3"), "", "", "1-2"],
    ]


@pytest.mark.proof
def test_a_csv_file_opens_in_columns_and_runs_no_formula(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(
        BYTE_ORDER_MARK + csv_text(TABLE_HEAD, ROWS_OF_A_SHEET), encoding="utf-8", newline=""
    )
    as_utf_8 = "--infilter=CSV:44,34,76,1,,1033"
    assert [row[0] for row in cells_shown(file, "en-GB", as_utf_8)] == [
        "Name",
        "Zoë",
        "مريم",
        "Ann; Bob",
    ]
    assert [row[-1] for row in cells_shown(file, "en-GB", as_utf_8)] == [
        "Text",
        "'=1+1",
        "3.5",
        "1-2",
    ]


# Processes have limits and no secrets


MB = 1024 * 1024


def test_a_process_knows_nothing_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "a secret")
    assert "SECRET_KEY" in os.environ
    names = printed_by("import os; print(*os.environ)").split()
    assert set(names) <= {b"PYTHONPATH", b"LC_CTYPE"}


def test_a_process_that_computes_for_too_long_is_ended() -> None:
    with pytest.raises(ProcessKilled):
        printed_by("while True: pass", seconds=1)


def test_a_process_that_waits_for_too_long_is_ended() -> None:
    with pytest.raises(ProcessKilled, match="too long"):
        printed_by("import time; time.sleep(600)", patience=1)


def test_a_process_gets_no_more_memory_than_its_own() -> None:
    assert b"MemoryError" in printed_by("bytearray(400_000_000)")
    assert printed_by("bytearray(100_000_000)") == b""


def test_the_children_of_a_process_have_its_limits() -> None:
    code = "import resource as r; print(r.getrlimit(r.RLIMIT_CPU), r.getrlimit(r.RLIMIT_CORE))"
    inner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{code}'])"
    assert printed_by(inner) == b"(20, 20) (0, 0)\n"


def test_an_account_has_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = processes.Turns()
    with turns.turn(1):
        pass
    monkeypatch.setattr(processes, "MOST_SECONDS", 0)
    with pytest.raises(processes.Busy), turns.turn(1):
        pass
    with turns.turn(2):
        pass


def test_the_account_that_has_used_least_is_next() -> None:
    """Neither many free accounts nor an account with two jobs can keep a teacher from a turn."""
    turns, order = processes.Turns(), list[int]()
    now = time.monotonic()
    turns._used.update({account: (account, now) for account in (2, 3, 4)})

    def ask(account: int) -> None:
        try:
            with turns.turn(account):
                order.append(account)
        except processes.Busy:
            order.append(-account)

    with ThreadPoolExecutor(4) as pool, turns.turn(1):
        for account, waiting in ((4, [4]), (3, [4, 3]), (2, [3, 2]), (5, [2, 5])):
            pool.submit(ask, account)
            while [waiter for waiter, _ in turns._waiting] != waiting:
                time.sleep(0.01)
        with pytest.raises(processes.Busy), turns.turn(1):
            pass
    assert [account for account in order if account > 0] == [5, 2]
    assert sorted(account for account in order if account < 0) == [-4, -3]


def test_two_jobs_of_an_account_are_both_done() -> None:
    turns, jobs = processes.Turns(), list[int]()

    def ask() -> None:
        with turns.turn(1):
            jobs.append(1)

    with ThreadPoolExecutor(1) as pool, turns.turn(1):
        pool.submit(ask)
        while not turns._waiting:
            time.sleep(0.01)
    assert jobs == [1]


def test_an_account_that_waited_in_vain_may_try_again_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "WAIT_SECONDS", 0.01)
    turns = processes.Turns()
    with turns.turn(1), pytest.raises(processes.Busy), turns.turn(2):
        pass
    with turns.turn(2):
        pass
