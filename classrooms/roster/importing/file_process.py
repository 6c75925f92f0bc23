"""A separate process that reads one file with names and exits.

It reads the file from standard input, and writes the sheet, or why there is none, to standard
output as JSON. It can open no file and no connection, because it may have no more open files than
at its start.
"""

import json
import os
import re
import resource
import sys
from datetime import date
from typing import Any, Final

from classrooms.roster.importing.bundle import grid_of_bundle, is_bundle
from classrooms.roster.importing.columns import Sheet, grid_of_sheets
from classrooms.roster.importing.grid import Unreadable, decode, grid_of_text
from classrooms.roster.importing.page import sheets_of_page
from classrooms.roster.importing.pupils import NameSheet, sheet_of
from classrooms.roster.importing.workbook import BROKEN, Package, sheets_of_workbook

_STANDARD_FILES: Final = 3
_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_NO_LIST: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"{\\rtf", b"\x1f\x8b")
"""The first bytes of pictures, documents and other archives."""
_MARKUP: Final = re.compile(rb"<(?:!doctype|html|head|meta|style|body|table|\?xml)")
_DATA: Final = re.compile(rb'[\[{]+\s*["{]|begin:vcard')
"""The beginnings of data of programs, such as the links that Google Drive keeps on a disk."""
"""The beginnings of web pages, which some programs call spreadsheets."""
_ASKS_PASSWORD: Final = re.compile(rb"type=.?password", re.IGNORECASE)
"""In a page that came instead of the list, because a session had ended."""
_LISTS: Final = (".csv", ".txt", ".tsv")
_WORKBOOKS: Final = (".xlsx", ".xlsm", ".xls", ".ods", ".htm", ".html")

_TOO_MUCH: Final = json.dumps({"problem": ("too slow",)}).encode()


def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (_STANDARD_FILES, _STANDARD_FILES))
    answer: dict[str, Any]
    try:
        answer = {"sheet": read_file(sys.stdin.buffer.read(), date.today()).as_data()}
    except Unreadable as problem:
        answer = {"problem": problem.args}
    except MemoryError:
        # No memory may be left to build an answer, or to end in order.
        os.write(1, _TOO_MUCH)
        os._exit(0)
    json.dump(answer, sys.stdout)


def read_file(data: bytes, today: date, *, is_packed: bool = False) -> NameSheet:
    """Read the names in a text, a page, a workbook, a bundle or a zip of lists; the bytes show
    which it is. `is_packed`: it comes out of a zip. Raises `Unreadable`."""
    begin = data[:200].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    if data.startswith(_NO_LIST) or _DATA.match(begin):
        raise Unreadable("not a list")
    if data.startswith(_OLD_WORKBOOK):
        raise Unreadable("password" if _ENCRYPTED in data else "workbook")
    if _MARKUP.match(begin) and _ASKS_PASSWORD.search(data):
        raise Unreadable("not a list")
    if _MARKUP.match(begin):
        return sheet_of(grid_of_sheets(sheets_of_page(data)), today)
    if not data.startswith(b"PK\x03\x04"):
        return sheet_of(grid_of_text(*decode(data)), today)
    try:
        package = Package(data)
    except BROKEN:
        raise Unreadable("zip") from None
    names = package.names
    if any(name.startswith("xl/") and name.endswith("workbook.xml") for name in names):
        return sheet_of(grid_of_sheets(sheets_of_workbook(package)), today)
    if "content.xml" in names:
        if b"encryption-data" in package.read("meta-inf/manifest.xml"):
            raise Unreadable("password")
        return sheet_of(grid_of_sheets(sheets_of_page(package.read("content.xml"))), today)
    if any(name.endswith(("workbook.bin", ".iwa")) or name == "mimetype" for name in names):
        raise Unreadable("workbook")
    if any(name.startswith(("word/", "ppt/")) for name in names):
        raise Unreadable("not a list")
    if len(names) == 1 and not is_packed and names[0].endswith((*_LISTS, *_WORKBOOKS)):
        return read_file(package.read(names[0]), today, is_packed=True)
    if not is_bundle(package) and (lists := [n for n in names if n.endswith(_LISTS)]):
        sheets = [Sheet(package.title(n), grid_of_text(*decode(package.read(n)))) for n in lists]
        return sheet_of(grid_of_sheets(sheets), today)
    grid, columns = grid_of_bundle(package, today)
    return sheet_of(grid, today, columns)


if __name__ == "__main__":
    main()
