"""Celery beat. If several are started, only one of them schedules."""

from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

import psycopg
import structlog
from celery.beat import PersistentScheduler
from django.db import DatabaseError, connection
from django.utils import timezone

from nmbrs_edu.models import BEAT, record_success

LOCK_ID: Final = 0x6E6D6272
"""The number of the advisory lock in the database."""
RETRY_SECONDS: Final = 5.0
NOTE_EVERY: Final = timedelta(seconds=60)
HANDOVER: Final = timedelta(minutes=5)
"""A beat that takes over sends again what was due within this time, in case the former beat had not
sent it."""

log = structlog.get_logger(__name__)


class BeatLock:
    """A lock in the database that decides which beat schedules. It has a connection of its own, and
    is released as soon as its process ends or is cut off."""

    def __init__(self) -> None:
        self._connection: Any = None

    def acquire(self) -> bool:
        """Whether this process has the lock, or gets it now."""
        if connection.vendor != "postgresql":
            return True  # SQLite: one machine, one beat.
        try:
            if self._connection is not None:
                self._connection.execute("SELECT 1")
                return True
            candidate = psycopg.connect(**connection.get_connection_params(), autocommit=True)
            row = candidate.execute("SELECT pg_try_advisory_lock(%s)", [LOCK_ID]).fetchone()
        except psycopg.Error:
            self.release()
            return False
        if row and row[0]:
            self._connection = candidate
            return True
        candidate.close()
        return False

    def release(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                # Closing alone would release the lock only when PostgreSQL notices.
                self._connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK_ID])
            self._connection.close()
            self._connection = None


class LockedScheduler(PersistentScheduler):
    """A scheduler that waits until it has the lock, then works like Celery's own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._beat_lock = BeatLock()
        self._has_waited = False
        self._noted_at = timezone.now() - NOTE_EVERY
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if not self._beat_lock.acquire():
            if not self._has_waited:
                log.warning("another beat is at work, or the database is away")
            self._has_waited = True
            return RETRY_SECONDS
        if self._has_waited:
            self._take_over()
        self._note_run()
        wait = super().tick(*args, **kwargs)
        return min(float(wait), NOTE_EVERY.total_seconds())

    def _take_over(self) -> None:
        """Begin to schedule. Of earlier tasks, send only those of the `HANDOVER` again."""
        log.warning("this beat is at work now")
        since = self.app.now() - HANDOVER
        for entry in self.schedule.values():
            entry.last_run_at = max(entry.last_run_at, since)
        self._heap = None
        self._has_waited = False

    def _note_run(self) -> None:
        now = timezone.now()
        if now - self._noted_at < NOTE_EVERY:
            return
        self._noted_at = now
        try:
            record_success(BEAT, now)
        except DatabaseError:
            log.warning("beat not noted")
        finally:
            if not connection.in_atomic_block:
                connection.close()

    def close(self) -> None:
        super().close()
        self._beat_lock.release()
