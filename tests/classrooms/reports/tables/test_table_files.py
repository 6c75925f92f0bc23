"""docs/exports.md lists every file and column that is written."""

import re
from typing import Final, get_args

from classrooms.reports.sheets import SHEETS
from classrooms.reports.table_file import TYPES_SPELT_OUT, Type
from tests.documents import text_of

DOCUMENT: Final = text_of("docs/exports.md")


def test_the_document_lists_what_is_written() -> None:
    """A changed column must be changed in the document, which promises that columns stay."""
    written = [
        (sheet.file, sheet.about, [(column.name, column.type) for column in sheet.columns])
        for sheet in SHEETS
    ]
    listed = re.findall(r"^\| `(\w+\.csv)` \| (.+?) \| (.+) \|$", DOCUMENT, re.M)
    assert [
        (file, about, re.findall(r"`(\w+)` ([a-z/]+)", columns)) for file, about, columns in listed
    ] == written


def test_every_type_of_a_column_is_explained() -> None:
    types = re.findall(r"^\| ([a-z/]+) \| ", DOCUMENT, re.M)
    assert set(get_args(Type)) <= set(types)
    assert all(f"`{TYPES_SPELT_OUT[each]}`" in DOCUMENT for each in ("moment", "yes/no"))
    assert TYPES_SPELT_OUT.keys() == set(get_args(Type))


def test_a_column_refers_to_no_file_that_is_not_in_the_zip() -> None:
    meanings = " ".join(str(column.meaning) for sheet in SHEETS for column in sheet.columns)
    named = set(re.findall(r"[\w/]+\.[a-z]+\b", meanings))
    assert "assigned.csv" in named
    assert named <= {sheet.file for sheet in SHEETS}


def test_names_are_plain_and_each_is_there_once() -> None:
    assert len({sheet.name for sheet in SHEETS}) == len(SHEETS)
    for sheet in SHEETS:
        names = [column.name for column in sheet.columns]
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"[a-z_]+", name) for name in [sheet.name, *names])
