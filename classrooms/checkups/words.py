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


def interval_text(interval: Interval, decimals: int = 0) -> str:
    """The interval of a share, in questions: `18–22`."""
    return f"{_questions(interval.lower, decimals)}–{_questions(interval.upper, decimals)}"


def growth_text(growth: Growth, decimals: int = 0) -> str:
    """A change in questions, with its interval: `+7 (+1 to +12)`."""
    return gettext("%(change)s (%(low)s to %(high)s)") % {
        "change": _signed(growth.change, decimals),
        "low": _signed(growth.interval.lower, decimals),
        "high": _signed(growth.interval.upper, decimals),
    }


def verdict(growth: Growth) -> str:
    """What the page may say about the growth."""
    match growth.direction:
        case "more":
            return gettext("grown")
        case "fewer":
            return gettext("fewer than before")
        case "open":
            return gettext("may be chance")


def mean(score: MeanScore) -> str:
    return _questions(score.share, 1)


def wrong_answer(answer: CheckUpAnswer) -> str:
    """A question with its answer: `6 × 8: 46`, or `6 × 8: 48, too late` if the answer was right."""
    text = gettext("no answer") if answer.answer is None else str(answer.answer)
    if answer.answer == answer.first * answer.second:
        text = gettext("%(answer)s, too late") % {"answer": text}
    return f"{product(answer.first, answer.second)}: {text}"


def _questions(share: float, decimals: int = 0) -> str:
    return number_format(round(share * QUESTIONS, decimals), decimals)


def _signed(share: float, decimals: int) -> str:
    """A difference between two shares, as a signed number of questions."""
    number = round(share * QUESTIONS, decimals)
    sign = "−" if number < 0 else "+" if number > 0 else "±"
    return sign + number_format(abs(number), decimals)
