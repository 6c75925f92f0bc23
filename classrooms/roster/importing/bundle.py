"""A OneRoster 1.2 CSV bundle: a zip with users.csv, classes.csv and enrollments.csv (1EdTech).

Entries marked for deletion are skipped. In 1.1 bundles the users carry a role: it is ignored.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.decoding import decode
from classrooms.roster.importing.import_errors import Unreadable
from classrooms.roster.importing.name_sheet import NameSheet
from classrooms.roster.importing.package import BROKEN, Package
from classrooms.roster.importing.separated import CsvRow, read_rows

MOST_PUPILS: Final = 5_000
"""Pupils of all classes together; one in two classes counts twice."""
MOST_CLASSES: Final = 500
_USER: Final = ("familyName", "preferredGivenName", "preferredFirstName")
_HEAD: Final = CsvRow(1, ("class", "given name", "family name"))


def read_bundle(package: Package) -> NameSheet:
    """The pupils of each class of the bundle, as a sheet with a column for the class. The line of
    a pupil is that in users.csv. Raises `Unreadable`."""
    users = _records(package, "users.csv", ("sourcedId", "givenName"), _USER)
    classes = _records(package, "classes.csv", ("sourcedId", "title"), ("classCode",))
    columns = ("classSourcedId", "userSourcedId", "role")
    return _sheet(users, classes, _records(package, "enrollments.csv", columns))


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
    package: Package,
    name: str,
    needed: tuple[str, ...],
    welcome: tuple[str, ...] = (),
) -> dict[int, dict[str, str]]:
    """The records of a file of the bundle by line, without those marked for deletion: the `needed`
    columns, and the `welcome` ones, which are empty where the file lacks them."""
    try:
        rows = read_rows(decode(_unpacked(package, name)).text, separator=",")
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


def _unpacked(package: Package, name: str) -> bytes:
    """The bytes of one file, in whichever folder of the zip."""
    for member in package.names:
        if member.rpartition("/")[2] == name:
            try:
                return package.read(member)
            except BROKEN:
                raise Unreadable("zip") from None
    raise Unreadable("lacks file", detail=name)
