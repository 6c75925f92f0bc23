"""The messages for a file that cannot be read."""

from django.utils.translation import gettext as _

from classrooms.roster.importing.import_errors import MOST_ROWS, Unreadable


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
            return _("There are more than %(n)d lines. Split the list.") % {"n": MOST_ROWS}
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
        case "not computed":
            return _(
                "The file contains formulas without a result. Open it in Excel and save it, "
                "then choose it again."
            )
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
        case "nobody":
            return _("No pupil is enrolled in any class in this file.")
