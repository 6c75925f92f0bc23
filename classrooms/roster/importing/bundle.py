"""Turns a zip of CSV files about a school, in the format of OneRoster or of another system, into a
grid of the enrolments."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import zip_longest
from typing import Any, Final

from classrooms.child_names import plain_name
from classrooms.roster.importing.cells import TABLES, WORDS, has_left
from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.encodings import UnreadableFile, decode
from classrooms.roster.importing.grid import MOST_PUPILS, Grid, Row, rows_of_table
from classrooms.roster.importing.workbook import BROKEN, Package

MOST_CLASSES: Final = 500
_KINDS: Final = ("users", "classes", "enrolments")
_TERMS: Final = "academicsessions.csv"
Record = Mapping[str, str]


def is_bundle(package: Package) -> bool:
    """Whether one of the files has the name of a file of a bundle."""
    file_names = {make[kind] for make in TABLES["bundles"] for kind in _KINDS}
    return not file_names.isdisjoint(name.rpartition("/")[2] for name in package.names)


def grid_of_bundle(package: Package, today: date) -> tuple[Grid, Columns]:
    """The pupils of each class, home groups first. Each row has the line of the pupil in the file
    of users. Raises `UnreadableFile`."""
    files = {name.rpartition("/")[2]: name for name in package.names}
    makes: list[dict[str, Any]] = TABLES["bundles"]
    make = max(makes, key=lambda make: sum(make[kind] in files for kind in _KINDS))
    user_id, class_id, enrolled = make["user_id"], make["class_id"], make["enrolled_class"]
    users = _records(package, files, make["users"], user_id, make["given"][-1])
    classes = _records(package, files, make["classes"], class_id, make["title"])
    enrolments = _records(package, files, make["enrolments"], enrolled, make["enrolled_user"])
    people = {user[user_id]: (line, user) for line, user in users.items()}
    terms = _records(package, files, _TERMS) if _TERMS in files else {}
    current = _current(classes.values(), terms.values(), today)
    titles = _titles(current, class_id, make["title"])
    types = {
        record[class_id]: plain_name(record.get("classtype", "")) for record in classes.values()
    }
    homes = {key for key, kind in types.items() if kind in WORDS["homes"]}
    order = {key: (key not in homes, place) for place, key in enumerate(titles)}
    rows: dict[tuple[str, str], Row] = {}
    classes_left: set[str] = set()
    for enrolment in enrolments.values():
        key, person = enrolment[enrolled], enrolment[make["enrolled_user"]]
        line, user = people.get(person, (0, {}))
        role = plain_name(enrolment.get("role", "")) or "student"
        if not user or role not in WORDS["students"]:
            continue
        if key not in titles or any(_is_away(record, today) for record in (enrolment, user)):
            classes_left.add(person)
            continue
        given_name = next((user[name] for name in make["given"] if user.get(name)), "")
        home = "home" if key in homes else ""
        rows[key, person] = Row(line, (titles[key], given_name, user.get(make["family"], ""), home))
        if len(rows) > MOST_PUPILS:
            raise UnreadableFile("many pupils", file=make["enrolments"])
    if not rows:
        raise UnreadableFile("nobody")
    if len({key for key, _person in rows}) > MOST_CLASSES:
        raise UnreadableFile("many classes", file=make["classes"])
    ordered = sorted(rows, key=lambda item: (order[item[0]], rows[item].line))
    head = Row(1, ("class", "given name", "family name", ""))
    columns = Columns(1, 2, 0, head=1, home=3 if homes else None)
    classes_left -= {person for _key, person in rows}
    return Grid((head, *(rows[e] for e in ordered)), make["name"], left=len(classes_left)), columns


def _is_away(record: Record, today: date) -> bool:
    begin = record.get("begindate") or record.get("startdate") or ""
    status, enabled, end = (record.get(c, "") for c in ("status", "enableduser", "enddate"))
    return has_left(today, status, enabled, begin, end)


def _current(classes: Iterable[Record], terms: Iterable[Record], today: date) -> Sequence[Record]:
    """The classes that are not deleted and whose terms are not over. If the terms of all classes
    are over, all classes that are not deleted."""
    ends = {term.get("sourcedid", ""): term.get("enddate", "") for term in terms}

    def is_over(record: Record) -> bool:
        terms = record.get("termsourcedids") or record.get("sessionsourcedids") or ""
        days = [ends[term] for term in re.split(r"[\s,;]+", terms) if term in ends]
        return all(has_left(today, "", "", "", day) for day in days or [record.get("termend", "")])

    classes_kept = [
        record for record in classes if plain_name(record.get("status", "")) not in WORDS["left"]
    ]
    return [record for record in classes_kept if not is_over(record)] or classes_kept


def _titles(classes: Iterable[Record], class_id: str, title: str) -> dict[str, str]:
    """The title of each class by its id. If an earlier class has the same title, the code or the id
    is added."""
    titles: dict[str, str] = {}
    titles_used: set[str] = set()
    for record in classes:
        key = record[class_id]
        text = record[title] or record[class_id]
        if text in titles_used:
            text = f"{text} ({record.get('classcode') or key})"
        titles_used.add(text)
        titles[key] = text
    return titles


def _records(
    package: Package, files: Mapping[str, str], name: str, *columns: str
) -> dict[int, Record]:
    """The records of a file by their lines. A record has the cells by their headings. Raises
    `UnreadableFile`."""
    if name not in files:
        raise UnreadableFile("lacks file", detail=name)
    try:
        rows = rows_of_table(decode(package.read(files[name]))[0])
    except UnreadableFile as problem:
        raise UnreadableFile(problem.kind, problem.line, name, problem.detail) from None
    except BROKEN:
        raise UnreadableFile("zip", file=name) from None
    if not rows:
        raise UnreadableFile("empty", file=name)
    head = [plain_name(cell) for cell in rows[0].cells]
    for column in columns:
        if column not in head:
            raise UnreadableFile("lacks column", file=name, detail=column)
    return {
        row.line: dict(zip_longest(head, row.cells[: len(head)], fillvalue="")) for row in rows[1:]
    }
