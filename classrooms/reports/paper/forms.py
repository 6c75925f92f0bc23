"""What is chosen before something is printed."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from classrooms.progress.pages.class_page import PERIODS


class PaperForm(forms.Form):
    """The days and the language of a report. It is sent by address, so nothing of it is wrong:
    what an address does not name is the first period and the language of the class."""

    period = forms.ChoiceField(
        label=_("Period"),
        choices=[(name, label) for name, (_days, label) in PERIODS.items()],
        initial="month",
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
