"""An uploaded file, read by a process of its own (`file_process.py`)."""

import json
import re
from typing import Final

import structlog
from django.utils import timezone

from classrooms.roster.importing.grid import grid_of_text
from classrooms.roster.importing.import_errors import LARGEST, Unreadable
from classrooms.roster.importing.sheet import NameSheet, sheet_of
from classrooms.ui import processes

MODULE: Final = "classrooms.roster.importing.file_process"
SECONDS: Final = 3
"""Of the processor; the largest list takes a fifth."""
MEMORY: Final = (256 + 32) * 1024 * 1024
"""Bytes of address space: 256 MB, and what the process has before it reads anything."""
PATIENCE: Final = 10
"""Seconds that a thread waits, as the web server does not tell it when who asked has gone."""
TURNS: Final = processes.Turns()

log = structlog.get_logger(__name__)


def read_file(data: bytes) -> NameSheet:
    """The names in a text, an Excel workbook or a OneRoster bundle. Raises `Unreadable`, and
    `Busy`."""
    if len(data) > LARGEST:
        raise Unreadable("too large")
    try:
        with TURNS.one():
            done = processes.run(MODULE, data, seconds=SECONDS, memory=MEMORY, patience=PATIENCE)
    except processes.Killed:
        raise Unreadable("too slow") from None
    if done.returncode:
        # Its last words may have a name in them; where it ended does not.
        places = re.findall(rb'File "(\S+)", line (\d+)', done.stderr)
        log.error("file process failed", status=done.returncode, place=places[-1:])
        raise Unreadable("unknown")
    answer = json.loads(done.stdout)
    if "problem" in answer:
        kind, line, file, detail = answer["problem"]
        raise Unreadable(kind, line, file=file, detail=detail)
    return NameSheet.from_data(answer["sheet"])


def read_pasted(text: str) -> NameSheet:
    """The names in pasted text, which is short enough to be read here. Raises `Unreadable`."""
    return sheet_of(grid_of_text(text), timezone.localdate())
