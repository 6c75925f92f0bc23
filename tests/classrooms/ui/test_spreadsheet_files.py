"""A download opens in the spreadsheet of the reader's country: columns, numbers and days right."""

import csv
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import pytest

from classrooms.ui.spreadsheet_files import BYTE_ORDER_MARK, Cell, Tables, csv_text
from tests.servers import ROOT

pytestmark = pytest.mark.proof

HEAD: Final = ["Name", "Rows", "Share", "Day", "Moment", "Text"]
MOMENT: Final = datetime(2026, 3, 12, 14, 5, tzinfo=UTC)
ROWS: Final[list[list[Cell]]] = [
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


def shown(file: Path, country: str, *options: str) -> list[list[str]]:
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


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_workbook_shows_numbers_and_days_as_the_country_writes_them(
    country: str, tmp_path: Path
) -> None:
    tables = Tables()
    for _row in tables.add("Groep 5 🦊/A", HEAD, ROWS):
        pass
    file = tmp_path / "table.xlsx"
    with file.open("wb") as to:
        tables.save(to)
    half, many, march, december = COUNTRIES[country]
    assert shown(file, country) == [
        HEAD,
        ["Zoë", "1234", half, march, f"{march} 14:05:00", "=1+1"],
        ["مريم", "-3", many, december, "", "3.5"],
        ["Ann; Bob", "0", half.replace("0", "3"), "", "", "1-2"],
    ]


def test_a_csv_file_opens_in_columns_and_runs_no_formula(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(BYTE_ORDER_MARK + csv_text(HEAD, ROWS), encoding="utf-8", newline="")
    as_utf_8 = "--infilter=CSV:44,34,76,1,,1033"
    assert [row[0] for row in shown(file, "en-GB", as_utf_8)] == ["Name", "Zoë", "مريم", "Ann; Bob"]
    assert [row[-1] for row in shown(file, "en-GB", as_utf_8)] == ["Text", "'=1+1", "3.5", "1-2"]
