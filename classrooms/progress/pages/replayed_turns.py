"""The very turn behind a piece of evidence, as it lay on the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from classrooms.models import Attempt
from classrooms.progress.models import Evidence
from games.models import Action, Seat
from games.screen.replay import Moment, Scene, ShownRow, scenes, shown_row, turn_ended_by


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """A turn in scenes. `at`: the number, from 1, of the one to begin with; `row`: the row that it
    is looked at for, with the evidence of it, or None for the turn as such."""

    scenes: Sequence[Scene]
    at: int
    piece: Evidence | None
    row: ShownRow | None


def replay(attempt: Attempt, entry: int, row: str) -> ReplayedTurn:
    """The turn of a match that the entry ended, looked at for a row (`Evidence.row`). While its
    round runs no other hand than the child's is in it.

    Raises `games.play.services.NotFound` where that entry ended no turn.
    """
    moments = turn_ended_by(attempt.game, entry)
    seats = list(Seat.objects.filter(game=attempt.game_id))
    for seat in seats:
        if seat.player == attempt.child.player:
            seat.name = attempt.child.name
    pieces = Evidence.objects.filter(child=attempt.child, game=attempt.game_id, entry=entry)
    piece = pieces.filter(row=row).first()
    if piece is None:
        return ReplayedTurn(
            scenes(moments, attempt.game, seats, attempt.child.player), 1, None, None
        )
    at = _moment_of(piece, moments)
    asked = shown_row(moments[at], piece.row, attempt.game.ruleset)
    shown = scenes(moments, attempt.game, seats, attempt.child.player, asked.cards)
    return ReplayedTurn(shown, at + 1, piece, asked)


def _moment_of(piece: Evidence, moments: Sequence[Moment]) -> int:
    """Where in its turn a row was laid or tried; one that was missed, at the end."""
    if piece.kind == Evidence.Kind.MISSED:
        return len(moments) - 1
    done = [
        index
        for index, moment in enumerate(moments)
        if moment.action.text == piece.row or _is_refusal_of(moment.action, piece.row)
    ]
    return done[-1] if done else len(moments) - 1


def _is_refusal_of(action: Action, row: str) -> bool:
    return action.kind == Action.Kind.REFUSED and action.text.partition(" ")[2] == row
