"""The form of a check-up. Its defaults repeat the last check-up, with the next part of the year."""

from datetime import date
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.checkups.models import CheckUp
from classrooms.models import SchoolClass
from classrooms.ui.dates import check_future_day, day_field
from classrooms.ui.tables_and_facts import tables_field
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12

TERMS: Final = tuple(CheckUp.Term.values)


class CheckUpForm(forms.Form):
    """The tables of a new check-up, its days, and whether it is timed."""

    tables = tables_field(
        _("Times tables"),
        TABLES_TO_12,
        help_text=_("The same tables and time all year show progress."),
    )
    timed = forms.TypedChoiceField(
        label=_("Time"),
        choices=[
            ("", _("untimed")),
            ("6", _("6 seconds a question, as in England’s national check")),
        ],
        coerce=bool,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("Children who play untimed have no limit."),
    )
    term = forms.ChoiceField(
        label=_("Time of year"),
        choices=[*CheckUp.Term.choices, ("", _("another time: named after its date"))],
        required=False,
        widget=forms.RadioSelect,
    )
    # Translators: a day
    opens_on = day_field(_("From"), _("If empty, starts now."))
    closes_on = day_field(_("Until"), _("If empty, open until you close it."))

    def __init__(self, school_class: SchoolClass, data: QueryDict | None = None) -> None:
        super().__init__(data, initial=_initial(school_class))
        self.today = school_class.today()

    def clean_timed(self) -> bool:
        return bool(self.cleaned_data["timed"])

    def clean_opens_on(self) -> date | None:
        return check_future_day(self.cleaned_data["opens_on"], self.today)

    def clean_closes_on(self) -> date | None:
        return check_future_day(self.cleaned_data["closes_on"], self.today)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        last = cleaned.get("closes_on")
        if last and last < (cleaned.get("opens_on") or self.today):
            self.add_error("closes_on", gettext("The last day is before the first day."))
        return cleaned


def _term_of(day: date) -> str:
    """The term of a day, in a school year that begins in August or September."""
    if day.month in (8, 9, 10):
        return CheckUp.Term.START
    return CheckUp.Term.END if 4 <= day.month <= 7 else CheckUp.Term.MIDDLE


def _initial(school_class: SchoolClass) -> dict[str, Any]:
    last = school_class.check_ups.order_by("number").last()
    if last is None:
        term = _term_of(school_class.today())
        return {"tables": list(TABLES_TO_10), "timed": "", "term": term}
    next_term = TERMS.index(last.term) + 1 if last.term else len(TERMS)
    return {
        "tables": last.tables,
        "timed": "6" if last.timed else "",
        "term": TERMS[next_term] if next_term < len(TERMS) else "",
    }
