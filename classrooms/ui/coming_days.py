"""Days that a teacher sets for something to come."""

from datetime import date, timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

FARTHEST: Final = timedelta(days=2 * 365)


def check_coming(day: date | None, today: date) -> date | None:
    """The day, if one is set. Raises `ValidationError` if it is over or further than two years
    away."""
    if day and day < today:
        raise ValidationError(_("This day has passed."))
    if day and day > today + FARTHEST:
        raise ValidationError(_("This day is more than two years away."))
    return day
