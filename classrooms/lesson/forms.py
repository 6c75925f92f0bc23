"""The forms with which a teacher begins one deal for the class or a hand for everybody."""

from datetime import date

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from classrooms.models import SchoolClass
from classrooms.ui.dates import check_future_day, day_field
from classrooms.ui.tables_and_facts import tables_field
from games.coach.times_tables import TABLES_TO_10


class DealForm(forms.Form):
    """The form of one deal for the class. Without a last day the class starts together."""

    due_on = day_field(_("To be done by"), _("Leave it empty to start together now."))

    def __init__(self, school_class: SchoolClass, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.today = school_class.today()

    def clean_due_on(self) -> date | None:
        return check_future_day(self.cleaned_data["due_on"], self.today)


class TablesForm(forms.Form):
    """The times tables whose rows the class will look for."""

    tables = tables_field(_("Times tables"), TABLES_TO_10)
