"""A separate process that reads one file with names and exits.

It reads the file from standard input. To standard output it writes, as JSON, the sheet or the
reason why there is none. It cannot open a file or a connection, because its limit of open files is
the number at its start.
"""

import json
import os
import re
import resource
import sys
from datetime import date
from typing import Any, Final

from classrooms.roster.importing.bundle import grid_of_bundle, is_bundle
from classrooms.roster.importing.columns import Columns, Sheet, grid_of_sheets
from classrooms.roster.importing.encodings import UnreadableFile, decode
from classrooms.roster.importing.grid import Grid, grid_of_text
from classrooms.roster.importing.page import sheets_of_page
from classrooms.roster.importing.pupils import NameSheet, sheet_of
from classrooms.roster.importing.workbook import BROKEN, Package, sheets_of_workbook

_STANDARD_FILES: Final = 3
_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_OTHER_FORMATS: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"{\\rtf", b"\x1f\x8b")
"""The first bytes of pictures, documents and other archives."""
_PROGRAM_DATA: Final = re.compile(rb'[\[{]+\s*["{]|begin:vcard')
"""The beginnings of data for programs, such as the links that Google Drive stores on a disk."""
_MARKUP: Final = re.compile(rb"<(?:!doctype|html|head|meta|style|body|table|\?xml)")
"""The beginnings of web pages, which some programs call spreadsheets."""
_PASSWORD_FIELD: Final = re.compile(rb"type=.?password", re.IGNORECASE)
"""A field of the sign-in page that was saved instead of the list after a session had ended."""
_TEXT_ENDINGS: Final = (".csv", ".txt", ".tsv")
_WORKBOOK_ENDINGS: Final = (".xlsx", ".xlsm", ".xls", ".ods", ".htm", ".html")

_TOO_SLOW: Final = json.dumps({"problem": ("too slow",)}).encode()


def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (_STANDARD_FILES, _STANDARD_FILES))
    answer: dict[str, Any]
    try:
        answer = {"sheet": read_file(sys.stdin.buffer.read(), date.today()).as_data()}
    except UnreadableFile as problem:
        answer = {"problem": problem.args}
    except MemoryError:
        # There may be no memory to build another answer, or to exit in the usual way.
        os.write(1, _TOO_SLOW)
        os._exit(0)
    json.dump(answer, sys.stdout)


def read_file(data: bytes, today: date) -> NameSheet:
    """Read the names in a text, a page, a workbook, a bundle or a zip of lists. The bytes show
    which of these it is. Raises `UnreadableFile`."""
    grid, columns = _read(data, today)
    return sheet_of(grid, today, columns)


def _read(data: bytes, today: date, *, is_packed: bool = False) -> tuple[Grid, Columns | None]:
    """The grid of a file, and its columns if the kind of file defines them. `is_packed` means that
    the file is in a zip."""
    begin = data[:200].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    if data.startswith(_OTHER_FORMATS) or _PROGRAM_DATA.match(begin):
        raise UnreadableFile("not a list")
    if data.startswith(_OLD_WORKBOOK):
        raise UnreadableFile("password" if _ENCRYPTED in data else "workbook")
    if _MARKUP.match(begin) and _PASSWORD_FIELD.search(data):
        raise UnreadableFile("not a list")
    if _MARKUP.match(begin):
        return grid_of_sheets(sheets_of_page(data)), None
    if not data.startswith(b"PK\x03\x04"):
        return grid_of_text(*decode(data)), None
    try:
        package = Package(data)
    except BROKEN:
        raise UnreadableFile("zip") from None
    names = package.names
    if any(name.startswith("xl/") and name.endswith("workbook.xml") for name in names):
        return grid_of_sheets(sheets_of_workbook(package)), None
    if "content.xml" in names:
        if b"encryption-data" in package.read("meta-inf/manifest.xml"):
            raise UnreadableFile("password")
        return grid_of_sheets(sheets_of_page(package.read("content.xml"))), None
    if any(name.endswith(("workbook.bin", ".iwa")) or name == "mimetype" for name in names):
        raise UnreadableFile("workbook")
    if any(name.startswith(("word/", "ppt/")) for name in names):
        raise UnreadableFile("not a list")
    lists = [name for name in names if name.endswith((*_TEXT_ENDINGS, *_WORKBOOK_ENDINGS))]
    if is_packed or not lists or is_bundle(package):
        return grid_of_bundle(package, today)
    grids = [_read(package.read(name), today, is_packed=True)[0] for name in lists]
    if len(grids) == 1:
        return grids[0], None
    return grid_of_sheets(map(Sheet, map(package.title, lists), grids)), None


if __name__ == "__main__":
    main()
