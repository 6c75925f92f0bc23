"""The processes of a run, which all end with it."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Final

PR_SET_PDEATHSIG: Final = 1
SECONDS_TO_END: Final = 3.5


def die_with_parent() -> None:
    """Ask the kernel for a SIGTERM when the parent is gone, even if it was killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass(slots=True)
class Processes:
    """Starts processes one after another and ends them together."""

    environment: Mapping[str, str]
    started: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start a process in its own session, so that Ctrl-C reaches only the supervisor."""
        self.started[name] = subprocess.Popen(
            command,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )

    def ended(self) -> str | None:
        """The name of a process that has ended by itself, or None."""
        return next((name for name, p in self.started.items() if p.poll() is not None), None)

    def stop(self) -> None:
        """End all processes, gently first. Returns when none is left."""
        for process in self.started.values():
            _signal(process, signal.SIGTERM)
        deadline = time.monotonic() + SECONDS_TO_END
        for process in self.started.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
        for process in self.started.values():
            _signal(process, signal.SIGKILL)
            process.wait()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to a process and all its children: its session is its process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


# Stops on a signal: the handler only sets a flag, and the code checks it wherever it waits.


SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
LOOK_SECONDS: Final = 0.1


class Stopped(Exception):
    """A signal asked to stop. Raised by `StopFlag.check`, never by a signal handler."""


class StopFlag:
    """Whether a signal to stop has come."""

    def __init__(self) -> None:
        self.raised = False

    def listen(self) -> None:
        """From now on, a signal sets the flag."""
        for number in SIGNALS:
            signal.signal(number, self._raise)

    def ignore_more(self) -> None:
        """Ignore further signals, which would disturb the shutdown."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def check(self) -> None:
        """Raise `Stopped` if the flag is set."""
        if self.raised:
            raise Stopped

    def wait_for(self, is_over: Callable[[], bool], seconds: float = float("inf")) -> bool:
        """Wait until `happened()` is true. False if that takes too long. Raises `Stopped`."""
        deadline = time.monotonic() + seconds
        while not is_over():
            self.check()
            if time.monotonic() > deadline:
                return False
            time.sleep(LOOK_SECONDS)
        return True

    def _raise(self, number: int, frame: FrameType | None) -> None:
        self.raised = True
