"""Lists of kinds that schools publish or describe, read as their teachers see them."""

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


HEAD = "First name;Last name;Class\nDora;Ek;4A\nEmil;Alm;4A\n"
NO_PUPILS = [
    "Pupils: 2;;",
    "Number of pupils;2;",
    "Total number of pupils: 2;;",
    "Boys: 1 Girls: 1;;",
    "m: 1 / w: 1;;",
    "Jungen;1;",
    "Jongens: 1, meisjes: 1;;",
    "Generated by Arbor on 27 Nov 2026;;",
    "Report run 27/11/2026 14:03;;",
    "Seite 1 von 1;;",
    "Page 1/1;;",
    "Sida 1 av 1;;",
    "Pagina 1 van 1;;",
    "Stand: 27.11.2026;;",
    "Confidential;;",
    "Vertraulich;;",
    "*** End of report ***;;",
    "End of list;;",
    "Ende der Liste;;",
    "— 2 pupils —;;",
    "Student, Test;;4A",
    "Test;Student;4A",
    "Test;Pupil;4A",
    "Demo;Student;",
    "Average;;",
    "Klassenschnitt;;",
    "Legend: x = absent;;",
    "x = absent;;",
    "Teacher: Ms Berg;;",
    "Klassenlehrerin: Frau Berg;;",
    "Leerkracht: juf Anne;;",
    "Tutor;Ms Berg;",
    "N = 2;;",
    "2;;",
    "2 leerlingen;;",
    "2 Schüler/innen;;",
    "=COUNTA(A2:A3);;",
    "Printed: 27.11.26;;",
    "Σ 2;;",
    "Anzahl;2;",
    "Summe;;2",
    "Gesamt;2;",
    "Antal: 2 st;;",
    "Totalt 2 elever;;",
    "Yhteensä 2;;",
    "Razem;2;",
    "Celkem: 2;;",
    "Összesen;2;",
]
HEADINGS = [
    ("First name (required)", "Last name (required)", "Class (required)"),
    ("*First name", "*Last name", "*Class"),
    ("First name:", "Last name:", "Class:"),
    ("First name ▼", "Last name ▲", "Class ↕"),
    ("FIRST-NAME", "LAST-NAME", "CLASS"),
    ("First name\n(as on passport)", "Last name", "Class"),
    ("[First name]", "[Last name]", "[Class]"),
    ("#First name", "Last name", "Class"),
    ("First name – required", "Last name – required", "Class – optional"),
    ("First name (A–Z)", "Last name (A–Z)", "Class"),
    ("“First name”", "“Last name”", "“Class”"),
    ("First name?", "Last name?", "Class?"),
    ("Pupil: First name", "Pupil: Last name", "Pupil: Class"),
    ("Student.FirstName", "Student.LastName", "Student.Class"),
    ("Vorname des Kindes", "Nachname des Kindes", "Klasse des Kindes"),
    ("Voornaam ↑", "Achternaam", "Groep"),
    ("Förnamn (tilltalsnamn)", "Efternamn", "Klass/grupp"),
    ("First Name 🙂", "Last Name", "Class 🏫"),
    ("FirstName (1)", "LastName (1)", "Class (1)"),
    ("Pupil First Name(s)", "Pupil Last Name(s)", "Class Name"),
    ("Given name(s)", "Family name(s)", "Form group"),
]
NAMES = {
    "Velde, Lieke van der": "Lieke",
    "Velde van der, Lieke": "Lieke",
    "Velde, van der Lieke": "Lieke",
    "Velde (van der), Lieke": "Lieke",
    "van der Velde, Lieke": "Lieke",
    "Van Der Velde, Lieke": "Lieke",
    "Velde,Lieke van der": "Lieke",
    "Velde , Lieke , van der": "Lieke",
    "Jong, Lieke de": "Lieke",
    "'t Hart, Lieke": "Lieke",
    "Hart, Lieke 't": "Lieke",
    "Hart, Lieke van 't": "Lieke",
    "Berg, Jan Peter van den": "Jan Peter",
    "Goltz, Lieke von der": "Lieke",
    "dos Santos, Lieke": "Lieke",
    "Santos, Lieke dos": "Lieke",
    "O'Neill, Lieke": "Lieke",
    "Müller-Lüdenscheidt, Lieke": "Lieke",
    "VELDE, Lieke VAN DER": "Lieke",
    "Velde, L. (Lieke) van der": "Lieke",
    "Velde, L.A.M. (Lieke) van der": "Lieke",
    "Velde, Lieke L.A.M. van der": "Lieke L.A.M.",
    "Al-Hassan, Lieke": "Lieke",
    "El Amrani, Lieke": "Lieke",
    "Ben Ali, Lieke": "Lieke",
    "La Rosa, Lieke": "Lieke",
    "De La Cruz, Lieke": "Lieke",
    "Smith Jr., Lieke": "Lieke",
    "Smith, Jr., Lieke": "Lieke",
    "Vries, Lieke de (4A)": "Lieke",
    "ter Horst, Lieke": "Lieke",
    "Horst, Lieke ter": "Lieke",
    "in 't Veld, Lieke": "Lieke",
    "Veld, Lieke in 't": "Lieke",
    "Velde,  Lieke   van  der": "Lieke",
    "Aa, Lieke van der": "Lieke",
    "Ó Briain, Lieke": "Lieke",
    "af Klint, Lieke": "Lieke",
    "Klint, Lieke af": "Lieke",
    "de la Gardie, Lieke": "Lieke",
    "Gardie, Lieke De la": "Lieke",
    "Vega, Lieke d'": "Lieke",
    "L'Écuyer, Lieke": "Lieke",
    "D’Angelo, Lieke": "Lieke",
    "zu Sayn, Lieke": "Lieke",
    "Sayn, Lieke zu": "Lieke",
    "v.d. Velde, Lieke": "Lieke",
    "Velde, Lieke v.d.": "Lieke",
    "Velde, Lieke v/d": "Lieke",
}
LEFT = [
    ("Status", "Active", "Left"),
    ("Status", "enrolled", "withdrawn"),
    ("Status", "A", "Inactive"),
    ("Enrolment status", "C", "Leaver"),
    ("Active", "Yes", "No"),
    ("Active", "1", "0"),
    ("Enabled", "TRUE", "FALSE"),
    ("enabledUser", "true", "false"),
    ("Leaving date", "", "16/10/2026"),
    ("Date of leaving", "", "2026-10-16"),
    ("Uitschrijfdatum", "", "16-10-2026"),
    ("Datum uitschrijving", "31-07-2031", "16-10-2026"),
    ("Austrittsdatum", "", "16.10.2026"),
    ("Abgang am", "", "16.10.2026"),
    ("Slutdatum", "", "2026-10-16"),
    ("Date de sortie", "", "16/10/2026"),
    ("Fecha de baja", "", "16/10/2026"),
    ("Start date", "2024-08-01", "2027-08-01"),
    ("Entry date", "01/09/2024", "01/09/2027"),
    ("Exit Date", "", "10/16/2026"),
    ("endDate", "2027-07-31", "2026-10-16"),
    ("Status", "aktiv", "abgemeldet"),
    ("Status", "Ingeschreven", "Uitgeschreven"),
    ("Statut", "Inscrit", "Radié"),
    ("Suspended [READ ONLY]", "False", "True"),
    ("Archived", "no", "yes"),
    ("Leaver?", "N", "Y"),
    ("Left?", "", "x"),
    ("On roll", "Y", "N"),
    ("Deleted", "0", "1"),
    ("Einschreibung", "aktuell", "ehemalig"),
    ("Status", "Aktiivinen", "eronnut"),
    ("Inskriven", "Ja", "Nej"),
    ("Status", "Active (Primary)", "Inactive"),
    ("Account status", "Active", "Suspended"),
    ("Enrollment Status", "Currently enrolled", "Previously enrolled"),
    ("State", "active", "deleted"),
    ("Status", "active", "tobedeleted"),
    ("Leaver", "False", "True"),
    ("Withdrawn", "", "2026-10-16"),
    ("Left on", "", "16 Oct 2026"),
    ("Schulabgang", "", "31.07.2026"),
    ("Ausgetreten", "", "31.7.26"),
]
TITLES = [
    ";;\n;Class 4A;\n;;\nForename;Known as;Reg\nTheodora;Dora;4A\nEmil;;4A",
    "School of the Hill\n12 Hill Road\nTel. 01234\n\nForename,Surname,Reg\nDora,Ek,4A\nEmil,Alm,4A",
    "Report: Class list\nDate: 27/11/2026\n\nSurname,Forename,Class\nEk,Dora,4A\nAlm,Emil,4A",
    "Klasse 4A;;;2026/27\nNr.;Nachname;Vorname;Klasse\n1;Ek;Dora;4A\n2;Alm;Emil;4A\n"
    "Klassenlehrer: Frau Berg;;;",
    "Legal First,Legal Last,Pref First,Pref Last,Homeroom\nTheodora,Ek,Dora,Ek,4A\nEmil,Alm,,,4A",
    'Legal Name,Nickname,Class\n"Ek, Theodora",Dora,4A\n"Alm, Emil",Emil,4A',
    "Pupil;Set;Tutor group\nDora;Maths 1;4A\nEmil;Maths 2;4A",
    "Name;Year;Class\nDora;4;A\nEmil;4;A",
    "4A\nDora\nEmil",
    "Teacher;Name;Class\nMs Berg;Dora;4A\nMs Berg;Emil;4A",
    "School name;First name;Class name\nHill;Dora;4A\nHill;Emil;4A",
    "Voorn.;Tussenv.;Achtern.;Groep\nDora;van;Ek;4A\nEmil;;Alm;4A",
    "Familienname;Rufname;Vornamen;Kl.\nEk;Dora;Theodora Maria;4A\nAlm;Emil;Emil Otto;4A",
    'Namn (efternamn, förnamn);Klass\n"Ek, Dora";4A\n"Alm, Emil";4A',
    "Tijdstempel,Voornaam van uw kind,Achternaam van uw kind,Groep\n1,Dora,Ek,4A\n2,Emil,Alm,4A",
    "Zeitstempel,Vorname Ihres Kindes,Klasse\n1,Dora,4A\n2,Emil,4A",
    "Horodateur,Prénom de votre enfant,Nom de votre enfant,Classe\n1,Dora,Ek,4A\n2,Emil,Alm,4A",
    "Tidstämpel,Ditt barns förnamn,Barnets klass\n1,Dora,4A\n2,Emil,4A",
]
SIGNS = {
    "Do\u2060ra": "Dora", "\u2066Dora\u2069": "Dora", "Dora\u202f": "Dora", "Dora\u3000": "Dora",
    "Zoe\u0308": "Zoë", "Ĳsbrand": "IJsbrand", "Anne–Marie": "Anne-Marie",
    "Anne−Marie": "Anne-Marie", "Anne﹣Marie": "Anne-Marie", "O`Neill": "O’Neill",
    "O´Neill": "O’Neill", "O‘Neill": "O’Neill", "Nguye\u0302\u0303n": "Nguyễn",
    "Dora\ufe0f": "Dora",
}  # fmt: skip
LETTERS = {
    "cp1252": "Chloé Nuño Anne–Marie O’Neill", "mac_roman": "Åke Örjan Chloé Aïcha",
    "cp850": "Chloé Zoë", "cp1250": "Łukasz Grażyna Tomáš", "cp1254": "Ayşe Çağla Gül",
    "cp852": "Tomáš Jiří", "cp1253": "Μαρία Νίκος", "cp1251": "Ольга Иван", "cp866": "Ольга Иван",
}  # fmt: skip


@for_each(NO_PUPILS)
def test_a_row_that_is_not_a_pupils_is_passed_over(row: str) -> None:
    assert classes(HEAD + row) == BOTH


@for_each(HEADINGS)
def test_a_heading_is_recognised_whatever_is_beside_it(first: str, last: str, group: str) -> None:
    head = ";".join(f'"{text}"' if "\n" in text else text for text in (first, last, group))
    assert classes(f"{head}\nDora;Ek;4A\nEmil;Alm;4A") == BOTH


@for_each(NAMES)
def test_the_given_name_is_found_beside_particles(cell: str) -> None:
    assert classes(f'Naam;Klas\n"{cell}";4A\n"Bos, Noor";4A') == {"4A": [NAMES[cell], "Noor"]}


@for_each(LEFT)
def test_a_leaver_is_passed_over(heading: str, here: str, value_of_leaver: str) -> None:
    list_ = f"Name;{heading};Class\nDora;{here};4A\nEmil;{here};4A\nGus;{value_of_leaver};4A"
    assert classes(list_) == BOTH


@for_each(TITLES)
def test_headings_are_found_in_any_place(list_: str) -> None:
    assert classes(list_) == BOTH


@for_each(SIGNS)
def test_a_lookalike_character_is_read_as_the_usual_one(name: str) -> None:
    assert classes(f"Name;Class\n{name};4A\nEmil;4A") == {"4A": [SIGNS[name], "Emil"]}


@for_each(LETTERS)
def test_old_letters_are_read_as_names(encoding: str) -> None:
    names = LETTERS[encoding].split()
    data = "\n".join(["Name;Class", *(f"{name};4A" for name in names)]).encode(encoding)
    assert [pupil.name for pupil in read(data).pupils] == [n.replace("–", "-") for n in names]


def test_a_letter_has_names_between_its_greeting_and_its_end() -> None:
    letter = "Hi Bob,\n\nhere is the list:\n\nDora\nEmil\nFay\n\nRegards,\nAlice\nHill School"
    assert classes(letter) == {"": ["Dora", "Emil", "Fay"]}


def test_headings_below_classes_are_not_pupils() -> None:
    assert classes("Groep 4A;Groep 4B\nNaam;Naam\nDora;Fay\nEmil;") == {
        "Groep 4A": ["Dora", "Emil"],
        "Groep 4B": ["Fay"],
    }


@for_each(
    ["First name;Last name\nDora;Ek\nEmil;Alm\nTotal;2", "Name;Class\nDora;4A\nEmil;4A\nSum;2"]
)
def test_a_total_in_full_rows_is_not_a_pupil(list_: str) -> None:
    assert [pupil.name for pupil in read(list_).pupils] == ["Dora", "Emil"]


def test_a_zip_of_workbooks_has_a_class_in_each() -> None:
    parts = {
        "4A.xlsx": excel([["Name"], ["Dora"], ["Emil"]]),
        "4B.xlsx": excel([["Name"], ["Fay"]]),
    }
    assert classes(zip_of(parts)) == {**BOTH, "4B": ["Fay"]}


def test_ambiguous_old_cyrillic_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="encoding"):
        read("Имя;Класс\nОльга;4A\nИван;4A".encode("iso8859_5"))


@for_each(["Finn\tBerg", "\tFinn Berg", "3. Finn\tBerg"])
def test_a_single_tab_in_a_list_of_whole_names_is_a_space(line: str) -> None:
    (names,) = classes(f"1. Dora Ek\n2. Emil Alm\n{line}\nVos, Gus").values()
    assert names == ["Dora Ek", "Emil Alm", "Finn Berg", "Gus"]


@for_each(["Finn\tGus", "Finn Berg\tGus Vos", "Class\tTeacher"])
def test_an_ambiguous_tab_makes_the_page_ask(line: str) -> None:
    others = "Dora\nEmil" if line == "Finn\tGus" else "Dora Ek\nEmil Alm"
    sheet = read(f"{others}\n{line}")
    assert not sheet.columns.is_sure
