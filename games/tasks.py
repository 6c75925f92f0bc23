"""The task with which Celery beat moves on tables that no open page moves on."""

import structlog
from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from games.play import presence, shared_table

log = structlog.get_logger(__name__)


@shared_task(name="games.move_tables_on")
def move_tables_on() -> None:
    """Do what is due at each table where a player is present but nothing else would happen: a time
    is over, or the player whose turn it is has gone away."""
    presence.clamp_future_times()
    for game_id in presence.stuck_tables(timezone.now()):
        try:
            shared_table.catch_up(game_id)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            # A table that cannot be read must not stop the others.
            log.exception("table not moved on", game=str(game_id))
