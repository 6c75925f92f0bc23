"""Files of less than 100 kB that are made to keep the reader busy. Each repeats an element as often
as the file can hold."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Final

from tests.classrooms.roster.importing.corpus import bundle

UNPACKED: Final = 7_500_000
"""The size of the repeated part. Compressed, it is a thousandth."""
_MAIN: Final = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_RELATION: Final = f'<Relationship Id="{{}}" Type="{_OFFICE}/{{}}" Target="{{}}"/>'
_ROW: Final = '<row r="1"><c r="A1" t="inlineStr"><is><t>Dora</t></is></c></row>'
_SHEET: Final = '<sheet name="S" sheetId="1" r:id="rId1"/>'


def many(text: str, of: int = UNPACKED) -> str:
    return text * (of // len(text.encode()))


def full(name: str, text: str) -> str:
    """An element with the largest possible content."""
    return f"<{name}>{many(text)}</{name}>"


def workbook(
    types: str = "",
    sheets: str = _SHEET,
    beside_sheets: str = "",
    relations: str = "",
    strings: str = "",
    styles: str = "",
    before_rows: str = "",
    rows: str = _ROW,
    after_rows: str = "",
    members: int = 0,
) -> bytes:
    """A workbook with these texts in its parts."""
    override = '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">{override}'
        f'-officedocument.spreadsheetml.sheet.main+xml"/>{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        + _RELATION.format("rId1", "officeDocument", "xl/workbook.xml")
        + "</Relationships>",
        "xl/workbook.xml": f'<workbook {_MAIN} xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets>'
        f"{beside_sheets}</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        + _RELATION.format("rId1", "worksheet", "worksheets/sheet1.xml")
        + _RELATION.format("rId2", "sharedStrings", "sharedStrings.xml")
        + _RELATION.format("rId3", "styles", "styles.xml")
        + f"{relations}</Relationships>",
        "xl/sharedStrings.xml": f"<sst {_MAIN}>{strings}</sst>",
        "xl/styles.xml": f"<styleSheet {_MAIN}>{styles}</styleSheet>",
        "xl/worksheets/sheet1.xml": f"<worksheet {_MAIN}>{before_rows}<sheetData>{rows}"
        f"</sheetData>{after_rows}</worksheet>",
        **{f"{number}": "" for number in range(members)},
    }
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return to.getvalue()


def in_one_row(cells: str) -> bytes:
    return workbook(rows=f'<row r="1">{cells}</row>')


def one_roster(users: str = "", classes: str = "", enrolled: str = "") -> bytes:
    return bundle(
        users=f"sourcedId,givenName,familyName\nu,Dora,Ek\n{users}",
        classes=f"sourcedId,title\nc,5B\n{classes}",
        enrollments=f"classSourcedId,userSourcedId,role\nc,u,student\n{enrolled}",
    )


def text(line: str) -> bytes:
    return many(line, 99_000).encode()


HOSTILE: Final[Mapping[str, Callable[[], bytes]]] = {
    "20 sheets of one part": lambda: workbook(
        sheets=_SHEET * 20, rows=many("<row/>", 3_400_000)
    ),
    "15,000 sheets of one part": lambda: workbook(
        sheets=_SHEET * 15_000, rows=many("<row/>", 3_300_000)
    ),
    "sheet": lambda: workbook(sheets=many(_SHEET)),
    "definedName": lambda: workbook(
        beside_sheets=full("definedNames", '<definedName name="a">A</definedName>')
    ),
    "Override": lambda: workbook(types=many('<Override PartName="/a" ContentType="b"/>')),
    "Default": lambda: workbook(types=many('<Default Extension="a" ContentType="b"/>')),
    "Relationship": lambda: workbook(relations=many('<Relationship Id="x" Type="y" Target="z"/>')),
    "si, empty": lambda: workbook(strings=many("<si/>")),
    "si": lambda: workbook(strings=many("<si><t>a</t></si>")),
    "r": lambda: workbook(strings=full("si", "<r/>")),
    "r with a text": lambda: workbook(strings=full("si", "<r><t>a</t></r>")),
    "cellXfs": lambda: workbook(styles=full("cellXfs", '<xf numFmtId="14"/>')),
    "numFmt": lambda: workbook(
        styles=full("numFmts", '<numFmt numFmtId="1" formatCode="[[[["/>')
    ),
    "a long format": lambda: workbook(
        styles='<numFmts><numFmt numFmtId="7" formatCode="' + many("[") + '"/></numFmts><cellXfs>'
        + '<xf numFmtId="7"/>' * 5_000 + "</cellXfs>"
    ),
    "col": lambda: workbook(
        before_rows=full("cols", '<col min="1" max="16384" hidden="1"/>')
    ),
    "row": lambda: workbook(rows=many("<row/>")),
    "row, far away": lambda: workbook(rows=many('<row r="99999999999"/>')),
    "c": lambda: in_one_row(many("<c/>")),
    "c with a text": lambda: in_one_row(many('<c t="inlineStr"><is><t>A</t></is></c>')),
    "c, far away": lambda: in_one_row(many('<c r="ZZZZZZZ1"><v>1</v></c>')),
    "c within c": lambda: in_one_row("<c>" * 900_000 + "</c>" * 900_000),
    "v": lambda: in_one_row(full("c", "<v>1</v>")),
    "digits": lambda: in_one_row(f"<c><v>{many('9')}</v></c>"),
    "long numbers": lambda: in_one_row(many(f"<c><v>{'9' * 4_000}</v></c>")),
    "a large number": lambda: in_one_row("<c><v>1e308</v></c><c><v>-1e-5000</v></c>"),
    "f": lambda: in_one_row(full("c", "<f>A1</f>")),
    "f that does not end": lambda: in_one_row("<c><f>" + many(" ")),
    "attributes": lambda: workbook(
        rows="<row" + "".join(f' a{n}="1"' for n in range(30_000)) + "/>"
    ),
    "mergeCell": lambda: workbook(
        after_rows=full("mergeCells", '<mergeCell ref="A1:B2"/>')
    ),
    "members": lambda: workbook(members=700),
    "users": lambda: one_roster(users=many("u,Dora,Ek\n")),
    "classes": lambda: one_roster(classes=many("c,5B\n")),
    "enrolments": lambda: one_roster(enrolled=many("c,u,student\n")),
    "all three": lambda: one_roster(
        many("u,Dora,Ek\n"), many("c,5B\n"), many("c,u,student\n")
    ),
    "columns of users": lambda: one_roster(users=many("," * 9_999 + "\n")),
    "one line of users": lambda: one_roster(users=many(",")),
    "lines within a quote": lambda: one_roster(users=f'"{many("a" + chr(10))}"'),
    "no utf-8": lambda: bundle(
        users="sourcedId,givenName\nu,Dora\n", enrollments="", classes=many("é\x81 a\n")
    ),
    "empty lines": lambda: text("\n"),
    "names": lambda: text("Dora\n"),
    "columns": lambda: text("Dora" + "," * 300 + "\n"),
    "one line of cells": lambda: text(","),
    "quotes": lambda: text('"'),
    "quotes and commas": lambda: text('",'),
    "quotes and letters": lambda: text('"a'),
    "quoted lines": lambda: b'"' + text("a\n") + b'"',
    "lines of quotes": lambda: text("\"'" * 90 + "\n"),
    "names, last first": lambda: text("A" * 40 + ", " + "b" * 40 + "\n"),
    "accents on one letter": lambda: text("A" + "\u0301" * 400 + "\n"),
    "signs of dates": lambda: text(" ,;(–-" * 13 + "\n"),
    "dates": lambda: text("1." * 36 + " Dora\n"),
    "every byte": lambda: bytes(range(128, 256)) * 700,
    "utf-16": lambda: ("Dora\n" * 9_000).encode("utf-16"),
}  # fmt: skip
"""The files, by the repeated element."""
