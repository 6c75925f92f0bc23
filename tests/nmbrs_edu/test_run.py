"""The supervisor of `make run` starts, answers, and leaves nothing behind."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from random import Random
from typing import IO

import pytest

from tests.counts import PROOF, times
from tests.plugins.servers import free_port
from tests.repository import ROOT

SECONDS_TO_COME_UP = 300
SECONDS_TO_END = 5


def supervisor(data: Path, port: str) -> subprocess.Popen[str]:
    """Start the supervisor as `make run` does, with its own data and without the servers of the
    tests."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE")
    }
    return subprocess.Popen(
        [sys.executable, "-m", "nmbrs_edu.run"],
        cwd=ROOT,
        env={**environment, "DATA_DIR": str(data), "PORT": port, "DEMO_CHILDREN": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def processes_with(data: Path) -> list[str]:
    """Processes whose environment or command names this folder."""
    processes = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            environ_and_command = (entry / "environ").read_bytes() + (
                entry / "cmdline"
            ).read_bytes()
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if str(data).encode() in environ_and_command and state != "Z":
            processes.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return processes


def lines_until(output: IO[str], wanted: str) -> list[str]:
    """The output up to a line with these words, or all of it if they never come."""
    lines = []
    deadline = time.monotonic() + SECONDS_TO_COME_UP
    for line in output:
        lines.append(line)
        if wanted in line or time.monotonic() > deadline:
            break
    return lines


@pytest.fixture
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run")


def test_the_site_starts_says_how_to_sign_in_and_leaves_no_process(data: Path) -> None:
    port = free_port()
    running = supervisor(data, str(port))
    try:
        assert running.stdout is not None
        printed = "".join(lines_until(running.stdout, "Ctrl-C"))
        assert f"http://localhost:{port}/" in printed
        assert re.search(r"Teacher .*password", printed)
        assert re.search(r"Child .*code .*pictures", printed)
        with urllib.request.urlopen(f"http://localhost:{port}/healthz", timeout=60) as answer:
            assert answer.status == 200
        with urllib.request.urlopen(f"http://localhost:{port}/", timeout=60) as answer:
            assert answer.status == 200
        # Valkey has no password: only this user can reach its socket, and it has no port.
        assert re.search(r"^port 0$", (data / "valkey" / "valkey.conf").read_text(), re.MULTILINE)
        output = supervisor(data, str(port)).communicate(timeout=SECONDS_TO_COME_UP)[0]
        assert output.splitlines()[-1] == (
            f"nmbrs_edu: Port {port} is taken. Choose another: make run PORT={port + 1}"
        )
        again = supervisor(data, str(free_port())).communicate(timeout=SECONDS_TO_COME_UP)[0]
        assert again == "nmbrs_edu: It runs already in this folder. End that one first.\n"
    finally:
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=SECONDS_TO_COME_UP)
    assert running.returncode == 0
    assert processes_with(data) == []


@pytest.mark.parametrize("port", times(("70000",), ("http", "0", "70000")))
def test_an_invalid_port_gets_one_clear_line(data: Path, port: str) -> None:
    refused = supervisor(data, port)
    printed = refused.communicate(timeout=SECONDS_TO_COME_UP)[0]
    assert refused.returncode == 1
    assert printed.splitlines()[-1] == (
        f"nmbrs_edu: PORT={port} is no port: say a number from 1 to 65535."
    )


_chance = Random(7)
MOMENTS = [_chance.uniform(1.0, times(5.0, 15.0)) for _ in range(times(1, 100))]


@pytest.mark.parametrize(
    "stop_signal",
    times((signal.SIGINT,), (signal.SIGTERM, signal.SIGINT)),
    ids=lambda sent: sent.name,
)
@pytest.mark.parametrize("seconds", MOMENTS)
def test_the_site_stops_on_request_and_leaves_no_process(
    data: Path, stop_signal: signal.Signals, seconds: float
) -> None:
    running = supervisor(data, str(free_port()))
    try:
        printed = running.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        pass
    else:
        pytest.fail(f"It ended by itself: {printed}")
    sent_at = time.monotonic()
    running.send_signal(stop_signal)
    running.communicate(timeout=SECONDS_TO_COME_UP)
    if PROOF:
        assert time.monotonic() - sent_at < SECONDS_TO_END
    assert processes_with(data) == []
