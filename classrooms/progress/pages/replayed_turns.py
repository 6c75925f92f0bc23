"""The turn behind a piece of evidence, replayed on the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from classrooms.models import Attempt
from classrooms.progress.models import Evidence
from games.engine.text.entries import parse_refused
from games.models import Action, Seat
from games.screen.replay import Moment, Scene, ShownRow, scenes, shown_row, turn_ended_by


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """A turn in scenes. `at`: the number, from 1, of the scene to begin with; `row` and `piece`:
    the row to look at and its evidence, or None for the whole turn."""

    scenes: Sequence[Scene]
    at: int
    piece: Evidence | None
    row: ShownRow | None


def replay(attempt: Attempt, entry: int, row: str) -> ReplayedTurn:
    """The turn of a match that ended with this entry, and a row of it (`Evidence.row`). While the
    round runs it shows no hand but the child's.

    Raises `games.play.services.NotFound` if that entry ended no turn.
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
    """The index of the moment when a row was laid or tried; the last one for a missed row."""
    if piece.kind == Evidence.Kind.MISSED:
        return len(moments) - 1
    done = [index for index, moment in enumerate(moments) if _is_about(piece.row, moment.action)]
    return done[-1] if done else len(moments) - 1


def _is_about(row: str, action: Action) -> bool:
    """Whether the row was laid or refused in this entry."""
    if action.kind == Action.Kind.REFUSED:
        return parse_refused(action.text).row == row
    return action.text == row
