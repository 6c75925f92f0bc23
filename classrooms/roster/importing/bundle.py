"""A OneRoster 1.2 CSV bundle: a zip with users.csv, classes.csv and enrollments.csv (1EdTech).

Entries marked for deletion are skipped. In 1.1 bundles the users carry a role: it is ignored.
"""

import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from typing import Final

from classrooms.roster.importing.budget import MOST_LINES, Budget
from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.decoding import decode
from classrooms.roster.importing.import_errors import LARGEST, Unreadable
from classrooms.roster.importing.name_sheet import NameSheet
from classrooms.roster.importing.separated import CsvRow, read_rows

LARGEST_UNPACKED: Final = 8_000_000
"""Bytes of one file of a bundle. No more is unpacked, whatever size the zip states."""
MOST_FILES: Final = 100
MOST_PUPILS: Final = 5_000
"""Pupils of all classes together; one in two classes counts twice."""
MOST_CLASSES: Final = 500
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compressions of OneRoster bundles. From bz2 and lzma Python unpacks more than it is asked."""
_USER: Final = ("familyName", "preferredGivenName", "preferredFirstName")
_HEAD: Final = CsvRow(1, ("class", "given name", "family name"))
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError,
    ValueError,
)  # fmt: skip


def read_bundle(data: bytes) -> NameSheet:
    """The pupils of each class of the bundle, as a sheet with a column for the class. The line of
    a pupil is that in users.csv. Raises `Unreadable`."""
    if len(data) > LARGEST:
        raise Unreadable("too large")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except _BROKEN:
        raise Unreadable("zip") from None
    names = {member.filename for member in members}
    if any(name.endswith(("workbook.xml", "workbook.bin")) or name == "mimetype" for name in names):
        raise Unreadable("workbook")
    if any(name.startswith(("word/", "ppt/")) for name in names):
        raise Unreadable("not a list")
    if len(members) > MOST_FILES:
        raise Unreadable("zip")
    budget = Budget()
    users = _records(archive, budget, "users.csv", ("sourcedId", "givenName"), _USER)
    classes = _records(archive, budget, "classes.csv", ("sourcedId", "title"), ("classCode",))
    columns = ("classSourcedId", "userSourcedId", "role")
    return _sheet(users, classes, _records(archive, budget, "enrollments.csv", columns))


def _sheet(
    users: Mapping[int, Mapping[str, str]],
    classes: Mapping[int, Mapping[str, str]],
    enrolled: Mapping[int, Mapping[str, str]],
) -> NameSheet:
    titles = _titles(classes.values())
    people = {user["sourcedId"]: (line, user) for line, user in users.items()}
    rows: dict[tuple[str, str], CsvRow] = {}
    for enrolment in enrolled.values():
        title = titles.get(enrolment["classSourcedId"])
        line, user = people.get(enrolment["userSourcedId"], (0, {}))
        if title is None or not user or enrolment["role"].lower() != "student":
            continue
        given = user["preferredGivenName"] or user["preferredFirstName"]
        cells = (title, given or user["givenName"], user["familyName"])
        rows[title, user["sourcedId"]] = CsvRow(line, cells)
        if len(rows) > MOST_PUPILS:
            raise Unreadable("too much", file="enrollments.csv")
    if not rows:
        raise Unreadable("nobody")
    if len({title for title, _ in rows}) > MOST_CLASSES:
        raise Unreadable("too much", file="classes.csv")
    ordered = sorted(rows.values(), key=lambda row: (row.cells[0], row.line))
    return NameSheet((_HEAD, *ordered), Columns(1, 2, 0, headed=True), "OneRoster")


def _titles(classes: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The title of each class by its id; equal titles get the code or id added."""
    titles: dict[str, str] = {}
    taken: set[str] = set()
    for each in classes:
        title = each["title"] or each["sourcedId"]
        if title in taken:
            title = f"{title} ({each['classCode'] or each['sourcedId']})"
        taken.add(title)
        titles[each["sourcedId"]] = title
    return titles


def _records(
    archive: zipfile.ZipFile,
    budget: Budget,
    name: str,
    needed: tuple[str, ...],
    welcome: tuple[str, ...] = (),
) -> dict[int, dict[str, str]]:
    """The records of a file of the bundle by line, without those marked for deletion: the `needed`
    columns, and the `welcome` ones, which are empty where the file lacks them."""
    try:
        decoded = decode(_unpacked(archive, name), budget)
        rows = read_rows(decoded.text, budget, most=MOST_LINES, separator=",")
    except Unreadable as problem:
        raise Unreadable(problem.kind, problem.line, file=name, detail=problem.detail) from None
    if not rows:
        raise Unreadable("empty", file=name)
    head = rows[0].cells
    for column in needed:
        if column not in head:
            raise Unreadable("lacks column", file=name, detail=column)
    places = {column: head.index(column) for column in (*needed, *welcome) if column in head}
    status = head.index("status") if "status" in head else None
    return {
        row.line: dict.fromkeys(welcome, "") | {c: row.cell(at) for c, at in places.items()}
        for row in rows[1:]
        if status is None or row.cell(status).lower() != "tobedeleted"
    }


def _unpacked(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of one file, in whichever folder of the zip, up to the limit."""
    members = [
        each for each in archive.infolist() if each.filename.rpartition("/")[2].lower() == name
    ]
    if not members:
        raise Unreadable("lacks file", detail=name)
    if members[0].compress_type not in _PACKED:
        raise Unreadable("zip", file=name)
    try:
        with archive.open(members[0]) as file:
            data = file.read(LARGEST_UNPACKED + 1)
    except _BROKEN:
        raise Unreadable("zip", file=name) from None
    if len(data) > LARGEST_UNPACKED:
        raise Unreadable("unpacked too large", file=name)
    return data
