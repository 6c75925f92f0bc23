"""A workbook made to keep the reader busy is refused or read; it would hang if a cell's text were
looked through again for each of its characters."""

import io
import zipfile

import pytest

from classrooms.roster.importing.import_errors import Unreadable
from classrooms.roster.importing.workbook import read_workbook


@pytest.mark.parametrize(
    "cells",
    [
        "<c><f/>" + " " * 3_000_000,
        "<c><f/><v>" + " " * 3_000_000,
        "<c><f " * 600_000,
        "<c " * 1_200_000,
    ],
    ids=["spaces", "spaces in a value", "formulas without an end", "cells without an end"],
)
def test_a_sheet_made_to_keep_the_reader_busy_is_refused(cells: str) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", cells)
    with pytest.raises(Unreadable):
        read_workbook(data.getvalue())
