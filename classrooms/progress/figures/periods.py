"""The periods that figures are of, each with the label that is shown beside them."""

from datetime import date, timedelta
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

USUAL_DAYS: Final = 28
PERIODS: Final[dict[str, tuple[int, Promise]]] = {
    "month": (USUAL_DAYS, _("last 4 weeks")),
    "week": (7, _("last 7 days")),
    "all": (0, _("all time")),
}
"""By the word in the address: the number of days, 0 for all, and the label."""
USUAL: Final = "month"
"""The period of the figures on the pages of a class and of a child, unless another is chosen."""
WEEK: Final = "week"
EVER: Final = "all"
"""The period of figures behind a level or a statement, since these rest on all days."""


def label_of(period: str) -> str:
    """The label, in the active language."""
    _days, label = PERIODS[period]
    return str(label)


def first_day(today: date, period: str) -> date | None:
    """The first day of a period that ends today; None for all time."""
    days, _label = PERIODS[period]
    return today - timedelta(days=days - 1) if days else None


def with_period(text: str, period: str) -> str:
    """A figure in words with its period: `found 2 of 8 possible rows, last 4 weeks`."""
    return f"{text}, {label_of(period)}"
