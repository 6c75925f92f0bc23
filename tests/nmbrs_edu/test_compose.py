"""docker-compose.yml's own commands, run without Docker in a school's settings."""

import os
import shlex
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography.fernet import Fernet
from django.db import connection

from tests.nmbrs_edu.test_run import ROOT, free_port

SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
SECONDS = 60


def command(service: str, **replaced: str) -> list[str]:
    """A service's command with the programs of this environment."""
    bin_folder = Path(sys.executable).parent
    told = [replaced.get(word, word) for word in SERVICES[service]["command"]]
    return [str(bin_folder / told[0]), *told[1:]]


@pytest.fixture
def environment(transactional_db: None) -> dict[str, str]:
    settings = connection.settings_dict
    url = os.environ["DATABASE_URL"]
    head, _, tail = url.partition("?")
    head = head.rpartition("/")[0] + f"/{settings['NAME']}"
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.production",
        "SECRET_KEY": "for the tests of the compose file: 0123456789 abcdefghij",
        "PICTURES_KEY": Fernet.generate_key().decode(),
        "ALLOWED_HOSTS": "localhost",
        "DATABASE_URL": f"{head}?{tail}" if tail else head,
        "REDIS_URL": os.environ["REDIS_URL"],
        "SECURE_SSL_REDIRECT": "false",
    }


@pytest.fixture
def start(environment: dict[str, str]) -> Iterator[Any]:
    started: list[subprocess.Popen[bytes]] = []

    def begin(words: list[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.terminate()
    for process in started:
        process.wait(timeout=30)


def test_every_service_that_the_issue_names_is_there() -> None:
    services = {"postgres", "redis", "web", "worker", "worker-long", "beat", "proxy"}
    assert services <= SERVICES.keys()


def test_web_worker_and_beat_answer(
    start: Any, environment: dict[str, str], tmp_path: Path
) -> None:
    run = {"cwd": ROOT, "env": environment, "capture_output": True, "text": True}
    migrated = subprocess.run(command("migrate"), **run)  # type: ignore[call-overload]
    assert migrated.returncode == 0, migrated.stderr
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"]
    assert subprocess.run(collect, **run).returncode == 0  # type: ignore[call-overload]

    port = str(free_port())
    schedule = tmp_path / "beat-schedule"
    start(command("web", **{"8000": port, "0.0.0.0": "127.0.0.1"}))
    start(command("worker"))
    start(command("worker-long"))
    beat = start(command("beat", **{"/tmp/beat-schedule": str(schedule)}))

    assert _answers(f"http://localhost:{port}/healthz")
    assert _answers(f"http://localhost:{port}/")
    for worker in ("worker", "worker-long"):
        check = SERVICES[worker]["healthcheck"]["test"][2:]
        asked = subprocess.run(
            [sys.executable, *check, "--timeout", str(SECONDS)],
            **run,  # type: ignore[call-overload]
        )
        assert asked.returncode == 0, shlex.join(asked.args) + asked.stderr
    assert beat.poll() is None
    assert _appears(tmp_path, "beat-schedule*")


def _answers(url: str) -> bool:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            time.sleep(0.2)
    return False


def _appears(folder: Path, pattern: str) -> bool:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if any(folder.glob(pattern)):
            return True
        time.sleep(0.2)
    return False
