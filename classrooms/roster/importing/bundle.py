"""A bundle of CSV files for a whole school, by content: OneRoster (1EdTech) and School Data Sync
(Microsoft) → a grid with a line for each enrolment. The files are read as single lists are, with
any separator and any capitals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from typing import Final

from classrooms.child_names import plain_name
from classrooms.roster.importing.cells import LEFT, NO
from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.grid import MOST_PUPILS, Grid, Row, Unreadable, decode, table
from classrooms.roster.importing.pupils import is_current
from classrooms.roster.importing.workbook import BROKEN, Package

MOST_CLASSES: Final = 500
_STUDENTS: Final = frozenset({"student", "learner", "pupil"})
_HOME: Final = frozenset({"homeroom", "homegroup", "registration", "form", "tutorgroup", "section"})
Record = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Bundle:
    """How a system calls its files and columns, as `plain_name` has them: of users, classes and
    enrolments. Of several columns the first that is filled counts."""

    name: str
    users: str
    classes: str
    enrolments: str
    user_id: str
    given: Sequence[str]
    family: str
    class_id: str
    title: str
    enrolled_user: str
    enrolled_class: str


_GIVEN: Final = ("preferredgivenname", "preferredfirstname", "givenname")
BUNDLES: Final = (
    Bundle(
        "OneRoster", "users.csv", "classes.csv", "enrollments.csv", "sourcedid", _GIVEN,
        "familyname", "sourcedid", "title", "usersourcedid", "classsourcedid",
    ),
    Bundle(
        "School Data Sync", "student.csv", "section.csv", "studentenrollment.csv", "sisid",
        ("preferredfirstname", "firstname"), "lastname", "sisid", "sectionname", "sisid",
        "sectionsisid",
    ),
)  # fmt: skip


def grid_of_bundle(package: Package, today: date) -> tuple[Grid, Columns]:
    """The current pupils of each class, home groups first. The line of a pupil is that in the file
    of users. Raises `Unreadable`."""
    files = {name.rpartition("/")[2]: name for name in package.names}
    bundle = next((each for each in BUNDLES if each.users in files), BUNDLES[0])
    users = _records(package, files, bundle.users, bundle.user_id, bundle.given[-1])
    classes = _records(package, files, bundle.classes, bundle.class_id, bundle.title)
    enrolments = _records(
        package, files, bundle.enrolments, bundle.enrolled_class, bundle.enrolled_user
    )
    people = {user[bundle.user_id]: (line, user) for line, user in users.items()}
    titles = _titles(classes.values(), bundle)
    homes = {
        e[bundle.class_id] for e in classes.values() if plain_name(_of(e, "classtype")) in _HOME
    }
    order = {key: (key not in homes, place) for place, key in enumerate(titles)}
    rows: dict[tuple[str, str], Row] = {}
    left: set[str] = set()
    for enrolment in enrolments.values():
        key, user_id = enrolment[bundle.enrolled_class], enrolment[bundle.enrolled_user]
        line, user = people.get(user_id, (0, {}))
        role = plain_name(_of(enrolment, "role")) or "student"
        if key not in titles or not user or role not in _STUDENTS:
            continue
        if not (_is_there(enrolment, today) and _is_there(user, today)):
            left.add(user_id)
            continue
        given = next((user[name] for name in bundle.given if _of(user, name)), "")
        home = "home" if key in homes else ""
        rows[key, user_id] = Row(line, (titles[key], given, _of(user, bundle.family), home))
        if len(rows) > MOST_PUPILS:
            raise Unreadable("many pupils", file=bundle.enrolments)
    if not rows:
        raise Unreadable("nobody")
    if len({key for key, _user in rows}) > MOST_CLASSES:
        raise Unreadable("many classes", file=bundle.classes)
    ordered = sorted(rows, key=lambda each: (order[each[0]], rows[each].line))
    head = Row(1, ("class", "given name", "family name", ""))
    columns = Columns(1, 2, 0, head=1, home=3 if homes else None)
    left -= {user_id for _key, user_id in rows}
    return Grid((head, *(rows[e] for e in ordered)), bundle.name, left=len(left)), columns


def _of(record: Record, column: str) -> str:
    return record.get(column, "")


def _is_there(record: Record, today: date) -> bool:
    enabled = plain_name(_of(record, "enableduser")) not in NO
    begin = _of(record, "begindate") or _of(record, "startdate")
    return enabled and is_current(_of(record, "status"), begin, _of(record, "enddate"), today)


def _titles(classes: Iterable[Record], bundle: Bundle) -> dict[str, str]:
    """The title of each current class by its id; equal titles get the code or id added."""
    titles: dict[str, str] = {}
    taken: set[str] = set()
    for each in classes:
        key = each[bundle.class_id]
        title = each[bundle.title] or key
        if plain_name(_of(each, "status")) in LEFT:
            continue
        if title in taken:
            title = f"{title} ({_of(each, 'classcode') or key})"
        taken.add(title)
        titles[key] = title
    return titles


def _records(
    package: Package, files: Mapping[str, str], name: str, *needed: str
) -> dict[int, Record]:
    """The records of a file by line, each by its columns. Raises `Unreadable` for a lack of the
    file or of the `needed` columns."""
    if name not in files:
        raise Unreadable("lacks file", detail=name)
    try:
        rows = table(decode(package.read(files[name])).text)
    except Unreadable as problem:
        raise Unreadable(problem.kind, problem.line, file=name, detail=problem.detail) from None
    except BROKEN:
        raise Unreadable("zip", file=name) from None
    if not rows:
        raise Unreadable("empty", file=name)
    head = [plain_name(cell) for cell in rows[0].cells]
    for column in needed:
        if column not in head:
            raise Unreadable("lacks column", file=name, detail=column)
    return {
        row.line: dict(zip_longest(head, row.cells[: len(head)], fillvalue="")) for row in rows[1:]
    }
