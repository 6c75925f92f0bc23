"""What classes and assignments are called, in the language of the page."""

from django.utils.translation import gettext, ngettext

from classrooms.child_names import LONGEST_NAME, SIGNS, WrongLine
from classrooms.models import Assignment
from games.engine.ruleset import Ruleset
from games.screen.words import listed


def details(assignment: Assignment) -> str:
    """The rest of an assignment in one line, for the teacher."""
    rounds = length(assignment.ruleset)
    bots = ngettext("%(n)d bot", "%(n)d bots", assignment.bots) % {"n": assignment.bots}
    hints = gettext("hints") if assignment.hint_steps else gettext("no hints")
    focus = listed(assignment.focus)
    more = [
        (bool(focus), gettext("most of all %(tables)s") % {"tables": focus}),
        (assignment.ruleset.offers, gettext("offers")),
        (not assignment.missed_rows, gettext("missed rows not shown")),
        (not assignment.checks, gettext("no quick checks")),
        (assignment.series is not None, gettext("every week")),
    ]
    return " · ".join([rounds, bots, hints, *(words for said, words in more if said)])


def length(ruleset: Ruleset) -> str:
    """How long a match lasts."""
    if ruleset.rounds is None:
        return gettext("until %(n)d points") % {"n": ruleset.target}
    return ngettext("%(n)d round", "%(n)d rounds", ruleset.rounds) % {"n": ruleset.rounds}


def door_is_shut() -> str:
    """Why a code is not looked at just now, and what works all the same."""
    return gettext(
        "Very many wrong codes were typed today, so codes do not open the door for now. Point a "
        "camera at the QR code on your card, or use the device you always use."
    )


def wrong_line(wrong: WrongLine) -> str:
    """What a teacher must mend in a pasted list."""
    return gettext("Line %(line)d: %(problem)s") % {
        "line": wrong.line,
        "problem": wrong_name(wrong),
    }


def wrong_name(wrong: WrongLine) -> str:
    """What is the matter with a name."""
    match wrong.problem:
        case "too long":
            return gettext("“%(name)s…” is too long: at most %(most)d signs.") % {
                "name": wrong.name,
                "most": LONGEST_NAME,
            }
        case "sign":
            return gettext(
                "“%(name)s” has “%(sign)s” in it. Letters, figures and %(signs)s do."
            ) % {
                "name": wrong.name,
                "sign": wrong.detail,
                "signs": SIGNS.strip(),
            }
        case "missing":
            return gettext("There is no name on this line. Type it, or the line is left out.")
        case "begins":
            return gettext("“%(name)s” begins with “%(sign)s”. Begin with a letter.") % {
                "name": wrong.name,
                "sign": wrong.detail,
            }
        case "no letter":
            return gettext("“%(name)s” has no letter in it.") % {"name": wrong.name}
        case "in class":
            return gettext(
                "%(name)s is already in this class. Is this another child? "
                "Add a letter to tell them apart, such as “%(name)s B”."
            ) % {"name": wrong.name}
        case "on line":
            return gettext(
                "%(name)s is also on line %(other)s. "
                "Add a letter to tell them apart, such as “%(name)s B”."
            ) % {"name": wrong.name, "other": wrong.detail}
