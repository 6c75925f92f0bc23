"""Rows → which column holds what: by the headings, else guessed from the content."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from classrooms.models.child_names import check_name
from classrooms.roster.importing.separated import CsvRow
from classrooms.ui.sortable_table import plain

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
        "schulername kinder namn elev elever barn elevnamn"
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
_MEANS: Final = {word: role for role, words in _WORDS.items() for word in words.split()}
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
    return Columns(name, columns.get("family"), columns.get("group"), headed=True)


def _meaning(cell: str) -> str:
    word = "".join(sign for sign in plain(cell) if sign.isalnum())
    return _MEANS.get(word, "")


def _by_content(rows: Sequence[CsvRow]) -> Columns:
    name = _first_names(rows, leave=set())
    if name is None:
        return Columns(0)
    family = _first_names(rows, leave=set(range(name + 1)))
    if family == name + 1 == 1 and all(len(row.cells) == 2 for row in rows):
        return Columns(name, family)
    return Columns(name, family if family == name + 1 else None)


def _first_names(rows: Sequence[CsvRow], *, leave: set[int]) -> int | None:
    """The first column, not in `leave`, most of whose cells can be names."""
    width = max((len(row.cells) for row in rows), default=0)
    for column in range(width):
        cells = [row.cells[column] for row in rows if column < len(row.cells)]
        fits = sum(bool(cell) and check_name(cell) is None for cell in cells)
        if column not in leave and fits >= _MOSTLY * len(rows):
            return column
    return None
