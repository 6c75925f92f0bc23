"""The form of one deal for the class."""

from datetime import date

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from classrooms.models import SchoolClass
from classrooms.ui.pages import check_coming


class DealForm(forms.Form):
    """The form of one deal for the class. Without a last day the class starts together."""

    due_on = forms.DateField(
        label=_("To be done by"),
        required=False,
        help_text=_("Leave it empty to start together now."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, school_class: SchoolClass, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.today = school_class.today()

    def clean_due_on(self) -> date | None:
        return check_coming(self.cleaned_data["due_on"], self.today)
