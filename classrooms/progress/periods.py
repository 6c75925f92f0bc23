"""The periods of figures, each with the label that is shown beside them."""

from datetime import date, timedelta
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.coach.statements.table_levels import RECENT_DAYS

PERIODS: Final[dict[str, tuple[int, Promise]]] = {
    "month": (RECENT_DAYS, _("last 4 weeks")),
    "week": (7, _("last 7 days")),
    "all": (0, _("all time")),
}
"""The number of days of each period (0 for all time) and its label, by its name in the address."""
USUAL_PERIOD: Final = "month"
"""The period of the figures on a class's or child's page, unless another is chosen."""
WEEK: Final = "week"
ALL_TIME: Final = "all"
"""The period of figures behind a level or a statement: both rest on all days."""


def label_of(period: str) -> str:
    """The label of a period, in the active language."""
    _days, label = PERIODS[period]
    return str(label)


def first_day(today: date, period: str) -> date | None:
    """The first day of a period that ends today; None for all time."""
    days, _label = PERIODS[period]
    return today - timedelta(days=days - 1) if days else None


def with_period(text: str, period: str) -> str:
    """A figure with its period, as text: `found 2 of 8 possible rows, last 4 weeks`."""
    return f"{text}, {label_of(period)}"
