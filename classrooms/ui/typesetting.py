"""Sets PDFs with typst in the sans serif of `fonts`, Hebrew and Arabic in the fonts of its wheel,
other scripts in the machine's. Text typed by people reaches typst as data, never as markup.

Each PDF is set in a process of its own, with limits on time and memory. In a web process, typst's
cache of the last ten PDFs would stay in memory, hundreds of MB.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from classrooms.ui import processes
from classrooms.ui.typst_process import NOT_SET

ROOT: Final = Path(__file__).parent.parent
"""Root of the paths by which `.typ` files import each other."""
FONTS: Final = Path(__file__).parent / "fonts"
SECONDS: Final = 30
"""Time limit of one PDF; ten times what letters to the parents of 500 children take."""
MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of address space; those 500 letters need 400 MB, and 40 of them 200 MB."""
SYSTEM_FONTS = True
_INHERITED: Final = ("PATH", "HOME", "LANG", "LC_ALL", "XDG_DATA_HOME", "XDG_DATA_DIRS", "TMPDIR")
TURNS: Final = processes.Turns()
"""For a PDF that somebody waits for on a page."""


class LettersMissing(Exception):
    """No font on this machine has all the letters of the names; a browser may have one."""


class NotSet(Exception):
    """Setting the PDF exceeded the limits on time or memory, or typst refused it."""


class TooLarge(NotSet):
    """Not started, because it would exceed the limits."""


def typeset(source: Path, data: Mapping[str, Any]) -> bytes:
    """The PDF (PDF/UA) that a `.typ` file makes from this data. Raises `LettersMissing` rather than
    print a name as boxes, and `NotSet`."""
    job = {
        "source": str(source),
        "root": str(ROOT),
        "data": json.dumps(data),
        "system_fonts": SYSTEM_FONTS,
        "fonts": str(FONTS),
    }
    try:
        process = processes.run(
            "classrooms.ui.typst_process",
            json.dumps(job).encode(),
            seconds=SECONDS,
            memory=MEMORY,
            patience=SECONDS,
            environment=_INHERITED,
            RAYON_NUM_THREADS="1",
        )
    except processes.Killed as problem:
        raise NotSet(str(problem)) from problem
    if process.returncode == 0:
        return process.stdout
    message = process.stderr.decode(errors="replace")
    if process.returncode == NOT_SET and "could not be displayed" in message:
        raise LettersMissing(message)
    raise NotSet(f"ended with {process.returncode}: {message[-500:]}")


# The answer that shows a PDF in the browser, to print or save.


def pdf_answer(pdf: bytes, *, whose: str, kind: str) -> HttpResponse:
    """`whose`: the name of a child or a class, which begins the name of the file: saved papers of a
    class have different names."""
    name = f"{slugify(whose, allow_unicode=True) or 'nmbrs'}-{kind}.pdf"
    shown = str(content_disposition_header(False, name))
    return HttpResponse(pdf, content_type="application/pdf", headers={"Content-Disposition": shown})
