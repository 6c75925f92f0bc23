"""Work whose cost a stranger decides, or whose memory should be freed: in a process of its own,
which knows nothing of the site, has limits, and ends with its work."""

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
    """Others have such work done, and the wait for a turn was too long."""


class Killed(Exception):
    """The process exceeded a limit."""


class Turns:
    """For work that somebody waits for on a page: of a kind, one is done and one waits per web
    process, so that the other threads stay free. An account has one at a time, and after one that
    took longer than `LONG_SECONDS` none for `REST` times as long: it cannot hold the place."""

    def __init__(self) -> None:
        self._turn = BoundedSemaphore(1)
        self._queue = BoundedSemaphore(2)
        self._rest: dict[int, float] = {}

    @contextmanager
    def one(self, account: int | None = None) -> Iterator[None]:
        """Raises `Busy`, at once or after `WAIT_SECONDS`."""
        is_waiting = account is not None and self._rest.get(account, 0) > time.monotonic()
        if is_waiting or not self._queue.acquire(blocking=False):
            raise Busy
        rest = 0.0
        try:
            if account is not None:
                self._rest[account] = inf  # One at a time.
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
    """Run the module as a process that gets the job on standard input. It may take `seconds` of the
    processor, `patience` seconds of the clock, and `memory` bytes of address space, the libraries
    that it loads included. Of our environment it has only these variables, and `more`. Raises
    `Killed`.

    The limits are set from here before the process has the job: so they hold for all it does with
    it, and a process forked from a web process with threads runs no code of ours before it is
    another program.
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
            raise Killed("it took too long") from None
        finally:
            process.kill()
    if process.returncode < 0:
        raise Killed(f"ended by signal {-process.returncode}")
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)
