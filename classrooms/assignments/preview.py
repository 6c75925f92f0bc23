"""A preview of rules: a sentence, and rows that they allow and refuse."""

from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.assignments import words
from classrooms.assignments.services import Choice
from games.screen.sample_words import SampleTexts, samples
from games.screen.words import title

MEANINGS: Final[dict[str, Promise]] = {
    "simplified": _("Every card earns 1 point. Short turns: good to begin with."),
    "simplified-2010": _("The same, but a turn may end without putting a card down."),
    "classic": _("Hard cards earn 2 or 3 points, so a child weighs which ones to lay."),
    "advanced": _("As classic, but every row is checked: choose below what rows count back to."),
    "blocks": _("Two new blocks every turn and no points for rows: who keeps fewest blocks wins."),
    "blocks-simple": _("Every row may be added to from the start. Who lays all blocks wins."),
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
            "length": words.length(self.ruleset),
        }

    @property
    def samples(self) -> SampleTexts | None:
        return samples(self.ruleset) if self.ruleset else None

    @property
    def live(self) -> str:
        """For screen readers: what is wrong, or what the rules are now."""
        return " ".join([*self.problems, self.title])
