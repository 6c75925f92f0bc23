"""Counts events in all processes: each process counts its own and adds the sums to the database."""

import os
import threading
from collections import Counter
from time import sleep
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.utils import InterfaceError
from django.http import HttpRequest, HttpResponseBase

from classrooms.http import Middleware
from nmbrs_edu.addresses import kinds

REQUESTS: Final = "requests"
MOVES: Final = "moves"
FAILED_TASKS: Final = "failed tasks"

Key = tuple[str, str, str]

ADD: Final = """
INSERT INTO nmbrs_edu_counted (what, kind, status, number) VALUES (%s, %s, %s, %s)
ON CONFLICT (what, kind, status) DO UPDATE SET number = nmbrs_edu_counted.number + excluded.number
"""

log = structlog.get_logger(__name__)


class Counts:
    """What this process has counted since it last wrote."""

    def __init__(self) -> None:
        self._counted: Counter[Key] = Counter()
        self._lock = threading.Lock()
        self._flushing_pid = 0

    def count(self, what: str, kind: str = "", status: str = "") -> None:
        with self._lock:
            self._counted[what, kind, status] += 1
        # A forked process has no thread yet.
        if settings.COUNT_SECONDS and self._flushing_pid != os.getpid():
            self._flushing_pid = os.getpid()
            threading.Thread(target=self._flush_forever, daemon=True).start()

    def add_to_database(self) -> None:
        """Add the counts to the database. If the database does not answer, they wait for the next
        call."""
        with self._lock:
            counts, self._counted = self._counted, Counter()
        if not counts:
            return
        try:
            with connection.cursor() as cursor:
                # Sorted, so that two processes do not deadlock.
                cursor.executemany(ADD, [(*key, counts[key]) for key in sorted(counts)])
        except (DatabaseError, InterfaceError):
            with self._lock:
                self._counted.update(counts)

    def _flush_forever(self) -> None:
        while True:
            sleep(settings.COUNT_SECONDS)
            try:
                self.add_to_database()
            except Exception:
                log.exception("counts not added")
            finally:
                connection.close()


counts = Counts()


def count_move(**_: Any) -> None:
    counts.count(MOVES)


def count_failed_task(sender: Any = None, **_: Any) -> None:
    """Count a failed task and write it at once, because the process may end."""
    counts.count(FAILED_TASKS, str(getattr(sender, "name", "")))
    counts.add_to_database()


MOVE_ENDING: Final = "/act"


class CountingMiddleware(Middleware):
    """Counts each response by the kind of its page and by its status."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        counts.count(REQUESTS, kind_of(request), str(response.status_code))
        return response


def kind_of(request: HttpRequest) -> str:
    """The kind of a request, from the first part of the path alone: the rest may be a secret."""
    kind = kinds().get(request.path_info.removeprefix("/").partition("/")[0])
    if kind == "game" and request.method == "POST" and request.path_info.endswith(MOVE_ENDING):
        return "move"
    return kind or "other"
