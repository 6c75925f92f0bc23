"""The forms that take a list of names."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy

from classrooms.models import User
from classrooms.roster.importing.pupils import NameSheet
from classrooms.roster.importing.reading import read_file, read_pasted


class FileForm(forms.Form):
    """A file with names: CSV, an Excel workbook or a OneRoster zip."""

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
            attrs={"accept": ".xlsx,.xlsm,.xls,.ods,.csv,.txt,.tsv,.zip,text/csv"}
        ),
    )

    def __init__(self, *args: Any, user: User | None = None) -> None:
        super().__init__(*args)
        self.account = user.pk if user else 0

    def clean_file(self) -> NameSheet:
        file: UploadedFile = self.cleaned_data["file"]
        return read_file(file.read(), self.account)


class PastedListForm(forms.Form):
    """A pasted list of several classes."""

    names = forms.CharField(
        label=gettext_lazy("Names, one per line, with the class beside each"),
        help_text=gettext_lazy("Copy both columns from a spreadsheet."),
        error_messages={"required": gettext_lazy("Type or paste at least one name.")},
        strip=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_names(self) -> NameSheet:
        return read_pasted(self.cleaned_data["names"])


class LanguageForm(forms.Form):
    """The language of the children of the new classes."""

    language = forms.ChoiceField(
        label=gettext_lazy("The children’s language"), choices=lambda: settings.LANGUAGES
    )
