"""Assignments in words, in the language of the page."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from classrooms.models import Assignment
from games.bots import companion
from games.engine.ruleset import Ruleset
from games.screen.words import listed


def details(assignment: Assignment) -> str:
    """The settings of an assignment in one line, for the teacher."""
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
    return " · ".join([rounds, bots, hints, *(words for applies, words in more if applies)])


def length(ruleset: Ruleset) -> str:
    """How long a match lasts."""
    if ruleset.rounds is None:
        return gettext("until %(n)d points") % {"n": ruleset.target}
    return ngettext("%(n)d round", "%(n)d rounds", ruleset.rounds) % {"n": ruleset.rounds}


PROBLEMS: Final[dict[str, tuple[str, Promise]]] = {
    "no-tables": ("tables", _("Choose at least one times table.")),
    "rounds-needed": ("rounds", _("This game has no points to reach. Choose how many rounds.")),
}
"""By reason of a `RulesetError` that the form can cause: the field that shows it, and the text."""


BOTS: Final[dict[str, Promise]] = {
    companion.NAME: _("as strong as suits each child"),
    "beginner": _("a beginner, who overlooks a row now and then"),
    "steady": _("steady: lays the best row in sight"),
    "sharp": _("sharp: minds which cards to keep as well"),
    "expert": _("an expert, who thinks ahead"),
}
"""How strong the bots can be, in the words of the form."""


HINTS: Final = (
    _("none"),
    _("1: how many rows are hiding"),
    _("up to 2: one card of it"),
    _("up to 3: its jumps"),
    _("up to 4: the name of its times table"),
    _("up to 5: how it follows from an easier fact"),
    _("up to 6: the row itself"),
)
"""What a hint shows up to each step."""
