"""Runs work in a separate process, because a stranger decides its cost or its memory must be freed.
The process knows nothing about the site, has limits, and ends with its work."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WAIT_SECONDS: Final = 8.0
MOST_WAITING: Final = 2
MOST_SECONDS: Final = 30.0
HALF_LIFE: Final = 120.0


class Busy(Exception):
    """No turn is free: others come first, or the account has used up its share."""


class ProcessKilled(Exception):
    """The process took too long, or a signal ended it."""


class Turns:
    """The turns for one kind of work for which people wait on a page.

    In a web process one piece of work runs and `MOST_WAITING` wait; other threads stay free. The
    order of arrival does not count, because anybody can have many accounts. The account that has
    used the least time is next. If too many wait, the one that has used the most is refused. A
    second request of an account comes last. An account that has used more than `MOST_SECONDS` gets
    no turn; the time used counts half after `HALF_LIFE` seconds.
    """

    def __init__(self) -> None:
        self._change = Condition()
        self._running: int | None = None
        self._waiting: list[tuple[int, object]] = []
        """For each request that waits: its account, and an object that tells it from others."""
        self._used: dict[int, tuple[float, float]] = {}
        """For each account: the seconds that it had used when its last turn ended, and when that
        was."""

    @contextmanager
    def turn(self, account: int) -> Iterator[None]:
        """Wait for a turn of this account, and hold it. Raises `Busy` as soon as too many others
        come first, or after `WAIT_SECONDS` if no turn has become free."""
        with self._change:
            self._wait(account)
            self._running = account
        start = time.monotonic()
        try:
            yield
        finally:
            with self._change:
                end = time.monotonic()
                self._used[account] = self._used_by(account) + end - start, end
                self._running = None
                self._change.notify_all()

    def _wait(self, account: int) -> None:
        if self._used_by(account) > MOST_SECONDS:
            raise Busy
        ticket = account, object()
        self._waiting.append(ticket)
        if len(self._waiting) > MOST_WAITING + (self._running is None):
            self._waiting.remove(max(reversed(self._waiting), key=self._rank))
            self._change.notify_all()

        def is_settled() -> bool:
            if ticket not in self._waiting:
                return True
            return self._running is None and ticket == min(self._waiting, key=self._rank)

        is_in_time = self._change.wait_for(is_settled, WAIT_SECONDS)
        if ticket not in self._waiting:
            raise Busy
        self._waiting.remove(ticket)
        if not is_in_time:
            self._change.notify_all()
            raise Busy

    def _rank(self, ticket: tuple[int, object]) -> tuple[bool, float]:
        """The sort key of the order in which turns are given."""
        account, _ = ticket
        first = next(other for other in self._waiting if other[0] == account)
        return account == self._running or ticket != first, self._used_by(account)

    def _used_by(self, account: int) -> float:
        seconds, at = self._used.get(account, (0.0, 0.0))
        return seconds * 0.5 ** ((time.monotonic() - at) / HALF_LIFE)


def run(
    module: str,
    job: bytes,
    *,
    seconds: int,
    memory: int,
    patience: int,
    environment: tuple[str, ...] = (),
    **more: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run the module as a process that reads the job from standard input. It may use `seconds` of
    processor time, `patience` seconds in all, and `memory` bytes of address space, which include
    the libraries that it loads. Its environment has only `more` and the variables that
    `environment` names. Raises `ProcessKilled`.

    The limits are set from outside, before the job is sent. So they hold for all the work, and none
    of our code runs in a fork of a web process with threads.
    """
    variables = {name: os.environ[name] for name in environment if name in os.environ}
    with subprocess.Popen(
        [sys.executable, "-s", "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env=variables | more | {"PYTHONPATH": str(ROOT)},
    ) as process:
        try:
            for limit, value in (
                (resource.RLIMIT_CPU, seconds),
                (resource.RLIMIT_AS, memory),
                (resource.RLIMIT_CORE, 0),
            ):
                resource.prlimit(process.pid, limit, (value, value))
            output, errors = process.communicate(job, timeout=patience)
        except subprocess.TimeoutExpired:
            raise ProcessKilled("it took too long") from None
        finally:
            process.kill()
    if process.returncode < 0:
        raise ProcessKilled(f"ended by signal {-process.returncode}")
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)
