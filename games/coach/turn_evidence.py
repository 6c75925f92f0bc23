"""What a turn shows of a player's skill, from the log alone (docs/mastery.md).

Per finished turn and times table: rows *found* (laid and kept, with the hint step shown for that
table), a row *missed* (none of the table found, and one still layable at the end of the turn
without a joker of the hand), rows *tried* (refused, or laid and taken back).
A row counts for the table of its own step only; a row in no table counts for table 0.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from games.coach.times_tables import describe
from games.engine.play_application import form
from games.engine.plays import plays_without_jokers
from games.engine.round import State, ends_turn
from games.engine.table import Play
from games.engine.text.entries import LogEntry, LoggedRefusal, parse_hint, parse_refused
from games.engine.text.record import LogStep, Setting, steps

NO_TABLE: Final = 0

EvidenceKind = Literal["found", "missed", "tried"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of evidence. `row`: the play as text (for a refused play, the cards tapped);
    `hint_step`: 0 if no hint was shown; `numbers`: the row that it made or would make."""

    kind: EvidenceKind
    table: int
    row: str
    numbers: tuple[int, ...]
    hint_step: int = 0


@dataclass(frozen=True, slots=True)
class TurnEvidence:
    """A finished turn: its seat, round and number, and the entries (from 0) that it spans."""

    seat: int
    round: int
    turn: int
    first_entry: int
    last_entry: int
    pieces: tuple[Piece, ...]


@dataclass(slots=True)
class _Turn:
    """The turn under way."""

    first_entry: int
    found: list[tuple[int, str, tuple[int, ...]]] = field(default_factory=list)
    tried: list[tuple[int, str, tuple[int, ...]]] = field(default_factory=list)
    hints: dict[int, int] = field(default_factory=dict)

    def pieces(self, end: State | None) -> Iterator[Piece]:
        for table, row, numbers in self.found:
            yield Piece("found", table, row, numbers, self.hints.get(table, 0))
        for table, row, numbers in self.tried:
            yield Piece("tried", table, row, numbers, self.hints.get(table, 0))
        if end is not None:
            yield from self._missed(end)

    def _missed(self, end: State) -> Iterator[Piece]:
        position = end.position(end.turn)
        known = {table for table, _, _ in self.found}
        missed: dict[int, tuple[int, str, tuple[int, ...]]] = {}
        for play in plays_without_jokers(position):
            numbers = form(position, play).line.numbers
            table = describe(numbers).times_table or NO_TABLE
            candidate = (len(play.hand) + len(play.across) + len(play.swaps), str(play), numbers)
            if table not in known and (table not in missed or candidate < missed[table]):
                missed[table] = candidate
        for table, (_, row, numbers) in sorted(missed.items()):
            yield Piece("missed", table, row, numbers, self.hints.get(table, 0))


def turns(
    setting: Setting, entries: Iterable[LogEntry], seats: Collection[int]
) -> Iterator[TurnEvidence]:
    """The evidence of every finished turn of these seats, in order.

    Raises `Refused` for a log that the rules do not allow.
    """
    turn = _Turn(0)
    for index, step in enumerate(steps(setting, entries)):
        before, after, entry = step.before, step.after, step.entry
        if before is None or entry.kind == "deal":
            turn = _Turn(index + 1)
            continue
        if entry.seat == before.turn:
            _note(turn, step, before)
        if not ends_turn(before, after):
            continue
        emptied = after.plays > before.plays
        if before.turn in seats:
            yield TurnEvidence(
                before.turn,
                before.round,
                before.turns[before.turn] + 1,
                turn.first_entry,
                index,
                tuple(turn.pieces(None if emptied else before)),
            )
        turn = _Turn(index + 1)


def _note(turn: _Turn, step: LogStep, before: State) -> None:
    entry = step.entry
    if entry.kind == "take back":
        turn.tried.append(turn.found.pop())
    elif entry.kind == "hint":
        hint = parse_hint(entry.text, before.ruleset)
        if hint.play is not None:
            table = _table_of(before, hint.play)[0]
            turn.hints[table] = max(turn.hints.get(table, 0), hint.step)
    elif entry.kind == "refused":
        turn.tried.append(_tried(parse_refused(entry.text)))
    elif isinstance(step.action, Play):
        table, numbers = _table_of(before, step.action)
        turn.found.append((table, entry.text, numbers))


def _table_of(state: State, play: Play) -> tuple[int, tuple[int, ...]]:
    numbers = form(state.position(state.turn), play).line.numbers
    return describe(numbers).times_table or NO_TABLE, numbers


def _tried(refusal: LoggedRefusal) -> tuple[int, str, tuple[int, ...]]:
    """A refused play counts for the table of its commonest jump if at least two of its numbers
    are in that table, else for no table."""
    row = refusal.row
    numbers = tuple(sorted({laid.number for laid in refusal.cards if laid.number}))
    jumps = Counter(after - before for before, after in pairwise(numbers))
    if not jumps:
        return NO_TABLE, row, numbers
    jump = max(jumps, key=lambda jump: (jumps[jump], -jump))
    in_table = sum(number % jump == 0 for number in numbers) >= 2
    return (jump if jump > 1 and in_table else NO_TABLE), row, numbers
