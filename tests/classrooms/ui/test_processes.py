"""A process for a stranger's file has limits and no secrets, and is gone afterwards."""

import os

import pytest

from classrooms.ui import processes
from classrooms.ui.processes import ProcessKilled, run

MB = 1024 * 1024


def printed_by(code: str, seconds: int = 20, memory: int = 300 * MB, patience: int = 60) -> bytes:
    """What a process prints that does this."""
    done = run(
        "tests.classrooms.ui.code_process",
        code.encode(),
        seconds=seconds,
        memory=memory,
        patience=patience,
    )
    return done.stdout + done.stderr


def test_a_process_knows_nothing_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "a secret")
    assert "SECRET_KEY" in os.environ
    names = printed_by("import os; print(*os.environ)").split()
    assert set(names) <= {b"PYTHONPATH", b"LC_CTYPE"}


def test_a_process_that_works_for_too_long_is_ended() -> None:
    with pytest.raises(ProcessKilled):
        printed_by("while True: pass", seconds=1)


def test_a_process_that_waits_for_too_long_is_ended() -> None:
    with pytest.raises(ProcessKilled, match="too long"):
        printed_by("import time; time.sleep(600)", patience=1)


def test_a_process_gets_no_more_memory_than_its_own() -> None:
    assert b"MemoryError" in printed_by("bytearray(400_000_000)")
    assert printed_by("bytearray(100_000_000)") == b""


def test_what_a_process_starts_has_its_limits_too() -> None:
    code = "import resource as r; print(r.getrlimit(r.RLIMIT_CPU), r.getrlimit(r.RLIMIT_CORE))"
    inner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{code}'])"
    assert printed_by(inner) == b"(20, 20) (0, 0)\n"


def test_an_account_has_one_turn_at_a_time_and_rests_after_a_long_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = processes.Turns()
    with turns.one(1), pytest.raises(processes.Busy), turns.one(1):
        pass
    with turns.one(1):
        pass
    monkeypatch.setattr(processes, "LONG_SECONDS", -1)
    monkeypatch.setattr(processes, "REST", 1e9)
    with turns.one(1):
        pass
    with pytest.raises(processes.Busy), turns.one(1):
        pass
    with turns.one(2):
        pass


def test_who_waited_in_vain_may_try_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "WAIT_SECONDS", 0.01)
    turns = processes.Turns()
    with turns.one(1), pytest.raises(processes.Busy), turns.one(2):
        pass
    with turns.one(2):
        pass
