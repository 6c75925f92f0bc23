"""A small disk for the database, which can be full. It is mounted before Django is set up, so this
imports no models."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WHOLE: Final = 2048 << 20
"""The size of the disk. It is in memory and takes only as much as is in use."""


@dataclass(frozen=True, slots=True)
class Disk:
    """A tmpfs that is mounted at `folder`."""

    folder: Path

    @property
    def free_bytes(self) -> int:
        stats = os.statvfs(self.folder)
        return stats.f_bavail * stats.f_frsize

    def fill(self) -> None:
        """Fill the disk, as another program's file would."""
        self._resize(WHOLE - self.free_bytes)

    def free(self) -> None:
        self._resize(WHOLE)

    def _resize(self, size: int) -> None:
        # The system refuses a size below what is in use, and the database keeps writing meanwhile.
        for extra in range(0, 64 << 20, 1 << 18):
            if not _mount("-o", f"remount,size={size + extra}", str(self.folder)):
                return
        raise OSError(f"the size of {self.folder} could not be changed")


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk | None]:
    """Mount a small disk; if that is not permitted, print why and return None."""
    folder.mkdir()
    problem = _mount("-t", "tmpfs", "-o", f"size={WHOLE},mode=755", "tmpfs", str(folder))
    if problem:
        print(f"Without a full disk: no disk can be mounted here ({problem}).", flush=True)
        yield None
        return
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


def _mount(*words: str) -> str:
    """Mount a file system. Return why it failed, or an empty string."""
    try:
        result = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    except OSError as problem:
        return str(problem)
    return "" if result.returncode == 0 else result.stderr.strip() or str(result.returncode)
