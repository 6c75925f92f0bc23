"""The place of a page of a class: the page above it, to which the way back leads, and its tab.
Pages have the names of their URLs."""

from collections.abc import Mapping, Sequence
from typing import Final

TABS: Final = ("class", "assignments", "live", "children", "papers")
PAGES_BESIDE: Final[Mapping[str, str]] = {
    "check_ups": "assignments",
    "child_groups": "children",
    "child_settings": "children",
    "signing_in": "children",
    "cards": "papers",
    "letters": "papers",
    "certificates": "papers",
}
"""The tab for each page that stands beside the tab's own page, which links to it."""
_BELOW: Final[Mapping[str, Sequence[str]]] = {
    "assignments": (
        *("assign", "assign_preview", "try_assignment", "edit_assignment", "end_assignment"),
        *("resume_assignment", "withdraw_assignment", "repeat_assignment"),
    ),
    "assign": ("assign_detail",),
    "check_ups": (
        *("new_check_up", "check_up", "close_check_up", "reopen_check_up", "withdraw_check_up"),
    ),
    "live": ("live_part", "live_table", "class_table", "class_table_part"),
    "children": (
        *("child", "remove_child", "bring_child_back", "erase_child"),
        *("child_pictures", "child_signing_in", "child_report", "move_child", "move_children"),
        *("upload_children", "add_shown_children", "class_changes", "class_platform"),
        "unlink_child",
    ),
    "child": ("merge_child",),
    "child_groups": ("new_child_group", "child_group", "remove_child_group"),
    "progress": ("moves", "replay"),
}
"""The pages below each page. All others are below the page of the class."""
PAGE_ABOVE: Final = {page: above for above, pages in _BELOW.items() for page in pages}
PAGES_ABOVE_IN_SCHOOL: Final[Mapping[str, str]] = {
    "school_platform": "school_platforms",
    "source_connection": "school_source",
    "school_changes": "school_source",
}
"""The page above each page of a school, if that is not the page of the school."""
PAGES_OF_A_CHILD: Final = frozenset({"progress", "child"})


def page_above(page: str) -> str | None:
    """The page above this one; None for a tab.

    >>> page_above("child_group"), page_above("child_groups"), page_above("children")
    ('child_groups', None, None)
    """
    if page in TABS or page in PAGES_BESIDE:
        return None
    return PAGE_ABOVE.get(page, "class")


def tab_of(page: str) -> str:
    """The tab that a page belongs to.

    >>> tab_of("replay"), tab_of("child_group"), tab_of("live_part")
    ('class', 'children', 'live')
    """
    above = page_above(page)
    return tab_of(above) if above else PAGES_BESIDE.get(page, page)
