"""The forms of the door and of the teacher's room."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from classrooms import bounds, child_names
from classrooms.assignments import words

from .models import Child, SchoolClass


class CodeForm(forms.Form):
    """The class code at the door; small letters, spaces and misread signs do no harm."""

    code = forms.CharField(
        label=_("Class code"),
        max_length=40,
        error_messages={"required": _("Type the code of your class.")},
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "autofocus": True,
                "class": "code-input",
            }
        ),
    )


class TypedNameForm(forms.Form):
    """The name of a child that may not choose it from a list."""

    name = forms.CharField(
        label=_("Type your name as it is on your card"),
        help_text=_("Small letters are fine too."),
        max_length=child_names.LONGEST_NAME,
        error_messages={"required": _("Type your name.")},
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "words",
                "autocorrect": "off",
                "spellcheck": "false",
                "autofocus": True,
                "class": "name-input",
            }
        ),
    )

    def clean_name(self) -> str:
        return child_names.tidy(self.cleaned_data["name"])


class ClassForm(forms.ModelForm):
    """What a class is called, and the language that its children read."""

    language = forms.ChoiceField(label=_("Language of the children"), choices=settings.LANGUAGES)

    class Meta:
        model = SchoolClass
        fields: tuple[str, ...] = ("name", "language")
        labels = {"name": _("Name of the class")}
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "off", "autofocus": True})}


class PasteForm(forms.Form):
    """Names of children, one a line: all of them are added, or none and it says why by line."""

    names = forms.CharField(
        label=_("Names, one a line"),
        help_text=_("A first name is enough. Paste the list from wherever you have it."),
        error_messages={"required": _("Type or paste at least one name.")},
        strip=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 12, "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, school_class: SchoolClass, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.taken = list(school_class.children.values_list("name", flat=True))
        self.has_wrong_lines = False

    def clean_names(self) -> tuple[str, ...]:
        pasted: str = self.cleaned_data["names"]
        if len([line for line in pasted.splitlines() if line.strip()]) > bounds.MOST_CHILDREN:
            raise forms.ValidationError(bounds.most_children())
        found = child_names.read_names(pasted, self.taken)
        # A tab stands between the cells of a spreadsheet: what is in which must be looked at.
        if found.wrong or any("\t" in line.strip() for line in pasted.splitlines()):
            self.has_wrong_lines = True
            raise forms.ValidationError([words.wrong_line(wrong) for wrong in found.wrong])
        if not found.names:
            raise forms.ValidationError(_("Type or paste at least one name."))
        if len(found.names) + len(self.taken) > bounds.MOST_CHILDREN:
            raise forms.ValidationError(bounds.most_children())
        return found.names


class RenameForm(forms.Form):
    """Another name for a child."""

    name = forms.CharField(
        label=_("Name"),
        max_length=child_names.LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, child: Child, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.child = child
        self.initial["name"] = child.name
        others = child.school_class.children.exclude(pk=child.pk)
        self.taken = list(others.values_list("name", flat=True))

    def clean_name(self) -> str:
        name = child_names.tidy(self.cleaned_data["name"])
        wrong = child_names.check_name(name)
        if wrong is None and child_names.same(name) in {
            child_names.same(other) for other in self.taken
        }:
            wrong = child_names.WrongLine(1, name, "in class")
        if wrong:
            raise forms.ValidationError(words.wrong_name(wrong))
        return name
