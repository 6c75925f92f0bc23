"""The messages for a file that cannot be read, and for what is passed over in one that can."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classrooms.roster.importing.import_errors import MOST_PUPILS, Unreadable
from classrooms.roster.importing.sheet import NameSheet

_MOST_SHOWN = 5


def problem_text(problem: Unreadable) -> str:
    """The problem, with its place: the file of a bundle, the line."""
    place = ""
    if problem.file and problem.line:
        place = _("%(file)s, line %(line)d: ") % {"file": problem.file, "line": problem.line}
    elif problem.file:
        place = f"{problem.file}: "
    elif problem.line:
        place = _("Line %(line)d: ") % {"line": problem.line}
    return place + _problem(problem)


def _problem(problem: Unreadable) -> str:
    match problem.kind:
        case "too large":
            return _("The file is larger than 1 MB. Save just the names, or just one class.")
        case "empty":
            return _("There are no names in this list.")
        case "nul":
            return _("This is not a plain text file: it has a NUL character. Save the list as CSV.")
        case "encoding":
            return _("The file’s text cannot be read. Save the list as CSV in UTF-8.")
        case "quote":
            return _("A quotation mark is not closed, or is in the middle of a cell.")
        case "too many":
            return _("There are more than %(n)d lines. Split the list.") % {"n": MOST_PUPILS}
        case "not computed":
            return _(
                "The file contains formulas without a result. Open it in Excel and save it, "
                "then choose it again."
            )
        case "not a list":
            return _(
                "This is a picture or a document, not a list, whatever the file is called. "
                "Save the names as Excel (.xlsx) or as CSV."
            )
        case "workbook":
            return _(
                "This is a spreadsheet of another kind, or one with a password. "
                "Save it as Excel (.xlsx) without a password, or as CSV."
            )
        case "broken workbook":
            return _("This Excel file is damaged. Open it, and save it again as .xlsx or as CSV.")
        case "zip":
            return _("The zip file cannot be unpacked.")
        case "too much":
            return _("The file contains too much. Save only the names, or only one class.")
        case "too slow":
            return _(
                "Reading this file took too long, so nothing was added. "
                "Save only the names, as CSV, and choose that file."
            )
        case "unknown":
            return _("This file cannot be read. Save only the names, as CSV, and choose that file.")
        case "lacks file":
            return _("There is no %(file)s in the zip file.") % {"file": problem.detail}
        case "lacks column":
            return _("The column %(column)s is missing.") % {"column": problem.detail}
        case "many pupils":
            return _("There are too many pupils in this file. Export one year of your school.")
        case "many classes":
            return _("There are too many classes in this file. Export one year of your school.")
        case "nobody left":
            return _("Nobody on this list is a pupil at present.")
        case "nobody":
            return _("No pupil is enrolled in any class in this file.")


def passed_over(sheet: NameSheet) -> list[str]:
    """What is not taken from a list, in sentences."""
    of = {
        reason: [each.text for each in sheet.passed if each.reason == reason]
        for reason in ("no pupil", "left", "teacher")
    }
    sentences = []
    if no_pupils := of["no pupil"]:
        text = ngettext(
            "%(n)d line is not a child and is left out: %(lines)s",
            "%(n)d lines are not children and are left out: %(lines)s",
            len(no_pupils),
        )
        sentences.append(text % {"n": len(no_pupils), "lines": _quoted(no_pupils)})
    if n := len(of["left"]) + sheet.grid.left:
        text = ngettext(
            "%(n)d child is left out, as the list says that they are not at the school now.",
            "%(n)d children are left out, as the list says that they are not at the school now.",
            n,
        )
        sentences.append(text % {"n": n})
    if n := len(of["teacher"]):
        text = ngettext("%(n)d adult is left out.", "%(n)d adults are left out.", n)
        sentences.append(text % {"n": n})
    if n := sheet.grid.hidden:
        text = ngettext(
            "%(n)d line is hidden in the file and is left out.",
            "%(n)d lines are hidden in the file and are left out.",
            n,
        )
        sentences.append(text % {"n": n})
    return sentences


def _quoted(lines: Sequence[str]) -> str:
    shown = [f"“{line}”" for line in lines[:_MOST_SHOWN]]
    return ", ".join([*shown, "…"] if len(lines) > _MOST_SHOWN else shown)
