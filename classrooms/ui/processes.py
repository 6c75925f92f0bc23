"""Work whose cost a stranger decides, or whose memory should be freed: in a process of its own,
which knows nothing of the site, has limits, and ends with its work."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WAIT_SECONDS: Final = 3.0


class Busy(Exception):
    """Others have such work done, and the wait for a turn was too long."""


class Killed(Exception):
    """The process exceeded a limit."""


class Turns:
    """For work that somebody waits for on a page: of a kind, one is done and one waits per web
    process, so that the other threads stay free."""

    def __init__(self) -> None:
        self._turn = BoundedSemaphore(1)
        self._queue = BoundedSemaphore(2)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Raises `Busy`, at once or after `WAIT_SECONDS`."""
        if not self._queue.acquire(blocking=False):
            raise Busy
        try:
            if not self._turn.acquire(timeout=WAIT_SECONDS):
                raise Busy
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._queue.release()


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
