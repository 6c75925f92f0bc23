"""Runs work in a process of its own if strangers decide its cost, or if its memory should be freed.
The process knows nothing about the site, has limits, and ends with its work."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from threading import BoundedSemaphore
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WAIT_SECONDS: Final = 3.0
LONG_SECONDS: Final = 3.0
REST: Final = 4


class Busy(Exception):
    """No turn is free: others have such work done, or the account has used up its share."""


class ProcessKilled(Exception):
    """The process took too long, or a signal ended it."""


class Turns:
    """Turns for one kind of work that somebody waits for on a page. In a web process one piece of
    work runs and one waits; the other threads stay free. An account has one turn at a time. After a
    turn longer than `LONG_SECONDS` it rests for `REST` times as long, so that it cannot keep others
    out."""

    def __init__(self) -> None:
        self._turn = BoundedSemaphore(1)
        self._queue = BoundedSemaphore(2)
        self._rest: dict[int, float] = {}

    @contextmanager
    def one(self, account: int | None = None) -> Iterator[None]:
        """Wait for a turn and hold it. Raises `Busy` at once if too many wait or the account must
        rest, and after `WAIT_SECONDS` if no turn becomes free."""
        is_waiting = account is not None and self._rest.get(account, 0) > time.monotonic()
        if is_waiting or not self._queue.acquire(blocking=False):
            raise Busy
        rest = 0.0
        try:
            if account is not None:
                self._rest[account] = inf  # The account gets no other turn until this one ends.
            if not self._turn.acquire(timeout=WAIT_SECONDS):
                raise Busy
            begun = time.monotonic()
            try:
                yield
            finally:
                self._turn.release()
                taken = time.monotonic() - begun
                rest = time.monotonic() + REST * taken if taken > LONG_SECONDS else 0.0
        finally:
            self._queue.release()
            if account is not None:
                self._rest[account] = rest


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
    processor time, `patience` seconds in all, and `memory` bytes of address space, including the
    libraries that it loads. Of our environment it gets only the variables in `environment`, and
    `more`. Raises `ProcessKilled`.

    The limits are set from outside before the job is sent, so they hold for all the work, and no
    code of ours runs in a fork of a web process with threads.
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
            for limit, most in (
                (resource.RLIMIT_CPU, seconds),
                (resource.RLIMIT_AS, memory),
                (resource.RLIMIT_CORE, 0),
            ):
                resource.prlimit(process.pid, limit, (most, most))
            out, errors = process.communicate(job, timeout=patience)
        except subprocess.TimeoutExpired:
            raise ProcessKilled("it took too long") from None
        finally:
            process.kill()
    if process.returncode < 0:
        raise ProcessKilled(f"ended by signal {-process.returncode}")
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)
