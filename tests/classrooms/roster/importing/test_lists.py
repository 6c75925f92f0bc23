"""Lists that people really brought, by kind. Each is read as its teacher means it, or the page
asks."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Any

import pytest
from openpyxl import Workbook

from classrooms.child_names import check_name, tidy
from classrooms.roster.importing.encodings import UnreadableFile
from classrooms.roster.importing.file_process import read_file
from classrooms.roster.importing.pupils import LEFT as HAS_LEFT
from tests.classrooms.roster.importing.lists import (
    TODAY,
    Listed,
    classes,
    excel,
    parts_of,
    random_list,
    read,
    saved,
    zip_of,
)
from tests.counts import for_each, times

NO_PUPILS = {
    "maxima": 'Student,ID,Section\n    Points Possible,,\n"Ek, Dora",1,4A\n"Alm, Emil",2,4A',
    "a pupil of tests": 'Student,ID,Group\n"Ek, Dora",1,4A\n"Alm, Emil",2,4A\n"Student, Test",9,4A',
    "a demo account": "Voornaam;Achternaam;Klas\nDora;Ek;4A\nEmil;Alm;4A\nTest;Leerling 1;4A",
    "sums": "Vorname;Nachname;Klasse\nDora;Ek;4A\nEmil;Alm;4A\nSumme: 2;;",
    "a title and a footer": "Klasslista 4A 2026;;\n;;\nFörnamn;Efternamn;Klass\nDora;Ek;4A\n"
    "Emil;Alm;4A\nUtskriven 2026-11-27;;",
    "the heading on each page": "Prénom;Nom;Classe\nDora;Ek;4A\nPrénom;Nom;Classe\nEmil;Alm;4A",
    "empty rows": "Name;Class\nDora;4A\n" + ";\n" * 50_000 + "Emil;4A\n",
    "the best and the worst": "Name;Class;Maths\nDora;4A;1\nEmil;4A;2\nHighest;;2\nLowest;;1",
    "averages of marks": "Name;Class;Maths\nDora;4A;1\nEmil;4A;2\nMean;;1.5",
    "sums of numbers alone": "Nom;Prénom;Classe\nEk;Dora;4A\nAlm;Emil;4A\nTotal élèves;2;",
    "dates and points": "Last name,First name,Class,Quiz\nDate,,,2026-11-01\nEk,Dora,4A,9\n"
    "Alm,Emil,4A,8\nClass average,,,8.5",
    "a sentence": "Vorname;Nachname;Klasse\nDora;Ek;4A\nEmil;Alm;4A\nNur für die Schule;;",
    "a number of records": "First name;Last name;Class\nDora;Ek;4A\nEmil;Alm;4A\n2 records;;",
    "maxima in Dutch": 'Student,ID,Section\n    Mogelijke punten,,\n"Ek, Dora",1,4A\n'
    '"Alm, Emil",2,4A',
    "accounts of tests": "Name;Class\nTestschüler 1;4A\nDora;4A\nTest Test;4A\nEmil;4A\n"
    "Test1 Pupil1;4A",
    "lines of signs": "| Name | Class |\n|------|-------|\n| Dora | 4A |\n| Emil | 4A |",
    "a teacher in brackets": "Naam;Groep\nAlice (leerkracht);4A\nDora;4A\nEmil;4A",
    "an organiser": "Name,Class,Role\nAlice,4A,Organizer\nDora,4A,Attendee\nEmil,4A,Attendee",
    "a sum in one word": "Vorname,Nachname,Klasse,Test (Punkte)\nDora,Ek,4A,1\nEmil,Alm,4A,2\n"
    "Gesamtdurchschnitt,,,1.5",
    "who prints and when": "Vorname;Nachname;Klasse\nDora;Ek;4A\nEmil;Alm;4A\n"
    "München, 27.11.2026;;\nUnterschrift: ________;;\n© The program 2026;;",
    "an address": "Roepnaam;Klas\nDora;4A\nEmil;4A\nwww.school.example;",
    "filters": "Name;Class\nDora;4A\nEmil;4A\n;\nApplied filters:;\nStatus is Active;\nYear is 4;",
    "a note": "Name*;Class\nDora;4A\nEmil;4A\n* as in the register;",
    "helpers": "Name;Class;Role\nDora;4A;Pupil\nEmil;4A;Guest student\nAlice;4A;SENCO\n"
    "Bob;4A;Head of Year",
    "somebody called Ms": "Name;Class\nMs Ask;4A\nDora;4A\nEmil;4A\nMr Berg;4A",
    "another table": "Name;Class\nDora;4A\nEmil;4A\n;\nTeachers;\nName;Subject\nAsk;Maths",
    "a table of parents": "Name;Class\nDora;4A\nEmil;4A\nName;Phone\nAlice Ek;070-1",
    "sums of marks": "Vorname;Nachname;Klasse;Note\nDora;Ek;4A;2\nEmil;Alm;4A;3\nBeste Note;;;2\n"
    "Notenschnitt;;;2,5",
    "an average in a table without family names": "Naam;Klas;Cijfer\nDora;4A;7\nEmil;4A;8\n"
    "Gemiddeld;;7,5",
    "a number at the end": "Name;Class\nDora;4A\nEmil;4A\n-----;-----\n2;",
    "subtotals": "Name;Class;Points\nDora;4A;1\nEmil;4A;2\nSubtotal 4A;;3\nMaximum score;;9",
    "a part that names the same pupils again": "Participants\nName\tJoined\tE-mail\tClass\n"
    "Dora\t9\td@x.example\t4A\nEmil\t9\te@x.example\t4A\n\nActivities\nName\tJoined\tClass\n"
    "Dora\t9\t4A\nEmil\t9\t4A",
    "a waiting list": "Name;Class\nDora;4A\nEmil;4A\n;\nWaiting list;\nGus;\nHugo;",
    "a title of a job": "Name,Job Title,Class\nDora,Student,4A\nEmil,Student,4A\nAlice,Teacher,",
    "who is present": "Nr;Naam;Klas;Ma;Di\n1;Dora;4A;x;x\n2;Emil;4A;;x\n;Aanwezig;;1;2",
    "a teacher": "Name,Role,Class\nDora,Student,4A\nEmil,Student,4A\nAlice,Teacher,4A",
}


@for_each(NO_PUPILS)
def test_rows_that_are_not_pupils_are_passed_over(kind: str) -> None:
    assert classes(NO_PUPILS[kind]) == {"4A": ["Dora", "Emil"]}


PLAIN_NAMES = {
    "beside each name the same text": "".join(
        f"{name}\nStudent\nMore options\n" for name in ("Dora", "Emil", "Fay")
    ),
    "two letters that are a family name": "Nom Prénom\nLY Dora\nMARTEL Emil\nROUSSEL Fay",
    **{
        f"a title: {title}": f"{title}\nDora\nEmil\nFay"
        for title in (
            *("Leerlingen van groep 5", "Kinderen van juf Alice", "Our class"),
            *("姓名", "Nr. Naam Klas"),
        )
    },
    "commas and a last word": "Dora, Emil and Fay",
    "commas and a Dutch word": "Dora, Emil en Fay",
    "semicolons": "Dora; Emil; Fay",
    "Chinese commas": "Dora、Emil、Fay",
    "slashes": "Dora / Emil / Fay",
    "dots": "Dora • Emil • Fay",
    "letters with dots": "A. Dora\nB. Emil\nC. Fay",
    "letters with brackets": "a) Dora\nb) Emil\nc) Fay",
    "words before all names": "Name\nMr Dora Alm\nMiss Emil Ek\nMr Fay Bos",
    **{
        f"line ends of word processors: {end!r}": end.join(["Name", "Dora", "Emil", "Fay"])
        for end in ("\r", "\x0b", "\u2028", "\x85")
    },
}


@for_each(PLAIN_NAMES)
def test_names_without_columns_are_read(kind: str) -> None:
    names = [pupil.name.split()[0] for pupil in read(PLAIN_NAMES[kind]).pupils]
    assert names == ["Dora", "Emil", "Fay"]


def test_text_repeated_below_many_names_is_passed_over() -> None:
    names = ["Dora", "Emil", "Fay", "Gus", "Hugo"]
    copied = "".join(f"{name}\nMessage\n" for name in names)
    assert [pupil.name for pupil in read(copied).pupils] == names


@pytest.mark.parametrize(
    "value", ["completed cancelled", "left left", "left right", "active former"]
)
def test_a_column_about_other_things_than_attendance_passes_nobody_over(value: str) -> None:
    first, second = value.split()
    list_ = f"Name;Class;Consent\nDora;4A;{first}\nEmil;4A;{second}"
    assert classes(list_) == {"4A": ["Dora", "Emil"]}


def test_children_with_the_same_first_name_are_never_passed_over() -> None:
    names = ["Emma", "Emma", "Emma", "Max", "Noah", "Finn", "Sara"]
    random = Random(4)
    for _ in range(times(200, 5_000)):
        random.shuffle(names)
        of_one = names[: random.randint(3, len(names))]
        assert [pupil.name for pupil in read("\n".join(of_one)).pupils] == of_one
    alternating = ["Noah", "Emma", "Finn", "Emma", "Sara", "Emma"]
    assert [pupil.name for pupil in read("\n".join(alternating)).pupils] == alternating


@for_each(["Amina;;;", "Amina;;;12-03-2017", "Amina;;;104512"])
def test_a_new_pupil_below_the_list_needs_no_family_name(row: str) -> None:
    list_ = f"First name;Last name;Class;Note\nDora;Ek;4A;\nEmil;Alm;4A;\n{row}\nSuharto;;;"
    assert [p.name for p in read(list_).pupils] == ["Dora", "Emil", "Amina", "Suharto"]


@for_each(["Left", "Active"])
def test_a_ticked_box_is_ambiguous_and_passes_nobody_over(heading: str) -> None:
    list_ = f"Name;Class;{heading}\nDora;4A;☒\nEmil;4A;☒"
    assert classes(list_) == {"4A": ["Dora", "Emil"]}


def test_a_name_with_nothing_beside_it_is_not_a_heading() -> None:
    read_ = read("First name;Last name;Class\nDora;Ek;4A\nBaja;;\nEmil;Alm;4A")
    assert "Emil" in [pupil.name for pupil in read_.pupils]


@for_each(["Max", "Page", "Total", "Test", "Nomi", "Summer", "Media"])
def test_a_child_with_a_family_name_is_never_passed_over(name: str) -> None:
    assert classes(f"First name;Last name;Class\n{name};Ek;4A") == {"4A": [name]}


WAYS_TO_WRITE = {
    "spaces after the commas": 'id, name, class\n1, "Ek, Dora", 4A\n2, "Alm, Emil", 4A',
    "texts as formulas": '="Name";="Klas"\n="Dora";="4A"\n="Emil";="4A"',
    "texts as formulas, once more in quotes": '"=""Name""","=""Class"""\n"=""Dora""","=""4A"""\n'
    '"=""Emil""","=""4A"""',
    "a separator within a text as a formula": '="Name",="Class"\n="Ek, Dora",="4A"\n'
    '="Alm, Emil",="4A"',
    "apostrophes before texts": "First name,Class\n'Dora,'4A\n'Emil,'4A",
    "signs about texts that look like quotes": "`First name`,`Class`\n`Dora`,`4A`\n`Emil`,`4A`",
    "apostrophes about texts": "'First name';'Class'\n'Dora';'4A'\n'Emil';'4A'",
    "signs as on a web page": "First name,Class\nD&#111;ra,4A\nE&#x6d;il,4A",
    "signs between that are rare": "Name^Class\nDora^4A\nEmil^4A",
    "another sign between on one line": "Name;Class\nDora;4A\nEmil,4A",
    "each line a text": '"Name,Class"\n"Dora,4A"\n"Emil,4A"',
    "marks of a page beyond its table": "<table><tr><th>Name<th>Class<tr><td>Dora<td>4A"
    "<tr><td>Emil<td>4A<![odd[ ]]></table>",
}


@for_each(WAYS_TO_WRITE)
def test_a_list_is_read_whatever_cells_its_program_writes(kind: str) -> None:
    assert classes(WAYS_TO_WRITE[kind]) == {"4A": ["Dora", "Emil"]}


def test_one_sign_may_belong_to_a_name_or_a_number() -> None:
    assert classes("First name,Class\n'Ofa,4A\nDora,4A") == {"4A": ["'Ofa", "Dora"]}
    assert classes("Name;Tasks turned in\nDora;5/6\nEmil;6/6") == {"": ["Dora", "Emil"]}
    pupils = read("A. Ek\nB. Alm\nD. Bos").pupils
    assert [pupil.name for pupil in pupils] == ["A. Ek", "B. Alm", "D. Bos"]


def test_a_class_extends_to_the_next_only_if_each_is_named_once() -> None:
    assert classes("Class,Name\n4A,Dora\n,Emil\n,Fay\n4B,Gil\n,Ida") == {
        "4A": ["Dora", "Emil", "Fay"],
        "4B": ["Gil", "Ida"],
    }
    assert classes("Class,Name\n4A,Dora\n4A,Emil\n,Fay")[""] == ["Fay"]


def test_columns_of_names_below_class_names_are_classes() -> None:
    assert classes("Groep 5\tGroep 6\nDora\tFay\nEmil\t") == {
        "Groep 5": ["Dora", "Emil"],
        "Groep 6": ["Fay"],
    }
    assert not read("4A;4B\n12;14\n9;8").columns.is_sure


HEAD = ["Name", "Class"]
MARKS: list[list[Any]] = [["First name", "Mark"], ["Dora", 7], ["Emil", 8]]
SHEETS: dict[str, tuple[Any, dict[str, list[str]]]] = {
    "bare names": (
        [[["Dora"], ["Emil"]], [["Fay"], ["Gil"]]],
        {"Sheet": ["Dora", "Emil"], "Sheet1": ["Fay", "Gil"]},
    ),
    "another sheet about other people": (
        [[HEAD, ["Dora", "4A"]], [["Name", "E-mail"], ["Alice", "alice@school.example"]]],
        {"4A": ["Dora"]},
    ),
    "a table in one column": (
        [[["Naam;Klas"], ["Dora;4A"], ["Emil;4A"]]],
        {"4A": ["Dora", "Emil"]},
    ),
    "escapes in a name": (
        [[["First name", "Class"], ["Dora_x000D_", "4A"], ["Emil", "4A"]]],
        {"4A": ["Dora", "Emil"]},
    ),
    "columns in another order": (
        [
            [["Name", "Mark", "End date"], ["Dora", 7, ""], ["Gus", 8, date(2026, 7, 1)]],
            [["End date", "Name"], [date(2027, 7, 1), "Emil"], [date(2026, 7, 1), "Hal"]],
        ],
        {"Sheet": ["Dora"], "Sheet1": ["Emil"]},
    ),
    "sheets of the same form with classes": (
        [[HEAD, ["Dora", "4A"]], [HEAD, ["Emil", "4A"]], [["Key"], ["x"]]],
        {"4A": ["Dora", "Emil"]},
    ),
    "a sheet without new names": ([MARKS, MARKS[:2]], {"": ["Dora", "Emil"]}),
}


@for_each(SHEETS)
def test_the_sheets_of_a_workbook_are_read_together(kind: str) -> None:
    sheets, expected = SHEETS[kind]
    assert classes(excel(*sheets)) == expected


def test_a_sheet_without_headings_beside_a_list_is_named() -> None:
    sheet = read(excel([["Name", "Class"], ["Dora", "4A"]], [["Emil", "4B"], ["Fay", "4B"]]))
    assert sheet.grid.others == ("Sheet1",)


def test_a_sheet_of_leavers_is_passed_over() -> None:
    book = Workbook()
    book.active.title = "Uitgeschreven"
    for sheet, name in ((book.active, "Gus"), (book.create_sheet("4A"), "Dora")):
        for row in (["Naam", "Klas"], [name, "4A"]):
            sheet.append(row)
    assert classes(saved(book)) == {"4A": ["Dora"]}


def test_a_workbook_with_nothing_but_headings_is_empty() -> None:
    with pytest.raises(UnreadableFile, match="empty"):
        read(excel([["Name", "Class"]], [["Name", "Class"]]))


@pytest.mark.parametrize(
    "name", ["Rama s/o Sounak", "Siti d/o Ali", "Kumar a/l Raj", "Mei A/P Tan"]
)
def test_son_of_and_similar_words_keep_their_slash(name: str) -> None:
    assert check_name(name) is None
    assert check_name("Dora/Emil") is not None


HEADINGS = {
    "required": "First Name [Required],Last Name [Required],Class\nDora,Ek,4A",
    "stars": "Voornaam*;Achternaam*;Klas*\nDora;Ek;4A",
    "in brackets": "Vorname (Rufname);Nachname (Geburtsname);Klasse (aktuell)\nDora;Ek;4A",
    "two languages": "Voornaam / First name;Achternaam / Last name;Klas / Class\nDora;Ek;4A",
    "preferred before legal": "Legal Forename,Preferred Forename,Legal Surname,Reg Group\n"
    "Theodora,Dora,Ek,4A",
    "legal where nothing is preferred": "Preferred name,First name,Last name,Form\n,Dora,Ek,4A",
    "many points": "Naam;Klas;Toets 1;Toets 2;Toets 3;Toets 4\nDora;4A;1;2;3;4",
    "capitals": "FÖRNAMN;EFTERNAMN;KLASS\nDora;Ek;4A",
    "under a score": "first_name,last_name,class_name\nDora,Ek,4A",
    "Polish": "Imię;Nazwisko;Oddział\nDora;Ek;4A",
    "Turkish": "ADI;SOYADI;SINIFI\nDora;Ek;4A",
    "Greek": "Όνομα;Επώνυμο;Τμήμα\nDora;Ek;4A",
    "of the pupil": "Nom de l'élève;Prénom de l’élève;Classe de l'élève\nEk;Dora;4A",
    "of children": "Voornaam kind;Achternaam kind;Groep kind\nDora;Ek;4A",
    "joined words": "StudentFirstName,StudentLastName,HomeRoom\nDora,Ek,4A",
    "with dots": "student.lastName,student.alias,student.firstName,student.group\n"
    "Ek,Dora,Theodora,4A",
    "chosen before legal": "Forename,Chosen Forename,Surname,Reg\nTheodora,Dora,Ek,4A",
    "parents before children": "Parent first name,First name,Parent last name,Last name,Class\n"
    "Alice,Dora,Berg,Ek,4A",
    "fathers": "Lp.;Nazwisko;Imię;Imię ojca;Imię matki;Klasa\n1;Ek;Dora;Jan;Anna;4A",
    "both in one": "Förnamn Efternamn;Klass\nDora;4A",
    "a name to log in": "Login name;Name;Class\nd.ek;Dora;4A",
    "in charge": "Prénom du responsable;Prénom;Nom;Classe\nAlice;Dora;Ek;4A",
    "the class of now": "Naam;Oude groep;Nieuwe groep\nDora;3A;4A",
    "former names": "Previous surname,Surname,First name,Class\nBerg,Ek,Dora,4A",
    "two rows": "Pupil;;Class\nFirst name;Last name;Name\nDora;Ek;4A",
    "two rows with parents": "Leerling;;;Ouder;\nRoepnaam;Achternaam;Groep;Roepnaam;Achternaam\n"
    "Dora;Ek;4A;Alice;Berg",
    "a key called name": "name\tlongName\tforeName\tklasse.name\nEkDor\tEk\tDora\t4A",
    "two languages beside one another": "Voornaam First name;Achternaam | Surname;Klas Class\n"
    "Dora;Ek;4A",
    "two rows of two languages": "Nom;Prénom;Classe\nName;Vorname;Klasse\nEk;Dora;4A",
    "two rows, some of them merged": "Schüler;;Klasse\nVorname;Nachname\nDora;Ek;4A",
    "the whole name is preferred": "Legal Surname,Legal Forename,Preferred Name,Reg Group\n"
    "van Dam,Theodora,Dora van Dam,4A",
    "a day beside names in two": "Nachname, Vorname\tgeb.\tKlasse\nEk, Dora\t12.03.2016\t4A",
    "a quiz": "Rank,Player,Class,Score\n1,Dora,4A,900",
    "the name that is preferred": "Pupil_Forename,Pupil_Preferred,Pupil_Surname,Form\n"
    "Theodora,Dora,Ek,4A",
    "Catalan": 'Cognoms i nom;Grup\n"Ek, Dora";4A',
    "Welsh": "Enw cyntaf;Cyfenw;Dosbarth\nDora;Ek;4A",
    "Serbian": "Презиме;Име;Одељење\nEk;Dora;4A",
    "Arabic": "الاسم;الصف\nDora;4A",
    "Chinese": "班级,姓名,学号\n4A,Dora,1",
    "spaces after a sign": "Name,  Class\nDora,  4A",
    "a space after a comma": "Name, Class\nDora, 4A",
    "spaces after commas": "Vorname, Nachname, Klasse\nDora, Ek, 4A",
    "spaces between": "Name         Class\nDora         4A",
    "an unknown heading above classes": "Vorname;Nachname;Kürzel\nDora;Ek;4A",
}


@for_each(HEADINGS)
def test_headings_are_recognised_by_their_words(kind: str) -> None:
    assert classes(HEADINGS[kind]) == {"4A": ["Dora"]}


@pytest.mark.parametrize("list_", ["AJ Ek", "DORA EK", "Dora E", "مريم علي", "Dora B."])
def test_without_a_family_name_in_capitals_a_name_stays_whole(list_: str) -> None:
    assert [(p.name, p.family) for p in read(f"Name\n{list_}").pupils] == [(list_, "")]


CLASSES_IN_TWO = {
    "Cognome;Nome;Classe;Sezione\nEk;Dora;4;A\nAlm;Emil;4;B": "4A 4B",
    "Nazwisko;Imię;Klasa;Oddział\nEk;Dora;4;a\nAlm;Emil;5;a": "4a 5a",
    "Name;Vorname;Jahrgang;Klasse\nEk;Dora;4;a\nAlm;Emil;4;b": "4a 4b",
    "Επώνυμο;Όνομα;Τάξη;Τμήμα\nEk;Dora;Δ;1\nAlm;Emil;Δ;2": "Δ1 Δ2",
    "Nom;Prénom;Niveau;Classe\nEk;Dora;CM1;A\nAlm;Emil;CM2;A": "CM1-A CM2-A",
    "First name,Last name,Year,Form\nDora,Ek,4,4A\nEmil,Alm,4,4B": "4A 4B",
    "First name,Last name,Year,Form\nDora,Ek,4,Owls\nEmil,Alm,4,Foxes": "Foxes Owls",
    "Vorname;Klasse;Gruppe\nDora;4a;A\nEmil;4b;A": "4a 4b",
}


@for_each(CLASSES_IN_TWO)
def test_a_class_in_two_columns_is_one(list_: str) -> None:
    named = sorted(name.replace(" ", "-") for name in classes(list_))
    assert named == CLASSES_IN_TWO[list_].split()


CLASS_ABOVE = {
    "titles": "4A\nDora\n4B\nEmil",
    "titles with a colon": "4A:\nDora\n\n4B:\nEmil",
    "titles in a table": "4A;\nNaam;Achternaam\nDora;Ek\n4B;\nNaam;Achternaam\nEmil;Alm\n",
    "titles and sums": "Name;Points\n4A;\nDora;1\nTotal;1\n4B;\nEmil;2\nTotal;2",
    "each with headings and a name": "Owls;\nName;Family name\nDora;Ek\nFoxes;\nName;Family name\n"
    "Emil;Alm",
    "each with headings and a teacher": "Class: 4A;;Ms Ask\nName;Family name;Age\nDora;Ek;9\n"
    "Class: 4B;;Mr Berg\nName;Family name;Age\nEmil;Alm;9",
    "titles of several cells": "Klasse;4A;\nNachname;Vorname;Alter\nEk;Dora;9\nKlasse;4B;\n"
    "Nachname;Vorname;Alter\nAlm;Emil;9",
    "titles with a year": "Klasslista 4A 2026;\nFörnamn;Efternamn\nDora;Ek\nKlasslista 4B 2026;\n"
    "Förnamn;Efternamn\nEmil;Alm",
    "titles in the only column": "Year 4 Owls\nName\nDora\nYear 4 Foxes\nName\nEmil",
    "a title of the school too": "The school;\nOwls;\nName;Family name\nDora;Ek\nFoxes;\n"
    "Name;Family name\nEmil;Alm",
    "a letter": "Hello, here is the list of my class:\nClass: 4A\nDora\nRegards, Alice\n\n"
    "Class: 4B\nEmil",
    "once for several": "Klas;Naam\n4A;Dora\n;Finn\n4B;Emil\n;Gus",
}


@for_each(CLASS_ABOVE)
def test_a_class_named_above_its_pupils_is_theirs(kind: str) -> None:
    by_class = classes(CLASS_ABOVE[kind])
    assert {name.split()[-1]: names[0] for name, names in by_class.items()} in (
        {"4A": "Dora", "4B": "Emil"},
        {"Owls": "Dora", "Foxes": "Emil"},
    )


NICKNAMES = {
    "Theodora 'Dora' Ek": "Dora Ek",
    '"Ek, Theodora (Dora)"': "Dora",
    "Theodora “Dora” Ek": "Dora Ek",
    "Theodora (Dora) Ek": "Dora Ek",
    '"Ek, Theodora Anna (Dora)"': "Dora",
    '"Ek, Dora (New)"': "Dora",
    "Dora – new": "Dora",
    '"Ek, Dora (glasses)"': "Dora (glasses)",
    "Dora (Ek)": "Dora (Ek)",
    "Dora (E.)": "Dora (E.)",
    '"Ek, Dora (E)"': "Dora (E)",
    '"Ek, Dora (Ek)"': "Dora (Ek)",
}


@for_each(NICKNAMES)
def test_a_child_goes_by_the_nickname_beside_the_name(name: str) -> None:
    assert [pupil.name for pupil in read(f"Name\n{name}").pupils] == [NICKNAMES[name]]


@for_each(
    [
        ("Dora 06-12345678", "06-12345678"),
        ("Dora (8)", "8"),
        ("Dora 12 maart", "12 maart"),
        ("Dora Ek (4A)", "4A"),
        ("Dora 4A", "4A"),
        ("a) Dora", ""),
        ("☐ Dora", ""),
        ("No. 3 Dora", ""),
        ("#3 Dora", ""),
        ("Dora <dora@school.example>", ""),
        ("\uf0b7 Dora", ""),
        ("o Dora", ""),
        ("① Dora", ""),
        ("1️⃣ Dora", ""),
        ("1- Dora", ""),
        ("1、Dora", ""),
        ("Dora 30/11", "30/11"),
        ("Dora (°12/03/2017)", "12/03/2017"),
        ("12-3 Dora", "12-3"),
        ("12 maart: Dora", "12 maart"),
        ("Dora (groep 5)", "groep 5"),
    ]
)
def test_text_beside_a_name_is_not_part_of_it(line: str, aside: str) -> None:
    pupils = read(f"{line}\nEmil").pupils
    assert [p.name.split()[0] for p in pupils] == ["Dora", "Emil"]
    assert pupils[0].extra == aside


def test_names_copied_with_mail_addresses_are_separated() -> None:
    line = "Ek, Dora <d@x.example>; Alm, Emil <e@x.example>; Bos, Fay <f@x.example>"
    assert [p.family for p in read(line).pupils] == ["Ek", "Alm", "Bos"]
    lines = '"Ek, Dora" <d@x.example>;\nEmil Alm <e@x.example>\nFay <f@x.example>'
    assert [p.name for p in read(lines).pupils] == ["Dora", "Emil Alm", "Fay"]


@pytest.mark.parametrize(
    "names",
    ["Anne Isa Mama Ema", "Klas Nomi May", "Data Kind Far", "Fin Max Mart", "Via Viv Ivi"],
)
def test_names_that_are_also_words_of_lists_stay_names(names: str) -> None:
    rows = "".join(f"{name};Ek\n" for name in names.split())
    assert [p.name for p in read(f"First name;Last name\n{rows}").pupils] == names.split()


def test_without_a_preferred_name_the_family_name_is_never_used() -> None:
    read_ = read("Roepnaam;Naam;Klas\nDora;Ek;4A\n;Alm;4A").pupils
    assert [(pupil.name, pupil.family) for pupil in read_] == [("Dora", "Ek"), ("", "Alm")]


@for_each(
    [
        ('Naam\n"Velde, Dora van der"', "van der Velde"),
        ('Name\n"Berg, Dora von"', "von Berg"),
        ('Naam\n"\'t Hart, Dora"', "'t Hart"),
        ('Nombre y apellidos\n"Ek Alm, Dora de la"', "de la Ek Alm"),
        ('Naam\n"Velde, van der, Dora"', "van der Velde"),
        ('Naam\n"Velde, Dora, van der"', "van der Velde"),
        ('Naam\n"Velde, T.M. (Dora) van der"', "van der Velde"),
        ('Naam\n"Velde, Dora van Der"', "van Der Velde"),
        ('Naam\n"Camp, Dora op den"', "op den Camp"),
        ("Roepnaam;Leerling\nDora;Ek, Theodora", "Ek"),
        ("Voornaam;Naam\nDora;Dora van Dam", "van Dam"),
        ("Preferred name,Student name\nDora,Theodora EK-ALM", "EK-ALM"),
        ("Nom et prénom\nLE GALL Dora", "LE GALL"),
        ("Élève\nDora MARTEL", "MARTEL"),
    ]
)
def test_a_whole_name_has_the_family_name_with_its_particle(list_: str, family: str) -> None:
    assert [(p.name, p.family) for p in read(list_).pupils] == [("Dora", family)]


@for_each(
    [
        "Dora;Ek\nEmil;Alm",
        "Ek;Dora;4A\nAlm;Emil;4A",
        "Anrop;Släkt\nDora;Ek\nEmil;Alm",
        "Achternaam;Klas\nEk;4A",
        "Nr;Naam;Nr;Naam\n1;Dora;3;Finn\n2;Emil;4;Gus",
        "First name;Last name;First name;Last name\nDora;Ek;Alice;Berg",
        "Kind 1;Kind 2\nDora;Emil",
        "Name;;Class\nEk;Dora;4A\nAlm;Emil;4A",
        "Name;Dora;Emil\nClass;4A;4A",
        "Naam;Groep 25/26;Groep 26/27\nDora;4;5\nEmil;4;5",
        "Naam,Klas\nEk, Dora,4A\nAlm, Emil,4A",
        "Parent name;E-mail\nAlice Berg;a@school.example",
        "Name;Team\n" + "".join(f"Child x{n};{('Owls', 'Foxes')[n % 2]}\n" for n in range(8)),
    ]
)
def test_several_columns_without_a_known_name_make_the_page_ask(list_: str) -> None:
    assert not read(list_).columns.is_sure


@for_each(
    [
        "1;Dora\n2;Emil",
        "Dora\nEmil\t4A",
        "Dora;4A;12-03-2017\nEmil;4B;01-04-2017",
        "Dora;dora@school.example\nEmil;emil@school.example",
    ]
)
def test_one_column_that_can_hold_names_is_not_asked_about(list_: str) -> None:
    sheet = read(list_)
    assert sheet.columns.is_sure
    assert [pupil.name for pupil in sheet.pupils] == ["Dora", "Emil"]


@pytest.mark.parametrize(
    ("end", "today", "is_there"),
    [
        ("29-02-2028", date(2028, 2, 29), True),
        ("29-02-2028", date(2028, 3, 1), False),
        ("29/02/2028", date(2029, 2, 28), False),
        ("2/29/2028", date(2028, 2, 28), True),
        ("29-02-2027", date(2028, 2, 29), True),  # not a day
    ],
)
def test_the_29th_of_february_exists_in_some_years(end: str, today: date, is_there: bool) -> None:
    data = f"Name;Class;End date\nDora;4A;\nEmil;4A;{end}".encode()
    assert len(read_file(data, today).pupils) == 1 + is_there


LEFT = {
    "a status": "Name;Class;Status\nDora;4A;Active\nGus;4A;Left",
    "an account switched off": "Name;Class;Enabled\nDora;4A;true\nGus;4A;false",
    "a day in the past": "Naam;Klas;Datum uit\nDora;4A;\nGus;4A;16-10-2026",
    "a day to come": "Vorname;Klasse;Eintrittsdatum\nDora;4A;01.08.2026\nGus;4A;01.08.2027",
    "a day in words": "Nom;Classe;Date de sortie\nDora;4A;1 août 2027\nGus;4A;15 oct. 2026",
    "a day without signs": "Name;Class;EndDate\nDora;4A;20270701\nGus;4A;20261016",
    "a short year": "Naam;Klas;Einddatum\nDora;4A;01-07-27\nGus;4A;16-10-26",
    "an American day": "Name;Class;Exit Date\nDora;4A;07/01/2027\nGus;4A;10/16/2026",
    "an abbreviation": "Nombre;Grupo;F. Baja\nDora;4A;\nGus;4A;10/10/2026",
    "a yes": "Name;Class;Leaver\nDora;4A;No\nGus;4A;Yes",
    "a cross": "Vorname;Klasse;Abgemeldet\nDora;4A;\nGus;4A;x",
    "a status with a day": "Naam;Klas;Status\nDora;4A;Actief\nGus;4A;Vertrokken per 1-10-2026",
    "a remark": "Naam;Klas\nDora;4A\nGus (vertrokken);4A",
    "a remark after a dash": "Name;Klasse\nDora;4A\nGus - abgemeldet;4A",
    "suspended": "First Name,Last Name,Suspended\nDora,Ek,False\nGus,Alm,True",
    "not on roll": "Forename;Surname;On Roll\nDora;Ek;Yes\nGus;Alm;No",
    "a number of a status": "First_Name,Last_Name,Enroll_Status\nDora,Ek,0\nGus,Alm,2",
    "not yet a pupil": "Naam;Klas;Status\nDora;4A;Ingeschreven\nGus;4A;Vooraanmelding",
    "a day in a sentence": "Name;Class;Left on\nDora;4A;\nGus;4A;Tue 1er de septiembre de 2026",
    "a number of a day": "Name;Class;Leaving date\nDora;4A;46600\nGus;4A;46266",
    "a month": "Naam;Klas;Einddatum\nDora;4A;juli 2027\nGus;4A;07/2026",
    "a remark in a column": "Name;Class;Remarks\nDora;4A;left handed\nGus;4A;left on 1 Oct 2026",
    "a word in capitals": "Dora\nGus LEFT",
    "from and until": "Name;Klasse;von;bis\nDora;4A;01.08.2026;31.07.2027\n"
    "Gus;4A;01.08.2025;31.07.2026",
    "a moment": "First name;Last name;Deleted at\nDora;Ek;\nGus;Alm;2026-09-01T10:00:00Z",
    "another class": "Dora\nGus - moved to 4B",
    "not active today": "student.lastName,student.firstName,student.activeToday\n"
    "Ek,Dora,1\nAlm,Gus,0",
    "a status under an unknown heading": "Name;Class;Enrolled as\nDora;4A;active\nGus;4A;withdrawn",
    "a reason": "Name;Class;Exit reason\nDora;4A;\nGus;4A;Moved to another school",
    "signs": "Name;Class;Active\nDora;4A;✓\nGus;4A;✗",
    "a place until": "Namn;Klass;Placering t.o.m.\nDora;4A;2027-06-10\nGus;4A;2026-06-10",
    "Italian": "Cognome;Nome;Stato\nEk;Dora;Frequentante\nAlm;Gus;Ritirata",
    "Polish": "Imię;Oddział;Status ucznia\nDora;4A;aktywny\nGus;4A;skreślony",
}


@for_each(LEFT)
def test_leavers_and_future_pupils_are_passed_over(kind: str) -> None:
    sheet = read(LEFT[kind])
    assert [pupil.name for pupil in sheet.pupils] == ["Dora"]
    assert [[row.reason for row in rows] for rows in sheet.passed.values()] == [[HAS_LEFT]]


# Workbooks


def test_hidden_rows_are_counted_but_not_read() -> None:
    sheet = read(excel([["Name"], ["Dora"], ["Gus"], ["Emil"]], hidden_rows=[3]))
    assert [pupil.name for pupil in sheet.pupils] == ["Dora", "Emil"]
    assert sheet.grid.hidden == 1


def test_a_hidden_column_is_not_read() -> None:
    book = Workbook()
    for row in (["Legal name", "First name", "Class"], ["Theodora", "Dora", "4A"]):
        book.active.append(row)
    book.active.column_dimensions["A"].hidden = True
    assert classes(saved(book)) == {"4A": ["Dora"]}


def test_a_part_in_utf_16_is_read() -> None:
    parts = parts_of(excel([["Name", "Class"], ["Dora", "4A"]]))
    sheet = "xl/worksheets/sheet1.xml"
    text = '<?xml version="1.0" encoding="UTF-16"?>' + parts[sheet].decode()
    assert classes(zip_of(parts | {sheet: text.encode("utf-16")})) == {"4A": ["Dora"]}


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_sheet_with_the_list_is_found(place: int) -> None:
    cover: Sequence[Sequence[Any]] = [
        ["This document was exported from Numbers"],
        ["", "Sheet", "Table"],
    ]
    sheets: list[Sequence[Sequence[Any]]] = [cover, cover, cover]
    sheets[place] = [["Name", "Class"], ["Dora", "4A"]]
    assert classes(excel(*sheets)) == {"4A": ["Dora"]}


def test_the_sheet_with_most_headings_is_the_list_and_others_are_named() -> None:
    cover = [["Name of school", "The school"], ["Name", "Contact"], ["Alice", "1"]]
    sheet = read(excel(cover, [["First name", "Last name"], ["Dora", "Ek"]]))
    assert [pupil.name for pupil in sheet.pupils] == ["Dora"]
    assert sheet.grid.others == ("Sheet",)


@pytest.mark.parametrize("head", [[["Name"]], []])
def test_sheets_of_the_same_form_are_classes(head: list[list[str]]) -> None:
    data = excel([*head, ["Dora"], ["Finn"]], [*head, ["Emil"]])
    assert classes(data) == {"Sheet": ["Dora", "Finn"], "Sheet1": ["Emil"]}


def test_first_and_family_names_may_be_in_another_order_on_each_sheet() -> None:
    first = [["First name", "Last name"], ["Dora", "Ek"]]
    second = [["Last name", "First name"], ["Alm", "Emil"]]
    pupils = read(excel(first, second)).pupils
    assert [pupil.whole_name for pupil in pupils] == ["Dora Ek", "Emil Alm"]


def test_cells_without_height_or_width_are_hidden() -> None:
    book = Workbook()
    for row in (["Legal name", "First name"], ["Theodora", "Dora"], ["Gus", "Gus"]):
        book.active.append(row)
    book.active.column_dimensions["A"].width = 20
    book.active.row_dimensions[3].height = 20
    parts = parts_of(saved(book))
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b'width="20"', b'width="0"')
    parts[sheet] = parts[sheet].replace(b'ht="20"', b'ht="0"')
    assert [pupil.name for pupil in read(zip_of(parts)).pupils] == ["Dora"]


@pytest.mark.parametrize("names", ["Dora\nEmil", "Dora\nEmil\nFinn", "Dora, Emil, Finn"])
def test_several_names_in_a_cell_are_not_one_name(names: str) -> None:
    (pupil,) = read(excel([["Class", "Names"], ["4A", names]])).pupils
    assert check_name(pupil.name) is not None


def test_parts_with_backslashes_or_in_capitals_are_found() -> None:
    parts = parts_of(excel([["Name", "Class"], ["Dora", "4A"]]))
    backwards = zip_of({name.replace("/", "\\"): data for name, data in parts.items()})
    assert classes(backwards) == {"4A": ["Dora"]}
    shouted = {name.replace("sheet1", "SHEET1"): data for name, data in parts.items()}
    assert classes(zip_of(shouted)) == {"4A": ["Dora"]}


def test_a_strict_workbook_is_read() -> None:
    parts = parts_of(excel([["Name", "Class"], ["Dora", "4A"]]))
    strict = {
        name: data.replace(
            b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        ).replace(
            b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        )
        for name, data in parts.items()
    }
    assert classes(zip_of(strict)) == {"4A": ["Dora"]}


def test_a_formula_without_a_result_matters_in_a_used_column() -> None:
    rows = [["Name", "Class", "Age"], ["Dora", "4A", "=2026-2016"]]
    assert classes(excel(rows)) == {"4A": ["Dora"]}
    with pytest.raises(UnreadableFile, match="not computed"):
        read(excel([["Name"], ["=A1"]]))


PAGE = """<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head>
<meta http-equiv=Content-Type content="text/html; charset=windows-1252"><style>td{}</style></head>
<table><col width=64><col width=0 style='display:none'>
<tr><td colspan=3>Klassenliste</td></tr><tr><td>Vorname<td>Rufname</td><td>Klasse</td></tr>
<tr><td>J&ouml;rg</td><td>x</td><td rowspan=3>4A</td></tr>
<tr style='display:none'><td>Gus</td><td>x</td></tr>
<tr><td><b>Käthe</b><td>x</table></html>"""
XML = """<?xml version="1.0"?><Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Worksheet ss:Name="Old"><Table><Row><Cell><Data>Name</Data></Cell></Row><Row><Cell><Data>Gus</Data>
</Cell></Row></Table><WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet>
<Worksheet ss:Name="4A"><Table><Column/><Column ss:Hidden="1"/>
<Row ss:Index="3"><Cell><Data ss:Type="String">Vorname</Data></Cell><Cell><Data>Rufname</Data>
</Cell><Cell><Data>Klasse</Data></Cell></Row>
<Row><Cell><Data>Jörg</Data><Comment><Data>late</Data></Comment></Cell><Cell ss:Index="3"><Data>4A
</Data></Cell></Row><Row ss:Hidden="1"><Cell><Data>Gus</Data></Cell></Row>
<Row><Cell><Data>Käthe</Data></Cell><Cell ss:Index="3"><Data>4A</Data></Cell></Row></Table>
</Worksheet></Workbook>"""
CALC = """<?xml version="1.0"?><office:document-content><style:style style:name="t2">
<style:table-properties table:display="false"/></style:style>
<table:table table:name="Old" table:style-name="t2"><table:table-row><table:table-cell><text:p>Name
</text:p></table:table-cell></table:table-row></table:table>
<table:table table:name="4A"><table:table-column/><table:table-column table:visibility="collapse"/>
<table:table-row><table:table-cell><text:p>Vorname</text:p></table:table-cell><table:table-cell>
<text:p>Rufname</text:p></table:table-cell><table:table-cell><text:p>Klasse</text:p>
</table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>Jörg<office:annotation><text:p>late</text:p>
</office:annotation></text:p></table:table-cell><table:table-cell/><table:table-cell><text:p>4A</text:p>
</table:table-cell></table:table-row>
<table:table-row table:visibility="filter"><table:table-cell><text:p>Gus</text:p></table:table-cell>
</table:table-row>
<table:table-row><table:table-cell><text:p>Käthe</text:p></table:table-cell><table:table-cell
 table:number-columns-repeated="1"/><table:table-cell><text:p>4A</text:p></table:table-cell>
</table:table-row><table:table-row table:number-rows-repeated="1048570"><table:table-cell
 table:number-columns-repeated="1024"/></table:table-row></table:table></office:document-content>"""


# Spreadsheets of other kinds that Excel opens.


@pytest.mark.parametrize(
    "data",
    [
        PAGE.encode("cp1252"),
        XML.encode(),
        XML.encode("utf-16"),
        zip_of({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": CALC}),
    ],
    ids=["a web page", "XML", "XML in UTF-16", "OpenDocument"],
)
def test_the_visible_cells_are_read(data: bytes) -> None:
    assert classes(data) == {"4A": ["Jörg", "Käthe"]}
    assert read(data).grid.hidden == 1


def test_the_table_with_the_list_is_found() -> None:
    list_ = "<table><tr><th>First name<th>Class<tr><td>Zoë<td>4A</table>"
    page = f"<!doctype html><table><tr><td>School<td>{list_}</table><table><tr><td>1</table>"
    assert classes(page) == {"4A": ["Zoë"]}


def test_a_page_that_asks_for_a_password_is_not_a_list() -> None:
    page = "<html><table><tr><td>User<td><input><tr><td>Password<td><input type='password'>"
    with pytest.raises(UnreadableFile, match="not a list"):
        read(page)


def test_xml_of_another_program_is_not_a_list() -> None:
    with pytest.raises(UnreadableFile, match="not a list"):
        read("<?xml version='1.0'?><EDEX><leerling><roepnaam>Dora</roepnaam></leerling></EDEX>")


def test_a_spreadsheet_with_a_password_says_so() -> None:
    manifest = "<manifest:encryption-data/>"
    with pytest.raises(UnreadableFile, match="password"):
        read(zip_of({"content.xml": b"\1\2", "META-INF/manifest.xml": manifest}))


# Zips


@pytest.mark.parametrize("name", ["4A.csv", "lists/4A.csv"])
def test_files_that_a_mac_adds_are_ignored(name: str) -> None:
    parts: dict[str, str | bytes] = {name: "Name\nDora", "__MACOSX/._4A.csv": b"\0\5\x16"}
    assert classes(zip_of(parts)) == {"": ["Dora"]}


def test_several_files_of_a_zip_are_several_classes() -> None:
    book = excel([HEAD, ["Gil", "4C"]])
    parts = {"4A.csv": "Name\nDora\nEmil", "4B.csv": "Name\nFay"}
    assert classes(zip_of(parts)) == {"4A": ["Dora", "Emil"], "4B": ["Fay"]}
    assert classes(zip_of({"names.xlsx": book})) == {"4C": ["Gil"]}


def test_nested_zips_are_not_opened_for_ever() -> None:
    inner = zip_of({"a.zip": zip_of({"b.zip": zip_of({"names.csv": "Name\nDora"})})})
    with pytest.raises(UnreadableFile):
        read(inner)


ACCENTS = {
    "Swedish of a Mac": ("Name;Klass\rBjörn;4A\rTove;4A\rÅsa;4A\r", "mac_roman"),
    "German of a Mac": ("Vorname;Nachname\rJörg;Müller\rSönke;Böhm\r", "mac_roman"),
    "French of Windows": ("Prénom;Nom\nChloé;Lefèvre\nInès;Gérard\n", "cp1252"),
    "Polish of Windows": ("Imię;Nazwisko\nŁukasz;Wójcik\nMałgorzata;Zając\n", "cp1250"),
    "Turkish of Windows": ("Adı;Soyadı\nÇağla;Yıldız\nAyşe;Şahin\n", "cp1254"),
    "Latvian of Windows": ("Vārds;Uzvārds\nJānis;Bērziņš\nKārlis;Ozoliņš\n", "cp1257"),
    "Dutch of an old program": ("Naam\nZoë\nDaniël\nChloé\nLoïs\n", "cp850"),
    "Hungarian of Unix": ("Név\nGergő\nZsófia\nÁgnes\nLászló\n", "iso8859_2"),
    "Icelandic of a Mac": ("Nafn\rÞórður\rÆgir\rGuðrún\r", "mac_iceland"),
    "Arabic of Windows": ("الاسم\nمريم\nعلي\nفاطمة\n", "cp1256"),
    "Greek of DOS": ("Όνομα\nΓιώργος\nΜαρία\nΕλένη\n", "cp737"),
    "Thai of Windows": ("ชื่อ;นามสกุล\nสมชาย;ใจดี\nณัฐพล;ศรีสุข\nกัญญา;ทองคำ\n", "cp874"),
    "Thai of one child": ("ชื่อ\nวีระ\n", "cp874"),
    "Thai of long names": ("ชื่อ\nกิตติศักดิ์\nพิมพ์ชนก\nเบญจมาศ\nอภิสิทธิ์\n", "cp874"),
    "Hebrew of Windows": ("שם\nנועה\nאיתי\nמיכל\n", "cp1255"),
    "Spanish of Windows": ("Nombre;Unidad\nDora;4ºA\nEmil;4ºB\n", "cp1252"),
    "Spanish of a Mac": ("Nombre;Unidad\nÍñigo;4ºA\nDora;4ºA\n", "mac_roman"),
    "Turkish with a dot": ("Adı;Soyadı\nİlayda;Ak\nÜmit;Su\nYiğit;Ok\n", "cp1254"),
    "Hungarian of Windows": ("Név\nJenő\nGergő\n", "cp1250"),
    "marks of Windows": ("Name;Fee\nDora;5€\nEmil;–\nZoë;“paid”\n", "cp1252"),
    "Russian of an old program": ("Имя\nСергей\nОльга\nДмитрий\n", "koi8_u"),
}


@for_each(ACCENTS)
def test_the_encoding_is_the_one_that_makes_names(kind: str) -> None:
    text, encoding = ACCENTS[kind]
    names = [re.split(r"[;]", line)[0] for line in text.split()[1:]]
    sheet = read(text.encode(encoding))
    assert [pupil.name for pupil in sheet.pupils] == names


@pytest.mark.parametrize("taken_for", ["latin-1", "cp1252", "mac_roman"])
def test_doubly_encoded_letters_are_read(taken_for: str) -> None:
    text = "Name\nZoë\nBjörn\nÉmilie\n".encode().decode(taken_for)
    assert [pupil.name for pupil in read(text).pupils] == ["Zoë", "Björn", "Émilie"]


@pytest.mark.parametrize("encoding", ["gbk", "shift_jis", "big5"])
def test_a_file_in_an_unknown_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(UnreadableFile, match="encoding"):
        read("名前\n王小明\n山田太郎\n".encode(encoding))


def test_if_two_readings_are_likely_the_other_is_one_tap_away() -> None:
    sheet = read("Klas;Naam\n5A;Raúl\n5A;Noor".encode("mac_roman"))
    readings = {words: encoding for encoding, words in sheet.readings}
    assert {"Raúl", "Raśl"} <= set(readings)
    other = sheet.in_encoding(readings["Raúl"])
    assert [pupil.name for pupil in other.pupils] == ["Raúl", "Noor"]
    assert other.in_encoding(sheet.grid.source).pupils == sheet.pupils


SIGNS = {
    "Do\u200bra": "Dora", "\u200fDora": "Dora", "\u202aDora\u202c": "Dora", "Do\u00adra": "Dora",
    "\u2060Dora": "Dora", "So\ufb01a": "Sofia", "Anne\u2010Marie": "Anne-Marie",
    "Anne\u2011Marie": "Anne-Marie", "Ｄｏｒａ": "Dora", "D\u02bcArcy": "D’Arcy",
    "\ufeffDora": "Dora", "می\u200cنا": "می\u200cنا", "\ufee3\ufeaeﻳﻢ": "مريم",
}  # fmt: skip


@for_each(SIGNS)
def test_invisible_characters_are_dropped_and_lookalikes_replaced(
    name: str,
) -> None:
    assert [pupil.name for pupil in read(f"Name\n{name}\n").pupils] == [SIGNS[name]]


def one_roster(separator: str = ",", **files: str) -> bytes:
    texts = {
        "users": "sourcedId,status,enabledUser,givenName,familyName\nu1,active,true,Dora,Ek\n"
        "u2,active,false,Gus,Alm\nu3,active,true,Emil,Alm\nu4,inactive,true,Hugo,Ask\n",
        "classes": "sourcedId,title,classType\nc1,Maths,scheduled\nc2,4A,homeroom\n",
        "enrollments": "classSourcedId,userSourcedId,role,beginDate,endDate\n"
        "c1,u1,student,,\nc2,u1,student,2026-08-01,2027-07-01\nc2,u2,student,,\n"
        "c2,u3,student,2026-08-01,2026-10-01\nc2,u4,student,,\n",
    } | files
    return zip_of({f"{n}.csv": text.replace(",", separator) for n, text in texts.items()})


# Bundles


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_pupils_enrolled_today_are_read_home_groups_first(separator: str) -> None:
    data = one_roster(separator)
    assert list(classes(data).items()) == [("4A", ["Dora"]), ("Maths", ["Dora"])]
    assert read(data).grid.left == 3


@pytest.mark.parametrize(
    "files",
    [
        {
            "students": "Student_id,Last_name,First_name\nu1,Ek,Dora",
            "sections": "Section_id,Name\nc1,4A",
            "enrollments": "Section_id,Student_id\nc1,u1",
            "teachers": "Teacher_id\nt1",
        },
        {
            "students": "person_id,first_name,last_name\nu1,Dora,Ek",
            "classes": "class_id,class_number\nc1,4A",
            "rosters": "roster_id,class_id,student_id\nr1,c1,u1",
        },
    ],
    ids=["Clever", "Apple School Manager"],
)
def test_bundles_of_other_systems_are_read(files: dict[str, str]) -> None:
    assert classes(zip_of({f"{n}.csv": text for n, text in files.items()})) == {"4A": ["Dora"]}


@pytest.mark.parametrize(("ended", "names"), [("2026-07-31", ["4A"]), ("", ["3A", "4A"])])
def test_classes_of_past_terms_are_passed_over(ended: str, names: list[str]) -> None:
    data = one_roster(
        academicSessions=f"sourcedId,endDate\nt0,{ended}\nt1,2027-07-31\n",
        classes="sourcedId,title,termSourcedIds\nc1,3A,t0\nc2,4A,t1\n",
    )
    assert sorted(classes(data)) == names


def test_the_case_of_column_names_does_not_matter() -> None:
    users = "SOURCEDID,GIVENNAME,FamilyName\nu1,Dora,Ek\n"
    assert classes(one_roster(users=users))["4A"] == ["Dora"]


def test_if_all_terms_are_past_all_classes_are_read() -> None:
    titles = "sourcedId,title,termSourcedIds\nc1,3A,t0\nc2,4A,t0\n"
    terms = "sourcedId,endDate\nt0,2026-07-31\n"
    assert sorted(classes(one_roster(academicSessions=terms, classes=titles))) == ["3A", "4A"]


def test_school_data_sync_is_read() -> None:
    data = zip_of(
        {
            "School.csv": "SIS ID,Name\ns,School\n",
            "Section.csv": "SIS ID,School SIS ID,Section Name\nc1,s,4A\n",
            "Student.csv": "SIS ID,School SIS ID,Username,First Name,Last Name\nu1,s,d,Dora,Ek",
            "StudentEnrollment.csv": "Section SIS ID,SIS ID\nc1,u1\n",
            "Teacher.csv": "SIS ID,School SIS ID,Username\nt1,s,alice\n",
        }
    )
    assert classes(data) == {"4A": ["Dora"]}


@pytest.mark.parametrize(
    ("users", "classes_", "enrollments"),
    [
        (
            "sourcedId,status,dateLastModified,enabledUser,username,givenName,familyName,"
            "preferredGivenName,preferredFamilyName\nu1,,,true,d,Theodora,Ek,Dora,\n"
            "u2,,,true,e,Emil,Alm,,",
            "sourcedId,status,dateLastModified,title,grades,classType\nc1,,,4A,04,homeroom",
            "sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,"
            "role,primary,beginDate,endDate\ne1,,,c1,s,u1,student,,,\ne2,,,c1,s,u2,student,,,\n"
            "e3,,,c1,s,t1,teacher,true,,",
        ),
        (
            "sourcedId,username,givenName,familyName,password,email\nu1,d,Dora,Ek,,\n"
            "u2,e,Emil,Alm,,\nt1,t,Alice,Berg,,",
            "sourcedId,orgSourcedId,title,sessionSourcedIds\nc1,s,4A,",
            "classSourcedId,userSourcedId,role\nc1,u1,student\nc1,u2,student\nc1,t1,teacher",
        ),
        (
            "sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,"
            "givenName,familyName\nu1,active,,TRUE,s,student,d,Dora,Ek\n"
            "u2,active,,1,s,student,e,Emil,Alm\nu3,tobedeleted,,1,s,student,g,Gus,Ek",
            "sourcedId,status,title,classType\nc1,active,4A,homeroom\nc2,tobedeleted,4Z,",
            "sourcedId,status,classSourcedId,userSourcedId,role\ne1,active,c1,u1,student\n"
            "e2,active,c1,u2,student\ne3,active,c1,u3,student\ne4,active,c2,u1,student",
        ),
    ],
    ids=["OneRoster 1.2", "School Data Sync 2.1", "OneRoster 1.1"],
)
def test_each_version_is_read(users: str, classes_: str, enrollments: str) -> None:
    data = one_roster(users=users, classes=classes_, enrollments=enrollments)
    assert classes(data) == {"4A": ["Dora", "Emil"]}


def test_a_school_of_six_hundred_with_nine_enrolments_each_is_read() -> None:
    pupils, groups = 600, 9
    users = "sourcedId,givenName\n" + "".join(f"u{n},Dora {n}\n" for n in range(pupils))
    titles = "sourcedId,title,classType\n" + "".join(
        f"h{n},{n}A,homeroom\n" + "".join(f"h{n}s{g},{n}A {g},scheduled\n" for g in range(1, 9))
        for n in range(24)
    )
    enrolled = "".join(
        f"h{n % 24}{f's{g}' if g else ''},u{n},student\n"
        for n in range(pupils)
        for g in range(groups)
    )
    sheet = read(
        one_roster(
            users=users,
            classes=titles,
            enrollments="classSourcedId,userSourcedId,role\n" + enrolled,
        )
    )
    assert len(sheet.homes) == 24
    assert [count for _name, count in sheet.groups()[:24]] == [25] * 24
    assert len(sheet.groups()) == 24 * groups


# Every pupil on a list is found under the right name, whatever made the list


LISTS = times(300, 5_000)
WITHOUT_A_QUESTION = 0.97


def result(listed: Listed) -> str:
    """The result of the list: "right", "asks", or what was read wrongly without asking."""
    try:
        sheet = read_file(listed.data, TODAY)
    except UnreadableFile as problem:
        return f"asks: {problem}"
    if not sheet.columns.is_sure or sheet.grid.rivals:
        return "asks"
    names = [(pupil.name, pupil.family) for pupil in sheet.pupils]
    meant = [(given, "" if listed.alone else family) for given, family in listed.pupils]
    if names != [(tidy(given), tidy(family)) for given, family in meant]:
        return f"wrong: {set(names) - set(meant)} for {set(meant) - set(names)}"
    return "right"


def test_no_name_is_wrong_nobody_is_lost_and_few_lists_ask() -> None:
    random = Random(40)
    results: Counter[str] = Counter()
    wrong = []
    for number in range(LISTS):
        listed = random_list(random)
        became = result(listed)
        results[became.partition(":")[0]] += 1
        if became.startswith("wrong"):
            wrong.append((number, listed.words, became))
    print(dict(results))
    assert wrong == []
    assert results["right"] >= WITHOUT_A_QUESTION * LISTS, results
