"""Whom an assignment is for, as a form: nobody ticked is the whole class."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.audience import WHOLE_CLASS, Audience, groups_of
from classrooms.models import SchoolClass


class AudienceForm(forms.Form):
    def __init__(
        self,
        school_class: SchoolClass,
        data: QueryDict | None = None,
        *,
        begin_with: Audience = WHOLE_CLASS,
    ) -> None:
        initial: dict[str, Any] = {"groups": begin_with.groups, "children": begin_with.children}
        super().__init__(data, initial=initial)
        for name, label, queryset in (
            ("groups", _("Groups"), groups_of(school_class)),
            ("children", _("Children"), school_class.children.all()),
        ):
            self.fields[name] = forms.ModelMultipleChoiceField(
                queryset, label=label, required=False, widget=forms.CheckboxSelectMultiple
            )

    @property
    def audience(self) -> Audience:
        """Whom was chosen. Only where the form is valid."""
        chosen = self.cleaned_data
        return Audience(list(chosen["groups"]), list(chosen["children"]))

    @property
    def names(self) -> list[str]:
        """The names of those that the form begins with, for its heading."""
        if self.is_bound:
            return self.audience.names if self.is_valid() else []
        return [str(each) for each in (*self.initial["groups"], *self.initial["children"])]
