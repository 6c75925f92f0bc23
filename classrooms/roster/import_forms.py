"""Names from a file: the upload form, then a preview in which every name can be mended."""

from typing import Final

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from classrooms import bounds
from classrooms.models import SchoolClass
from classrooms.roster.changes import Change, change_of
from classrooms.roster.importing.import_errors import MOST_ROWS, Unreadable
from classrooms.roster.importing.pupils import Pupil
from classrooms.roster.importing.reading import read_file
from classrooms.roster.importing.sheet import NameSheet
from classrooms.roster.importing.words import passed_over, problem_text

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


class SheetPreview:
    """A sheet as it is looked at. Nothing is stored between the requests: the sheet travels in the
    page, signed. `must_choose_columns`: nobody knows which column has the names."""

    def __init__(self, sheet: NameSheet, data: QueryDict | None = None) -> None:
        self.sheet = sheet if data is None else as_chosen(sheet, data)
        self.must_choose_columns = not self.sheet.columns.sure

    @property
    def sealed(self) -> str:
        return signing.dumps(self.sheet.as_data(), salt=SALT, compress=True)

    @property
    def notes(self) -> list[str]:
        """What of the list is not shown, in sentences."""
        return passed_over(self.sheet)


class ImportPreview(SheetPreview):
    """What a sheet would change in a class. `group`: the class chosen, if the sheet names
    several."""

    def __init__(
        self, school_class: SchoolClass, sheet: NameSheet, data: QueryDict | None = None
    ) -> None:
        super().__init__(sheet, data)
        self.taken = list(school_class.children.values_list("name", flat=True))
        self.groups = self.sheet.groups() if self.sheet.columns.group is not None else []
        asked = data.get("class") if data is not None else None
        known = [name for name, _count in self.groups]
        self.group = asked if asked in known else known[0] if len(known) == 1 else None
        self.must_choose = bool(self.groups) and self.group is None
        pupils = [] if self.must_choose else self.sheet.pupils_in(self.group)
        self.is_too_long = len(pupils) > MOST_ROWS
        typed = data if data is not None and data.get("do") == "add" else QueryDict()
        self.change = Change()
        if not self.is_too_long and not self.must_choose_columns:
            self.change = change_of(pupils, self.taken, _field, typed.get)

    @property
    def too_many(self) -> str:
        """The message if these are more children than a class may have, else ""."""
        if self.is_too_long or len(self.change.new) + len(self.taken) > bounds.MOST_CHILDREN:
            return bounds.most_children()
        return ""

    @property
    def is_good(self) -> bool:
        """Whether all of it can be added."""
        return bool(self.change.new) and not self.change.wrong and not self.too_many


def _field(_place: int, pupil: Pupil) -> str:
    return f"name-{pupil.line}"


def opened(signed: str) -> NameSheet | None:
    """The sheet from a signed page; None when it is too old or not ours."""
    try:
        return NameSheet.from_data(signing.loads(signed, salt=SALT, max_age=SEALED_FOR))
    except signing.BadSignature:
        return None


def as_chosen(sheet: NameSheet, data: QueryDict) -> NameSheet:
    """The sheet in the encoding and with the columns chosen on the page."""
    sheet = sheet.in_encoding(data.get("encoding", ""))
    if "name" not in data:
        return sheet
    width = len(sheet.labels)
    chosen = {role: _column(data.get(role, ""), width) for role in ("name", "family", "group")}
    return sheet.with_columns(chosen, headed="headed" in data)


def _column(text: str, width: int) -> int | None:
    is_number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if is_number and int(text) < width else None
