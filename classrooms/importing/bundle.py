"""A OneRoster 1.2 CSV bundle: a zip with users.csv, classes.csv and enrollments.csv (1EdTech).

What it says to delete is left out. Of 1.1 bundles, whose users bear their role, the same is read.
"""

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from .columns import Columns
from .decoding import decode
from .errors import LARGEST, Unreadable
from .separated import Row, read_rows
from .sheet import Sheet

LARGEST_UNPACKED: Final = 8_000_000
"""Bytes of one file of a bundle. No more is unpacked, whatever the bundle says of itself."""
MOST_FILES: Final = 100
MOST_LINES: Final = 40_000
MOST_PUPILS: Final = 5_000
_HEAD: Final = Row(1, ("class", "given name", "family name"))
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError,
    ValueError,
)  # fmt: skip


def read_bundle(data: bytes) -> Sheet:
    """The pupils of each class of the bundle, as a sheet that names the classes. The line of a
    pupil is that in users.csv. Raises `Unreadable`."""
    if len(data) > LARGEST:
        raise Unreadable("too large")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except _BROKEN:
        raise Unreadable("zip") from None
    names = {member.filename for member in members}
    if any(name.endswith("workbook.xml") or name == "mimetype" for name in names):
        raise Unreadable("workbook")
    if len(members) > MOST_FILES:
        raise Unreadable("zip")
    users = dict(_records(archive, "users.csv", ("sourcedId", "givenName")))
    classes = dict(_records(archive, "classes.csv", ("sourcedId", "title")))
    columns = ("classSourcedId", "userSourcedId", "role")
    enrolled = dict(_records(archive, "enrollments.csv", columns))
    return _sheet(users, classes, enrolled)


def _sheet(
    users: Mapping[int, Mapping[str, str]],
    classes: Mapping[int, Mapping[str, str]],
    enrolled: Mapping[int, Mapping[str, str]],
) -> Sheet:
    titles = _titles(classes.values())
    people = {user["sourcedId"]: (line, user) for line, user in users.items()}
    rows: dict[tuple[str, str], Row] = {}
    for enrolment in enrolled.values():
        title = titles.get(enrolment["classSourcedId"])
        line, user = people.get(enrolment["userSourcedId"], (0, {}))
        if title is None or not user or enrolment["role"].lower() != "student":
            continue
        given = user.get("preferredGivenName") or user.get("preferredFirstName")
        cells = (title, given or user["givenName"], user.get("familyName", ""))
        rows[title, user["sourcedId"]] = Row(line, cells)
        if len(rows) > MOST_PUPILS:
            raise Unreadable("too many", file="enrollments.csv")
    if not rows:
        raise Unreadable("nobody")
    ordered = sorted(rows.values(), key=lambda row: (row.cells[0], row.line))
    return Sheet((_HEAD, *ordered), Columns(1, 2, 0, headed=True), "OneRoster")


def _titles(classes: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """What each class is called; those of one title get their code or id beside it."""
    found: dict[str, str] = {}
    for each in classes:
        title = each["title"] or each["sourcedId"]
        if title in found.values():
            title = f"{title} ({each.get('classCode') or each['sourcedId']})"
        found[each["sourcedId"]] = title
    return found


def _records(
    archive: zipfile.ZipFile, name: str, needed: tuple[str, ...]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a file of the bundle by the names of their columns, without those to delete."""
    try:
        decoded = decode(_unpacked(archive, name))
        rows = read_rows(decoded.text, most=MOST_LINES, separator=",")
    except Unreadable as problem:
        raise Unreadable(problem.kind, problem.line, file=name, detail=problem.detail) from None
    if not rows:
        raise Unreadable("empty", file=name)
    head = rows[0].cells
    for column in needed:
        if column not in head:
            raise Unreadable("lacks column", file=name, detail=column)
    for row in rows[1:]:
        cells = (*row.cells, *[""] * (len(head) - len(row.cells)))
        record = dict(zip(head, cells, strict=False))
        if record.get("status", "").lower() != "tobedeleted":
            yield row.line, record


def _unpacked(archive: zipfile.ZipFile, name: str) -> bytes:
    """One file of the bundle, wherever it lies; never more of it than may be."""
    found = [
        each for each in archive.infolist() if each.filename.rpartition("/")[2].lower() == name
    ]
    if not found:
        raise Unreadable("lacks file", detail=name)
    try:
        with archive.open(found[0]) as file:
            data = file.read(LARGEST_UNPACKED + 1)
    except _BROKEN:
        raise Unreadable("zip", file=name) from None
    if len(data) > LARGEST_UNPACKED:
        raise Unreadable("unpacked too large", file=name)
    return data
