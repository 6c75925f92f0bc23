"""The forms for children's names, lists of names, groups of children and settings of a child."""

from typing import Any, Final, cast

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms import bounds, child_names
from classrooms.assignments.audience import groups_of
from classrooms.child_names import LONGEST_NAME, SIGNS, WrongLine, check_name, tidy
from classrooms.models import Child, Group, SchoolClass, User
from classrooms.roster.importing.pupils import NameSheet
from classrooms.roster.importing.reading import read_file, read_pasted


def wrong_name(wrong: WrongLine, on_line: int = 0) -> str:
    """A sentence about what is wrong with a name. `on_line` is the number of the other line with
    the same name, if it differs from `wrong.detail`."""
    match wrong.problem:
        case "too long":
            return gettext("“%(name)s…” is too long: at most %(most)d characters.") % {
                "name": wrong.name,
                "most": LONGEST_NAME,
            }
        case "sign":
            return gettext(
                "“%(name)s” contains “%(sign)s”. Only letters, numbers and %(signs)s are allowed."
            ) % {"name": wrong.name, "sign": wrong.detail, "signs": SIGNS.strip()}
        case "missing":
            return gettext("There is no name on this line. Type one, or the line will be left out.")
        case "begins":
            return gettext("“%(name)s” begins with “%(sign)s”. Begin with a letter.") % {
                "name": wrong.name,
                "sign": wrong.detail,
            }
        case "no letter":
            return gettext("“%(name)s” does not contain any letters.") % {"name": wrong.name}
        case "in class":
            return gettext(
                "%(name)s is already in this class. Is this a different child? Add a letter "
                "to tell them apart, such as “%(instead)s”."
            ) % {"name": wrong.name, "instead": wrong.free_name}
        case "on line":
            return gettext(
                "%(name)s is also on line %(other)s. "
                "Add a letter to tell them apart, such as “%(instead)s”."
            ) % {"name": wrong.name, "other": on_line or wrong.detail, "instead": wrong.free_name}


def _names_field(label: Any, help_text: Any, rows: int) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=help_text,
        error_messages={"required": _("Type or paste at least one name.")},
        strip=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": rows, "autocomplete": "off", "spellcheck": "false"}),
    )


class PasteForm(forms.Form):
    """Names of children, one per line. The form is valid only if all names can be added. Otherwise
    each wrong line has an error."""

    names = _names_field(_("One name per line"), _("First names are enough."), rows=12)

    def __init__(self, school_class: SchoolClass, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.taken = list(school_class.children.values_list("name", flat=True))
        self.has_wrong_lines = False

    def clean_names(self) -> tuple[str, ...]:
        pasted: str = self.cleaned_data["names"]
        if len([line for line in pasted.splitlines() if line.strip()]) > bounds.MOST_CHILDREN:
            raise forms.ValidationError(bounds.most_children_text())
        name_list = child_names.read_names(pasted, self.taken)
        # The teacher must check the columns, and what was taken for a heading or a number.
        if name_list.wrong or not self._has_only_names(pasted, name_list.names):
            self.has_wrong_lines = True
            text = gettext("Line %(line)d: %(problem)s")
            raise forms.ValidationError(
                [text % {"line": w.line, "problem": wrong_name(w)} for w in name_list.wrong]
            )
        if not name_list.names:
            raise forms.ValidationError(_("Type or paste at least one name."))
        if len(name_list.names) + len(self.taken) > bounds.MOST_CHILDREN:
            raise forms.ValidationError(bounds.most_children_text())
        return name_list.names

    @staticmethod
    def _has_only_names(pasted: str, names: tuple[str, ...]) -> bool:
        """Whether each line has one name and nothing else."""
        if not names:
            return True
        sheet = read_pasted(pasted)
        is_table = any("\t" in line.strip() for line in pasted.splitlines())
        read = tuple(pupil.name for pupil in sheet.pupils)
        return not is_table and not sheet.passed and sheet.columns.is_sure and read == names


class RenameForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=child_names.LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, child: Child, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.child = child
        self.initial["name"] = child.name

    def clean_name(self) -> str:
        name = child_names.tidy(self.cleaned_data["name"])
        wrong = child_names.check_name(name)
        classmates = self.child.school_class.children.exclude(pk=self.child.pk)
        names = {child_names.name_key(other) for other in classmates.values_list("name", flat=True)}
        if wrong is None and child_names.name_key(name) in names:
            free_name = child_names.with_letter(name, names)
            wrong = child_names.WrongLine(1, name, "in class", free_name=free_name)
        if wrong:
            raise forms.ValidationError(wrong_name(wrong))
        return name


class GroupForm(forms.ModelForm):
    class Meta:
        model = Group
        fields = ("name", "children")
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "off"}),
            "children": forms.CheckboxSelectMultiple,
        }
        labels = {"name": _("Name of the group"), "children": _("Who is in it?")}
        error_messages = {"children": {"required": _("Choose at least one child.")}}

    def __init__(self, school_class: SchoolClass, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.school_class = school_class
        self.instance.school_class = school_class
        children = cast(forms.ModelMultipleChoiceField, self.fields["children"])
        children.queryset = school_class.children.all()

    def clean_name(self) -> str:
        name = tidy(self.cleaned_data["name"])
        if wrong := check_name(name):
            raise forms.ValidationError(wrong_name(wrong))
        groups = groups_of(self.school_class).exclude(pk=self.instance.pk)
        if groups.filter(name__iexact=name).exists():
            raise forms.ValidationError(_("There is already a group with this name."))
        return name


class FileForm(forms.Form):
    """A file with names: CSV, an Excel workbook or a OneRoster zip."""

    file = forms.FileField(
        label=_("An Excel file (.xlsx), a CSV file or a OneRoster zip"),
        help_text=_("You will see the names before anything is saved."),
        error_messages={
            "required": _("Choose a file."),
            "empty": _("This file is empty."),
            "missing": _("Choose a file."),
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
    names = _names_field(
        _("Names, one per line, with the class beside each"),
        _("Copy both columns from a spreadsheet."),
        rows=8,
    )

    def clean_names(self) -> NameSheet:
        return read_pasted(self.cleaned_data["names"])


class LanguageForm(forms.Form):
    language = forms.ChoiceField(
        label=_("The children’s language"), choices=lambda: settings.LANGUAGES
    )


CHILD: Final = "child"
TICKS: Final[dict[str, tuple[str, Promise]]] = {
    "is_untimed": ("untimed", _("Untimed")),
    "has_larger_cards": ("larger", _("Larger cards")),
    "gets_questions": ("checks", _("Short questions")),
    "may_sit_at_tables": ("tables", _("Tables with classmates")),
    "may_give_signs": ("signs", _("Signs between children")),
}
"""The fields of a child that the page has a checkbox for, with its label and its name, which is
that of an earlier release, whose pages may still be open."""
HINTS: Final = "hints"
