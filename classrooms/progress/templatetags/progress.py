"""The figures of progress as the templates write them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from classrooms.checks.models import Check
from classrooms.models import SchoolClass
from classrooms.progress.figures import words
from classrooms.progress.figures.class_counts import ChildLine, Freshness
from classrooms.progress.figures.known_facts import FactSum
from classrooms.progress.figures.table_rows import Rows, TableCell, column_of
from classrooms.progress.models import Evidence
from classrooms.progress.pages.class_page import ClassPage
from games.coach.facts import Fact
from games.coach.mastery import Level

register = template.Library()

CELL: Final = (
    '<td class="{}"><a href="?child={}&amp;table={}{}#behind"{} aria-label="{}">{}</a></td>'
)
FACT: Final = '<td class="{}"><a href="{}" aria-label="{}">{}</a></td>'
NO_FACT: Final = mark_safe("<td></td>")  # nosec B308 # nothing in it comes from elsewhere
NO_ROWS: Final = (
    '<td><span class="none" aria-hidden="true">–</span><span class="visually-hidden">{}</span></td>'
)
CURRENT: Final = mark_safe(' aria-current="true"')  # nosec B308 # nor in this


@register.filter
def table_name(table: int) -> str:
    return words.table_name(table)


@register.filter
def fact_name(fact: Fact) -> str:
    return words.fact_name(fact)


@register.filter
def level_name(level: Level) -> str:
    return words.level_name(level)


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
def what_became(piece: Evidence) -> str:
    return words.what_became(piece)


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


@register.simple_tag
def map_cells(page: ClassPage, line: ChildLine) -> SafeString:
    """A child's cells of the map, each a link to the moves behind it.

    Not in the template, which would be slow: a class has hundreds of them.
    """
    return format_html_join("\n", "{}", ((cell,) for cell in _map_cells(page, line)))


def _map_cells(page: ClassPage, line: ChildLine) -> Iterator[SafeString]:
    child, kept_query = line.child, page.kept_query
    shown = page.behind.table if page.behind and page.behind.child == child else None
    for cell in line.cells:
        if not cell.rows.there:
            yield format_html(NO_ROWS, gettext("none yet"))
            continue
        yield format_html(
            CELL,
            _look(cell),
            child.pk,
            cell.table,
            kept_query,
            CURRENT if shown == cell.table else "",
            f"{child.name}, {words.cell(cell)}",
            words.figure(cell.rows) if cell.rows.is_shown else "–",
        )


@register.simple_tag
def fact_cells(school_class: SchoolClass, sums: Sequence[FactSum | None]) -> SafeString:
    """A line of the class's facts, each a link to the answers behind it."""
    return format_html_join("\n", "{}", ((_fact_cell(school_class, each),) for each in sums))


def _fact_cell(school_class: SchoolClass, shown: FactSum | None) -> SafeString:
    if shown is None:
        return NO_FACT
    name = words.fact_name(shown.fact)
    if not shown.children:
        none = gettext("none yet")
        return format_html(NO_ROWS, f"{name}: {none}")
    figures = words.of_children(shown)
    return format_html(
        FACT,
        f"step-{shown.step} assigned" if shown.is_assigned else f"step-{shown.step}",
        reverse("classrooms:fact", args=[school_class.pk, *shown.fact]),
        f"{name}: {figures}",
        figures,
    )


def _look(cell: TableCell) -> str:
    look = f"step-{cell.rows.step}" if cell.rows.is_shown else "untold"
    return f"{look} fading" if cell.is_shown and cell.level == "fading" else look
