"""The actions of a match (rules 5–7); plays are defined in `table.py`."""

from dataclasses import dataclass

from games.engine.cards import Card
from games.engine.table import Play


@dataclass(frozen=True, slots=True)
class DrawOpen:
    """Take the top card of the open pile (5.1)."""


@dataclass(frozen=True, slots=True)
class DrawClosed:
    """Take a card from the closed pile; in phase `draw` this declines the open card (5.1)."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take this card from the market (5.5)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Claim:
    """Take the offered card and one of the pile (5.1)."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline what is offered (5.1, 7.4)."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Knock:
    """Ask for the block on offer (7.4). `seat` is needed only if several seats may answer."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """Put down a card, which ends the turn (5.3)."""

    card: Card


@dataclass(frozen=True, slots=True)
class End:
    """End a turn without a discard, where the edition allows it (5.3)."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Begin the next round with this deck, top card first."""

    deck: tuple[Card, ...]


Action = Play | DrawOpen | DrawClosed | Take | Claim | Pass | Knock | Discard | End | Deal
