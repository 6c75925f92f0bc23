"""PDFs are set by typst in the sans serif of `fonts`; Hebrew and Arabic in the fonts of its wheel,
other scripts in those of the machine. Text typed by people reaches typst as data,
never as markup.

Each PDF is set in a process of its own, with limits on time and memory. In a web process, typst's
cache of the last ten PDFs would stay in memory, hundreds of MB.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Final

from classrooms.ui.typst_process import NOT_SET

ROOT: Final = Path(__file__).parent.parent
"""Root of the paths by which `.typ` files import each other."""
FONTS: Final = Path(__file__).parent / "fonts"
SETTER: Final = Path(__file__).with_name("typst_process.py")
SECONDS: Final = 30
"""Time limit of one PDF; ten times what letters to the parents of 500 children take."""
MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of address space; those 500 letters need 400 MB, and 40 of them 200 MB."""
WAIT_SECONDS: Final = 3.0
SYSTEM_FONTS = True
_INHERITED: Final = ("PATH", "HOME", "LANG", "LC_ALL", "XDG_DATA_HOME", "XDG_DATA_DIRS", "TMPDIR")
_turn = BoundedSemaphore(1)
_queue = BoundedSemaphore(2)


class LettersMissing(Exception):
    """No font on this machine has all the letters of the names; a browser may have one."""


class Busy(Exception):
    """Other PDFs are being set, and the wait for a turn was too long."""


class NotSet(Exception):
    """Setting the PDF exceeded the limits on time or memory, or typst refused it."""


class TooLarge(NotSet):
    """Not started, because it would exceed the limits."""


@contextmanager
def in_turn() -> Iterator[None]:
    """For a PDF that somebody waits for on a page. One PDF is set and one waits per process, so
    that the other threads stay free for the children. Raises `Busy`, at once or after
    `WAIT_SECONDS`."""
    if not _queue.acquire(blocking=False):
        raise Busy
    try:
        if not _turn.acquire(timeout=WAIT_SECONDS):
            raise Busy
        try:
            yield
        finally:
            _turn.release()
    finally:
        _queue.release()


def typeset(source: Path, data: Mapping[str, Any]) -> bytes:
    """The PDF (PDF/UA) that a `.typ` file makes from this data. Raises `LettersMissing` rather than
    print a name as boxes, and `NotSet`."""
    job = {
        "source": str(source),
        "root": str(ROOT),
        "data": json.dumps(data),
        "system_fonts": SYSTEM_FONTS,
        "fonts": str(FONTS),
        "seconds": SECONDS,
        "memory": MEMORY,
    }
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    try:
        process = subprocess.run(
            [sys.executable, "-I", str(SETTER)],
            input=json.dumps(job).encode(),
            capture_output=True,
            timeout=SECONDS,
            env=environment | {"RAYON_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired as problem:
        raise NotSet("it took too long") from problem
    if process.returncode == 0:
        return process.stdout
    message = process.stderr.decode(errors="replace")
    if process.returncode == NOT_SET and "could not be displayed" in message:
        raise LettersMissing(message)
    raise NotSet(f"ended with {process.returncode}: {message[-500:]}")
