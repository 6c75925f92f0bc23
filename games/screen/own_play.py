"""The row that the player has just laid, and what was good about it."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.round import OVER
from games.models import Action
from games.play.services import Outcome
from games.screen.view_models import OwnPlay

PRAISE: Final[dict[str, Promise]] = {
    "same": _("All one colour: double!"),
    "different": _("All colours different: double!"),
}


def own_play(outcome: Outcome) -> OwnPlay | None:
    """The player's own row, if it was laid with this move; what it earned is from the log."""
    for entry in outcome.entries:
        if entry.seat == outcome.seat and entry.kind == Action.Kind.ACT and "laid" in entry.data:
            seen = entry.data
            praise = str(PRAISE[seen["colours"]]) if "colours" in seen else ""
            return OwnPlay(seen["points"], " ".join(map(str, seen["numbers"])), praise)
    return None


def is_dealt(outcome: Outcome) -> bool:
    """Whether the cards of the hand are new: the player has done nothing yet in this round."""
    if outcome.view.phase in OVER:
        return False
    return any(entry.kind == Action.Kind.DEAL for entry in outcome.entries)
