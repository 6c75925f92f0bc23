"""A group of children, as a form."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.audience import groups_of
from classrooms.child_names import check_name, tidy
from classrooms.models import Group, SchoolClass
from classrooms.roster.words import wrong_name


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
        others = groups_of(self.school_class).exclude(pk=self.instance.pk)
        if others.filter(name__iexact=name).exists():
            raise forms.ValidationError(_("There is already a group with this name."))
        return name
