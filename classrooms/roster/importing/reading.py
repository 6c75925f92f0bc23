"""A list, read: an uploaded file by a process of its own (`file_process.py`). And what cannot be
read or is passed over, in words."""

import json
import re
from collections import Counter
from typing import Final

import structlog
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from classrooms.roster.importing.grid import (
    LARGEST,
    MOST_PUPILS,
    ErrorKind,
    Unreadable,
    grid_of_text,
)
from classrooms.roster.importing.pupils import NameSheet, sheet_of
from classrooms.ui import processes

MODULE: Final = "classrooms.roster.importing.file_process"
SECONDS: Final = 3
"""The processor time that reading may take. The largest list takes a fifth."""
MEMORY: Final = (256 + 32) * 1024 * 1024
"""Bytes of address space: 256 MB, and what the process has before it reads anything."""
PATIENCE: Final = 10
"""Seconds that a thread waits, as the web server does not tell it when who asked has gone."""
TURNS: Final = processes.Turns()
_MOST_SHOWN: Final = 5

log = structlog.get_logger(__name__)


def read_file(data: bytes, account: int) -> NameSheet:
    """The names in a text, an Excel workbook or a bundle that this account brings. Raises
    `Unreadable`, and `Busy`."""
    if len(data) > LARGEST:
        raise Unreadable("too large")
    try:
        with TURNS.one(account):
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
        raise Unreadable(*answer["problem"])
    return NameSheet.from_data(answer["sheet"])


def read_pasted(text: str) -> NameSheet:
    """The names in pasted text, which is short enough to be read here. Raises `Unreadable`."""
    return sheet_of(grid_of_text(text.replace("\0", "")), timezone.localdate())


_PROBLEMS: Final[dict[ErrorKind, Promise]] = {
    "too large": _("The file is larger than 1 MB. Save just the names, or just one class."),
    "empty": _("There are no names in this list."),
    "nul": _("This is not a plain text file: it has a NUL character. Save the list as CSV."),
    "encoding": _("The file’s text cannot be read. Save the list as CSV in UTF-8."),
    "quote": _("A quotation mark is not closed, or is in the middle of a cell."),
    "too many": _("There are more than %(n)d lines. Split the list."),
    "not computed": _(
        "The file contains formulas without a result. Open it in Excel and save it, "
        "then choose it again."
    ),
    "not a list": _(
        "This is a picture or a document, not a list, whatever the file is called. "
        "Save the names as Excel (.xlsx) or as CSV."
    ),
    "workbook": _(
        "This is a spreadsheet of another kind, or one with a password. "
        "Save it as Excel (.xlsx) without a password, or as CSV."
    ),
    "broken workbook": _(
        "This Excel file is damaged. Open it, and save it again as .xlsx or as CSV."
    ),
    "zip": _("The zip file cannot be unpacked."),
    "too much": _("The file contains too much. Save only the names, or only one class."),
    "too slow": _(
        "Reading this file took too long, so nothing was added. "
        "Save only the names, as CSV, and choose that file."
    ),
    "unknown": _("This file cannot be read. Save only the names, as CSV, and choose that file."),
    "lacks file": _("There is no %(file)s in the zip file."),
    "lacks column": _("The column %(column)s is missing."),
    "many pupils": _("There are too many pupils in this file. Export one year of your school."),
    "many classes": _("There are too many classes in this file. Export one year of your school."),
    "nobody left": _("Nobody on this list is a pupil at present."),
    "nobody": _("No pupil is enrolled in any class in this file."),
}


def problem_text(problem: Unreadable) -> str:
    """The problem, with its place: the file of a bundle, the line."""
    values = {"file": problem.file, "line": problem.line}
    place = f"{problem.file}: " if problem.file else ""
    if problem.line:
        place = (_("%(file)s, line %(line)d: ") if place else _("Line %(line)d: ")) % values
    detail = {"n": MOST_PUPILS, "file": problem.detail, "column": problem.detail}
    return place + str(_PROBLEMS[problem.kind]) % detail


def passed_over(sheet: NameSheet) -> list[str]:
    """What is not taken from a list, in sentences."""
    reasons = Counter(each.reason for each in sheet.passed)
    lines, left, adults = reasons["no pupil"], reasons["left"], reasons["teacher"]
    left, hidden = left + sheet.grid.left, sheet.grid.hidden
    texts = [f"“{each.text}”" for each in sheet.passed if each.reason == "no pupil"]
    shown = ", ".join([*texts[:_MOST_SHOWN], *["…"] * (len(texts) > _MOST_SHOWN)])
    sentences = {
        ngettext(
            "%(n)d line is not a child and is left out: %(lines)s",
            "%(n)d lines are not children and are left out: %(lines)s",
            lines,
        ): lines,
        ngettext(
            "%(n)d child is left out, as the list says that they are not at the school now.",
            "%(n)d children are left out, as the list says that they are not at the school now.",
            left,
        ): left,
        ngettext("%(n)d adult is left out.", "%(n)d adults are left out.", adults): adults,
        ngettext(
            "%(n)d line is hidden in the file and is left out.",
            "%(n)d lines are hidden in the file and are left out.",
            hidden,
        ): hidden,
    }
    return [text % {"n": n, "lines": shown} for text, n in sentences.items() if n]
