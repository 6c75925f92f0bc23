"""The weekly mail as HTML: one file with its style inside, as mail programs load nothing else."""

from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

from classrooms.reports.weekly_mail.letter import Letter


@cache
def _style() -> SafeString:
    """The style that the page with the preview uses too."""
    path = finders.find("css/weekly.css")
    # A file of the site's own.
    return mark_safe(Path(str(path)).read_text(encoding="utf-8"))  # nosec B308 B703


def as_html(letter: Letter, stop: str) -> str:
    with translation.override(letter.language):
        context = {"letter": letter, "stop": stop, "css": _style()}
        return render_to_string("reports/weekly_mail/mail.html", context)
