"""Gives processes a wrong clock.

Libraries that change the clock of a whole process make its waits fail or never end once the machine
is busy. So only the date that Python reads is changed.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

STARTED_WITH: Final = Path(__file__).parent / "wrong_clock"
DAYS: Final = {"ahead": 1, "behind": -1}


def wrong(way: str) -> dict[str, str]:
    """The environment of a Python process whose date is a day off."""
    return {"PYTHONPATH": str(STARTED_WITH), "WRONG_DAYS": str(DAYS[way])}


def seconds(environment: dict[str, str]) -> float:
    """Seconds since 1970 by the clock of a process with this environment."""
    asked = [sys.executable, "-c", "import time; print(time.time())"]
    given = {**os.environ, **environment}
    return float(subprocess.run(asked, env=given, capture_output=True, check=True).stdout)
