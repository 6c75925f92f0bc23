"""Sends tasks to the workers without delaying the request, and does one step of a task.

A thread sends them, so that no request waits for a slow broker, network or name server. The thread
tries once, with short timeouts, and pauses for a while after a failure. Celery beat finds the work
of tasks that were lost.
"""

import threading
from collections.abc import Callable
from queue import Empty, Full, Queue
from time import monotonic, sleep
from typing import Any
from uuid import UUID

import structlog
from celery import Task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from classrooms.locks import Changed

log = structlog.get_logger(__name__)

MOST_WAITING = 1000
PAUSE_SECONDS = 0.05
"""How long the thread waits before it sends, so that the current response goes out first. Keys that
arrive meanwhile use the same connection."""

TaskKey = UUID | int


class Publisher:
    """Sends a task for each key that is put into its queue, from one thread in this process."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._waiting: Queue[TaskKey] = Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None
        self._start_lock = threading.Lock()
        self._silent_until = 0.0

    @property
    def is_silent(self) -> bool:
        """Whether the last try failed so recently that the publisher does not try again yet."""
        return monotonic() < self._silent_until

    def enqueue(self, key: TaskKey) -> None:
        """Queue the task for this key, without waiting. If the queue is full or the publisher is
        silent, the key is dropped."""
        if self.is_silent:
            return
        try:
            self._waiting.put_nowait(key)
        except Full:
            return
        # After a fork the parent's thread object exists but is not alive.
        if self._thread is None or not self._thread.is_alive():
            self._start()

    def _start(self) -> None:
        with self._start_lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name=f"publisher of {self.task.name}", daemon=True
                )
                self._thread.start()

    def _run(self) -> None:
        while True:
            keys = {self._waiting.get()}
            sleep(PAUSE_SECONDS)
            try:
                while True:
                    keys.add(self._waiting.get_nowait())
            except Empty:
                pass
            if not self.is_silent:
                self._publish(keys)

    def _publish(self, keys: set[TaskKey]) -> None:
        try:
            with self.task.app.connection_for_write(
                transport_options=_transport_options()
            ) as connection:
                for key in keys:
                    argument = key if isinstance(key, int) else str(key)
                    self.task.apply_async((argument,), connection=connection, retry=False)
        except Exception as problem:
            self._silent_until = monotonic() + settings.PUBLISH_SILENT_SECONDS
            log.warning("broker away", problem=type(problem).__name__)


def _transport_options() -> dict[str, object]:
    seconds = settings.PUBLISH_TIMEOUT_SECONDS
    return {
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "max_retries": 0,
        "connect_retries_timeout": seconds,
    }


def try_act(act: Callable[[Any], object], row: Any) -> bool:
    """Do one step of a task, for a row or a key, and return whether it was done. `Changed` means
    that the step is no longer due. Any other error is logged, so that the next step can follow."""
    key = getattr(row, "pk", row)  # deleting the row clears it
    try:
        act(row)
    except SoftTimeLimitExceeded:
        raise
    except Changed:
        log.info("no longer due", step=act.__name__, key=str(key))
        return False
    except Exception:
        log.exception("step failed", step=act.__name__, key=str(key))
        return False
    return True
