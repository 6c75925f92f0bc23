"""The tasks of progress: look at a game that was played, and scan for what was missed.

Both may run twice, late or not at all: they only bring up to date what is behind.
"""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, Final
from uuid import UUID

import structlog
from celery import shared_task

from classrooms.models import Child
from classrooms.progress.pipeline import answers, evidence
from classrooms.progress.pipeline.comparison import compare_child, compare_game
from classrooms.progress.pipeline.rebuild import count_all_again
from games.models import Game

from .models import ProgressLock

SAMPLE_OF_CHILDREN: Final = 20
SAMPLE_OF_GAMES: Final = 200

log = structlog.get_logger(__name__)

SCAN_SECONDS: Final = 20
"""After this time a scan leaves the rest to the next one, well before the task's time limit."""


@shared_task(name="classrooms.progress.look_at_game")
def look_at_game(game_id: str) -> None:
    """Bring the evidence and counts of one game up to date with its log."""
    evidence.look_at(UUID(game_id))


@shared_task(name="classrooms.progress.look_at_sitting")
def look_at_sitting(sitting_id: int) -> None:
    """Count the quick checks of one sitting."""
    answers.look_at(sitting_id)


@shared_task(name="classrooms.progress.look_for_dirty")
def look_for_dirty() -> None:
    """Look at every game and sitting whose log goes beyond what is counted, and at every child
    whose counts are stale since something was erased."""
    end = monotonic() + SCAN_SECONDS
    stale = list(ProgressLock.objects.filter(stale=True).values_list("child", flat=True))
    _look_at_each(count_all_again, stale, "child", end)
    games = list(evidence.dirty().values_list("game", flat=True))
    _look_at_each(evidence.look_at, games, "game", end)
    sittings = list(answers.dirty().values_list("pk", flat=True))
    _look_at_each(answers.look_at, sittings, "sitting", end)


@shared_task(name="classrooms.progress.compare_a_sample")
def compare_a_sample() -> None:
    """At night: rebuild some children, replay some games, and log where they differ."""
    end = monotonic() + SCAN_SECONDS
    games = Game.objects.filter(attempt__isnull=False).order_by("?")[:SAMPLE_OF_GAMES]
    _look_at_each(compare_game, games, "game", end)
    children = Child.everyone.filter(progress_lock__isnull=False).order_by("?")
    _look_at_each(compare_child, children[:SAMPLE_OF_CHILDREN], "child", end + SCAN_SECONDS)


def _look_at_each(
    look: Callable[[Any], object], keys: Iterable[Any], what: str, end: float
) -> None:
    for key in keys:
        try:
            look(key)
        except Exception:
            # One that cannot be read must not stop the others.
            log.exception("not looked at", what=what, key=str(key))
        if monotonic() > end:
            return
