"""Date formats: named by their English form and translated for other languages."""

from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

FORMS: Final[dict[str, str | Promise]] = {
    "j M": pgettext_lazy("format of a date", "j M"),
    "j M Y": pgettext_lazy("format of a date", "j M Y"),
    "j F": pgettext_lazy("format of a date", "j F"),
    "j F Y": pgettext_lazy("format of a date", "j F Y"),
    "l j F": pgettext_lazy("format of a date", "l j F"),
    "j F, H:i": pgettext_lazy("format of a date", "j F, H:i"),
}
"""In Django's letters: `j F` is `28 November` in English and `28. November` in German."""


def written(value: date, form: str) -> str:
    """A date in one of the forms, in the active language.

    >>> written(date(2026, 11, 28), "l j F")
    'Saturday 28 November'
    """
    return date_format(value, str(FORMS[form]))
