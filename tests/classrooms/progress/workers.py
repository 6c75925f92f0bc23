"""A real Celery worker with beat in a process of its own, on a Valkey of its own."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

from django.db import connection

from classrooms.downloads.models import Download
from classrooms.progress import answer_evidence
from classrooms.progress.evidence import dirty_attempts
from classrooms.progress.models import ProgressLock
from tests.repository import ROOT


@dataclass
class Worker:
    """A worker on the database of the tests, started and stopped at will."""

    folder: Path
    broker: str
    scan_seconds: int = 2
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.local",
            "DATABASE_URL": _test_database(),
            "REDIS_URL": self.broker,
            "PROGRESS_SCAN_SECONDS": str(self.scan_seconds),
            "PROGRESS_IDLE_SECONDS": "0",
        }
        command = "-m celery -A nmbrs_edu worker --beat --pool solo --loglevel warning --schedule"
        self.process = subprocess.Popen(
            [sys.executable, *command.split(), str(self.folder / "schedule")],
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )

    def kill(self) -> None:
        """Kill worker and beat, as a power cut would: they finish nothing."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=30)
        self.process = None

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=30)
            self.process = None


def wait_until_counted(seconds: float = 120) -> None:
    """Wait until every log is counted to its end, and no child is marked for a rebuild."""
    start = monotonic()
    locks = ProgressLock.objects.filter(to_rebuild=True)
    while dirty_attempts().exists() or answer_evidence.dirty_sittings().exists() or locks.exists():
        assert monotonic() - start < seconds, "still not counted"
        sleep(0.1)


def _test_database() -> str:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def wait_until(download: Download, *states: str, seconds: float = 60) -> None:
    end = monotonic() + seconds
    while not Download.objects.filter(pk=download.pk, state__in=states).exists():
        assert monotonic() < end, "still not there"
        sleep(0.02)
