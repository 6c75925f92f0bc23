"""Words that all papers share: days, levels, and the meanings of figures."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from classrooms.models import SchoolClass
from classrooms.progress import words
from classrooms.progress.rows import OTHER_TABLES, RowCounts
from classrooms.ui.dates import written
from games.coach.chances import MANY_TRIES
from games.coach.mastery import FEWEST_FOR_A_LEVEL

PaperData = dict[str, Any]
"""The content of a paper, as its typst template reads it."""

Definition = tuple[str, str]
"""A word and what it means."""


def day_in_words(day: date) -> str:
    """A day in the active language: `21 November 2026`."""
    return written(day, "j F Y")


def short_day(day: date) -> str:
    """A day in the active language, without the year: `21 November`."""
    return written(day, "j F")


def moment_in_words(at: datetime, school_class: SchoolClass) -> str:
    """A moment as day and time in the time zone of the class."""
    local = at.astimezone(ZoneInfo(school_class.time_zone))
    return f"{day_in_words(local.date())}, {date_format(local, 'H:i', use_l10n=False)}"


def meanings_in(text: str) -> list[Definition]:
    """The meanings of the figures, and of those words for levels of tables that the text uses."""
    optional = {"–", *words.table_words(), words.table_name(OTHER_TABLES)}
    return [
        (word, meaning)
        for word, meaning in _meanings()
        if word.casefold() in text.casefold() or word not in optional
    ]


def _meanings() -> list[Definition]:
    return [
        (
            gettext("Rows"),
            gettext("three numbers or more of a times table, one after the other, such as %(row)s")
            % {"row": dashed(example_row(5))},
        ),
        (
            words.figure(RowCounts(9, 0, 3)),
            ngettext(
                "12 rows could be laid, and 9 were found without help: without a hint, after at "
                "most %(tries)d wrong try",
                "12 rows could be laid, and 9 were found without help: without a hint, after at "
                "most %(tries)d wrong tries",
                MANY_TRIES - 1,
            )
            % {"tries": MANY_TRIES - 1}
            + ". "
            + without_joker(),
        ),
        (
            "–",
            gettext("fewer than %(n)d rows came up: too few for a figure")
            % {"n": FEWEST_FOR_A_LEVEL},
        ),
        (words.table_name(OTHER_TABLES), words.other_meaning()),
        (
            words.table_level("learning"),
            gettext("not certain yet: it may be chance, or the last row was long ago"),
        ),
        (
            words.table_level("secure"),
            gettext(
                "over all weeks, almost certainly finds about two in three of its rows or more "
                "without help"
            ),
        ),
        (
            words.table_level("needs refreshing"),
            gettext(
                "found most rows before, but fewer lately; that may be chance, and a little "
                "practice helps"
            ),
        ),
    ]


def without_joker() -> str:
    return gettext("Rows laid with a joker are not counted.")


def example_row(table: int) -> list[int]:
    """A row of a table to practise with, from twice the table on.

    >>> example_row(7)
    [14, 21, 28]
    """
    return [table * times for times in range(2, 5)]


def dashed(numbers: Sequence[int]) -> str:
    return "–".join(map(str, numbers))


def without_breaks(text: str) -> str:
    """The text with no-break spaces and no-break hyphens."""
    return text.replace(" ", "\u00a0").replace("-", "\u2011")
