"""Shows games to their players and makes their moves.

A move is computed outside any transaction: the game is read, and the engine and the bots answer.
Then one short transaction stores the result, but only if nobody else has moved in the meantime
(`stored_game`). `shared_table` has what only tables of several players need.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import takewhile
from typing import Any, Self
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.coach.hints import HiddenRow, Hint, hidden_row, hint_position
from games.coach.refusals import Refusal
from games.engine.actions import Knock
from games.engine.cards import LaidCard
from games.engine.errors import ActionRefused
from games.engine.round import DRAW_PHASES, ROUND_OVER
from games.engine.text.record import EntryKind, parse_refusal
from games.models import Game, Seat
from games.play.log import RECENT_ENTRIES, file_text, record_of
from games.play.moves import (
    NO_RESULT,
    AskHint,
    Do,
    Draft,
    Move,
    MoveResult,
    NextRound,
    PublicCounts,
    hint_for,
    make_move,
)
from games.play.past_answers import refusal_of, turn_result_of
from games.play.shared_table import (
    ask_for_next_round,
    give_up_seat,
    knock,
    load_and_catch_up,
    settle_knocks,
)
from games.play.sql import ShownEntry
from games.play.stored_game import NotFound, StoredGame, fresh_reads, load, store


@dataclass(frozen=True)
class Outcome(StoredGame):
    """A game after a player's request, and what the request did. It still has the hidden cards:
    pages show those of `view` only."""

    entries: Sequence[ShownEntry] = ()
    """The entries that the move and the bots' answer added to the log or, after `look`, those since
    the player's last move."""
    public_counts: Sequence[PublicCounts] = ()
    """The counts after each of the `entries`; empty if the page needs none."""
    since: int | None = None
    """At a table of several players, the last entry that the page had shown before; None if all
    entries are new to it."""
    hint: Hint | None = None
    result: MoveResult = NO_RESULT

    @classmethod
    def of(cls, stored: StoredGame, **answer: Any) -> Self:
        """The outcome with these fields for a game as it was read, with the entries it has read."""
        outcome = cls(stored.game, stored.seats, stored.seat_number, stored.snapshot, **answer)
        vars(outcome).update(vars(stored))
        return outcome

    @property
    def waits_for_others(self) -> bool:
        """Whether the player waits for others: they have knocked, or want the next round."""
        if not self.has_several_players or self.view.phase not in ("knock", ROUND_OVER):
            return False
        return self.own_seat.answered_at is not None


@dataclass(frozen=True, slots=True)
class RefusedTry:
    cards: Sequence[LaidCard]
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class WatchedGame:
    outcome: Outcome
    tries: Sequence[RefusedTry] = ()  # in the player's turn, those refused since their last move
    row: HiddenRow | None = None  # in the player's turn, a row that they can lay


def look(game_id: UUID, player: UUID, *, since: int | None = None) -> Outcome:
    """The game as this player's page shows it, with the entries of this round since their last
    move. `since` is the last entry that the page has shown. At a table of several players, note
    that the player is there, and do what is due. Raises `NotFound`."""
    return _outcome(load_and_catch_up(game_id, player), since=since)


def watch(game_id: UUID, player: UUID) -> WatchedGame:
    """The game as this player sees it, for somebody else who may watch, with the reason if their
    last play was refused. The player does not count as present, and the game does not go on. Raises
    `NotFound`."""
    stored = load(game_id, player)
    last = stored.recent_entries[0]
    refusal = refusal_of(stored, last) if last.seat == stored.seat_number else None
    outcome = _outcome(stored, result=MoveResult(refusal))
    if not outcome.view.may_act or outcome.view.phase not in (*DRAW_PHASES, "play"):
        return WatchedGame(outcome)
    tries = _refused_tries(stored)
    last_tried = {number for last_try in tries[-1:] for _, number in last_try.cards}
    position = hint_position(stored.snapshot.state, stored.seat_number)
    return WatchedGame(outcome, tries, hidden_row(position, preferred=last_tried))


def _refused_tries(stored: StoredGame) -> list[RefusedTry]:
    """The player's plays that were refused since their last move, in order."""
    own_entries = stored.game.entries.filter(seat=stored.seat_number).order_by("-number")
    kinds = (EntryKind.HINT, EntryKind.REFUSED)
    new_entries = takewhile(lambda entry: entry.kind in kinds, own_entries[:RECENT_ENTRIES])
    tries = [
        RefusedTry(parse_refusal(entry.text).cards, refusal)
        for entry in new_entries
        if (refusal := refusal_of(stored, ShownEntry.of(entry)))
    ]
    return tries[::-1]


def _outcome(
    stored: StoredGame, *, since: int | None = None, result: MoveResult = NO_RESULT
) -> Outcome:
    """The game, with the entries since the player's last move, or since the deal."""
    since = since if stored.has_several_players else None
    entries = []
    for entry in stored.recent_entries:
        if entry.seat == stored.seat_number and not (
            entry.kind in (EntryKind.HINT, EntryKind.STAND_IN) or entry.is_unasked
        ):
            break
        entries.append(entry)
        if entry.kind == EntryKind.DEAL:
            break
    return Outcome.of(
        stored,
        entries=entries[::-1],
        public_counts=_public_counts_in(entries[::-1]) if since is not None else (),
        hint=_current_hint(stored),
        since=since,
        result=result,
    )


def _public_counts_in(entries: Sequence[ShownEntry]) -> list[PublicCounts]:
    """The public counts after each of these log entries of a table of several players; empty if
    the first entry has none."""
    counts: list[PublicCounts] = []
    for entry in entries:
        if "figures" in entry.data:
            counts.append(PublicCounts.from_data(entry.data["figures"]))
        elif counts:
            counts.append(counts[-1])
        else:
            return []
    return counts


def act(game_id: UUID, player: UUID, *, version: int, key: UUID, move: Move) -> Outcome:
    """Make a player's move on the version that their page showed. A move is made once, however
    often its key is sent. Raises `NotFound` and `TableBusy`."""
    first_read = load_and_catch_up(game_id, player)
    for stored in fresh_reads(first_read, load_and_catch_up):
        is_stored = stored is not first_read and stored.game.entries.filter(key=key).exists()
        if is_stored or not _is_still_current(stored, version):
            break
        if outcome := _try_move(stored, version, key, move):
            return outcome
    return _answer_to_old_page(stored, key, version)


def _try_move(stored: StoredGame, version: int, key: UUID, move: Move) -> Outcome | None:
    """Make a move on the game as it was read. None if somebody stored something first. At a table
    of several players that may have been only a hint, so the caller tries again."""
    if isinstance(move, AskHint) and _is_too_soon(stored):
        return _with_same_hint(stored)
    if stored.has_several_players and move in (Do(Knock()), NextRound()):
        after = ask_for_next_round(stored) if move == NextRound() else knock(stored)
        return _answer_to_request(stored, after, version)
    draft = stored.begin_draft()
    if failure := _result_without_entries(draft, stored.seat_number, move):
        return Outcome.of(stored, hint=draft.hint, result=failure)
    if stored.has_several_players and settle_knocks(draft):
        draft.let_bots_act()
    entries = store(draft, key)
    if entries is None:
        return None
    return Outcome.of(
        replace(stored, snapshot=draft.snapshot),
        entries=[ShownEntry.of(entry) for entry in entries],
        public_counts=draft.public_counts,
        hint=draft.hint,
        result=draft.result,
    )


def answer_again(game_id: UUID, player: UUID, *, version: int, key: UUID, move: Move) -> Outcome:
    """Answer a move that `act` has carried out already, for the page to which the redirect leads.
    Changes nothing. Raises `NotFound`."""
    stored = load_and_catch_up(game_id, player)
    if not _is_still_current(stored, version):
        return _answer_to_old_page(stored, key, version)
    if isinstance(move, AskHint):
        return _with_same_hint(stored)
    failure = _result_without_entries(stored.begin_draft(), stored.seat_number, move)
    return Outcome.of(stored, result=failure or NO_RESULT)


def _result_without_entries(draft: Draft, seat: int, move: Move) -> MoveResult | None:
    """Make the move in `draft`. Return the result if there is nothing to store: the move is not
    allowed, the player has to choose from several plays, or the log is full."""
    try:
        make_move(draft, seat, move)
    except ActionRefused as refused:
        return MoveResult(error=refused.code)
    return None if draft.entries else draft.result


def _answer_to_request(stored: StoredGame, after: StoredGame | None, version: int) -> Outcome:
    """The answer to a knock, or to the wish for the next round, which may be decided later."""
    if after is None:
        current = load(stored.game.pk, stored.own_seat.player)
        return Outcome.of(current, result=MoveResult(error="wrong-phase"))
    return _outcome(after, since=version)


def _is_still_current(stored: StoredGame, version: int) -> bool:
    """Whether a page of this version still shows the current game. At a table of several players,
    hints and refused plays of others make no difference."""
    if stored.game.version == version:
        return True
    if not stored.has_several_players or version > stored.game.version:
        return False
    private_entries = Q(kind__in=(EntryKind.HINT, EntryKind.REFUSED)) & ~Q(seat=stored.seat_number)
    return not stored.game.entries.filter(number__gt=version).exclude(private_entries).exists()


def _current_hint(stored: StoredGame) -> Hint | None:
    """The last hint for this position; None if this player has not asked for one."""
    step = stored.hint_step
    may_act = stored.snapshot.state.to_act == stored.seat_number
    if not step or not (may_act or stored.has_several_players):
        return None
    return hint_for(stored.own_seat, stored.snapshot.state, step)


def _is_too_soon(stored: StoredGame) -> bool:
    """Whether the current hint is so new that the player can hardly have read it."""
    if not stored.hint_step:
        return False
    last_hint = stored.game.entries.filter(kind=EntryKind.HINT, seat=stored.seat_number).last()
    wait = timedelta(seconds=settings.HINT_WAIT_SECONDS)
    return last_hint is not None and timezone.now() - last_hint.at < wait


def _with_same_hint(stored: StoredGame) -> Outcome:
    """The answer to a player who asks for the next hint before they can have read this one."""
    return Outcome.of(stored, hint=_current_hint(stored), result=MoveResult(is_too_soon=True))


def _answer_to_old_page(stored: StoredGame, key: UUID, version: int) -> Outcome:
    """The answer to a page that is out of date: the entries of its key or, if there are none, that
    it is stale. A page of a table of several players then gets the entries since `version`."""
    game = stored.game
    first = game.entries.filter(key=key).first()
    if first is None and stored.has_several_players:
        return _outcome(stored, since=version, result=MoveResult(is_stale=True))
    if first is None:
        return Outcome.of(stored, result=MoveResult(is_stale=True))
    later_entries = game.entries.filter(number__gt=first.number)
    rest_of_move = takewhile(lambda entry: entry.key is None, later_entries)
    entries = [ShownEntry.of(entry) for entry in (first, *rest_of_move)]
    if entries[-1].number != game.version:
        return Outcome.of(stored, entries=entries)
    return Outcome.of(
        stored,
        entries=entries,
        hint=_current_hint(stored) if first.kind == EntryKind.HINT else None,
        result=replace(turn_result_of(stored, entries[0]), refusal=refusal_of(stored, entries[0])),
    )


def game_file(game: Game) -> tuple[str, str]:
    """The name and the text of a finished game as a file (docs/notation.md). Raises `NotFound`
    while the game is running, because a record shows all hands."""
    if game.finished_at is None:
        raise NotFound(game.pk)
    ended_on = timezone.localdate(game.finished_at)
    return f"nmbrs-{ended_on}.txt", file_text(record_of(game, game.seats.count()))


def erase(player: UUID) -> None:
    """Delete all games of this player. In a game of several players, a bot gets their seat instead.
    Code that deletes a player must call this, because a seat has no foreign key to its player."""
    other_players = Seat.objects.filter(game=OuterRef("pk"), player__isnull=False).exclude(
        player=player
    )
    games = Game.objects.filter(seats__player=player)
    for game_id in games.filter(Exists(other_players)).values_list("pk", flat=True):
        give_up_seat(game_id, player)
    delete(games)


def delete(games: QuerySet[Game]) -> None:
    with transaction.atomic():
        # The lock comes first; otherwise a move could add entries to a deleted log. The keys are
        # listed, because a subquery took minutes before PostgreSQL had analysed a new table.
        rows = Game.objects.filter(pk__in=list(games.order_by().values_list("pk", flat=True)))
        list(rows.select_for_update().order_by("pk").only("pk"))
        rows.delete()
