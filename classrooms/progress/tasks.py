"""What the workers do: look at a game that was played, and scan for what nobody asked for.

Both may run twice, late or not at all: they bring up to date what is behind, and nothing else.
"""

from time import monotonic
from typing import Final
from uuid import UUID

import structlog
from celery import shared_task

from . import evidence

log = structlog.get_logger(__name__)

SCAN_SECONDS: Final = 20
"""A scan stops here and leaves the rest to the next, well before the task's time limit."""


@shared_task(name="classrooms.progress.look_at_game")
def look_at_game(game_id: str) -> None:
    """Bring the evidence and counts of one game up to its log."""
    evidence.look_at(UUID(game_id))


@shared_task(name="classrooms.progress.look_for_dirty")
def look_for_dirty() -> None:
    """Look at every game whose log goes further than its evidence."""
    end = monotonic() + SCAN_SECONDS
    for game_id in list(evidence.dirty().values_list("game", flat=True)):
        try:
            evidence.look_at(game_id)
        except Exception:
            # One game that cannot be read must not keep the others waiting.
            log.exception("game not looked at", game=str(game_id))
        if monotonic() > end:
            return
