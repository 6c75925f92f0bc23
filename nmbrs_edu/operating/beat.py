"""Celery beat. However many are started, only one of them schedules."""

from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

import psycopg
import structlog
from celery.beat import PersistentScheduler
from django.db import DatabaseError, connection
from django.utils import timezone

from nmbrs_edu.models import BEAT, went_well

LOCK_ID: Final = 0x6E6D6272
"""The number of the advisory lock in the database."""
ASKS_AGAIN_AFTER: Final = 5.0
NOTES_EVERY: Final = timedelta(seconds=60)
GAP: Final = timedelta(minutes=5)
"""A beat that takes over repeats what was due within this time before, in case the former one had
not sent it."""

log = structlog.get_logger(__name__)


class BeatLock:
    """A lock in the database that decides which beat schedules. It has a connection of its own, and
    is released as soon as its process ends or is cut off."""

    def __init__(self) -> None:
        self._holding: Any = None

    def is_mine(self) -> bool:
        if connection.vendor != "postgresql":
            return True  # SQLite: one machine, one beat.
        try:
            if self._holding is not None:
                self._holding.execute("SELECT 1")
                return True
            return self._ask()
        except psycopg.Error:
            self.give_up()
            return False

    def _ask(self) -> bool:
        asking = psycopg.connect(**connection.get_connection_params(), autocommit=True)
        row = asking.execute("SELECT pg_try_advisory_lock(%s)", [LOCK_ID]).fetchone()
        if row and row[0]:
            self._holding = asking
            return True
        asking.close()
        return False

    def give_up(self) -> None:
        if self._holding is not None:
            with suppress(psycopg.Error):
                # Closing alone would release the lock only when PostgreSQL notices.
                self._holding.execute("SELECT pg_advisory_unlock(%s)", [LOCK_ID])
            self._holding.close()
            self._holding = None


class LockedScheduler(PersistentScheduler):
    """A scheduler that waits until it has the lock, then works like Celery's own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._beat_lock = BeatLock()
        self._waited = False
        self._noted_at = timezone.now() - NOTES_EVERY
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if not self._beat_lock.is_mine():
            if not self._waited:
                log.warning("another beat is at work, or the database is away")
            self._waited = True
            return ASKS_AGAIN_AFTER
        if self._waited:
            self._take_over()
        self._note_run()
        wait = super().tick(*args, **kwargs)
        return min(float(wait), NOTES_EVERY.total_seconds())

    def _take_over(self) -> None:
        """Begin to schedule, without repeating what was due before the `GAP`."""
        log.warning("this beat is at work now")
        since = self.app.now() - GAP
        for entry in self.schedule.values():
            entry.last_run_at = max(entry.last_run_at, since)
        self._heap = None
        self._waited = False

    def _note_run(self) -> None:
        now = timezone.now()
        if now - self._noted_at < NOTES_EVERY:
            return
        self._noted_at = now
        try:
            went_well(BEAT, now)
        except DatabaseError:
            log.warning("beat not noted")
        finally:
            if not connection.in_atomic_block:
                connection.close()

    def close(self) -> None:
        super().close()
        self._beat_lock.give_up()
