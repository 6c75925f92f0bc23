"""Names from a file: the upload form, then a preview in which every name can be mended."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from classrooms import bounds, child_names
from classrooms.models import SchoolClass
from classrooms.roster import words
from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.import_errors import MOST_ROWS, Unreadable
from classrooms.roster.importing.name_sheet import NameEntry, NameSheet, entries
from classrooms.roster.importing.reading import read_file
from classrooms.roster.importing.words import problem_text

SALT: Final = "classrooms.sheet"
SEALED_FOR: Final = 4 * 3600
MOST_DIGITS: Final = 3
"""The most digits of a column number."""


class FileForm(forms.Form):
    """A file with names: CSV, an Excel workbook, or the zip of a OneRoster bundle."""

    file = forms.FileField(
        label=gettext_lazy("An Excel file (.xlsx), a CSV file or a OneRoster zip"),
        help_text=gettext_lazy(
            "At most 500 lines and 1 MB. You will see the names before anything is saved."
        ),
        error_messages={
            "required": gettext_lazy("Choose a file."),
            "empty": gettext_lazy("This file is empty."),
            "missing": gettext_lazy("Choose a file."),
        },
        widget=forms.ClearableFileInput(
            attrs={"accept": ".xlsx,.xlsm,.csv,.txt,.tsv,.zip,text/csv"}
        ),
    )

    def clean_file(self) -> NameSheet:
        file: UploadedFile = self.cleaned_data["file"]
        try:
            return read_file(file.read())
        except Unreadable as problem:
            raise forms.ValidationError(problem_text(problem)) from problem


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """A line of the preview: the name in the field, what is wrong with it, and whether letters of
    the family name were added to make it unique, and what was set aside."""

    number: int
    name: str
    problem: str = ""
    letters_added: bool = False
    aside: str = ""

    @property
    def field(self) -> str:
        return f"name-{self.number}"


class ImportPreview:
    """What a sheet would add to a class: every line with its problem. Nothing is stored between the
    requests: the sheet travels in the page, signed.

    `group`: the class chosen, if the sheet names several.
    """

    def __init__(
        self, school_class: SchoolClass, sheet: NameSheet, data: QueryDict | None = None
    ) -> None:
        self.taken = list(school_class.children.values_list("name", flat=True))
        self.sheet = sheet if data is None else with_chosen_columns(sheet, data)
        self.groups = self.sheet.groups() if self.sheet.columns.group is not None else []
        asked = data.get("class") if data is not None else None
        known = [name for name, _count in self.groups]
        self.group = asked if asked in known else known[0] if len(known) == 1 else None
        self.must_choose = bool(self.groups) and self.group is None
        self.is_too_long = not self.must_choose and self._rows() > MOST_ROWS
        shown = not self.must_choose and not self.is_too_long
        entries_shown = entries(self.sheet, self.group) if shown else []
        typed = data if data is not None and data.get("do") == "add" else None
        self.lines, self.names = self._checked(entries_shown, typed)

    @property
    def sealed(self) -> str:
        return sealed(self.sheet)

    @property
    def wrong(self) -> int:
        """How many lines must be mended."""
        return sum(bool(line.problem) for line in self.lines)

    @property
    def too_many(self) -> str:
        """The message if these are more children than a class may have, else ""."""
        if self.is_too_long or len(self.names) + len(self.taken) > bounds.MOST_CHILDREN:
            return bounds.most_children()
        return ""

    def _rows(self) -> int:
        """How many rows the chosen class has, or the whole sheet."""
        return next((n for name, n in self.groups if name == self.group), len(self.sheet.body))

    @property
    def is_good(self) -> bool:
        """Whether all of it can be added."""
        return bool(self.names) and not self.wrong and not self.too_many

    def _checked(
        self, entries_shown: Sequence[NameEntry], typed: QueryDict | None
    ) -> tuple[list[PreviewLine], tuple[str, ...]]:
        lines = [
            PreviewLine(
                entry.line,
                entry.name if typed is None else typed.get(f"name-{entry.line}", ""),
                letters_added=entry.letters_added and typed is None,
                aside=entry.aside if typed is None else "",
            )
            for entry in entries_shown
        ]
        # A field that was emptied by hand is a line left out.
        asked = [(line.number, line.name) for line in lines if typed is None or line.name.strip()]
        checked = child_names.check_names(asked, self.taken)
        problems = {wrong.line: words.wrong_name(wrong) for wrong in checked.wrong}
        marked = [replace(line, problem=problems.get(line.number, "")) for line in lines]
        return marked, checked.names


def sealed(sheet: NameSheet) -> str:
    """The sheet, signed, as it travels in a page."""
    return signing.dumps(sheet.as_data(), salt=SALT, compress=True)


def opened(signed: str) -> NameSheet | None:
    """The sheet from a signed page; None when it is too old or not ours."""
    try:
        return NameSheet.from_data(signing.loads(signed, salt=SALT, max_age=SEALED_FOR))
    except signing.BadSignature:
        return None


def with_chosen_columns(sheet: NameSheet, data: QueryDict) -> NameSheet:
    """The sheet with the columns chosen on the page."""
    if "name" not in data:
        return sheet
    width = len(sheet.labels)
    columns: dict[str, Any] = {
        role: _column(data.get(role, ""), width) for role in ("name", "family", "group")
    }
    return sheet.with_columns(Columns(headed="headed" in data, **columns))


def _column(text: str, width: int) -> int | None:
    is_number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if is_number and int(text) < width else None
