"""Words that reports and certificates share: days, levels and what they mean."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from classrooms.models import SchoolClass
from classrooms.progress.figures import words
from classrooms.progress.figures.table_rows import Rows
from classrooms.ui.dates import written
from games.coach.chances import MANY_TRIES
from games.coach.mastery import FEWEST, FLUENT_MS, SECURE_MS, Level
from games.coach.statements.table_levels import FLUENT_DAYS, FLUENT_FROM, SECURE_DAYS, SECURE_FROM
from games.screen.products import product

PaperData = dict[str, Any]
"""What a paper says, as its typst template reads it."""

ON_PAPER: Final[tuple[Level, ...]] = ("fluent", "secure", "learning", "needs refreshing")
"""The levels that have a sign, best first."""

FACT_TIMES: Final[tuple[tuple[Level, int], ...]] = (("secure", SECURE_MS), ("fluent", FLUENT_MS))

Definition = tuple[str, str]
"""A word and what it means."""


def day(of: date) -> str:
    """`21 November 2026`, as the active language writes it."""
    return written(of, "j F Y")


def short_day(of: date) -> str:
    """The same without the year."""
    return written(of, "j F")


def last_seen(at: datetime | None, school_class: SchoolClass) -> str:
    """The day of a moment by the clock of the class; with the year if it is not this one."""
    if at is None:
        return ""
    of = at.astimezone(ZoneInfo(school_class.time_zone)).date()
    return short_day(of) if of.year == school_class.today().year else day(of)


def moment(at: datetime, school_class: SchoolClass) -> str:
    """A day with its time by the clock of the class."""
    local = at.astimezone(ZoneInfo(school_class.time_zone))
    return f"{day(local.date())}, {date_format(local, 'H:i', use_l10n=False)}"


def levels() -> list[dict[str, str]]:
    """The levels of a legend, each with its word."""
    return [{"level": level, "word": words.level_name(level)} for level in ON_PAPER]


def meanings(*, facts: bool, timed: bool = True) -> list[Definition]:
    """What the figures and the levels mean; `facts`: with those of facts. `timed`: whether time
    counts for the child."""
    learning, refreshing, few = (
        (words.level_name("learning"), gettext("practised, and on the way to “secure”")),
        (
            words.level_name("needs refreshing"),
            gettext(
                "was secure, but probably is not any more; a little practice will bring it back"
            ),
        ),
        (
            "–",
            gettext("fewer than %(n)d possible rows in this period: too few for a figure")
            % {"n": FEWEST},
        ),
    )
    definitions = [
        (
            words.figure(Rows(9, 0, 3)),
            gettext(
                "in the game, 12 rows were possible; 9 of them were found without help: no hint, "
                "and fewer than %(tries)d wrong tries in that turn"
            )
            % {"tries": MANY_TRIES},
        ),
        learning,
        (words.level_name("secure"), _found(SECURE_FROM, SECURE_DAYS)),
        (words.level_name("fluent"), _found_at_once(FLUENT_FROM, FLUENT_DAYS)),
        refreshing,
        few,
    ]
    return [*definitions, *_of_facts(timed=timed)] if facts else definitions


def _found(share: float, days: int) -> str:
    return ngettext(
        "very probably finds at least %(share)d%% of the table’s rows without help; seen on "
        "at least %(days)d day",
        "very probably finds at least %(share)d%% of the table’s rows without help; seen on "
        "at least %(days)d days",
        days,
    ) % {"share": round(100 * share), "days": days}


def _found_at_once(share: float, days: int) -> str:
    return ngettext(
        "very probably finds at least %(share)d%% of the table’s rows at once; seen on at "
        "least %(days)d day",
        "very probably finds at least %(share)d%% of the table’s rows at once; seen on at "
        "least %(days)d days",
        days,
    ) % {"share": round(100 * share), "days": days}


def _of_facts(*, timed: bool) -> list[Definition]:
    text = gettext("got %(fact)s right without help, mostly within %(seconds)d seconds")
    if not timed:
        text = gettext("got %(fact)s right without help on most days")
    return [
        (
            gettext("fact: %(level)s") % {"level": words.level_name(level)},
            text % {"fact": product(7, 8), "seconds": ms // 1000},
        )
        for level, ms in FACT_TIMES
    ]


def example_row(table: int) -> list[int]:
    """A row of a table to practise with, from twice the table on.

    >>> example_row(7)
    [14, 21, 28]
    """
    return [table * times for times in range(2, 5)]


def dashed(numbers: Sequence[int]) -> str:
    return "–".join(map(str, numbers))


def unbroken(text: str) -> str:
    """The text with non-breaking spaces."""
    return text.replace(" ", "\u00a0")
