"""Where a teacher is, and the way from there: on each page of a class one tab is lit, each page
that is no tab has one way back, and a child's name leads to the child."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.models import Child
from classrooms.ui.pages import ABOVE, TABS, tab_of
from tests.permission_table import DECLARED, URLS, address
from tests.permission_world import World, make_world

pytestmark = pytest.mark.django_db

MOST_STEPS: Final = 3
LEAD_TO_A_CHILD = ("progress", "child", "live_table")
"""Pages of one child, each with the way to its progress."""
NAMED_OTHERWISE: Final = frozenset(
    {"h1", "h2", "label", "legend", "option", "button", "summary", "title", "bdi"}
)
"""Where a name does not mention a child: headings, forms, buttons, and what is printed."""
SINGLE: Final = ("input", "br", "img", "hr", "wbr")
"""Elements that nothing ends."""


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture
def alice(world: World) -> Client:
    return world.clients["Alice"]


def pages(world: World, client: Client) -> Iterator[tuple[str, str]]:
    """Each whole page of Alice's class: its name, and what it shows."""
    for declared, (kind, methods) in DECLARED.items():
        name = declared.removeprefix("classrooms:")
        if kind not in ("teacher", "owner") or "GET" not in methods or name == "download":
            continue
        answered = client.get(address(declared, world.targets["Alice's"]))
        is_page = answered.headers["content-type"].startswith("text/html")
        if is_page and answered.status_code == 200 and "<main" in answered.text:
            yield name, answered.text


def lit(page: str) -> list[str]:
    """The addresses of the tabs that are lit."""
    header = page.split("</header>")[0]
    return re.findall(r'class="tab[^"]*"[^>]* href="([^"]*)"[^>]* aria-current="page"', header)


def ways_back(page: str) -> list[str]:
    return re.findall(r'<nav class="way-back"[^>]*><a href="([^"]*)"', page)


def test_every_page_of_a_class_lights_its_one_tab(world: World, alice: Client) -> None:
    class_id = world.targets["Alice's"]["class_id"]
    for name, page in pages(world, alice):
        assert lit(page) == [reverse(f"classrooms:{tab_of(name)}", args=[class_id])], name


def test_every_page_that_is_no_tab_has_one_way_back_that_ends_at_its_lit_tab(
    world: World, alice: Client
) -> None:
    for name, page in pages(world, alice):
        assert len(ways_back(page)) == (name not in TABS), name
        shown = page
        for _ in range(MOST_STEPS):
            if above := ways_back(shown):
                answered = alice.get(above[0])
                assert answered.status_code == 200, f"{name}: {above}"
                shown = answered.text
                assert lit(shown) == lit(page), f"{name}: {above}"
        assert ways_back(shown) == [], name


def test_a_page_of_no_class_leads_back_to_the_classes(alice: Client) -> None:
    page = alice.get(reverse("classrooms:new_class")).text
    assert ways_back(page) == lit(page) == [reverse("classrooms:classes")]


def test_the_pages_above_are_pages_and_end_at_a_tab() -> None:
    for name, above in ABOVE.items():
        assert f"classrooms:{name}" in URLS
        assert f"classrooms:{above}" in URLS
        assert tab_of(name) in TABS


class Mentions(HTMLParser):
    """The texts that are just a child's name, each with the elements around it."""

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self.names = names
        self.around: list[tuple[str, str]] = []
        self.found: list[tuple[str, list[tuple[str, str]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in SINGLE:
            own = dict(attrs)
            is_act = {"btn", "visually-hidden"} & set((own.get("class") or "").split())
            self.around.append(("button" if is_act else tag, own.get("href") or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag not in SINGLE:
            self.around.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of a drawing: nothing is in it."""

    def handle_data(self, data: str) -> None:
        named = {word for word in re.split(r"[,·]", data) if word.strip() in self.names}
        self.found += [(name.strip(), list(self.around)) for name in named]


def test_a_childs_name_leads_to_the_child(world: World, alice: Client) -> None:
    class_id = world.targets["Alice's"]["class_id"]
    children = {child.name: child for child in Child.objects.filter(school_class=class_id)}
    seen = set()
    for name, page in pages(world, alice):
        mentions = Mentions(set(children))
        mentions.feed(page.split("<main")[1].split("</main>")[0])
        for child, around in mentions.found:
            if NAMED_OTHERWISE & {tag for tag, _href in around}:
                continue
            args = [class_id, children[child].pk]
            own = tuple(reverse(f"classrooms:{to}", args=args) for to in LEAD_TO_A_CHILD)
            links = [href for tag, href in around if tag == "a"]
            assert any(href.startswith(own) for href in links), f"{child} on {name}: {links}"
            seen.add(name)
    assert {"assignments", "live", "check_up", "agreed_with_children"} <= seen


def test_from_a_childs_settings_its_progress_is_one_tap_away_and_the_other_way_round(
    world: World, alice: Client
) -> None:
    target = world.targets["Alice's"]
    to = {
        name: reverse(f"classrooms:{name}", args=[target["class_id"], target["child_id"]])
        for name in ("progress", "child")
    }
    for here, there in (("progress", "child"), ("child", "progress")):
        assert f'href="{to[there]}"' in alice.get(to[here]).text
