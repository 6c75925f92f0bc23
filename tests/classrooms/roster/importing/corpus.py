"""Real and malformed lists, each with its expected result."""

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tests.classrooms.roster.importing.lists import excel, zip_of

NAMES: Final = ("Zoë", "Jürgen", "Åsa", "José")
LIST: Final = "\n".join(NAMES)
TABLE: Final = "First name;Last name\nZoë;Bakker\nJürgen;Groß\n"


@dataclass(frozen=True, slots=True)
class File:
    """A file and its result: `names` in the class, or an `error` and nobody added, or `wrong` lines
    in the preview and nobody added."""

    name: str
    data: bytes
    names: tuple[str, ...] = ()
    error: str = ""
    wrong: Mapping[int, str] = field(default_factory=dict)
    choose: str | None = None  # the class chosen in the preview
    called: str = ""  # the file name of the upload


def right(
    name: str, data: str | bytes, *names: str, choose: str | None = None, called: str = ""
) -> File:
    return File(name, _bytes(data), names=names, choose=choose, called=called)


def refusal(name: str, data: str | bytes, error: str, called: str = "") -> File:
    return File(name, _bytes(data), error=error, called=called)


def to_mend(name: str, data: str | bytes, wrong: Mapping[int, str]) -> File:
    return File(name, _bytes(data), wrong=wrong)


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data


def bundle(**files: str) -> bytes:
    return zip_of({f"{name}.csv": text for name, text in files.items()})


USERS: Final = (
    '"sourcedId","status","dateLastModified","enabledUser","username","userIds","givenName",'
    '"familyName","middleName","identifier","email","sms","phone","agentSourcedIds","grades",'
    '"password","userMasterIdentifier","resourceId","preferredGivenName"\n'
    '"u1","","","true","zb","","Zoë","Bakker","","","","","","","","","","",""\n'
    '"u2","","","true","eb","","Emma","Bakker","","","","","","","","","","",""\n'
    '"u3","","","true","ev","","Emma","Visser","","","","","","","","","","",""\n'
    '"u4","","","true","rd","","Robert","Dam","","","","","","","","","","","Rob"\n'
    '"u5","","","true","tt","","Tess","Teacher","","","","","","","","","","",""\n'
    '"u6","tobedeleted","","true","gg","","Gone","Gone","","","","","","","","","","",""\n'
)
CLASSES: Final = (
    "sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType\n"
    "c1,,,5B,,,5b,homeroom\nc2,,,6A,,,6a,homeroom\nc3,,,5B,,,5b-sport,scheduled\n"
)
ENROLLED: Final = (
    "sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role\n"
    "e1,,,c1,s,u1,student\ne2,,,c1,s,u2,student\ne3,,,c1,s,u3,student\ne4,,,c2,s,u4,student\n"
    "e5,,,c1,s,u5,teacher\ne6,,,c1,s,u6,student\ne7,tobedeleted,,c2,s,u1,student\n"
    "e8,,,c3,s,u1,student\ne9,,,c1,s,u1,student\n"
)


def one_roster(**changes: str) -> bytes:
    files = {"users": USERS, "classes": CLASSES, "enrollments": ENROLLED} | changes
    return bundle(manifest="propertyName,value\noneroster.version,1.2\n", **files)


def bomb() -> bytes:
    """A zip of a few kB that unpacks to more than 8 MB."""
    return one_roster(users=USERS + "x" * 9_000_000)


def lying(packed: bytes) -> bytes:
    """The packed file, with headers that state small sizes."""
    data = bytearray(packed)
    for mark, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        begin = 0
        while (begin := data.find(mark, begin)) >= 0:
            data[begin + at : begin + at + 4] = (500).to_bytes(4, "little")
            begin += 4
    return bytes(data)


def bomb_of_cells() -> bytes:
    """A workbook with 9 MB of empty content in its sheet."""
    nothing = " " * 9_000_000 + "</sheetData>"
    return changed(excel(CHILDREN), sheet1=("</sheetData>", nothing))


def picture() -> bytes:
    """A PNG of one white pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + kind + data + check

    head = (1).to_bytes(4, "big") * 2 + b"\x08\x00\x00\x00\x00"
    pixel = zlib.compress(b"\x00\xff")
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


PDF: Final = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"


def broken_zip() -> bytes:
    data = bytearray(one_roster())
    data[60:90] = b"\xff" * 30
    return bytes(data)


def zip_with(part: str) -> bytes:
    return zip_of({part: "<x/>"})


CHILDREN: Final = (("Name", "Class"), ("Dora", 4), ("Emil", 4))


def changed(data: bytes, **parts: tuple[str, str]) -> bytes:
    """The workbook with a text in its sheet or list of strings replaced."""
    to = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(to, "w", 8) as target:
        for name in source.namelist():
            text = source.read(name)
            for key, (before, after) in parts.items():
                if key in name:
                    assert before.encode() in text
                    text = text.replace(before.encode(), after.encode())
            target.writestr(name, text)
    return to.getvalue()


def with_macros() -> bytes:
    to = io.BytesIO(
        changed(
            excel(CHILDREN),
            Content=(
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
                "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
            ),
        )
    )
    with zipfile.ZipFile(to, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0Sub Auto_Open()")
    return to.getvalue()


def far_cells() -> bytes:
    """A child in the last of a million rows."""
    return changed(excel(CHILDREN), sheet1=('r="3"', 'r="1048576"'))


def formula(result: str) -> bytes:
    """A name that is a formula, with this stored result."""
    sheet = excel([("Name",), ("Dora",), ("=HYPERLINK(1)",)])
    kind = ' t="str"' if result else ""
    return changed(
        sheet,
        sheet1=(
            '<c r="A3"><f>HYPERLINK(1)</f><v></v></c>',
            f'<c r="A3"{kind}><f>HYPERLINK(1)</f>{result}</c>',
        ),
    )


def rows(count: int) -> str:
    return "\n".join(f"Child {number}" for number in range(count))


ENCODED: Final = [
    right("utf-8", LIST, *NAMES),
    right("utf-8 with its mark", "\ufeff" + LIST, *NAMES),
    *(
        right(name, LIST.encode(name), *NAMES)
        for name in ("utf-16", "utf-32", "cp1252", "iso8859_15", "utf-16-le", "utf-16-be")
    ),
    right("utf-16-be with its mark", b"\xfe\xff" + LIST.encode("utf-16-be"), *NAMES),
    right("cp1251", "Сергей\nАнастасия\nЕкатерина\nВладимир".encode("cp1251"),
          "Сергей", "Анастасия", "Екатерина", "Владимир"),
    right("cp1250", "Łukasz\nGrażyna\nMałgorzata\nPaweł".encode("cp1250"),
          "Łukasz", "Grażyna", "Małgorzata", "Paweł"),
    right("cp850", LIST.encode("cp850"), *NAMES),
    right("Mac Roman", LIST.encode("mac_roman"), *NAMES),
    right("mixed", "Zoë\n".encode() + "Jürgen\nRenée".encode("cp1252"), "Zoë", "Jürgen", "Renée"),
    right("mixed the other way", "Åsa\nBjörn\n".encode("cp1252") + "Zoë".encode(),
          "Åsa", "Björn", "Zoë"),
    refusal("nul", "Dora\nEm\0il", "Line 2: This is not a plain text file"),
    refusal("nul with a mark", "\ufeffDora\n\nEm\0il", "Line 3: This is not a plain text file"),
    refusal("half a sign of utf-16", b"\xff\xfeD\0o", "cannot be read"),
    refusal("noise", bytes(range(1, 256)) * 3, ""),
]  # fmt: skip
SEPARATED: Final = [
    *(
        right(f"separated by {name}", TABLE.replace(";", sign), "Zoë", "Jürgen")
        for name, sign in (("comma", ","), ("semicolon", ";"), ("tab", "\t"), ("bar", "|"))
    ),
    right("excel says how", "sep=;\nVoornaam;Klas\nDora;5B\nEmil;5B", "Dora", "Emil"),
    right("old mac line ends", "Dora\rEmil\rFay", "Dora", "Emil", "Fay"),
    right("windows line ends", "Dora\r\n\r\nEmil\r\n", "Dora", "Emil"),
    right("quoted", '"Name"\n"Dora"\n"Emil"\n', "Dora", "Emil"),
    to_mend("quoted with a line break", 'Name,Class\n"Dora\nEmil",5B\nFay,5B', {2: "contains “/”"}),
    right("no heading", "Dora;Bakker;12\nEmil;Visser;13", "Dora", "Emil"),
    right("numbers first", "1;Dora;f\n2;Emil;m", "Dora", "Emil"),
    right("mail first", "d@x.nl,Dora\ne@x.nl,Emil", "Dora", "Emil"),
    right("Dutch", "Leerlingnummer;Roepnaam;Achternaam\n7;Dora;Bos\n8;Emil;Vos", "Dora", "Emil"),
    right("German", "Nachname;Vorname;Klasse\nGroß;Jörg;4a\nMüller;Änne;4a", "Jörg", "Änne"),
    right("Swedish", "Förnamn;Efternamn;Klass\nÅsa;Ek;4\nÖrjan;Alm;4", "Åsa", "Örjan"),
    right("full names", "Name\nDora Bakker\nEmil Visser", "Dora Bakker", "Emil Visser"),
    right("last name first", 'Naam;Klas\n"Bakker, Dora";5B\nVisser, Emil;5B', "Dora", "Emil"),
    right("ragged", "Name;Points\nDora\nEmil;5;x;y", "Dora", "Emil"),
    right("rows of nothing", "Name;Class\n;\nDora;5B\n ; \n", "Dora"),
    right("wide", "Name" + ";x" * 300 + "\nDora" + ";y" * 300, "Dora"),
    right("one class of two", "Name;Class\nDora;5B\nFinn;6A\nEmil;5B", "Dora", "Emil", choose="5B"),
    right("a register", '"Smith, Ann";4A\n"Jones, Bob";4A', "Ann", "Bob"),
    right("a register with commas", '"Smith, Ann",4A\n"Jones, Bob",4A', "Ann", "Bob"),
    right("a register without quotes", "Smith, Ann;4A\nJones, Bob;4A", "Ann", "Bob"),
    right("last names first, nothing else", "Smith, Ann\n\nJones, Bob\n", "Ann", "Bob"),
    right("last names first, alike", "Bos, Emma\nVos, Emma", "Emma B.", "Emma V."),
    right("a comma before a number", "Ann, 12\nBob, 13", "Ann", "Bob"),
    right("a register of two classes", '"Smith, Ann";4A\n"Jones, Bob";4B', "Ann", choose="4A"),
    right("class first", "4A;Ann;Smith\n4A;Bob;Jones", "Ann", "Bob"),
    right("German register", '"Name, Vorname";Klasse\n"Smith, Ann";4A', "Ann"),
    right("the other way round", '"Vorname, Nachname";Klasse\n"Ann, Smith";4A', "Ann"),
    right("two headings and a comma", "Vorname, Nachname\nAnn, Smith\nBob, Jones", "Ann", "Bob"),
    right("Name beside Vorname", "Name;Vorname\nBos;Emma\nVos;Emma", "Emma B.", "Emma V."),
    right("the whole name beside the first", "Name;Vorname\nEmma Bos;Emma\nDora Vos;Dora",
          "Emma", "Dora"),
    right("bullets", "• Ann\n- Bob\n* Finn", "Ann", "Bob", "Finn"),
    right("numbers", "1. Ann\n2) Bob\n3 Finn\n(4) Gus", "Ann", "Bob", "Finn", "Gus"),
    right("numbers in a register", "Name;Class\n1. Ann;4A\n2. Bob;4A", "Ann", "Bob"),
    right("one line", "Ann, Bob, Finn", "Ann", "Bob", "Finn"),
    right("one line with semicolons", "Ann;Bob;Finn;\n", "Ann", "Bob", "Finn"),
    right("sixty on one line", ", ".join(f"Child x{n}" for n in range(60)),
          *(f"Child x{n}" for n in range(60))),
    right("one child of a register", "Emil;Visser;5B", "Emil"),
    refusal("a quote not closed", 'Name\nDora\n"Emil\nFay', "Line 3: A quotation mark"),
    refusal("a quote within", 'Name;Class\n"Do"ra;5B', "Line 2: A quotation mark"),
    to_mend("a lone quote", 'Name\nDo"ra\nEmil', {2: "contains “\"”"}),
    to_mend("a very long line", "Name\nDora\n" + "x" * 200_000, {3: "too long"}),
    refusal("over 1 MB", "Dora\n" + "y" * 1_000_001, "larger than 1 MB"),
    to_mend("a long name", "Name\nDora\n" + "x" * 41, {3: "too long"}),
]  # fmt: skip
NAMED: Final = [
    right("right to left", "Name\nمحمد\nנועה\nDora", "محمد", "נועה", "Dora"),
    right("combining", "Zoe\u0308\nA\u030asa", "Zoë", "Åsa"),
    right("devanagari with a joiner", "क्\u200dष\nदीपा", "क्\u200dष", "दीपा"),
    right("apostrophes", "D’Arcy\nO'Neil\nAnne-Marie", "D’Arcy", "O'Neil", "Anne-Marie"),
    right("alike, told apart", "First name,Surname\nEmma,Bakker\nEmma,Visser\nDora,Bos",
          "Emma B.", "Emma V.", "Dora"),
    right("alike in two letters", "Voornaam,Achternaam\nEmma,Bakker\nEmma,Bos", "Emma Ba.",
          "Emma Bo."),
    to_mend("alike without more", "Emma\nDora\nEMMA", {3: "also on line 1"}),
    to_mend("alike to the last letter", "Voornaam,Achternaam\nEmma,Bos\nEmma,Bos",
            {3: "also on line 2"}),
    to_mend("alike but for an accent's way", "Zoë\nZoe\u0308", {2: "also on line 1"}),
    right("in the class already", "Name\nFAY\nDora", "Dora"),
    *(
        to_mend(f"formula {sign}", f"Name\nDora\n{sign}1+1", {3: "“"})
        for sign in ("=", "+", "-", "@")
    ),
    to_mend("a formula that calls", 'Name\n"=HYPERLINK(""http://x"",""Dora"")"', {2: "contains"}),
    to_mend("minus and letters", "Name\n-Dora\nEmil", {2: "begins with “-”"}),
    to_mend("a hidden turn of direction", "Name\nDora\u202egnp\nEmil", {2: "contains"}),
    to_mend("markup", "Name\n<b>Dora</b>\nEmil", {2: "contains “<”"}),
    to_mend("an emoji", "Name\nDora 🦊\nEmil", {2: "contains"}),
    right("dates beside names", "Dora 12.03.2016\nEmil 2016-03-12\n3/12/16 Ann\nMaj 2. maj 2016",
          "Dora", "Emil", "Ann", "Maj"),
    right("a date in words", "Name\nDora 12. März 2016\nMarie (geb. 3.4.16)\n1. Jan\n2. Jan-Peter",
          "Dora", "Marie", "Jan", "Jan-Peter"),
    right("a number from a spreadsheet", "Name\nDora 42441\n4711 Emil", "Dora", "Emil"),
    right("a short number tells two apart", "Anna 1\nAnna 2", "Anna 1", "Anna 2"),
    right("a column of dates first", "12. März 2016;Dora\n3. Mai 2016;Emil", "Dora", "Emil"),
    to_mend("only figures", "Name\n12\nDora\nEmil", {2: "not contain any letters"}),
]  # fmt: skip
COUNTED: Final = [
    refusal("nothing", "", ""),
    refusal("only spaces", " \n\t\n", "no names in this list"),
    refusal("a heading alone", "Name;Class\n", "no names in this list"),
    right("500 rows", rows(499), *sorted(rows(499).split("\n"))),
]
BUNDLED: Final = [
    right("OneRoster", one_roster(), "Emma B.", "Emma V.", "Zoë", choose="5B"),
    right("OneRoster, another class", one_roster(), "Rob", choose="6A"),
    right("OneRoster, two of one name", one_roster(), "Zoë", choose="5B (5b-sport)"),
    refusal("a bomb", bomb(), "users.csv: The file contains too much"),
    refusal("a bomb that lies", lying(bomb()), "users.csv: "),
    refusal("a broken zip", broken_zip(), ""),
    refusal("half a zip", one_roster()[:200], "cannot be unpacked"),
    refusal("another zip", zip_with("names.db"), "no users.csv"),
    right(
        "a zip of lists", bundle(names="Name\nDora", others="Name\nEmil"), "Emil", choose="others"
    ),
    refusal(
        "another spreadsheet", zip_with("mimetype"), "This is a spreadsheet", called="names.ods"
    ),
    refusal("a binary workbook", zip_with("xl/workbook.bin"), "a spreadsheet", called="names.xlsb"),
    right(
        "a page called .xls",
        "<html><table><tr><td>Dora</td></tr></table>",
        "Dora",
        called="names.xls",
    ),
    refusal("a page without a table", "<html><h1>Dora</h1>", "a spreadsheet", called="names.xls"),
    refusal(
        "an old workbook",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600,
        "a spreadsheet",
        called="names.xls",
    ),
    refusal(
        "a workbook with a password",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le"),
        "has a password",
        called="names.xlsx",
    ),
    right("a list in a zip", bundle(names="Name;Class\nDora;4A"), "Dora"),
    refusal(
        "a column lacks",
        one_roster(users="sourcedId,name\nu1,Zoë\n"),
        "givenname is missing",
    ),
    refusal("nobody enrolled", one_roster(enrollments=ENROLLED.split("\n")[0]), "No pupil"),
    refusal("a quote in a bundle", one_roster(users=USERS + '"u7'), "users.csv, line 8: "),
    refusal("nul in a bundle", one_roster(classes=CLASSES + "c\0d"), "classes.csv, line 5: "),
    refusal("too many files", bundle(**{f"f{n}": "" for n in range(2_001)}), "cannot be unpacked"),
]
EXCEL: Final = [
    right("Excel", excel(CHILDREN), "Dora", "Emil"),
    right("Excel without headings", excel([["Dora"], ["Emil"]]), "Dora", "Emil"),
    right("Excel in letters of all kinds", excel([[name] for name in NAMES]), *NAMES),
    right("Excel, an empty sheet first", excel([], CHILDREN), "Dora", "Emil"),
    right("Excel, a hidden sheet first", excel([["Gus"]], CHILDREN, hidden=True), "Dora",
          "Emil"),
    right("Excel with empty rows", excel([(), ("Dora",), (None, " "), ("Emil",)]), "Dora",
          "Emil"),
    right("Excel of two classes", excel([("Name", "Klasse"), ("Dora", "5B"), ("Finn", "6A")]),
          "Finn", choose="6A"),
    right("Excel with macros", with_macros(), "Dora", "Emil", called="names.xlsm"),
    right("Excel, a formula with a result", formula("<v>Finn</v>"), "Dora", "Finn"),
    right("Excel, a formula with nothing as its result", formula("<v></v>"), "Dora"),
    refusal("Excel, a formula without a result", formula(""), "formulas without a result"),
    to_mend("Excel, a number for a name", excel([("Name",), ("Dora",), (12,)]),
            {3: "not contain any letters"}),
    to_mend("Excel, an error", excel([("Name",), ("Dora",), ("#N/A",)]), {3: "“#”"}),
    refusal("Excel, empty", excel([]), "no names in this list"),
    refusal("Excel, half of it", excel(CHILDREN)[:2_000], "cannot be unpacked"),
    refusal("Excel, only its name", zip_with("xl/workbook.xml"), "is damaged"),
    right("Excel, a cell far away", far_cells(), "Dora", "Emil"),
    refusal("Excel, a bomb", bomb_of_cells(), "The file contains too much"),
    refusal("Excel, a bomb that lies", lying(bomb_of_cells()), "is damaged"),
    refusal("Excel that lies", lying(excel(CHILDREN)), "is damaged"),
    refusal(
        "Excel, entities",
        changed(excel(CHILDREN), sheet1=("<sheetData", '<!ENTITY a "b"><sheetData')),
        "is damaged",
    ),
]  # fmt: skip
CALLED_OTHERWISE: Final = [
    right("a CSV called .xlsx", TABLE, "Zoë", "Jürgen", called="names.xlsx"),
    right("a CSV without an ending", TABLE, "Zoë", "Jürgen", called="names"),
    right("Excel called .csv", excel(CHILDREN), "Dora", "Emil", called="names.csv"),
    right("Excel called .zip", excel(CHILDREN), "Dora", "Emil", called="names.zip"),
    right("macros called .xlsx", with_macros(), "Dora", "Emil", called="names.xlsx"),
    right("OneRoster called .xlsx", one_roster(), "Rob", choose="6A", called="names.xlsx"),
    refusal("a picture called .xlsx", picture(), "not a list", called="names.xlsx"),
    refusal("a photo called .csv", b"\xff\xd8\xff\xe0" + b"\0\x10JFIF" * 9, "not a list",
            called="names.csv"),
    refusal("a PDF called .xlsx", PDF, "not a list", called="names.xlsx"),
    refusal("a PDF", PDF, "not a list", called="names.pdf"),
    refusal("a text called .xlsx", zip_with("word/document.xml"), "not a list",
            called="names.xlsx"),
    refusal("a letter in RTF", "{\\rtf1 Dora\\par Emil}", "not a list", called="names.rtf"),
    refusal("a gzip called .xlsx", b"\x1f\x8b\x08" + bytes(range(200)), "not a list",
            called="names.xlsx"),
    right("Excel with a path in its name", excel(CHILDREN), "Dora", "Emil",
          called="..\\..\\etc/na mes\u202exslx.exe"),
]  # fmt: skip


def name_files(name: str, files: Sequence[File]) -> list[File]:
    """These files, with this name if they have none of their own."""
    return [file if file.called else replace(file, called=name) for file in files]


FILES: Final = [
    *name_files("names.csv", [*ENCODED, *SEPARATED, *NAMED, *COUNTED]),
    *name_files("names.zip", BUNDLED),
    *name_files("names.xlsx", EXCEL),
    *CALLED_OTHERWISE,
]


def fields_of(page: Any) -> dict[str, Any]:
    """The fields of the preview, unchanged."""
    chosen_list, changes = page.context["chosen"], page.context["changes"]
    columns = chosen_list.sheet.columns
    data: dict[str, Any] = {"sheet": chosen_list.sealed, "do": "add", "language": "nl"}
    data |= {
        role: "" if column is None else str(column)
        for role, column in (
            ("name", columns.name), ("family", columns.family), ("group", columns.group),
        )
    }  # fmt: skip
    data |= {"headed": "on"} if columns.head else {}
    if chosen_list.group is not None:
        data["class"] = chosen_list.group
    for each in changes.classes if changes else ():
        if chosen_list.school_class is None:
            data |= {f"target-{each.number}": each.target, f"seen-{each.number}": each.target}
        else:
            data |= {"seen-1": each.name}
        for line in each.lines_to_ask:
            row = line.pupil.row
            data |= {f"name-{row}": line.name} if line.has_name else {}
            data |= {f"is-{row}": line.answer} if line.could_be else {}
    return data
