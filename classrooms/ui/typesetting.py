"""Typesets PDFs with typst.

Latin text is in the sans serif of `fonts`. Other scripts are in Noto, from two wheels or, if these
lack a script, from `fonts`. Rare scripts use fonts of the machine, if it has them. Text that people
typed reaches typst as data, never as markup. Each PDF is typeset in a separate process with limits
on time and memory. In a web process, typst would keep the last ten PDFs in its cache, which takes
hundreds of MB.
"""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext

from classrooms.models import SchoolClass
from classrooms.ui import processes
from classrooms.ui.typst_process import TYPST_REFUSED

ROOT: Final = Path(__file__).parent.parent
"""The root of the paths in the imports of `.typ` files."""
FONTS: Final = tuple(
    map(str, (Path(__file__).parent / "fonts", files("manimgx_fonts"), files("manimgx_fonts_cjk")))
)
PROBE: Final = Path(__file__).parent / "probe.typ"
MISSING_GLYPH: Final = re.compile(r'the text `"(.+?)"` could not be displayed')
ESCAPED_LETTER: Final = re.compile(r"\\u\{([0-9a-f]+)\}")
BOX: Final = "□"
SECONDS: Final = 30
"""The time limit for a PDF, ten times the time that letters to the parents of 500 children take."""
MEMORY: Final = 1024 * 1024 * 1024
"""The limit on address space, in bytes. Letters for 500 children need 400 MB, for 40 children 200
MB."""
_INHERITED: Final = ("PATH", "HOME", "LANG", "LC_ALL", "XDG_DATA_HOME", "XDG_DATA_DIRS", "TMPDIR")
TURNS: Final = processes.Turns()
"""The turns for PDFs for which somebody waits on a page."""


class Pdf(bytes):
    """A PDF. `missing` has the letters and signs in its data that no font has."""

    missing: tuple[str, ...] = ()


class PdfFailed(Exception):
    """The PDF was not made, because typst refused it or it exceeded the limits."""


class TooLarge(PdfFailed):
    """The PDF was not begun, because it would exceed the limits."""


def typeset(source: Path, data: Mapping[str, Any], class_name: str) -> Pdf:
    """The PDF (PDF/UA) that a `.typ` file makes from this data. A letter that no font has becomes a
    box, which the paper explains. In the name of the class it is left out instead, unless nothing
    else would remain. Raises `PdfFailed`."""
    note = gettext("%(box)s is a letter for which there is no font. Write the name by hand.")
    note %= {"box": BOX}
    text = json.dumps(data, ensure_ascii=False)
    missing: tuple[str, ...] = ()
    while True:
        process = _run(source, text, note if BOX in text else "")
        if process.returncode == 0:
            pdf = Pdf(process.stdout)
            pdf.missing = missing
            return pdf
        letters = _missing(_run(PROBE, json.dumps(sorted(_missing(process))), ""))
        if process.returncode != TYPST_REFUSED or not letters or letters & set(missing):
            message = process.stderr.decode(errors="replace")
            raise PdfFailed(f"ended with {process.returncode}: {message[-500:]}")
        for letter in sorted(letters, key=len, reverse=True):
            other_letters = class_name.replace(letter, "").strip()
            text = text.replace(letter, "" if letter in class_name and other_letters else BOX)
            class_name = other_letters or class_name
        missing += tuple(letters)


def _run(source: Path, data: str, note: str) -> CompletedProcess[bytes]:
    job = {"source": str(source), "root": str(ROOT), "data": data, "note": note, "fonts": FONTS}
    try:
        return processes.run(
            "classrooms.ui.typst_process",
            json.dumps(job).encode(),
            seconds=SECONDS,
            memory=MEMORY,
            patience=SECONDS,
            environment=_INHERITED,
            RAYON_NUM_THREADS="1",
        )
    except processes.ProcessKilled as problem:
        raise PdfFailed(str(problem)) from problem


def _missing(process: CompletedProcess[bytes]) -> set[str]:
    """The letters for which typst reports no glyph. It may report several letters together."""
    letters = MISSING_GLYPH.findall(process.stderr.decode(errors="replace"))
    return {ESCAPED_LETTER.sub(lambda sign: chr(int(sign[1], 16)), letter) for letter in letters}


# The response that shows a PDF in the browser.


def pdf_response(
    request: HttpRequest, school_class: SchoolClass, pdf: Pdf, *, owner: str, kind: str
) -> HttpResponse:
    """A response that shows a PDF in the browser, to print or save. The file name begins with the
    name of the child or class (`owner`), so that papers of a class have different names. If the
    fonts lack letters, a message on the next page names the children concerned."""
    if pdf.missing:
        names = [school_class.name, *school_class.children.values_list("name", flat=True)]
        lacking = [name for name in names if any(letter in name for letter in pdf.missing)]
        text = gettext(
            "The PDF does not show all the letters and signs of %(names)s. The operator of the "
            "site can install a font that has them."
        )
        messages.warning(request, text % {"names": ", ".join(lacking)})
    name = f"{slugify(owner, allow_unicode=True) or 'nmbrs'}-{kind}.pdf"
    value = str(content_disposition_header(False, name))
    return HttpResponse(pdf, content_type="application/pdf", headers={"Content-Disposition": value})
