"""Finished rounds, after which short questions are offered."""

from classrooms.models import Assignment, Attempt, Child
from classrooms.questions.models import Check, Sitting
from games.models import Game
from tests.classrooms.progress.playing import Hand, begin


def round_over(child: Child, assignment: Assignment, *, phase: str = "round over") -> Attempt:
    """An attempt between two rounds. How its round went does not matter."""
    attempt = begin(child, assignment, seed=1)
    Game.objects.filter(pk=attempt.game_id).update(phase=phase)
    attempt.game.refresh_from_db()
    return attempt


def round_played(child: Child, assignment: Assignment) -> Attempt:
    """An attempt whose first round was really played to its end."""
    attempt = begin(child, assignment, seed=1)
    Hand(attempt).play_round()
    attempt.game.refresh_from_db()
    return attempt


def sitting_with(attempt: Attempt, *questions: tuple[str, tuple[int, ...]]) -> Sitting:
    return Sitting.objects.create(
        game=attempt.game,
        round=attempt.game.round,
        child=attempt.child,
        questions=[[kind, list(numbers)] for kind, numbers in questions],
    )


def only_check() -> Check:
    return Check.objects.get()
