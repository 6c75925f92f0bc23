"""The last entries of a game's log, read as rows for the page."""

from typing import Any, Final, NamedTuple

from games.models import Action, Game

RECENT: Final = 24
"""How many entries back a page looks for the actions since the player's last move."""


class ShownEntry(NamedTuple):
    """An entry of the log, as a page shows it: what the table saw of an `Action`."""

    number: int
    kind: str
    seat: int | None
    text: str
    data: dict[str, Any]

    @property
    def is_unasked(self) -> bool:
        return bool(self.data.get("unasked"))


def recent_entries(game: Game) -> list[ShownEntry]:
    """The last entries of the log, the newest first. Every other move asks for them: as rows they
    cost half of what they cost as objects."""
    rows = Action.objects.filter(game=game).order_by("-number")
    return [ShownEntry(*row) for row in rows.values_list(*ShownEntry._fields)[:RECENT]]
