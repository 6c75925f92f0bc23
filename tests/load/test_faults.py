"""What the faults of `make faults` are made of, or what is said where they cannot be."""

import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from scripts.faults.kinds import seconds, small_disk, wrong

SECONDS_OF_A_DAY = 86_400
SLOW = 600
"""Seconds within which a process starts, however busy the machine."""


def test_a_full_disk_takes_nothing_until_it_is_freed(
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
def test_a_wrong_clock_is_a_day_off(way: str, sign: int) -> None:
    off = seconds(wrong(way)) - time.time()
    assert abs(off - sign * SECONDS_OF_A_DAY) < SLOW
