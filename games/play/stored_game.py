"""Reads a game for one of its players, and stores a move if nobody was faster."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, OperationalError, transaction
from django.http import Http404
from django.utils import timezone

from games import signals
from games.engine.round import DRAW_PHASES, MATCH_OVER
from games.engine.text.record import EntryKind
from games.engine.view import View, view
from games.models import Entry, Game, Seat
from games.play import presence
from games.play.log import RECENT_ENTRIES, GameSnapshot, snapshot_data, snapshot_of
from games.play.moves import Draft, hint_step_while_waiting
from games.play.sql import (
    ShownEntry,
    entries_of_round,
    insert_entries,
    last_entries,
    seats_with_game,
    update_if_current,
)

MOST_TRIES: Final = 10
"""How often a move at a table of several players is tried while others are faster."""


class NotFound(Http404):
    """There is no such game, or it is not this player's."""


class TableBusy(OperationalError):
    """Others were faster in all `MOST_TRIES` tries. As for any fault of the database that passes,
    the site answers 503, and the page sends its move again with the same key."""


@dataclass(frozen=True)
class StoredGame:
    """A game with its seats, as it was read for the player at `seat_number`."""

    game: Game
    seats: Sequence[Seat]
    seat_number: int
    snapshot: GameSnapshot

    @cached_property
    def has_several_players(self) -> bool:
        return presence.has_several_players(self.seats)

    @property
    def own_seat(self) -> Seat:
        return self.seats[self.seat_number]

    @cached_property
    def view(self) -> View:
        return view(self.snapshot.state, self.seat_number)

    @cached_property
    def hint_step(self) -> int:
        """The step of the current hint for this player; 0 for none."""
        state = self.snapshot.state
        if not self.has_several_players or state.to_act == self.seat_number:
            return self.snapshot.hint_step
        if state.phase not in (*DRAW_PHASES, "play"):
            return 0
        return hint_step_while_waiting(self.game, self.seat_number, self.recent_entries)

    @cached_property
    def entries_of_round(self) -> Sequence[ShownEntry]:
        """The entries of this round, the newest first."""
        return entries_of_round(self.game.pk)

    @cached_property
    def recent_entries(self) -> Sequence[ShownEntry]:
        """The last entries of the log, the newest first. At a table of several players they are of
        this round only, because its pages read the round anyway."""
        if self.has_several_players:
            return self.entries_of_round[:RECENT_ENTRIES]
        return last_entries(self.game.pk, RECENT_ENTRIES)

    def begin_draft(self) -> Draft:
        """A new draft. At a table of several players, bots play for those who are away."""
        draft = Draft(self.game, self.seats, self.snapshot)
        if self.has_several_players:
            now = timezone.now()
            players = presence.seats_of_players(self.seats)
            draft.absent = [seat.number for seat in players if not presence.is_here(seat, now)]
        return draft


def load(game_id: UUID, player: UUID | None) -> StoredGame:
    """Read the game for this player. Raises `NotFound`."""
    seats = seats_with_game(game_id)
    seat_number = next((seat.number for seat in seats if seat.player == player), None)
    if seat_number is None:
        raise NotFound(game_id)
    game = seats[0].game
    return StoredGame(game, seats, seat_number, snapshot_of(game, len(seats)))


def fresh_reads(
    stored: StoredGame, read: Callable[[UUID, UUID | None], StoredGame] = load
) -> Iterator[StoredGame]:
    """Yield `stored`, then read the game again for each further try, `MOST_TRIES` in all. Raises
    `TableBusy` after the last one."""
    yield stored
    for _ in range(MOST_TRIES - 1):
        stored = read(stored.game.pk, stored.own_seat.player)
        yield stored
    raise TableBusy(stored.game.pk)


def store(draft: Draft, key: UUID) -> list[Entry] | None:
    """Store a move and return its entries. If somebody has moved since the game was read, or if the
    key is already there, return None and change nothing, in `draft.game` either. At most one of
    several posts on a version is stored."""
    game, columns = draft.game, columns_after(draft)
    entries = entries_to_store(draft, columns["moved_at"])
    entries[0].key = key
    has_news = None
    if draft.has_several_players:
        has_news = any(entry.kind not in (EntryKind.HINT, EntryKind.REFUSED) for entry in entries)
    try:
        with transaction.atomic():
            if not update_if_current(game, columns, has_news):
                return None
            insert_entries(entries)
            if draft.has_several_players:
                _store_seats(draft, columns["moved_at"])
            transaction.on_commit(lambda: _send_signals(draft))
    except IntegrityError:
        return None
    vars(game).update(columns, news=game.news + bool(has_news))
    return entries


def columns_after(draft: Draft) -> dict[str, Any]:
    """The columns of the game that a move can change, with their values after the move."""
    game, state, now = draft.game, draft.state, timezone.now()
    columns: dict[str, Any] = {
        "version": game.version + len(draft.entries),
        "phase": state.phase,
        "round": state.round,
        "snapshot": snapshot_data(draft.snapshot),
        "round_winners": [*game.round_winners, *draft.round_winners],
        "moved_at": now,
        "finished_at": game.finished_at or (now if state.phase == MATCH_OVER else None),
    }
    if draft.has_several_players:
        due_at, waits_since = game.due_at, game.waits_since
        before = presence.awaited_answer(draft.state_before)
        goes_on = presence.is_asked_to_go_on(game) and draft.has_act_of_awaited
        if waits_since is None or goes_on or presence.awaited_answer(state) != before:
            due_at, waits_since = presence.deadline_from(game, state, now), now
        columns |= {"awaited_seat": state.to_act, "due_at": due_at, "waits_since": waits_since}
    return columns


def entries_to_store(draft: Draft, at: datetime) -> list[Entry]:
    """The entries of the move as rows of the log, after those that are stored."""
    return [
        Entry(
            game=draft.game,
            number=number,
            kind=entry.kind,
            seat=entry.seat,
            text=entry.text,
            data=data,
            missed=entry.missed,
            at=at,
        )
        for number, (entry, data) in enumerate(draft.entries, draft.game.version + 1)
    ]


def _store_seats(draft: Draft, now: datetime) -> None:
    """Forget the answers that are decided, also the wishes for a bot once the player at turn has
    acted, and store for whom bots have begun to play."""
    game, before = draft.game, draft.state_before
    is_decided = presence.awaited_answer(draft.state) != presence.awaited_answer(before)
    is_long = game.waits_since is not None and game.waits_since <= now - presence.LONG_TURN
    if is_decided or (is_long and draft.has_act_of_awaited and before.phase != "knock"):
        Seat.objects.filter(game=game).exclude(answered_at=None).update(answered_at=None)
        for seat in draft.seats:
            seat.answered_at = None
    seats_of_bots = {entry.seat for entry, _ in draft.entries if entry.kind == EntryKind.STAND_IN}
    absent = [draft.seats[seat] for seat in draft.absent if seat in seats_of_bots]
    for seat in absent:
        seat.away_since = seat.away_since or now
    if absent:
        pks = [seat.pk for seat in absent]
        Seat.objects.filter(pk__in=pks, away_since=None).update(away_since=now)


def _send_signals(draft: Draft) -> None:
    """Send the signals of a move and of the end of a round. An error of a receiver does not affect
    the move."""
    signals.move_made.send_robust(Game)
    if draft.round_winners:
        signals.round_finished.send_robust(Game, game_id=draft.game.pk)
