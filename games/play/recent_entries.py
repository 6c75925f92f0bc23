"""The last entries of a game's log, for the page."""

from typing import Any, Final, NamedTuple

from games.models import Action, Game

RECENT: Final = 24
"""The number of entries in which a page looks for the actions since the player's last move."""


class ShownEntry(NamedTuple):
    """An entry of the log as a page shows it: what everyone at the table saw of an `Action`."""

    number: int
    kind: str
    seat: int | None
    text: str
    data: dict[str, Any]

    @property
    def is_unasked(self) -> bool:
        return bool(self.data.get("unasked"))


def recent_entries(game: Game) -> list[ShownEntry]:
    """The last entries of the log, the newest first. Every other move needs them, and as tuples
    they cost half as much as model objects."""
    rows = Action.objects.filter(game=game).order_by("-number")
    return [ShownEntry(*row) for row in rows.values_list(*ShownEntry._fields)[:RECENT]]
