"""The texts of check-ups for the teacher; `tables_of` is for the child too."""

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from classrooms.checkups.models import CheckUp, CheckUpAnswer
from classrooms.checkups.results import Growth, MeanScore
from classrooms.ui.dates import written
from games.coach.questions.check_up_questions import QUESTIONS
from games.coach.statements.certainty import Interval
from games.screen.words import listed, product, tables_title


def title(check_up: CheckUp) -> str:
    """The part of the year, if there is one, and the first day of the check-up."""
    day = written(check_up.opens_on, "j F Y")
    if check_up.term:
        return f"{CheckUp.Term(check_up.term).label}, {day}"
    return gettext("Check-up on %(day)s") % {"day": day}


def conditions(check_up: CheckUp) -> str:
    """The tables, and whether there is a time limit."""
    tables = [str(table) for table in check_up.tables]
    values = {"n": QUESTIONS, "tables": listed(tables)}
    text = ngettext(
        "%(n)d questions on the %(tables)s times table",
        "%(n)d questions on the %(tables)s times tables",
        len(tables),
    )
    time = gettext("6 seconds per question") if check_up.timed else gettext("untimed")
    return f"{text % values} · {time}"


def tables_of(check_up: CheckUp) -> str:
    return tables_title(check_up.tables)


def interval_text(found: Interval) -> str:
    """The interval of a share as two numbers of questions: `18–22`."""
    return f"{_questions(found.lower)}–{_questions(found.upper)}"


def growth(found: Growth) -> str:
    """A child's change in questions, with its interval: "+7 (+1 to +12)"."""
    return _change(found, 0)


def class_growth(found: Growth) -> str:
    """The mean change of a class, with its interval: "+2.4 (+0.8 to +4.1)"."""
    return _change(found, 1)


def _change(found: Growth, decimals: int) -> str:
    return gettext("%(change)s (%(low)s to %(high)s)") % {
        "change": _signed(found.by, decimals),
        "low": _signed(found.between.lower, decimals),
        "high": _signed(found.between.upper, decimals),
    }


def verdict(found: Growth) -> str:
    """What may be said about the growth."""
    match found.direction:
        case "more":
            return gettext("grown")
        case "fewer":
            return gettext("fewer than before")
        case "open":
            return gettext("may be chance")


def mean(found: MeanScore) -> str:
    return _questions(found.share, 1)


def mean_between(found: MeanScore) -> str:
    """The interval of a mean, in questions."""
    return f"{_questions(found.between.lower, 1)}–{_questions(found.between.upper, 1)}"


def wrong(given: CheckUpAnswer) -> str:
    """A question with its answer: "6 × 8: 46", or "6 × 8: 48, too late" if the answer was right."""
    text = gettext("no answer") if given.answer is None else str(given.answer)
    if given.answer == given.first * given.second:
        text = gettext("%(answer)s, too late") % {"answer": text}
    return f"{product(given.first, given.second)}: {text}"


def _questions(share: float, decimals: int = 0) -> str:
    return number_format(round(share * QUESTIONS, decimals), decimals)


def _signed(share: float, decimals: int) -> str:
    """A difference of shares in questions, with its sign."""
    number = round(share * QUESTIONS, decimals)
    sign = "−" if number < 0 else "+" if number > 0 else "±"
    return sign + number_format(abs(number), decimals)
