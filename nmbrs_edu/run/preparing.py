"""Prepares a run: compiles translations, migrates, collects static files, makes the demo school."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from babel.messages.frontend import CommandLineInterface

from nmbrs_edu.run.processes import POLL_SECONDS, StopFlag, die_with_parent

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
