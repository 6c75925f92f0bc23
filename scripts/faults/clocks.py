"""Processes whose clock is wrong.

Libraries that put another clock under a whole process make its waits end with an error or never,
once the machine is busy. So only what Python reads as the date is another.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

STARTED_WITH: Final = Path(__file__).parent / "wrong_clock"
DAYS: Final = {"ahead": 1, "behind": -1}


def wrong(way: str) -> dict[str, str]:
    """The environment of a process of Python whose date is a day off."""
    return {"PYTHONPATH": str(STARTED_WITH), "WRONG_DAYS": str(DAYS[way])}


def seconds(environment: dict[str, str]) -> float:
    """Seconds since 1970 of a process with this environment."""
    asked = [sys.executable, "-c", "import time; print(time.time())"]
    given = {**os.environ, **environment}
    return float(subprocess.run(asked, env=given, capture_output=True, check=True).stdout)
