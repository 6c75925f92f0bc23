"""The words of the form of an assignment that its fields do not bear themselves."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.bots import companion

PROBLEMS: Final[dict[str, tuple[str, Promise]]] = {
    "no-tables": ("tables", _("Choose at least one times table.")),
    "rounds-needed": ("rounds", _("This game has no points to reach. Choose how many rounds.")),
}
"""The reasons of `RulesetError` that the fields can reach: at which of them it is told, and how."""

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
"""What a hint tells up to each step."""
