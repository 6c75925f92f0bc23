"""The way back from a page, to the other pages of a list, and the tab that is lit."""

from typing import Any

from django import template
from django.core.paginator import Page
from django.urls import reverse
from django.utils.translation import gettext

from classrooms.models import Child
from classrooms.ui import pages as ui_pages
from classrooms.ui.sortable_table import PAGE

register = template.Library()
register.filter("tab_of", ui_pages.tab_of)


@register.inclusion_tag("ui/_way_back.html", takes_context=True)
def way_back(
    context: dict[str, Any], to: str = "", child: Child | None = None, anchor: str = ""
) -> dict[str, str]:
    """The one link from this page to the page above it, or to the page `to` and its `child`."""
    match, school_class = context["request"].resolver_match, context.get("school_class")
    above = to or (match and ui_pages.page_above(match.url_name or ""))
    if not above or not school_class:
        return {}
    args = [school_class.pk]
    names = {
        "class": school_class.name,
        "edit_class": gettext("Settings"),
        "assignments": gettext("Assignments"),
        "assign": gettext("Assign a game"),
        "check_ups": gettext("Check-ups"),
        "live": gettext("Live"),
        "children": gettext("Children"),
        "child_groups": gettext("Groups"),
    }
    if above in ui_pages.OF_A_CHILD:
        child = child or context["child"]
        args, names = [school_class.pk, child.pk], {above: child.name}
    address = reverse(f"classrooms:{above}", args=args)
    return {"address": f"{address}{anchor}", "name": names[above]}


@register.inclusion_tag("ui/_pages.html", takes_context=True)
def pages(
    context: dict[str, Any],
    page: Page[Any],
    name: str = PAGE,
    anchor: str = "",
    back: str = "",
    on: str = "",
) -> dict[str, Any]:
    """The ways to the pages before and after this one, which the address gives as `name`."""

    def address(number: int) -> str:
        asked = context["request"].GET.copy()
        asked[name] = str(number)
        return f"?{asked.urlencode()}{anchor}"

    return {
        "page": page,
        "before": address(page.number - 1),
        "after": address(page.number + 1),
        "back": back or gettext("Previous"),
        "on": on or gettext("Next"),
    }
