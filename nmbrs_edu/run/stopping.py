"""Stops on a signal: the handler only sets a flag, which the code checks wherever it waits.

An exception raised by a signal handler could be swallowed by any code that happens to run.
"""

import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
LOOK_SECONDS: Final = 0.1


class Stopped(Exception):
    """A signal asked to stop. Raised by `StopFlag.check`, never by a signal handler."""


class StopFlag:
    """Whether a signal to stop has come."""

    def __init__(self) -> None:
        self.raised = False

    def listen(self) -> None:
        """Let signals set the flag, from now on."""
        for number in SIGNALS:
            signal.signal(number, self._raise)

    def ignore_more(self) -> None:
        """Ignore further signals: they must not disturb the shutdown."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def check(self) -> None:
        """Raise `Stopped` if the flag is set."""
        if self.raised:
            raise Stopped

    def wait_for(self, happened: Callable[[], bool], seconds: float = float("inf")) -> bool:
        """Wait until `happened()`. False if that takes too long. Raises `Stopped`."""
        deadline = time.monotonic() + seconds
        while not happened():
            self.check()
            if time.monotonic() > deadline:
                return False
            time.sleep(LOOK_SECONDS)
        return True

    def _raise(self, number: int, frame: FrameType | None) -> None:
        self.raised = True
