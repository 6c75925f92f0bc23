"""What a bot says of how it plays, and what it adds when it tells of a play."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.bots.characters import CHARACTERS, Manner
from games.bots.reasons import Colours, Reason

MANNERS: Final[dict[Manner, Promise]] = {
    "dreamy": _("I overlook a row now and then."),
    "calm": _("I lay the best row that I see."),
    "clever": _("I think about which cards to keep."),
    "deep": _("I try out in my head what could come next."),
}

DOUBLED: Final[dict[Colours, Promise]] = {
    "same": _("All cards have the same colour: that counts double."),
    "different": _("All cards have different colours: that counts double."),
}


def seen_of(why: Reason) -> dict[str, Any]:
    """What the log keeps of a play's reason, as JSON."""
    seen: dict[str, Any] = {
        "numbers": list(why.row.numbers),
        "laid": list(why.laid),
        "points": why.points,
    }
    if why.colours is not None:
        seen["colours"] = why.colours
    if why.swapped:
        seen["swapped"] = list(why.swapped)
    if why.last:
        seen["last"] = True
    return seen


def besides(seen: Mapping[str, Any]) -> str:
    """What is good about a play besides its row, of what the log keeps; empty for nothing."""
    told = [
        gettext("I put the %(number)d where a joker was.") % {"number": number}
        for number in seen.get("swapped", ())
    ]
    if "colours" in seen:
        told.append(str(DOUBLED[seen["colours"]]))
    if seen.get("last"):
        told.append(gettext("That was my last card."))
    return " ".join(told)


def manner(level: str) -> str:
    """How a level plays, in its own words; empty for a bot that is no level."""
    character = CHARACTERS.get(level)
    return "" if character is None else str(MANNERS[character.manner])
