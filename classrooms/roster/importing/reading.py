"""Reads lists of names: pasted text in this process, an uploaded file in a separate one
(`file_process`)."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import timezone

from classrooms.roster.importing import grid
from classrooms.roster.importing.encodings import UnreadableFile
from classrooms.roster.importing.pupils import NameSheet, sheet_of
from classrooms.ui import processes

MODULE: Final = "classrooms.roster.importing.file_process"
PROCESSOR_SECONDS: Final = 3
"""The most processor time for a file. The largest list needs a fifth of it."""
MEMORY_BYTES: Final = (256 + 32) * 1024 * 1024
"""The most bytes of address space: 256 MB, and what the process needs before it reads the file."""
PATIENCE_SECONDS: Final = 10
"""The most seconds that a thread waits. The web server does not tell it that the visitor has
left."""
TURNS: Final = processes.Turns()

log = structlog.get_logger(__name__)


@contextmanager
def _with_sentences() -> Iterator[None]:
    """Turn `UnreadableFile` into a `ValidationError` with a sentence for the teacher."""
    try:
        yield
    except UnreadableFile as problem:
        values = {"problem": problem, "most_pupils": grid.MOST_PUPILS}
        text = render_to_string("roster/_unreadable.html", values)
        raise ValidationError(" ".join(text.split())) from problem


@_with_sentences()
def read_file(data: bytes, account: int) -> NameSheet:
    """The names in a file that this account has uploaded. Raises `ValidationError` and `Busy`."""
    if len(data) > grid.MOST_FILE_BYTES:
        raise UnreadableFile("too large")
    try:
        with TURNS.turn(account):
            process = processes.run(
                MODULE,
                data,
                seconds=PROCESSOR_SECONDS,
                memory=MEMORY_BYTES,
                patience=PATIENCE_SECONDS,
            )
    except processes.ProcessKilled:
        raise UnreadableFile("too slow") from None
    if process.returncode:
        # The error message may contain a name, so only the place is logged.
        places = re.findall(rb'File "(\S+)", line (\d+)', process.stderr)
        log.error("file process failed", status=process.returncode, place=places[-1:])
        raise UnreadableFile("unknown")
    answer = json.loads(process.stdout)
    if "problem" in answer:
        raise UnreadableFile(*answer["problem"])
    return NameSheet.from_data(answer["sheet"])


@_with_sentences()
def read_pasted(text: str) -> NameSheet:
    """The names in pasted text, which is short enough for this process. Raises
    `ValidationError`."""
    return sheet_of(grid.grid_of_text(text.replace("\0", "")), timezone.localdate())
