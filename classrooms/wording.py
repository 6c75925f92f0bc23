"""What classes and assignments are called, in the language of the page."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.engine.ruleset import Ruleset

from .models import Assignment
from .roster import LONGEST_NAME, SIGNS, WrongLine


def listed(words: Sequence[str]) -> str:
    """The words as a list that can be read out: "2, 5 and 10"."""
    if len(words) < 2:
        return "".join(words)
    return gettext("%(first)s and %(last)s") % {
        "first": ", ".join(words[:-1]),
        "last": words[-1],
    }


def title(ruleset: Ruleset) -> str:
    """What a match by these rules is about, as the child reads it."""
    if ruleset.tables is not None:
        tables = listed([str(table) for table in ruleset.tables])
        return ngettext(
            "%(tables)s times table", "%(tables)s times tables", len(ruleset.tables)
        ) % {"tables": tables}
    if ruleset.counts_back_to is not None:
        return gettext("All times tables")
    return gettext("Any equal jumps")


def details(assignment: Assignment) -> str:
    """The rest of an assignment in one line, for the teacher."""
    rounds = ngettext("%(n)d round", "%(n)d rounds", assignment.rounds) % {"n": assignment.rounds}
    bots = ngettext("%(n)d bot", "%(n)d bots", assignment.bots) % {"n": assignment.bots}
    hints = gettext("hints") if assignment.hint_steps else gettext("no hints")
    offers = [gettext("offers")] if assignment.ruleset.offers else []
    return " · ".join([rounds, bots, hints, *offers])


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
