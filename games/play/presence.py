"""The presence of players at a table of several, and the player for whom the table waits.

Each post, page and poll of a player shows that they are there. After a minute without any, they
count as away, and a bot plays for them until the next one.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from enum import IntFlag, auto
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from games.engine.round import State
from games.models import Game, Seat

PRESENT_FOR: Final = timedelta(seconds=60)
"""How long a player counts as present after a request."""
PRESENT_FOR_WITHOUT_SCRIPT: Final = timedelta(seconds=300)
"""How long they count as present after a post from a page without script, which does not poll."""
NOTE_AGAIN_AFTER: Final = timedelta(seconds=10)
"""Requests that come sooner than this after the last noted one are not noted, so that few polls
write."""
INACTIVE_AFTER: Final = timedelta(seconds=30)
"""After this long in a turn, the others read that its player is thinking; after this long without
a request, that they may be away. Open pages send a request every few seconds."""
LONG_TURN: Final = timedelta(minutes=2)
"""The time in a turn after which the others can ask for a bot, and the teacher sees that they
wait."""
TIME_TO_GO_ON: Final = timedelta(seconds=20)
"""How long a bot that all others have asked for waits for an act or a tap of the player at turn."""
EQUALLY_FAST: Final = timedelta(seconds=1)
"""The time after the first knock within which others count as equally fast, so that the order of
the rules decides."""
NEXT_ROUND_WAITS: Final = timedelta(seconds=20)
"""How long the next round waits for players who still look at the end of the last one."""
LEFT_JUST_NOW: Final = timedelta(seconds=15)
"""For how long the others read that a bot plays for a player who has left. By then all pages have
polled again."""
TABLE_LASTS: Final = timedelta(hours=3)
"""The time since the last move after which a table no longer waits or goes on by itself."""
QUESTION_PHASES: Final = ("offer", "knock")
"""The phases in which a seat answers during another seat's turn."""
MOST_SEATS: Final = 8


def seats_of_players(seats: Iterable[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.player is not None]


def has_several_players(seats: Iterable[Seat]) -> bool:
    return len(seats_of_players(seats)) > 1


def is_here(seat: Seat, now: datetime) -> bool:
    """Whether the player at this seat is present and plays themselves."""
    return seat.away_since is None and seat.here_until is not None and seat.here_until > now


def awaited_answer(state: State) -> tuple[object, ...]:
    """What a table waits for. When this changes, the time to answer or play begins again."""
    seat = state.to_act if state.phase == "offer" or not state.ruleset.all_may_knock else None
    return (
        state.round,
        state.turn,
        state.to_act is None,
        *((state.phase, seat) if state.phase in QUESTION_PHASES else ()),
    )


def deadline_from(game: Game, state: State, now: datetime) -> datetime | None:
    """When the time to answer or to play ends, if it begins now. None without a limit."""
    if state.to_act is None:
        return None
    seconds = game.answer_seconds if state.phase in QUESTION_PHASES else game.turn_seconds
    return now + timedelta(seconds=seconds) if seconds else None


def note_presence(seat: Seat, now: datetime) -> None:
    """Note that the player at this seat is there. If a bot has played for them, they get their seat
    back, and the others see it."""
    until = now + PRESENT_FOR
    if not is_here(seat, now):
        Game.objects.filter(pk=seat.game_id, awaited_seat=seat.number).update(waits_since=now)
    if seat.away_since is not None:
        seat.away_since, seat.here_until = None, until
        with transaction.atomic():
            announce_change(seat.game)
            Seat.objects.filter(pk=seat.pk).update(away_since=None, here_until=until)
    elif seat.here_until is None or seat.here_until < until - NOTE_AGAIN_AFTER:
        seat.here_until = until
        Seat.objects.filter(pk=seat.pk).update(here_until=until)


def note_answer(seat: Seat, wait: timedelta = EQUALLY_FAST) -> bool:
    """Note that the player has answered: a knock, or the wish for the next round.

    It is decided after `wait`, or once all have answered. Return False, and note nothing, if
    somebody has moved since the seat was read."""
    game = seat.game
    now = timezone.now()
    if seat.answered_at is not None:
        return True
    due_at = min(filter(None, (game.due_at, now + wait)))
    with transaction.atomic():
        if not Game.objects.filter(pk=game.pk, version=game.version).update(due_at=due_at):
            return False
        Seat.objects.filter(pk=seat.pk).update(answered_at=now)
    return True


def note_presence_without_script(game_id: UUID, player: UUID) -> None:
    until = timezone.now() + PRESENT_FOR_WITHOUT_SCRIPT
    Seat.objects.filter(game=game_id, player=player).update(here_until=until)


class Inactivity(IntFlag):
    """What a page says about the player at turn when their turn has lasted a while."""

    THINKS = auto()
    NO_MOVE = auto()  # they have neither moved nor asked for a hint for a while
    NO_REQUEST = auto()  # they may be away
    LONG = auto()  # the others can ask for a bot


def inactivity_since(
    since: datetime | None, moved_at: datetime, here_until: datetime | None, now: datetime
) -> Inactivity:
    """What the pages of the others say about the player for whom a table has waited `since`, or
    since the last move if `since` is None."""
    since = since or moved_at
    inactivity = Inactivity(0)
    if since <= now - INACTIVE_AFTER:
        inactivity |= Inactivity.THINKS
    if moved_at <= now - INACTIVE_AFTER:
        inactivity |= Inactivity.NO_MOVE
    if here_until is None or here_until <= now + PRESENT_FOR - INACTIVE_AFTER:
        inactivity |= Inactivity.NO_REQUEST
    if since <= now - LONG_TURN:
        inactivity |= Inactivity.LONG
    return inactivity


def inactivity_at(game: Game, seats: Iterable[Seat], seat: int, now: datetime) -> Inactivity:
    """What the page of this seat says about the player at turn. Their own page says nothing."""
    awaited = next((other for other in seats if other.number == game.awaited_seat != seat), None)
    if awaited is None:
        return Inactivity(0)
    return inactivity_since(game.waits_since, game.moved_at, awaited.here_until, now)


def may_ask_for_bot(game: Game, seats: Sequence[Seat], seat: int, now: datetime) -> bool:
    """Whether the player at this seat can ask for a bot to play the long turn of another player.
    One child alone cannot, nor can anybody where the teacher has limited the time of a turn."""
    is_long = Inactivity.LONG in inactivity_at(game, seats, seat, now)
    may_ask = is_long and game.due_at is None and game.phase not in QUESTION_PHASES
    has_asked = seats[seat].answered_at is not None
    return may_ask and not has_asked and len(waiting_players(game, seats, now)) > 1


def waiting_players(game: Game, seats: Iterable[Seat], now: datetime) -> list[Seat]:
    """The seats of the players who are present and wait for another one's turn to end."""
    players = seats_of_players(seats)
    return [seat for seat in players if is_here(seat, now) and seat.number != game.awaited_seat]


def is_asked_to_go_on(game: Game) -> bool:
    """Whether all others have asked for a bot, which plays at `due_at` unless the player at turn
    acts or taps before."""
    is_in_turn = game.awaited_seat is not None and game.phase not in QUESTION_PHASES
    return is_in_turn and game.due_at is not None and not game.turn_seconds


def shown_version(news: int, inactivity: int) -> int:
    """The number of what a page shows: the version of the news and, in the lowest bits, the
    `Inactivity`. A page with another number fetches the board."""
    return (news << len(Inactivity)) + inactivity


def shift_times(players: Collection[UUID], delay: timedelta, until: datetime) -> None:
    """Shift the last moves and deadlines in these players' games by `delay`, which may be negative:
    a pause of the class must not count as idleness. Players who are present stay so until `until`,
    and then for the usual time."""
    now = timezone.now()
    seats = Seat.objects.filter(player__in=players, game__moved_at__gt=now - TABLE_LASTS)
    games = Game.objects.filter(pk__in=list(seats.values_list("game", flat=True)))
    seats = seats.filter(away_since=None, here_until__gt=now, game__awaited_seat__isnull=False)
    waiting = Game.objects.filter(pk__in=list(seats.values_list("game", flat=True)))
    games.update(moved_at=F("moved_at") + delay)
    waiting.exclude(due_at=None).update(due_at=F("due_at") + delay)
    waiting.exclude(waits_since=None).update(waits_since=F("waits_since") + delay)
    seats.update(here_until=until + PRESENT_FOR)


def announce_change(game: Game) -> None:
    """Have the pages of all players at the table show it again."""
    game.news += 1
    Game.objects.filter(pk=game.pk).update(news=F("news") + 1)


def stuck_tables(now: datetime) -> list[UUID]:
    """The tables at which a player is present, but which do not go on by themselves: a time limit
    has passed, or the player at turn has left."""
    seats = Seat.objects.filter(game=OuterRef("pk"), player__isnull=False)
    present_seats = seats.filter(away_since=None, here_until__gt=now)
    is_gone = Q(away_since__isnull=False) | Q(here_until=None) | Q(here_until__lte=now)
    absent_seats = seats.filter(is_gone, number=OuterRef("awaited_seat"))
    tables = Game.objects.filter(moved_at__gt=now - TABLE_LASTS, awaited_seat__isnull=False)
    stuck = tables.filter(Exists(present_seats)).filter(Q(due_at__lte=now) | Exists(absent_seats))
    return list(stuck.values_list("pk", flat=True))


FURTHEST_AHEAD: Final = timedelta(minutes=30)
"""How far in the future a moment at a table may be, even in a class whose screens are paused."""


def clamp_future_times() -> None:
    """Correct moments that a process with a wrong clock has set too far in the future, by the clock
    of the database. Otherwise a table would wait too long for a player who has left."""
    furthest = Now() + FURTHEST_AHEAD
    tables = Game.objects.filter(moved_at__gt=Now() - TABLE_LASTS, awaited_seat__isnull=False)
    Seat.objects.filter(game__in=tables, here_until__gt=furthest).update(
        here_until=Now() + PRESENT_FOR
    )
    tables.filter(due_at__gt=furthest).update(due_at=Now())
