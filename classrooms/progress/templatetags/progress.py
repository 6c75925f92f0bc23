"""The figures of progress as the templates write them."""

from datetime import datetime

from django import template

from classrooms.progress import wording
from classrooms.progress.models import Evidence
from classrooms.progress.reports import Freshness, Rows

register = template.Library()


@register.filter
def table_name(table: int) -> str:
    return wording.table_name(table)


@register.filter
def figure(rows: Rows) -> str:
    return wording.figure(rows)


@register.filter(expects_localtime=False)
def moment(at: datetime) -> str:
    return wording.moment(at)


@register.filter
def freshness(fresh: Freshness) -> str:
    return wording.freshness(fresh)


@register.filter
def what_became(piece: Evidence) -> str:
    return wording.what_became(piece)
