"""Assignments and what is chosen for them in words, in the language of the page."""

from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.choice import Choice
from classrooms.models import Assignment
from games.bots import companion
from games.engine.ruleset import Ruleset
from games.screen.products import product
from games.screen.sample_words import SampleTexts, samples
from games.screen.words import listed, title


def details(assignment: Assignment) -> str:
    """The settings of an assignment in one line, for the teacher."""
    rounds = length(assignment.ruleset)
    bots = ngettext("%(n)d bot", "%(n)d bots", assignment.bots) % {"n": assignment.bots}
    hints = gettext("hints") if assignment.hint_steps else gettext("no hints")
    focus = listed(assignment.focus)
    facts = listed([product(*one) for one in assignment.facts])
    more = [
        (bool(assignment.facts), gettext("asks %(facts)s first") % {"facts": facts}),
        (bool(focus), gettext("mainly %(tables)s") % {"tables": focus}),
        (assignment.ruleset.offers, gettext("open card offered")),
        (not assignment.missed_rows, gettext("no missed row after a turn")),
        (not assignment.checks, gettext("no short questions")),
        (assignment.series is not None, gettext("every week")),
    ]
    return " · ".join([rounds, bots, hints, *(words for applies, words in more if applies)])


def length(ruleset: Ruleset) -> str:
    """How long a match lasts."""
    if ruleset.rounds is None:
        return gettext("first to %(n)d points") % {"n": ruleset.target}
    return ngettext("%(n)d round", "%(n)d rounds", ruleset.rounds) % {"n": ruleset.rounds}


PROBLEMS: Final[dict[str, tuple[str, Promise]]] = {
    "no-tables": ("tables", _("Choose at least one times table.")),
    "rounds-needed": (
        "rounds",
        _("This game is not played to a target score. Choose the number of rounds."),
    ),
}
"""By reason of a `RulesetError` that the form can cause: the field that shows it, and the text."""


BOTS: Final[dict[str, Promise]] = {
    companion.NAME: _("as strong as each child needs"),
    "beginner": _("a beginner, who sometimes misses a row"),
    "steady": _("steady: lays the best row it can see"),
    "sharp": _("clever: also thinks about which cards to keep"),
    "expert": _("an expert, who thinks ahead"),
}
"""How strong the bots can be, in the words of the form."""


HINTS: Final = (
    pgettext_lazy("hints", "none"),
    _("1: how many rows are hiding"),
    _("up to 2: one card of the row"),
    _("up to 3: the jumps in the row"),
    _("up to 4: the name of its times table"),
    _("up to 5: how to work it out from an easier fact"),
    _("up to 6: the row itself"),
)
"""What a hint shows up to each step."""


MEANINGS: Final[dict[str, Promise]] = {
    "simplified": _("Every card earns 1 point. Short turns: a good first game."),
    "simplified-2010": _("The same, but players do not have to put a card down."),
    "classic": _(
        "Harder cards earn 2 or 3 points, so children have to think about which ones to lay."
    ),
    "advanced": _(
        "Like classic, but every row is checked: choose below what rows must count back to."
    ),
    "blocks": _(
        "Two new blocks every turn and no points for rows: whoever has the fewest blocks left wins."
    ),
    "blocks-simple": _(
        "Children can add to any row from the start. Whoever gets rid of all their blocks wins."
    ),
}
"""What each edition means for a child, in a sentence; in the order of the form."""


class RulesPreview:
    """A choice in words and sample rows, or the problems that keep it from being a game."""

    def __init__(self, choice: Choice, problems: Sequence[str] = ()) -> None:
        self.choice = choice
        self.problems = problems
        self.ruleset = None if problems else choice.ruleset()

    @property
    def title(self) -> str:
        return title(self.ruleset) if self.ruleset else ""

    @property
    def sentence(self) -> str:
        return f"{MEANINGS[self.ruleset.edition]} {self.setting}" if self.ruleset else ""

    @property
    def setting(self) -> str:
        """Numbers, cards and length."""
        if self.ruleset is None:
            return ""
        setting = gettext(
            "Numbers 1 to %(highest)d, %(cards)d cards each to begin with, %(length)s."
        )
        if self.ruleset.with_pot:
            setting = gettext(
                "Numbers 1 to %(highest)d, %(cards)d blocks each to begin with, %(length)s."
            )
        return setting % {
            "highest": self.ruleset.highest,
            "cards": self.ruleset.hand_size(self.choice.bots + 1),
            "length": length(self.ruleset),
        }

    @property
    def samples(self) -> SampleTexts | None:
        return samples(self.ruleset) if self.ruleset else None

    @property
    def live(self) -> str:
        """For screen readers: what is wrong, or what the rules are now."""
        return " ".join([*self.problems, self.title])
