"""The log of a game: its entries, their text, and their replay."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypedDict, cast

from games.engine.actions import Action, Deal, Knock, Pass
from games.engine.cards import Card, LaidCard, card_text, is_joker, laid_card_text
from games.engine.errors import ActionRefused, Code
from games.engine.match import apply, new_match
from games.engine.round import State
from games.engine.ruleset import WIDEST, Doubling, Ruleset
from games.engine.table import Play
from games.engine.text.notation import (
    action_text,
    parse_action,
    parse_cards,
    parse_laid_card,
    parse_play,
)


class EntryKind(StrEnum):
    DEAL = "deal"
    ACT = "act"
    STAND_IN = "stand in"
    """An act of a bot at a table of several players: for a player who was away, or in the bot's own
    seat, which a player may take later. It never counts as the player's."""
    TAKE_BACK = "take back"
    HINT = "hint"
    REFUSED = "refused"


ACTS: Final = (EntryKind.ACT, EntryKind.STAND_IN)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a log. Hints and refused plays are part of the log, but change no state.

    The text of a hint is its step and, if there is one, the play that it is about (`4 12 16 20`).
    The text of a refused play is its code, the cards of the hand and the cards tapped on the table
    (`not-a-sequence 7 14 22`). `missed` is the text of the play that the site then showed the seat
    as missed; "" for none, None if the log does not say (`games.coach.rows.remaining_row`).
    """

    kind: EntryKind
    seat: int | None = None
    text: str = ""  # for a deal the deck, top first; for the `ACTS` the action
    missed: str | None = ""


PublicData = TypedDict(
    "PublicData",
    {
        "unasked": bool,  # whether the game passed for the seat without asking
        "card": str,  # the open card or block that the seat took
        "turned up": list[str],  # the new cards of the market
        "figures": list[object],  # what everybody can count (`games.play.moves.PublicCounts`)
        # Of a play (`games.bots.reasons.Reason`):
        "numbers": list[int],  # of the whole row
        "laid": list[int],
        "points": int,
        "colours": Doubling,
        "swapped": list[int],
        "last": bool,
    },
    total=False,
)
"""What else everybody at the table saw of an entry. Logs keep these keys."""


@dataclass(frozen=True, slots=True)
class LoggedHint:
    step: int
    play: Play | None


@dataclass(frozen=True, slots=True)
class LoggedRefusal:
    """A refused play: the code of the reason, the cards of the hand, in which a joker has the
    number 0, and then the cards tapped on the table."""

    code: Code
    cards: tuple[LaidCard, ...]

    @property
    def row(self) -> str:
        return " ".join(_texts(self.cards))


def deal_entry(deck: Iterable[Card]) -> LogEntry:
    return LogEntry(EntryKind.DEAL, None, " ".join(card_text(card) for card in deck))


def parse_deck(text: str, ruleset: Ruleset) -> tuple[Card, ...]:
    """Parse the deck of a deal. Raises `UnreadableText`."""
    return parse_cards(text.split(), ruleset)


def act_entry(seat: int, action: Action) -> LogEntry:
    return LogEntry(EntryKind.ACT, seat, action_text(action))


def take_back_entry(seat: int) -> LogEntry:
    return LogEntry(EntryKind.TAKE_BACK, seat)


def hint_entry(seat: int, step: int, play: Play | None) -> LogEntry:
    return LogEntry(EntryKind.HINT, seat, str(step) if play is None else f"{step} {play}")


def parse_hint(text: str, ruleset: Ruleset) -> LoggedHint:
    """Parse the text of a hint. Raises `ActionRefused` as `parse_play` does."""
    step, _, play = text.partition(" ")
    return LoggedHint(int(step), parse_play(play, ruleset) if play else None)


def refusal_entry(
    seat: int, code: Code, cards: Iterable[Card], tapped: Iterable[LaidCard]
) -> LogEntry:
    hand = [LaidCard(card, 0 if is_joker(card) else card) for card in cards]
    return LogEntry(EntryKind.REFUSED, seat, " ".join((code, *_texts((*hand, *tapped)))))


def parse_refusal(text: str) -> LoggedRefusal:
    """Parse the text of a refused play. It may name cards that the edition does not have, because a
    play is also refused for such a card. Raises `UnreadableText`."""
    code, *cards = text.split()
    return LoggedRefusal(cast(Code, code), tuple(parse_laid_card(card, WIDEST) for card in cards))


def _texts(cards: Iterable[LaidCard]) -> Iterator[str]:
    for card in cards:
        yield laid_card_text(card) if card.number else card_text(card.card)


@dataclass(frozen=True, slots=True)
class Transition:
    """An entry, and the states before it (None for the first deal) and after it."""

    entry: LogEntry
    before: State | None
    after: State
    action: Action | None  # the deal or the act; None for a hint, a refused play or one taken back


@dataclass(frozen=True, slots=True)
class Setting:
    """What a replay needs besides the entries: the rules, the number of seats, the first seat to
    play, and the seed of the reshuffles."""

    ruleset: Ruleset
    seats: int
    starter: int
    seed: int = 0


class LogReplay:
    """Replays a log entry by entry, from its beginning or from `state`, the end of a round."""

    def __init__(self, setting: Setting, state: State | None = None) -> None:
        self.setting = setting
        self.state = state
        self._undo: list[State] = []

    def apply_entry(self, entry: LogEntry) -> Transition:
        """Apply an entry. Raises `ActionRefused` and changes nothing if the rules do not allow it;
        with `wrong-phase` if another seat has to act, or if there is no play to take back. A play
        of a stand-in cannot be taken back."""
        before = self.state
        action: Action | None = None
        if entry.kind == EntryKind.DEAL:
            action = Deal(parse_deck(entry.text, self.setting.ruleset))
            after, undo = _deal(self.setting, before, action), []
        elif before is None:
            raise ActionRefused("wrong-phase", "nothing is dealt yet")
        elif entry.kind in ACTS:
            action = _action_of(before, entry)
            after = apply(before, action)
            is_undoable = isinstance(action, Play) and entry.kind == EntryKind.ACT
            undo = [*self._undo, before] if is_undoable else []
        elif entry.kind == EntryKind.TAKE_BACK:
            if not self._undo or before.phase != "play" or entry.seat != before.turn:
                raise ActionRefused("wrong-phase", "nothing to take back")
            after, undo = self._undo[-1], self._undo[:-1]
        else:
            after, undo = before, self._undo
        self.state, self._undo = after, undo
        return Transition(entry, before, after, action)


def transitions(setting: Setting, entries: Iterable[LogEntry]) -> Iterator[Transition]:
    """The transitions of a log. Raises `ActionRefused` as `LogReplay.apply_entry` does."""
    return map(LogReplay(setting).apply_entry, entries)


def replay(setting: Setting, entries: Iterable[LogEntry]) -> State:
    """The state after all entries. Raises `ActionRefused`, and `ValueError` for an empty log."""
    state = None
    for transition in transitions(setting, entries):
        state = transition.after
    if state is None:
        raise ValueError("an empty log has no state")
    return state


def _action_of(state: State, entry: LogEntry) -> Action:
    """The action of an entry. Raises `ActionRefused` if its seat may not act. While a block is on
    offer, `apply` decides which seats may (7.4)."""
    action = parse_action(entry.text, state.ruleset)
    if state.phase == "knock" and isinstance(action, Knock | Pass):
        if entry.seat is None or action.seat not in (None, entry.seat):
            raise ActionRefused("wrong-phase", "not that seat's choice")
        return replace(action, seat=entry.seat)
    if entry.seat != state.to_act:
        raise ActionRefused("wrong-phase", "not that seat's turn")
    return action


def _deal(setting: Setting, state: State | None, deal: Deal) -> State:
    if state is None:
        return new_match(setting.ruleset, setting.seats, deal.deck, setting.starter, setting.seed)
    return apply(state, deal)
