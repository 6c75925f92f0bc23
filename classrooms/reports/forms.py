"""Forms for what to print."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from classrooms.progress.child_figures import PERIODS


class PaperForm(forms.Form):
    """The period and language of a report. It is sent as a query, which never fails: a missing or
    unknown value means the first period and the language of the class."""

    period = forms.ChoiceField(
        label=_("Period"),
        choices=[(name, label) for name, (_days, label) in PERIODS.items()],
        initial="month",
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(label=_("Language"), choices=lambda: settings.LANGUAGES)
