"""Where a page of a class is: the page above it, to which the way back leads, and the tab that is
lit. Pages are named as in the URLs."""

from collections.abc import Mapping
from typing import Final

TABS: Final = ("class", "assignments", "check_ups", "live", "children")
ABOVE: Final[Mapping[str, str]] = {
    "teachers": "edit_class",
    "invite": "edit_class",
    "who_looked": "edit_class",
    "year_end": "edit_class",
    "moves": "progress",
    "replay": "progress",
    "assign_detail": "assign",
    "signing_in": "children",
    "cards": "children",
    "letters": "children",
    "merge_child": "child",
    "new_child_group": "child_groups",
    "child_group": "child_groups",
}
OF_A_CHILD: Final = frozenset({"progress", "child"})
_IN_A_NAME: Final = {
    "assign": "assignments",
    "check_up": "check_ups",
    "live": "live",
    "child": "children",
}
"""Above a page that is not in `ABOVE`, by a part of its name; above the rest is the class."""


def page_above(page: str) -> str | None:
    """The page above this one; None for a tab.

    >>> page_above("child_group"), page_above("child_groups"), page_above("children")
    ('child_groups', 'children', None)
    """
    if page in TABS:
        return None
    found = (above for part, above in _IN_A_NAME.items() if part in page)
    return ABOVE.get(page) or next(found, "class")


def tab_of(page: str) -> str:
    """The tab that is lit on a page.

    >>> tab_of("replay"), tab_of("child_group"), tab_of("live_part")
    ('class', 'children', 'live')
    """
    above = page_above(page)
    return tab_of(above) if above else page
