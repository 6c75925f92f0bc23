"""A separate process that reads one file with names and exits.

It reads the file from standard input, and writes the sheet, or why there is none, to standard
output as JSON. It can open no file and no connection, because it may have no more open files than
at its start.
"""

import json
import os
import resource
import sys
from datetime import date
from typing import Any, Final

from classrooms.roster.importing.bundle import grid_of_bundle
from classrooms.roster.importing.grid import Unreadable, decode, grid_of_text
from classrooms.roster.importing.pupils import NameSheet, sheet_of
from classrooms.roster.importing.workbook import BROKEN, Package, grid_of_workbook

_STANDARD: Final = 3
_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_NO_LIST: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"{\\rtf", b"\x1f\x8b")
"""The first bytes of pictures, documents and other archives."""
_MARKUP: Final = (b"<!doctype", b"<html", b"<table", b"<?xml")
"""The beginnings of web pages, which some programs call spreadsheets."""

_TOO_MUCH: Final = json.dumps({"problem": ("too slow",)}).encode()


def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (_STANDARD, _STANDARD))
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


def read_file(data: bytes, today: date) -> NameSheet:
    """Read the names in a text, a workbook or a bundle; the bytes show which it is. Raises
    `Unreadable`."""
    begin = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if data.startswith(_NO_LIST):
        raise Unreadable("not a list")
    if data.startswith(_OLD_WORKBOOK) and _ENCRYPTED in data:
        raise Unreadable("password")
    if data.startswith(_OLD_WORKBOOK) or begin.startswith(_MARKUP):
        raise Unreadable("workbook")
    if not data.startswith(b"PK\x03\x04"):
        return sheet_of(grid_of_text(*decode(data)), today)
    try:
        package = Package(data)
    except BROKEN:
        raise Unreadable("zip") from None
    if any(name.startswith("xl/") and name.endswith("workbook.xml") for name in package.names):
        return sheet_of(grid_of_workbook(package), today)
    if any(name.endswith("workbook.bin") or name == "mimetype" for name in package.names):
        raise Unreadable("workbook")
    if any(name.startswith(("word/", "ppt/")) for name in package.names):
        raise Unreadable("not a list")
    if len(package.names) == 1 and package.names[0].endswith((".csv", ".txt", ".tsv")):
        return sheet_of(grid_of_text(*decode(package.read(package.names[0]))), today)
    grid, columns = grid_of_bundle(package, today)
    return sheet_of(grid, today, columns)


if __name__ == "__main__":
    main()
