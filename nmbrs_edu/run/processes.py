"""The processes of a run, which all end with it."""

import contextlib
import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final

from babel.messages.frontend import CommandLineInterface

PR_SET_PDEATHSIG: Final = 1
SECONDS_TO_END: Final = 3.5


def die_with_parent() -> None:
    """Ask the kernel to send this process a SIGTERM when its parent ends or is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass(slots=True)
class Processes:
    """Processes that are started one after another and end together."""

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

    def first_ended(self) -> str | None:
        """The name of the first process that has ended by itself, or None."""
        return next((name for name, p in self.started.items() if p.poll() is not None), None)

    def stop(self) -> None:
        """Ask all processes to end, kill those that do not, and wait until none is left."""
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


# The handler of a signal to stop only sets a flag. The code checks the flag wherever it waits.


SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
POLL_SECONDS: Final = 0.1


class Stopped(Exception):
    """A signal to stop has come. Raised by `StopFlag`, never by a signal handler."""


class StopFlag:
    """A flag that is raised when a signal to stop comes."""

    def __init__(self) -> None:
        self.is_raised = False

    def listen(self) -> None:
        for number in SIGNALS:
            signal.signal(number, self._raise)

    def ignore_signals(self) -> None:
        """Ignore further signals, which would disturb the shutdown."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def check(self) -> None:
        """Raise `Stopped` if the flag is raised."""
        if self.is_raised:
            raise Stopped

    def wait_for(self, is_over: Callable[[], bool], seconds: float = float("inf")) -> bool:
        """Wait until `is_over()` is true, and return whether it was within this time. Raises
        `Stopped`."""
        deadline = time.monotonic() + seconds
        while not is_over():
            self.check()
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_SECONDS)
        return True

    def _raise(self, number: int, frame: FrameType | None) -> None:
        self.is_raised = True


# Prepares a run: compiles translations, migrates, collects static files, makes the demo school.

ROOT: Final = Path(__file__).resolve().parent.parent.parent


class StepFailed(Exception):
    """A step of the start failed. The message says what happened."""


def manage(environment: Mapping[str, str], stop: StopFlag, *arguments: str) -> str:
    """Run a management command and return what it prints. Raises `StepFailed` if it fails, and
    `Stopped`."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=die_with_parent,
    )
    try:
        printed, complaints = _output(process, stop)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.returncode:
        raise StepFailed(f"manage.py {' '.join(arguments)} failed:\n{printed}{complaints}")
    return printed


def _output(process: subprocess.Popen[str], stop: StopFlag) -> tuple[str, str]:
    while True:
        stop.check()
        try:
            return process.communicate(timeout=POLL_SECONDS)
        except subprocess.TimeoutExpired:
            continue


def compile_translations(stop: StopFlag) -> None:
    """Compile the catalogues if one is newer than its compiled file. Raises `Stopped`."""
    sources = sorted((ROOT / "locale").glob("*/LC_MESSAGES/django.po"))
    with _wait_for_other_runs(stop):
        if any(_is_newer(source, source.with_suffix(".mo")) for source in sources):
            words = ["pybabel", "-q", "compile", "-d", str(ROOT / "locale"), "-D", "django"]
            CommandLineInterface().run(words)


def collect_static(environment: Mapping[str, str], stop: StopFlag) -> None:
    """Collect the static files if one of ours has changed since they were collected. Raises
    `StepFailed` and `Stopped`."""
    manifest = ROOT / "staticfiles" / "staticfiles.json"
    with _wait_for_other_runs(stop):
        files = [path for path in (ROOT / "static").rglob("*") if path.is_file()]
        if any(_is_newer(path, manifest) for path in files):
            manage(environment, stop, "collectstatic", "--noinput", "-v", "0")


@contextmanager
def _wait_for_other_runs(stop: StopFlag) -> Iterator[None]:
    """Wait for another run in this checkout, which would write the same files."""
    with (ROOT / "manage.py").open() as lock:
        while True:
            stop.check()
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(POLL_SECONDS)
        yield


def _is_newer(source: Path, result: Path) -> bool:
    return not result.exists() or source.stat().st_mtime > result.stat().st_mtime
