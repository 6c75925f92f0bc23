"""Writes and reads the entries of a game's log as text. No other module knows their form.

Acts are read elsewhere: `notation.parse_action` reads them, as it reads all actions.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, cast

from games.engine.actions import Action
from games.engine.cards import Card, LaidCard, card_text, is_joker, laid_text
from games.engine.errors import Code
from games.engine.ruleset import WIDEST, Ruleset
from games.engine.table import Play
from games.engine.text.notation import action_text, parse_cards, parse_laid, parse_play

EntryKind = Literal["deal", "act", "stand in", "take back", "hint", "refused"]
ACTS: Final[tuple[EntryKind, ...]] = ("act", "stand in")
"""An act, and one that a bot did for a player who was away."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a log. Hints and refused plays are part of the log, but change no state.

    The text of a hint is its step and the play it is about (`4 12 16 20`; only the step if there is
    no play). The text of a refused play is its code, the cards of the hand and the cards tapped on
    the table (`not-a-sequence 7 14 22`).
    """

    kind: EntryKind
    seat: int | None = None
    text: str = ""  # for a deal the deck, top first; for the `ACTS` the action
    missed: str | None = ""
    """The play, as text, that the site showed the seat afterwards as missed; "" for none, None if
    the log does not say (`games.coach.missed.row_still_there`)."""


@dataclass(frozen=True, slots=True)
class LoggedHint:
    """A hint that was shown: its step, and the play that it is about, if there is one."""

    step: int
    play: Play | None


@dataclass(frozen=True, slots=True)
class LoggedRefusal:
    """A refused play: the code of the reason, and the cards: first those of the hand, where a joker
    has the number 0, then those tapped on the table."""

    code: Code
    cards: tuple[LaidCard, ...]

    @property
    def row(self) -> str:
        """The cards as text."""
        return " ".join(_texts(self.cards))


def deal_entry(deck: Iterable[Card]) -> LogEntry:
    return LogEntry("deal", None, " ".join(card_text(card) for card in deck))


def parse_deck(text: str, ruleset: Ruleset) -> tuple[Card, ...]:
    """Parse the deck of a deal. Raises `NotReadable`."""
    return parse_cards(text.split(), ruleset)


def act_entry(seat: int, action: Action) -> LogEntry:
    return LogEntry("act", seat, action_text(action))


def take_back_entry(seat: int) -> LogEntry:
    return LogEntry("take back", seat)


def hint_entry(seat: int, step: int, play: Play | None) -> LogEntry:
    return LogEntry("hint", seat, str(step) if play is None else f"{step} {play}")


def parse_hint(text: str, ruleset: Ruleset) -> LoggedHint:
    """Parse the text of a hint. Raises `ActionRefused` as `parse_play` does."""
    step, _, play = text.partition(" ")
    return LoggedHint(int(step), parse_play(play, ruleset) if play else None)


def refused_entry(
    seat: int, code: Code, cards: Iterable[Card], tapped: Iterable[LaidCard]
) -> LogEntry:
    hand = [LaidCard(card, 0 if is_joker(card) else card) for card in cards]
    return LogEntry("refused", seat, " ".join((code, *_texts((*hand, *tapped)))))


def parse_refused(text: str) -> LoggedRefusal:
    """Parse the text of a refused play. It may name cards that the edition does not have, since
    that is one reason to refuse a play. Raises `NotReadable`."""
    code, *cards = text.split()
    return LoggedRefusal(cast(Code, code), tuple(parse_laid(card, WIDEST) for card in cards))


def _texts(cards: Iterable[LaidCard]) -> Iterator[str]:
    for laid in cards:
        yield laid_text(laid) if laid.number else card_text(laid.card)
