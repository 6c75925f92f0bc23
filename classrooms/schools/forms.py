"""Forms for an admin of a school who wants to see a child, download a file or erase a class."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from classrooms.models import Child, SchoolClass
from classrooms.privacy.words import REASONS


class ReasonForm(forms.Form):
    """The form for the admin's reason. It is chosen from a list, because a typed text could name a
    child and would remain after the child is erased."""

    reason = forms.ChoiceField(
        label=_("Reason"), choices=lambda: [("", _("Nothing chosen")), *REASONS.items()]
    )


class OneChildForm(ReasonForm):
    child = forms.TypedChoiceField(label=_("Child"))
    field_order = ("child", "reason")

    def __init__(self, children: Sequence[Child], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_key = {str(child.pk): child for child in children}
        field = self.fields["child"]
        assert isinstance(field, forms.TypedChoiceField)
        names = [(key, child.name) for key, child in by_key.items()]
        field.choices = [("", _("Choose a child")), *names]
        field.coerce = by_key.__getitem__


class EraseForm(forms.Form):
    """The form in which the admin types the name of the class, so that nobody erases the wrong
    one."""

    name = forms.CharField(
        label=_("To delete the class, type its name"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, school_class: SchoolClass, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.school_class = school_class

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name.strip() != self.school_class.name.strip():
            raise forms.ValidationError(
                _("This is not the name of the class. Nothing was deleted.")
            )
        return name
