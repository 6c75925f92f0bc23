"""Processes whose clock is wrong, by Debian's libfaketime."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

LIBRARY: Final = "faketime/libfaketimeMT.so.1"
DAY: Final = {"ahead": "+1d", "behind": "-1d"}


def library() -> Path | None:
    """Where libfaketime is; None, and that is printed, where it is not installed."""
    if sys.platform == "linux":
        for folder in (Path("/usr/lib"), *Path("/usr/lib").glob("*-linux-gnu*")):
            if (folder / LIBRARY).exists():
                return folder / LIBRARY
    print("Without clocks a day off: libfaketime is not installed (make faketime).", flush=True)
    return None


def wrong(found: Path, way: str) -> dict[str, str]:
    """The environment of a process whose date is a day off. Its monotonic clock is right."""
    return {"LD_PRELOAD": str(found), "FAKETIME": DAY[way], "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def seconds(environment: dict[str, str]) -> float:
    """Seconds since 1970 of a process with this environment."""
    asked = [sys.executable, "-c", "import time; print(time.time())"]
    given = {**os.environ, **environment}
    return float(subprocess.run(asked, env=given, capture_output=True, check=True).stdout)
