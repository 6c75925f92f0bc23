"""The figures of progress as the templates write them."""

from datetime import datetime

from django import template

from classrooms.checks.models import Check
from classrooms.progress import wording
from classrooms.progress.facts_map import FactSum
from classrooms.progress.models import Evidence
from classrooms.progress.reports import Freshness
from classrooms.progress.rows import Rows, column_of
from games.coach.facts import Fact
from games.coach.mastery import Level

register = template.Library()


@register.filter
def table_name(table: int) -> str:
    return wording.table_name(table)


@register.filter
def fact_name(fact: Fact) -> str:
    return wording.fact_name(fact)


@register.filter
def level_name(level: Level) -> str:
    return wording.level_name(level)


@register.filter
def of_children(sums: FactSum) -> str:
    return wording.of_children(sums)


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


@register.filter
def answer(check: Check) -> str:
    return wording.answer(check)


@register.filter
def percent(rows: Rows) -> int:
    return round(100 * rows.share)


@register.filter
def column(table: int) -> int:
    return column_of(table)
