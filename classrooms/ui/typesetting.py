"""Everything on paper is set by typst, with the fonts in its wheel: Latin, Greek, Cyrillic, Hebrew
and Arabic. For a name in another script it takes a font of the machine's, where there is one. All
that a person has typed reaches it as data, never as markup.

Each paper is set by a process of its own, with an end to its time and its memory: a web process
that sets papers itself keeps what typst remembers of the last ten, hundreds of MB of it.
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
"""What the files for typst may import from each other, by a path that begins here."""
SETTER: Final = Path(__file__).with_name("typst_process.py")
SECONDS: Final = 30
"""So long one paper may take; ten times what letters to the parents of 500 children do."""
MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of addresses; those 500 letters need 400 MB, and 40 of them 200 MB."""
WAIT_SECONDS: Final = 3.0
SYSTEM_FONTS = True
_INHERITED: Final = ("PATH", "HOME", "LANG", "LC_ALL", "XDG_DATA_HOME", "XDG_DATA_DIRS", "TMPDIR")
_turn = BoundedSemaphore(1)
_queue = BoundedSemaphore(2)


class LettersMissing(Exception):
    """No font here has all the letters of the names; a browser may have one."""


class Busy(Exception):
    """Other papers are being set and it was not soon this one's turn."""


class NotSet(Exception):
    """It took more time or memory than a paper may, or typst refused it."""


class TooLarge(NotSet):
    """It was not begun, for it would take more than a paper may."""


@contextmanager
def in_turn() -> Iterator[None]:
    """For a paper that somebody waits for at a page: one is set and one waits in this process, so
    that its other threads are there for the children. Raises `Busy`, at once or after
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
    """The PDF (PDF/UA) that a file for typst makes of these data. Raises `LettersMissing` rather
    than print a name as boxes, and `NotSet`."""
    asked = {
        "source": str(source),
        "root": str(ROOT),
        "data": json.dumps(data),
        "system_fonts": SYSTEM_FONTS,
        "seconds": SECONDS,
        "memory": MEMORY,
    }
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(SETTER)],
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=SECONDS,
            env=environment | {"RAYON_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired as problem:
        raise NotSet("it took too long") from problem
    if done.returncode == 0:
        return done.stdout
    message = done.stderr.decode(errors="replace")
    if done.returncode == NOT_SET and "could not be displayed" in message:
        raise LettersMissing(message)
    raise NotSet(f"ended with {done.returncode}: {message[-500:]}")
