"""The turn of a chance, replayed on the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from classrooms.models import Attempt
from classrooms.progress.models import Chance
from games.models import Seat
from games.screen.replay import Scene, ShownRow, as_it_would_lie, scenes, shown_row, turn_with


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """A turn in scenes. `at`: the number, from 1, of the scene to begin with; `row` and `chance`:
    the row to look at and its chance, or None for the whole turn."""

    scenes: Sequence[Scene]
    at: int
    chance: Chance | None
    row: ShownRow | None


def replay(attempt: Attempt, entry: int, row: str) -> ReplayedTurn:
    """The turn of a match that this entry belongs to, and a row of it (`Chance.row`). While the
    round runs it shows no hand but the child's.

    Raises `games.play.services.NotFound` if the entry belongs to no turn that has ended.
    """
    moments = turn_with(attempt.game, entry)
    seats = list(Seat.objects.filter(game=attempt.game_id))
    for seat in seats:
        if seat.player == attempt.child.player:
            seat.name = attempt.child.name
    chances = Chance.objects.filter(child=attempt.child, game=attempt.game_id, entry=entry)
    chance = chances.filter(row=row).first()
    if chance is None:
        return ReplayedTurn(
            scenes(moments, attempt.game, seats, attempt.child.player), 1, None, None
        )
    at = next(index for index, moment in enumerate(moments) if moment.action.number == entry)
    asked = shown_row(moments[at], chance.row, attempt.game.ruleset)
    shown = scenes(moments, attempt.game, seats, attempt.child.player, asked.cards)
    if not chance.is_laid:
        shown.append(as_it_would_lie(shown[at], moments[at], chance.row, attempt.game.ruleset))
    return ReplayedTurn(shown, at + 1, chance, asked)
