"""A game as its log of deals, actions and plays taken back, and the replay of this log.

A player cannot take back what a bot played for them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from games.engine.actions import Action, Deal, Knock, Pass
from games.engine.errors import ActionRefused
from games.engine.match import apply, new_match
from games.engine.round import State
from games.engine.ruleset import Ruleset
from games.engine.table import Play
from games.engine.text.entries import ACTS, LogEntry, parse_deck
from games.engine.text.notation import parse_action


@dataclass(frozen=True, slots=True)
class LogStep:
    """An entry with the states before it (None for the first deal) and after it."""

    entry: LogEntry
    before: State | None
    after: State
    action: Action | None
    """The deal or the act; None for a play taken back, a hint or a refused play."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a replay needs beside the entries: the rules, the number of seats, who began, and the
    seed of the reshuffles."""

    ruleset: Ruleset
    seats: int
    starter: int
    seed: int = 0


class LogReplay:
    """Replays a log entry by entry, from its beginning or from `state`, in which a round of the
    match has ended."""

    def __init__(self, setting: Setting, state: State | None = None) -> None:
        self.setting = setting
        self.state = state
        self._undo: list[State] = []

    def enter(self, entry: LogEntry) -> LogStep:
        """Apply an entry. If the rules do not allow it, raises `ActionRefused` and changes nothing.
        The code is `wrong-phase` if another seat has to act, or if there is no play to take
        back."""
        before = self.state
        action: Action | None = None
        if entry.kind == "deal":
            action = Deal(parse_deck(entry.text, self.setting.ruleset))
            after, undo = _dealt(self.setting, before, action), []
        elif before is None:
            raise ActionRefused("wrong-phase", "nothing is dealt yet")
        elif entry.kind in ACTS:
            action = _acted(before, entry)
            after = apply(before, action)
            own = isinstance(action, Play) and entry.kind == "act"
            undo = [*self._undo, before] if own else []
        elif entry.kind == "take back":
            if not self._undo or before.phase != "play" or entry.seat != before.turn:
                raise ActionRefused("wrong-phase", "nothing to take back")
            after, undo = self._undo[-1], self._undo[:-1]
        else:
            after, undo = before, self._undo
        self.state, self._undo = after, undo
        return LogStep(entry, before, after, action)


def steps(setting: Setting, entries: Iterable[LogEntry]) -> Iterator[LogStep]:
    """Each entry with the states around it. Raises `ActionRefused` as `LogReplay.enter` does."""
    return map(LogReplay(setting).enter, entries)


def replay(setting: Setting, entries: Iterable[LogEntry]) -> State:
    """The state after all entries. Raises `ActionRefused`, and `ValueError` for an empty log."""
    state = None
    for step in steps(setting, entries):
        state = step.after
    if state is None:
        raise ValueError("an empty log has no state")
    return state


def _acted(state: State, entry: LogEntry) -> Action:
    """The action of an entry. Raises `ActionRefused` if its seat may not act; for a block on offer
    anyone may (7.4)."""
    action = parse_action(entry.text, state.ruleset)
    if state.phase == "knock" and isinstance(action, Knock | Pass):
        if entry.seat is None or action.seat not in (None, entry.seat):
            raise ActionRefused("wrong-phase", "not that seat's choice")
        return replace(action, seat=entry.seat)
    if entry.seat != state.seat:
        raise ActionRefused("wrong-phase", "not that seat's turn")
    return action


def _dealt(setting: Setting, state: State | None, deal: Deal) -> State:
    if state is None:
        return new_match(setting.ruleset, setting.seats, deal.deck, setting.starter, setting.seed)
    return apply(state, deal)
