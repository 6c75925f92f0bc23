"""Tables of several players: knocks, turns that last too long, players who leave or come late. Each
request for a table brings it up to date, and so does a periodic task (`games.tasks`)."""

from dataclasses import replace
from functools import partial
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from games.bots.registry import CAST, STAND_IN
from games.engine.actions import Knock, Pass
from games.engine.round import ROUND_OVER
from games.engine.text.record import EntryKind
from games.models import Entry, Game, Seat
from games.play import presence
from games.play.moves import Draft
from games.play.sql import seats_with_game
from games.play.stored_game import StoredGame, fresh_reads, load, store


def load_and_catch_up(game_id: UUID, player: UUID | None) -> StoredGame:
    """Read the game for a request of this player. At a table of several, note that they are there,
    and do what is due. Raises `NotFound`."""
    stored = load(game_id, player)
    if not stored.has_several_players:
        return stored
    presence.note_presence(stored.own_seat, timezone.now())
    return _catch_up(stored)


def catch_up(game_id: UUID) -> None:
    """Do what is due at a table of several players, if any of them is there."""
    stored = _load_for_first_player(game_id)
    now = timezone.now()
    is_attended = stored and any(presence.is_here(seat, now) for seat in stored.seats)
    if stored and is_attended and stored.has_several_players:
        _catch_up(stored)


def _load_for_first_player(game_id: UUID) -> StoredGame | None:
    """Read the game for the first of its players; None if it has none."""
    player = next((seat.player for seat in seats_with_game(game_id) if seat.player), None)
    return load(game_id, player) if player else None


def _catch_up(stored: StoredGame) -> StoredGame:
    """Do what is due, and return the table after it. Raises `TableBusy`."""
    for current in fresh_reads(stored):
        draft = current.begin_draft()
        _play_what_is_due(draft)
        if not draft.entries or store(draft, uuid4()) is not None:
            break
    return replace(current, snapshot=draft.snapshot)


def _play_what_is_due(draft: Draft) -> None:
    """Do what is due. The block on offer goes to the first who knocked. Players whose time is over
    pass, or a bot finishes their turn. The next round is dealt if all who are there want it, or
    somebody has waited for it. Bots play for players who are away."""
    due_at = draft.game.due_at
    is_due = due_at is not None and due_at <= timezone.now()
    phase = draft.state.phase
    if phase == ROUND_OVER:
        players = [
            s for s in presence.seats_of_players(draft.seats) if s.number not in draft.absent
        ]
        if is_due or (players and all(seat.answered_at for seat in players)):
            draft.deal()
    elif not settle_knocks(draft, is_due=is_due) and is_due:
        late_seats = [seat for seat in draft.state.seats_to_act() if not draft.bot_at(seat)]
        if phase in presence.QUESTION_PHASES:
            for seat in late_seats:
                draft.act(seat, Pass(), unasked=True)
        elif late_seats:
            draft.finish_turn()
    draft.let_bots_act()


def settle_knocks(draft: Draft, *, is_due: bool = False) -> bool:
    """Give the block on offer to the first seat, in the order of the rules, that has knocked for
    it. Wait (return False) while a seat before it may still be equally fast."""
    for seat in draft.state.seats_to_act():
        if draft.seats[seat].answered_at is not None:
            draft.act(seat, Knock())
            return True
        if not is_due and not draft.bot_at(seat):
            return False
    return False


def knock(stored: StoredGame) -> StoredGame | None:
    """Note that a player has knocked for the block on offer, and return the table after it, or None
    if they may not knock. All who knock within a second are equally fast, and the order of the
    rules decides (7.4)."""
    for current in fresh_reads(stored):
        state = current.snapshot.state
        if state.phase != "knock" or current.seat_number not in state.seats_to_act():
            return None
        if presence.note_answer(current.own_seat):
            break
    return _catch_up(load(stored.game.pk, stored.own_seat.player))


def ask_for_next_round(stored: StoredGame) -> StoredGame | None:
    """Note that a player wants the next round, and return the table after it, or None if no round
    has ended. It begins once all who are there want it, at the latest after
    `presence.NEXT_ROUND_WAITS`."""
    for current in fresh_reads(stored):
        if current.game.phase != ROUND_OVER:
            return None
        if presence.note_answer(current.own_seat, presence.NEXT_ROUND_WAITS):
            break
    presence.announce_change(stored.game)
    return _catch_up(load(stored.game.pk, stored.own_seat.player))


def ask_for_bot(game_id: UUID, player: UUID) -> None:
    """Note that the player wants a bot to play another player's long turn, if they may ask. Once
    all who wait ask for it, the bot plays after `presence.TIME_TO_GO_ON`. Raises `NotFound`."""
    load_and_catch_up(game_id, player)
    now = timezone.now()
    with transaction.atomic():
        lock(game_id)
        stored = load(game_id, player)
        game, seats, own = stored.game, stored.seats, stored.own_seat
        if not presence.may_ask_for_bot(game, seats, own.number, now):
            return
        Seat.objects.filter(pk=own.pk).update(answered_at=now)
        others = [s for s in presence.waiting_players(game, seats, now) if s != own]
        if all(seat.answered_at for seat in others):
            due_at = now + presence.TIME_TO_GO_ON
            Game.objects.filter(pk=game_id).update(due_at=due_at)
        presence.announce_change(game)


def go_on(game_id: UUID, player: UUID) -> None:
    """Note that the player at turn still plays, if the others have asked for a bot. Their time
    begins anew. Raises `NotFound`."""
    with transaction.atomic():
        lock(game_id)
        stored = load(game_id, player)
        game = stored.game
        if presence.is_asked_to_go_on(game) and game.awaited_seat == stored.seat_number:
            Game.objects.filter(pk=game_id).update(due_at=None, waits_since=timezone.now())
            Seat.objects.filter(game=game_id).update(answered_at=None)
            presence.announce_change(game)


def leave(game_id: UUID, *players: UUID, may_return: bool = False) -> None:
    """Let bots play for these players until they come back, from the end of the transaction on. The
    table waits if nobody is left. With `may_return`, a player at turn keeps the turn for as long as
    one who falls silent. A game of one player does not change. Raises `NotFound`."""
    now = timezone.now()
    with transaction.atomic():
        lock(game_id)
        stored = load(game_id, players[0])
        if not stored.has_several_players:
            return
        seats = Seat.objects.filter(game=game_id, player__in=players, away_since=None)
        if may_return and stored.view.may_act and stored.view.turn == stored.seat_number:
            changed = seats.update(here_until=now + presence.PRESENT_FOR - presence.INACTIVE_AFTER)
        else:
            changed = seats.update(away_since=now, here_until=now, answered_at=None)
        if changed:
            presence.announce_change(stored.game)
    transaction.on_commit(partial(catch_up, game_id), robust=True)


def seats_to_take() -> QuerySet[Seat]:
    """The seats of bots that a player may take: in matches that go on, at tables where a player is
    present. A seat that a player has given up is none, because its acts would count for the new
    player."""
    acts_of_players = Entry.objects.filter(
        game=OuterRef("game"), seat=OuterRef("number"), kind=EntryKind.ACT
    ).exclude(data__has_key="unasked")
    other_seats = Seat.objects.filter(game=OuterRef("game"), player__isnull=False, away_since=None)
    return Seat.objects.filter(
        ~Exists(acts_of_players),
        Exists(other_seats.filter(here_until__gt=timezone.now())),
        player=None,
        game__finished_at=None,
    )


def take_seat(game_id: UUID, player: UUID, name: str, face: str) -> bool:
    """Give a player who comes late the seat of a bot, and its hand. The bot's earlier acts count
    for nobody. Return False if there is no such seat."""
    with transaction.atomic():
        lock(game_id)
        seat = seats_to_take().filter(game=game_id).select_related("game").first()
        if seat is None:
            return False
        until = timezone.now() + presence.PRESENT_FOR
        Seat.objects.filter(pk=seat.pk).update(
            player=player, bot="", name=name, face=face, here_until=until
        )
        presence.announce_change(seat.game)
    return True


def give_up_seat(game_id: UUID, player: UUID) -> None:
    """Give the player's seat for good to a bot that is not at the table yet. The others go on.
    Nothing changes in a game of one player. The bot plays after the caller's transaction. Raises
    `NotFound`."""
    with transaction.atomic():
        lock(game_id)
        stored = load(game_id, player)
        if not stored.has_several_players:
            return
        names = {seat.name for seat in stored.seats}
        name, face = next((bot for bot in CAST if bot[0] not in names), CAST[-1])
        Seat.objects.filter(game=game_id, player=player).update(
            player=None, bot=STAND_IN, name=name, face=face, here_until=None,
            away_since=None, answered_at=None, sign="",
        )  # fmt: skip
        if len(presence.seats_of_players(stored.seats)) == 2:
            Game.objects.filter(pk=game_id).update(awaited_seat=None, due_at=None)
        presence.announce_change(stored.game)
    transaction.on_commit(partial(_play_for_bot_at_turn, game_id), robust=True)


def _play_for_bot_at_turn(game_id: UUID) -> None:
    stored = _load_for_first_player(game_id)
    seat = stored.snapshot.state.to_act if stored else None
    if stored and seat is not None and stored.seats[seat].player is None:
        _catch_up(stored)


def lock(game_id: UUID) -> None:
    """Lock a game, as a move does before it changes a seat."""
    list(Game.objects.select_for_update(no_key=True).filter(pk=game_id).only("pk"))
