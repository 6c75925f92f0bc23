"""The signs that players at a table of several give each other."""

from collections.abc import Iterable
from itertools import takewhile
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games.engine.round import OVER_PHASES, State
from games.engine.text.record import EntryKind
from games.engine.view import View
from games.models import Game, Seat
from games.play import presence
from games.play.shared_table import load_and_catch_up, lock
from games.play.sql import ShownEntry
from games.play.stored_game import load

SIGNS: Final = ("well-laid", "thank-you", "oh", "good-game", "hm", "your-turn")
"""The signs that players can give each other. Those that not everybody can give come last, so that
the others keep their places."""
PRAISE: Final = "well-laid"
FOR_ROWS: Final = frozenset({PRAISE, "oh"})
IN_OWN_TURN: Final = "hm"
IN_OTHERS_TURNS: Final = "your-turn"
MOST_SIGNS: Final = 3
"""The most signs that a player can give in one of their turns."""
_TURNS_BOUND: Final = 1_000
"""More than the turns that a seat has in a round (`round.LAST_TURN`)."""


def turn_number(state: State | View, seat: int) -> int:
    """A number that changes when a turn of this seat begins."""
    is_in_turn = state.turn == seat and state.phase not in OVER_PHASES
    return state.round * _TURNS_BOUND + (state.turns[seat] if state.turns else 0) + is_in_turn


def signs_allowed(
    game: Game, state: State | View, seat: int, recent: Iterable[ShownEntry]
) -> tuple[str, ...]:
    """The signs that this seat can give now. `recent` has the round's last entries, newest first.

    - Praise and “Oh!” need a row that another player has laid since the seat's own last act; about
      any other move they would be a sneer.
    - “Hm” is for the player at turn; about somebody else's move it would be a sneer.
    - “Your turn!” must hurry nobody, so the player at turn has done nothing for a while."""
    is_at_turn = state.turn == seat and state.phase not in OVER_PHASES
    forbidden = {IN_OTHERS_TURNS if is_at_turn else IN_OWN_TURN}
    if (
        game.awaited_seat in (None, seat)
        or game.moved_at > timezone.now() - presence.INACTIVE_AFTER
    ):
        forbidden.add(IN_OTHERS_TURNS)
    acts = [entry for entry in recent if entry.kind == EntryKind.ACT]
    new_acts = takewhile(lambda entry: entry.seat != seat, acts)
    if state.phase not in OVER_PHASES and not any(entry.lays_row for entry in new_acts):
        forbidden |= FOR_ROWS
    return tuple(sign for sign in SIGNS if sign not in forbidden)


def signs_left(seat: Seat, state: State | View) -> int:
    is_same_turn = seat.sign_turn == turn_number(state, seat.number)
    return MOST_SIGNS - (seat.sign_count if is_same_turn else 0)


def give_sign(game_id: UUID, player: UUID, sign: str) -> None:
    """Show a sign beside the player's face until their next turn ends, if it is one of
    `signs_allowed` and not more than `MOST_SIGNS` in a turn. Raises `NotFound`."""
    load_and_catch_up(game_id, player)
    with transaction.atomic():
        lock(game_id)
        stored = load(game_id, player)
        seat, state = stored.own_seat, stored.snapshot.state
        count_left = signs_left(seat, state)
        signs = signs_allowed(stored.game, state, seat.number, stored.recent_entries)
        if not stored.has_several_players or not count_left or sign not in signs:
            return
        if sign == IN_OTHERS_TURNS:
            sign = f"{sign}:{state.turn}"
        elif sign == PRAISE:
            rows = [e.seat for e in stored.recent_entries if e.lays_row and e.seat != seat.number]
            sign = f"{sign}:{rows[0]}" if rows else sign
        turn = turn_number(state, seat.number)
        count = MOST_SIGNS - count_left + 1
        Seat.objects.filter(pk=seat.pk).update(sign=sign, sign_turn=turn, sign_count=count)
        presence.announce_change(stored.game)
