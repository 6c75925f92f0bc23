"""Lists and files from public reports, by the report (tests/public_reports.md). Each is read as its
teacher sees it, or the page asks, or it is refused with fitting words."""

import io
import zipfile
from collections.abc import Mapping
from datetime import datetime

import pytest
from openpyxl import Workbook

from classrooms.child_names import check_name
from classrooms.roster.importing.encodings import UnreadableFile
from tests.classrooms.roster.importing.lists import classes, excel, parts_of, read, saved, zip_of
from tests.counts import for_each

BOTH = {"4A": ["Dora", "Emil"]}
LIST = [["Name", "Class"], ["Dora", "4A"], ["Emil", "4A"]]


def workbook_aside() -> bytes:
    book = Workbook()
    for number, row in enumerate(LIST, start=4):
        for column, text in enumerate(row, start=3):
            book.active.cell(number, column, text)
    return saved(book)


def in_capitals() -> bytes:
    parts = parts_of(excel(LIST))
    return zip_of(
        {
            name.replace("sheet1", "Sheet1"): text.replace(b"sheet1.xml", b"Sheet1.xml")
            for name, text in parts.items()
        }
    )


def workbook_of_days() -> bytes:
    june, august = datetime(2026, 6, 5), datetime(2026, 8, 7)
    return excel([["Name", "Class"], ["Dora", june], ["Emil", june], ["Fay", august]])


def locked_zip(parts: Mapping[str, str]) -> bytes:
    """A zip whose members say that they are encrypted."""
    data = bytearray(zip_of(parts))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + flags] |= 1
    assert zipfile.ZipFile(io.BytesIO(data)).infolist()[0].flag_bits & 1
    return bytes(data)


ODS_OF_EXCEL = (
    '<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><table:table '
    'table:name="4A"><table:table-column table:number-columns-repeated="16384"/>{}'
    '<table:table-row table:number-rows-repeated="1048573"><table:table-cell '
    'table:number-columns-repeated="16384"/></table:table-row></table:table>'
    "</office:document-content>"
).format(
    "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in row)
        + '<table:table-cell table:number-columns-repeated="16382"/></table:table-row>'
        for row in LIST
    )
)
READ: dict[str, tuple[str | bytes, dict[str, list[str]]]] = {
    "ls1intum/Artemis#4939": (
        "REGISTRATION_NUMBER;FAMILY_NAME_OF_STUDENT;FIRST_NAME_OF_STUDENT;GENDER\n"
        "1;Ek;Dora;W\n2;Alm;Emil;M",
        {"": ["Dora", "Emil"]},
    ),
    "KAMRONBEK/talim-ai#66": (
        'First name;Last name;Class\n"Dora\nMaria";Ek;4A\nEmil;Alm;4A',
        {"4A": ["Dora Maria", "Emil"]},
    ),
    "1024pix/pix#1994": (
        "Identifiant unique*;Premier prénom*;Deuxième prénom;Nom de famille*;Nom d’usage;"
        "Date de naissance (jj/mm/aaaa)*;Statut*;Code MEF*;Division*\n"
        "1;Dora;Maria;Ek;;01/01/2016;ST;12;4A\n2;Emil;;Alm;;02/02/2016;AP;12;4A",
        BOTH,
    ),
    "1024pix/pix#9518": (
        "Nom élève;Nom d'usage élève;Prénom élève;Date naissance; Cycle;Niveau;Libellé classe\n"
        "Ek;;Dora;01/01/2016;CYCLE III;CM1;CM1 A\nAlm;;Emil;01/01/2016;CYCLE III;CM2;CM2 B",
        {"CM1 A": ["Dora"], "CM2 B": ["Emil"]},
    ),
    "wawachief/SalleDeClasse#96": (
        "Élève;Né(e) le;Classe\nEK Dora;01/01/2016;4A\nD'ASK Emil;01/01/2016;4A",
        BOTH,
    ),
    "omeka/plugin-CsvImport#74": ("Naam#Klas\nDora#4A\nEmil#4A", BOTH),
    "dfinke/ImportExcel#1345": (";Name;Class\n1;Dora;4A\n2;Emil;4A", BOTH),
    "dfinke/ImportExcel#1258": (
        "\u00a0First name \u00a0; Last  name ;Class \u00a0\nDora;Ek;4A\nEmil;Alm;4A",
        BOTH,
    ),
    "SpartnerNL/Laravel-Excel#2526": (
        "Pupil;;Class\nFirst name;Last name;Name\nDora;Ek;4A\nEmil;Alm;4A",
        BOTH,
    ),
    "VisActor/VTable#5228": (workbook_aside(), BOTH),
    "glebovpavel/IR_to_MSExcel#51": (in_capitals(), BOTH),
    "esqLABS/esqlabsR#1191": (excel([*LIST, *[["", " "]] * 18]), BOTH),
    "akvo/akvo-flow#1553": (excel([[*LIST[0], " "], *LIST[1:]]), BOTH),
    "chamilo/chamilo-lms#2266": (
        "Prénom;Nom;Classe\nStéphane;Ek;4A\nAgnès;Alm;4A".encode("cp1252"),
        {"4A": ["Stéphane", "Agnès"]},
    ),
    "soonick/poMMo#70": (
        "Name;Klasse\nBjörn;4A\nÄnne;4A".encode().decode("mac_roman"),
        {"4A": ["Björn", "Änne"]},
    ),
    "iisgiua/giuaschool#110": (
        "Nome;Cognome;Classe\nNicolò;Rossi;4A\nGiosuè;Forlì;4A".encode("mac_roman"),
        {"4A": ["Nicolò", "Giosuè"]},
    ),
    "grokability/snipe-it#16518": (
        "Vorname;Klasse\nJürgen;4A\nBärbel;4A".encode("cp1252"),
        {"4A": ["Jürgen", "Bärbel"]},
    ),
    "ets-berkeley-edu/boac#1874": (
        "Name,Class\nD&#39;Arcy,4A\nEmil,4A",
        {"4A": ["D'Arcy", "Emil"]},
    ),
    "hhurz/tableExport.jquery.plugin#49": (
        "<html><table><tr><th>Name<th>Class<tr><td>Dora<td>4A<tr><td>Emil<td>4A</table>",
        BOTH,
    ),
    "OpenRefine/OpenRefine#2225": (zip_of({"content.xml": ODS_OF_EXCEL}), BOTH),
    "MyCaert/Issues-Enhancements#134": (
        workbook_of_days(),
        {"5/6": ["Dora", "Emil"], "7/8": ["Fay"]},
    ),
    "MyCaert/Issues-Enhancements#134, as CSV": (
        "Naam;Groep\nDora;5-jun\nEmil;05. Jun\nFay;7-aug",
        {"5/6": ["Dora", "Emil"], "7/8": ["Fay"]},
    ),
    "orangesignal/orangesignal-csv#36": ("Name;Class\nDora;4A\nEmil;4A\x1a", BOTH),
    "Edurate/edurate#3": (
        "Timestamp,Email Address,Your child's first name,Your child's last name,Class\n"
        "2026-09-01 10:00,a@x.example,Dora,Ek,4A\n2026-09-01 11:00,b@x.example,Emil,Alm,4A",
        BOTH,
    ),
    "brechtsanders/xlsxio#100": ("Name;Class\r\nDora;4A\r\nEmil;4A", BOTH),
}
ASKS = {
    "wawachief/SalleDeClasse#107": "EK;Dora\nALM;Emil",
    "nocodb/nocodb#9572": "Name,Name,Class\nDora,Ek,4A\nEmil,Alm,4A",
    "linuxmuster/linuxmuster-webui7#114": "4a;Ek;Dora;01.02.2016;1\n4a;Alm;Emil;02.02.2016;2",
}
REFUSED: dict[str, tuple[str, str | bytes]] = {
    "GW2Raidar/gw2raidar#162": ("password", locked_zip({"names.csv": "Name\nDora"})),
    "openspending/openspending#953": ("not a list", '[{"name": "Dora"}, {"name": "Emil"}]'),
    "PostHog/posthog#60028": ("not a list", '{"url":"https://docs.google.com/open?id=a"}'),
    "studentinsights/studentinsights#858": ("workbook", zip_of({"Index/Document.iwa": "x"})),
}


@for_each(READ)
def test_a_list_is_read_as_its_teacher_sees_it(report: str) -> None:
    data, meant = READ[report]
    assert classes(data) == meant


@for_each(ASKS)
def test_an_unclear_list_asks_which_column_has_the_names(report: str) -> None:
    assert not read(ASKS[report]).columns.is_sure


@for_each(REFUSED)
def test_an_unreadable_file_is_refused_with_fitting_words(report: str) -> None:
    kind, data = REFUSED[report]
    with pytest.raises(UnreadableFile, match=f"^{kind}|'{kind}'"):
        read(data)


@for_each(["O’Brien", "Anne-Marie", "Rama s/o Sounak", "Nguyễn", "Ļaudis", "نورا", "노라"])
def test_a_name_of_real_people_is_accepted(name: str) -> None:
    """TEAMMATES/teammates#309, awdse22/pe#6, jontmy/pe#3, Submitty/Submitty#8466."""
    assert check_name(name) is None
