"""Dates as the reader's language writes them: `28 November`, `28. November`."""

from datetime import date

from django import template

from classrooms.ui.pages import written

register = template.Library()


@register.filter(expects_localtime=True)
def day(value: date, form: str) -> str:
    """A date in one of the forms of `classrooms.ui.pages`."""
    return written(value, form)
