"""Rows → which column holds what: by the headings, else guessed from the content."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from classrooms.child_names import plain_name
from classrooms.roster.importing.name_cells import can_be_name, is_class
from classrooms.roster.importing.separated import CsvRow

_WORDS: Final = {
    "given": (
        "firstname given givenname givennames forename forenames preferredname "
        "preferredgivenname voornaam voornamen roepnaam vorname vornamen rufname fornamn "
        "tilltalsnamn callname"
    ),
    "family": (
        "lastname surname family familyname achternaam familienaam nachname familienname "
        "zuname efternamn"
    ),
    "full": (
        "name names fullname displayname student students studentname pupil pupils child "
        "children naam namen leerling leerlingen leerlingnaam kind kinderen schuler schulerin "
        "schulername kinder namn elev elever barn elevnamn pupilname childname childsname "
        "nameofchild firstandlastname voorenachternaam vorundnachname vorundzuname "
        "forochefternamn"
    ),
    "group": (
        "class classes classname classtitle form group groupname klas klassen klasnaam groep "
        "lesgroep stamgroep klasse gruppe lerngruppe klass klasser grupp"
    ),
    "other": (
        "email emailaddress mail id nr no number nummer username user login birthdate birthday "
        "dateofbirth dob geboortedatum geburtsdatum geburtstag fodelsedatum personnummer gender "
        "sex geslacht geschlecht kon grade year jaar jahrgang arskurs tussenvoegsel infix "
        "voorvoegsel leerlingnummer stamnummer schuljahr teacher leraar leerkracht lehrer larare "
        "address adres adresse phone telefoon telefon sourcedid status password wachtwoord"
    ),
}
_MEANS: Final = {plain_name(word): role for role, words in _WORDS.items() for word in words.split()}
_MOSTLY: Final = 0.6


@dataclass(frozen=True, slots=True)
class Columns:
    """The column, from 0, of the (given) name, the family name and the class; None where there is
    none. `headed`: the first row is a heading."""

    name: int | None
    family: int | None = None
    group: int | None = None
    headed: bool = False


def guess(rows: Sequence[CsvRow]) -> Columns:
    """The likely columns of these rows."""
    if not rows:
        return Columns(None)
    headings = [_meaning(cell) for cell in rows[0].cells]
    if not any(headings):
        return _by_content(rows)
    columns = {role: headings.index(role) for role in set(headings) if role}
    name = columns.get("given", columns.get("full"))
    if name is None:
        name = _first_names(rows[1:], leave=set(columns.values()))
    family = columns.get("family")
    if family is None and "given" in columns and _is_family(rows, columns.get("full"), name):
        family = columns["full"]
    return Columns(name, family, columns.get("group"), headed=True)


def is_heading(cell: str) -> bool:
    """Whether a list of names may have this at its top."""
    return _meaning(cell) in ("given", "full")


def has_headings(line: str, sign: str) -> bool:
    """Whether the line is of headings, with this sign between them."""
    parts = line.split(sign)
    return len(parts) > 1 and all(_meaning(part) for part in parts)


def parted(rows: list[CsvRow]) -> list[CsvRow]:
    """The rows with the cells below a heading such as "Last name, first name" made two."""
    for column, heading in enumerate(rows[0].cells if rows else ()):
        cells = [row.cell(column) for row in rows[1:]]
        commas = sum("," in cell for cell in cells)
        if heading.count(",") == 1 and has_headings(heading, ",") and commas > _MOSTLY * len(cells):
            return [_parted(row, column) for row in rows]
    return rows


def _parted(row: CsvRow, column: int) -> CsvRow:
    if column >= len(row.cells):
        return row
    first, _comma, second = row.cells[column].partition(",")
    cells = (*row.cells[:column], first.strip(), second.strip(), *row.cells[column + 1 :])
    return CsvRow(row.line, cells)


def _is_family(rows: Sequence[CsvRow], column: int | None, given: int | None) -> bool:
    """Whether the column "Name" beside one of first names has the family names: it does not if it
    has the first names too."""
    return column is not None and not any(
        plain_name(row.cell(given)) in plain_name(row.cell(column))
        for row in rows[1:]
        if row.cell(given)
    )


def _meaning(cell: str) -> str:
    return _MEANS.get(plain_name(cell), "")


def _by_content(rows: Sequence[CsvRow]) -> Columns:
    name = _first_names(rows, leave=set())
    if name is None:
        return Columns(0)
    family = _first_names(rows, leave=set(range(name + 1)))
    group = _first(rows, is_class, leave={name})
    return Columns(name, family if family == name + 1 else None, group)


def _first_names(rows: Sequence[CsvRow], *, leave: set[int]) -> int | None:
    """The first column, not in `leave`, most of whose cells can be names."""
    return _first(rows, can_be_name, leave=leave)


def _first(rows: Sequence[CsvRow], fits: Callable[[str], bool], *, leave: set[int]) -> int | None:
    width = max((len(row.cells) for row in rows), default=0)
    for column in range(width):
        cells = [row.cells[column] for row in rows if column < len(row.cells)]
        if column not in leave and sum(map(fits, cells)) >= _MOSTLY * len(rows):
            return column
    return None
