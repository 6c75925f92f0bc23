"""Days that a teacher chooses, and dates in texts."""

from datetime import date, timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FARTHEST_DAY: Final = timedelta(days=2 * 365)


def check_future_day(day: date | None, today: date) -> date | None:
    """The day, or None if none was chosen. Raises `ValidationError` if it has passed, or is more
    than two years ahead."""
    if day and day < today:
        raise ValidationError(_("This day has passed."))
    if day and day > today + FARTHEST_DAY:
        raise ValidationError(_("This day is more than two years away."))
    return day


def day_field(label: Any, help_text: Any = "") -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, help_text=help_text, widget=widget)


DATE_FORMATS: Final[dict[str, str | Promise]] = {
    "j M": pgettext_lazy("format of a date", "j M"),
    "j M Y": pgettext_lazy("format of a date", "j M Y"),
    "j F": pgettext_lazy("format of a date", "j F"),
    "j F Y": pgettext_lazy("format of a date", "j F Y"),
    "l": "l",
    "l j F": pgettext_lazy("format of a date", "l j F"),
    "j F, H:i": pgettext_lazy("format of a date", "j F, H:i"),
}
"""Formats in Django's notation: `j F` gives `28 November` in English and `28. November` in German.
Their names are the English formats, which other languages translate."""


def written(value: date, form: str) -> str:
    """The date in one of the `DATE_FORMATS`, in the active language.

    >>> written(date(2026, 11, 28), "l j F")
    'Saturday 28 November'
    """
    return date_format(value, str(DATE_FORMATS[form]))
