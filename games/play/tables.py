"""Tables of several players: signs, knocks, turns that last too long, players who leave or come
late. Nothing runs by itself: whoever asks for a table brings it up to date, and so does Celery beat
(`games.tasks`)."""

from dataclasses import replace
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from games.bots.registry import CAST
from games.engine.actions import Knock, Pass
from games.models import Entry, Game, Seat
from games.play import presence
from games.play.moves import Draft
from games.play.sql import seats_with_game
from games.play.stored_game import StoredGame, fresh_readings, load, stand_in_for, store


def load_and_catch_up(game_id: UUID, player: UUID | None) -> StoredGame:
    """The game for a request of this player. At a table of several, note that they are there, and
    do what is due. Raises `NotFound`."""
    stored = load(game_id, player)
    if not stored.has_several_players:
        return stored
    presence.note_presence(stored.own_seat, timezone.now())
    return _catch_up(stored)


def catch_up(game_id: UUID) -> None:
    """Do what is due at a table of several players, if any of them is there."""
    stored, now = _load_for_anybody(game_id), timezone.now()
    if (
        stored
        and stored.has_several_players
        and any(presence.is_here(seat, now) for seat in stored.seats)
    ):
        _catch_up(stored)


def _load_for_anybody(game_id: UUID) -> StoredGame | None:
    """The game for the first of its players; None if it has none."""
    player = next((seat.player for seat in seats_with_game(game_id) if seat.player), None)
    return load(game_id, player) if player else None


def _catch_up(stored: StoredGame) -> StoredGame:
    """Do all that is due, and return the table after it."""
    for table in fresh_readings(stored):
        draft = table.begin_draft()
        _play_what_is_due(draft)
        if not draft.entries:
            break
        if store(draft, uuid4()) is not None:
            return replace(table, snapshot=draft.snapshot)
    return table


def _play_what_is_due(draft: Draft) -> None:
    """Give the block on offer to the first who knocked, pass for players whose time to answer is
    over, finish a turn whose time is over, and let bots play for players who are away."""
    due_at = draft.game.due_at
    is_due = due_at is not None and due_at <= timezone.now()
    phase = draft.state.phase
    if not give_block(draft, is_due=is_due) and is_due:
        waited_for = [seat for seat in draft.state.seats_to_act() if not draft.bot_at(seat)]
        if phase in presence.ASKED:
            for seat in waited_for:
                draft.act(seat, Pass(), unasked=True)
        elif waited_for:
            draft.finish_turn(stand_in_for(draft.seats))
    draft.let_bots_act()


def give_block(draft: Draft, *, is_due: bool = False) -> bool:
    """Give the block on offer to the first by the rules who has knocked for it, unless somebody
    before them may still be equally fast. Returns whether it was given."""
    seats_to_act = draft.state.seats_to_act()
    knocked = [seat for seat in seats_to_act if draft.seats[seat].knocked_at is not None]
    if not knocked:
        return False
    before = seats_to_act[: seats_to_act.index(knocked[0])]
    if not is_due and any(not draft.bot_at(seat) for seat in before):
        return False
    draft.act(knocked[0], Knock())
    return True


def knock(stored: StoredGame) -> StoredGame | None:
    """Note that a player has knocked for the block on offer, and return the table after it; None if
    they may not knock. Whoever knocks within the same second is equally fast, and the order of the
    rules decides (7.4)."""
    for table in fresh_readings(stored):
        state = table.snapshot.state
        if state.phase != "knock" or table.seat_number not in state.seats_to_act():
            return None
        if presence.note_knock(table.own_seat):
            break
    return _catch_up(load(stored.game.pk, stored.own_seat.player))


def give_sign(game_id: UUID, player: UUID, sign: str) -> None:
    """Show a sign beside the player's face until their next turn, if it is one of
    `presence.signs`. More than `presence.MOST_SIGNS` in a turn are not shown. Raises `NotFound`."""
    load_and_catch_up(game_id, player)
    with transaction.atomic():
        _lock(game_id)
        stored = load(game_id, player)
        seat, state = stored.own_seat, stored.snapshot.state
        signs_left = presence.signs_left(seat, state)
        if not (
            stored.has_several_players
            and signs_left
            and sign in presence.signs(stored.game, state, seat.number, stored.recent)
        ):
            return
        if sign == presence.IN_OTHERS_TURNS:
            sign = f"{sign}:{state.turn}"
        turn, count = presence.turn_of(state, seat.number), presence.MOST_SIGNS - signs_left + 1
        Seat.objects.filter(pk=seat.pk).update(sign=sign, sign_turn=turn, sign_count=count)
        presence.mark_changed(stored.game)


def end_long_turn(game_id: UUID, player: UUID) -> None:
    """Let a bot play the turn that the others have waited for, if it has lasted long. Raises
    `NotFound`."""
    stored, now = load_and_catch_up(game_id, player), timezone.now()
    still = presence.stillness_at(stored.game, stored.seats, stored.seat_number, now)
    if presence.Stillness.LONG in still:
        Game.objects.filter(pk=game_id, version=stored.game.version).update(due_at=now)
        load_and_catch_up(game_id, player)


def leave(game_id: UUID, player: UUID) -> None:
    """Let a bot play for this player until they come back. Nothing changes in a game of one player.
    Raises `NotFound`."""
    stored = load(game_id, player)
    if not stored.has_several_players:
        return
    now = timezone.now()
    seats = Seat.objects.filter(pk=stored.own_seat.pk, away=None)
    if seats.update(away=now, here_until=now, knocked_at=None):
        presence.mark_changed(stored.game)
    catch_up(game_id)


def seats_to_take() -> QuerySet[Seat]:
    """The bots' seats in matches that go on, at tables where a player is present. In a seat that a
    player has given up, no other one may play: its acts would count for them."""
    of_players = Entry.objects.filter(
        game=OuterRef("game"), seat=OuterRef("number"), kind=Entry.Kind.ACT
    ).exclude(data__has_key="unasked")
    other_seats = Seat.objects.filter(game=OuterRef("game"), player__isnull=False, away=None)
    return Seat.objects.filter(
        ~Exists(of_players),
        Exists(other_seats.filter(here_until__gt=timezone.now())),
        player=None,
        game__finished_at=None,
    )


def take_seat(game_id: UUID, player: UUID, name: str, face: str) -> bool:
    """Give a player who comes late the seat of a bot. They play on with its hand; what it played
    before counts for nobody. False if there is no such seat."""
    with transaction.atomic():
        _lock(game_id)
        free = seats_to_take().filter(game=game_id).select_related("game").first()
        if free is None:
            return False
        until = timezone.now() + presence.PRESENT_FOR
        Seat.objects.filter(pk=free.pk).update(
            player=player, bot="", name=name, face=face, here_until=until
        )
        presence.mark_changed(free.game)
    return True


def give_up_seat(game_id: UUID, player: UUID) -> None:
    """Give the player's seat for good to a bot that is not at the table yet. The others go on.
    Nothing changes in a game of one player. Raises `NotFound`."""
    with transaction.atomic():
        _lock(game_id)
        stored = load(game_id, player)
        if not stored.has_several_players:
            return
        names = {seat.name for seat in stored.seats}
        name, face = next((bot for bot in CAST if bot[0] not in names), CAST[-1])
        Seat.objects.filter(game=game_id, player=player).update(
            player=None, bot=stand_in_for(stored.seats), name=name, face=face, here_until=None,
            away=None, knocked_at=None, sign="",
        )  # fmt: skip
        if len(presence.seats_of_players(stored.seats)) == 2:
            Game.objects.filter(pk=game_id).update(at_turn=None, due_at=None)
        presence.mark_changed(stored.game)
    _let_bots_go_on(game_id)


def _lock(game_id: UUID) -> None:
    """Lock a game, as a move does before it changes a seat."""
    list(Game.objects.select_for_update(no_key=True).filter(pk=game_id).only("pk"))


def _let_bots_go_on(game_id: UUID) -> None:
    """Let the bots play on after one of them has taken a player's seat."""
    stored = _load_for_anybody(game_id)
    if stored is None:
        return
    seat = stored.snapshot.state.to_act
    if seat is not None and stored.seats[seat].player is None:
        _catch_up(stored)
