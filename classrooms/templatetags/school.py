"""Tags and filters for the templates of the school."""

from collections.abc import Container, Iterable
from datetime import date
from typing import Any
from uuid import UUID

from django import template
from django.core.paginator import Page
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from classrooms.accounts.sessions import browser_name
from classrooms.checkups import words as check_up_words
from classrooms.checkups.models import CheckUp
from classrooms.collection.pieces import collection_summary
from classrooms.lesson.hands import open_hand_of
from classrooms.lesson.pause import poll_of
from classrooms.models import Child, School, SchoolClass
from classrooms.progress import words as progress_words
from classrooms.progress.next_steps import can_take_plan_back
from classrooms.progress.rows import RowCounts, column_of
from classrooms.ui.dates import written
from classrooms.ui.page_tree import PAGES_ABOVE_IN_SCHOOL, PAGES_OF_A_CHILD, page_above, tab_of
from classrooms.ui.qr import qr_svg
from classrooms.ui.sortable_table import PAGE
from games.screen.player_faces import own_face
from games.screen.words import products, unbroken

register = template.Library()

# Adults, children, dates
register.filter("browser", browser_name)
register.filter("own_face", own_face)
register.filter("qr", qr_svg)
register.filter("pause_poll", poll_of)
register.filter("open_hand", open_hand_of)


@register.simple_block_tag(takes_context=True)
def keep_heading(context: template.Context, content: str) -> str:
    """Write the title of a page, and keep it as `heading` for all its blocks."""
    context.dicts[0]["heading"] = content
    return content


# Check-ups
register.filter("title_of", check_up_words.title)
register.filter("conditions_of", check_up_words.conditions)
register.filter("tables_of", check_up_words.tables_of)
register.filter("interval_words", check_up_words.interval_text)
register.filter("growth_words", check_up_words.growth_text)
register.filter("verdict_words", check_up_words.verdict)
register.filter("mean_words", check_up_words.mean)
register.filter("wrong_words", check_up_words.wrong_answer)

# Progress
register.filter("table_name", progress_words.table_name)
register.filter("fact_name", progress_words.fact_name)
register.filter("fact_names", lambda facts: unbroken(products(facts)))
register.filter("fact_meanings", progress_words.fact_meanings)
register.filter("fact_word", lambda is_known: progress_words.fact_word(is_known=is_known))
register.filter("no_table_yet", progress_words.no_table_yet)
register.filter("level_of", progress_words.level_of)
register.filter("why_table", progress_words.why_table)
register.filter("figure", progress_words.figure)
register.filter("joker_rows", progress_words.joker_rows)
register.filter("moment", progress_words.moment)
register.filter("freshness", progress_words.freshness)
register.filter("oddity", progress_words.oddity_text)
register.filter("outcome", progress_words.outcome_text)
register.filter("answer", progress_words.answer)
register.filter("table_answer", progress_words.table_answer)
register.filter("column", column_of)
register.filter("can_take_plan_back", can_take_plan_back)
register.filter("children_knowing", progress_words.children_knowing)
register.simple_tag(progress_words.about_signs)
register.simple_tag(progress_words.about_facts)

# The way back and the tabs
register.filter("tab_of", tab_of)


@register.filter
def breakable(text: str) -> SafeString:
    """The text as HTML in which a narrow screen may break e-mail addresses after the @."""
    first, *parts = text.split("@")
    return format_html("{}{}", first, format_html_join("", "@<wbr>{}", ((part,) for part in parts)))


@register.simple_tag
def child_links(children: Iterable[Child], class_id: UUID, page: str = "progress") -> SafeString:
    """The names of children, each with a link to their page."""
    links = (
        (reverse(f"classrooms:{page}", args=[class_id, child.pk]), child.name) for child in children
    )
    return format_html_join(", ", '<a href="{}" translate="no">{}</a>', links)


@register.simple_tag(takes_context=True)
def sign_up_is_open(context: dict[str, Any]) -> bool:
    """Whether the visitor may create an account."""
    from classrooms.accounts.services import is_open

    return is_open(context["request"])


@register.filter(expects_localtime=True)
def day(value: date, form: str) -> str:
    """The date in one of the `DATE_FORMATS` of `classrooms.ui.dates`, in the active language."""
    return written(value, form)


@register.inclusion_tag("collection/_growing.html")
def growing_tables(child: Child, tables: Container[int] | None) -> dict[str, Any]:
    """How a child's times tables grow, above the list of their games: the tables of the first
    game."""
    return {"growing": collection_summary(child, tables or ())}


@register.filter
def is_over(check_up: CheckUp, today: date) -> bool:
    return check_up.is_over(today)


@register.filter
def percent(rows: RowCounts) -> int:
    return round(100 * rows.share)


@register.inclusion_tag("ui/_way_back.html", takes_context=True)
def way_back(context: dict[str, Any], to: str = "", anchor: str = "") -> dict[str, str]:
    """The link from this page to the page above it, or to the page `to`."""
    match, school_class = context["request"].resolver_match, context.get("school_class")
    if (school := context.get("school")) and not school_class:
        return _way_back_in_school(match.url_name, school, context.get("of_class"))
    above = to or (match and page_above(match.url_name or ""))
    if not above or not school_class:
        return {}
    args = [school_class.pk]
    names = {
        "class": school_class.name,
        "assignments": gettext("Assignments"),
        "assign": gettext("Assign a game"),
        "check_ups": gettext("Check-ups"),
        "live": gettext("Live"),
        "children": gettext("Children"),
        "papers": gettext("Paper and files"),
        "child_groups": gettext("Groups"),
    }
    if above in PAGES_OF_A_CHILD:
        child = context["child"]
        args, names = [school_class.pk, child.pk], {above: child.name}
    address = reverse(f"classrooms:{above}", args=args)
    return {"address": f"{address}{anchor}", "name": names[above]}


def _way_back_in_school(page: str, school: School, of_class: SchoolClass | None) -> dict[str, str]:
    if of_class and page != "school_class":
        address = reverse("classrooms:school_class", args=[school.pk, of_class.pk])
        return {"address": address, "name": of_class.name}
    names = {
        "school": school.name,
        "school_platforms": gettext("Learning platforms"),
        "school_source": gettext("Lists from the school’s system"),
    }
    above = PAGES_ABOVE_IN_SCHOOL.get(page, "school")
    return {"address": reverse(f"classrooms:{above}", args=[school.pk]), "name": names[above]}


@register.inclusion_tag("ui/_post_button.html")
def post_button(
    text: str,
    to: str = "",
    *args: object,
    of: str = "",
    label: str = "",
    look: str = "btn-quiet",
    name: str = "",
    value: object = "",
) -> dict[str, object]:
    """A form with one button, which posts to the page `to`, by default to this page. A screen
    reader says `label`, by default the text and what the button is about (`of`)."""
    return {
        "text": text,
        "address": reverse(f"classrooms:{to}", args=args) if to else "",
        "label": label or (f"{text}: {of}" if of else ""),
        "look": look,
        "name": name,
        "value": value,
    }


@register.inclusion_tag("ui/_pages.html", takes_context=True)
def pages(
    context: dict[str, Any],
    page: Page[Any],
    name: str = PAGE,
    anchor: str = "",
    back: str = "",
    on: str = "",
) -> dict[str, Any]:
    """Links to the previous and next page. `name` is the parameter of the address with the page's
    number."""

    def address(number: int) -> str:
        query = context["request"].GET.copy()
        query[name] = str(number)
        return f"?{query.urlencode()}{anchor}"

    return {
        "page": page,
        "before": address(page.number - 1),
        "after": address(page.number + 1),
        "back": back or gettext("Previous"),
        "on": on or gettext("Next"),
    }
