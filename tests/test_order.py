"""`tests.order`."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.servers import ROOT

TESTS: Final = """
import os

def test_before(): pass

def test_that_ends_its_process(): os._exit(1)

def test_after(): pass
"""


@pytest.mark.proof
def test_a_test_that_ends_its_process_fails_once_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_ending.py").write_text(TESTS)
    command = (sys.executable, "-m", "pytest", "-p", "tests.order", "-n", "2")
    done = subprocess.run(
        [*command, "--dist", "loadscope", "--no-loadscope-reorder", str(tmp_path)],
        cwd=ROOT,
        env={},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
