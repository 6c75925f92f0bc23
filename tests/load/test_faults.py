"""The parts of `make faults`: the faults (or a sentence if one cannot be made here), and the start
of each command."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from scripts.faults.disk import small_disk
from scripts.faults.kinds import seconds, wrong

SECONDS_OF_A_DAY = 86_400
COMMANDS = ("load", "load.upgrade", "faults", "siege", "fuzz", "images", "bench.growth")
SLOW = 600
"""The seconds within which a process starts on the busiest machine."""


def test_a_full_disk_accepts_nothing_until_it_is_freed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk(tmp_path / "disk"))
        if disk is None:
            assert "no disk can be mounted here" in capsys.readouterr().out
            return
        file = disk.folder / "file"
        file.write_bytes(b"before")
        disk.fill()
        with pytest.raises(OSError, match="No space left"):
            file.write_bytes(b"x" * (1 << 20))
        disk.free()
        file.write_bytes(b"x" * (1 << 20))
    assert not (tmp_path / "disk" / "file").exists()


@pytest.mark.parametrize(("way", "sign"), [("ahead", 1), ("behind", -1)])
def test_a_wrong_clock_is_a_day_ahead(way: str, sign: int) -> None:
    off = seconds(wrong(way)) - time.time()
    assert abs(off - sign * SECONDS_OF_A_DAY) < SLOW


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_starts_without_django_settings(name: str) -> None:
    environment = {key: value for key, value in os.environ.items() if "DJANGO" not in key}
    words = [sys.executable, "-m", f"scripts.{name}", "--help"]
    subprocess.run(words, env=environment, check=True, capture_output=True)
