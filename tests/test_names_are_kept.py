"""Where a browser translates a page, it leaves the names of children and classes as they are."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from classrooms.models import Child, SchoolClass
from tests.permission_table import DECLARED, address
from tests.permission_world import make_world
from tests.test_way_back import SINGLE

pytestmark = pytest.mark.django_db

AS_TEXT = ("title", "option", "script", "style")
"""Elements whose text a browser translates, if at all, without asking each element."""


class Texts(HTMLParser):
    """Each text that is seen on a page, and whether it may be translated."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.kept = [False]
        self.translated: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in SINGLE:
            own = dict(attrs)
            is_heard = "visually-hidden" in (own.get("class") or "")
            is_kept = own.get("translate") == "no" or tag in AS_TEXT or is_heard
            self.kept.append(self.kept[-1] or is_kept)

    def handle_endtag(self, tag: str) -> None:
        if tag not in SINGLE:
            self.kept.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of a drawing: nothing is in it."""

    def handle_data(self, data: str) -> None:
        if not self.kept[-1]:
            self.translated += [part.strip() for part in re.split("[,·]", data)]


def pages() -> Iterator[tuple[str, str]]:
    """Each whole page of Alice's class and of its child Dora."""
    world = make_world()
    for declared, (kind, methods) in DECLARED.items():
        who = "Dora" if kind in ("child", "game", "door") else "Alice"
        if "GET" in methods and kind in ("child", "game", "door", "adult", "teacher", "owner"):
            answer = world.clients[who].get(address(declared, world.targets["Alice's"]))
            if "text/html" in answer.headers.get("content-type", "") and "<main" in answer.text:
                yield declared, answer.text


def test_a_name_that_stands_alone_is_not_translated() -> None:
    found: list[str] = []
    for page, text in pages():
        names = {*Child.objects.values_list("name", flat=True)}
        names |= {*SchoolClass.objects.values_list("name", flat=True)}
        found += [f"{page}: {name}" for name in names & {*Texts(text).translated}]
    assert not found, "\n".join(found)
