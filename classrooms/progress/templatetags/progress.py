"""The figures of progress as the templates write them."""

from collections.abc import Iterable
from datetime import datetime

from django import template

from classrooms.checks.models import Check
from classrooms.progress import words
from classrooms.progress.child_figures import FactSum, Rows, column_of
from classrooms.progress.class_figures import Freshness
from classrooms.progress.models import Chance
from games.coach.facts import Fact
from games.coach.mastery import Level
from games.coach.questions.recall import FactReason
from games.coach.statements.odd_play import Oddity
from games.coach.statements.table_levels import TableReason
from games.screen.products import products

register = template.Library()


@register.filter
def table_name(table: int) -> str:
    return words.table_name(table)


@register.filter
def fact_name(fact: Fact) -> str:
    return words.fact_name(fact)


@register.filter
def fact_names(facts: Iterable[Fact]) -> str:
    return products(facts)


@register.filter
def level_name(level: Level) -> str:
    return words.level_name(level)


@register.filter
def why_fact(reason: FactReason) -> str:
    return words.why_fact(reason)


@register.filter
def why_table(reason: TableReason) -> str:
    return words.why_table(reason)


@register.filter
def figure(rows: Rows) -> str:
    return words.figure(rows)


@register.filter(expects_localtime=False)
def moment(at: datetime) -> str:
    return words.moment(at)


@register.filter
def freshness(fresh: Freshness) -> str:
    return words.freshness(fresh)


@register.filter
def oddity(one: Oddity) -> str:
    return words.oddity(one)


@register.filter
def what_became(chance: Chance) -> str:
    return words.what_became(chance)


@register.filter
def answer(check: Check) -> str:
    return words.answer(check)


@register.filter
def named_table(check: Check) -> str:
    return words.named_table(check)


@register.filter
def percent(rows: Rows) -> int:
    return round(100 * rows.share)


@register.filter
def column(table: int) -> int:
    return column_of(table)


@register.filter
def of_children(sums: FactSum) -> str:
    return words.of_children(sums)
