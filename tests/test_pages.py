"""Each whole page of a class: one tab is lit, a page that is no tab has one way back, a child's
name leads to the child, and where a browser translates the page, names stay as they are."""

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.models import Child, SchoolClass
from classrooms.ui.pages import ABOVE, TABS, tab_of
from tests.cheaply import rows_of_a_module
from tests.every_page import is_page
from tests.permission_table import DECLARED, URLS, Kind, address
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
    with rows_of_a_module(django_db_blocker):
        yield make_world()


@pytest.fixture
def alice(world: World) -> Client:
    return world.clients["Alice"]


def whole_pages(world: World, who: str, kinds: tuple[Kind, ...]) -> Mapping[str, str]:
    """What each page of these kinds shows, by its name. What a class sees on the big screen is left
    out: it has no tabs."""
    found = {}
    for name, (kind, methods) in DECLARED.items():
        if kind in kinds and "GET" in methods and name != "classrooms:download":
            answer = world.clients[who].get(address(name, world.targets["Alice's"]))
            if is_page(answer) and 'class="big-screen"' not in answer.text:
                found[name.removeprefix("classrooms:")] = answer.text
    return found


@pytest.fixture(scope="module")
def pages(world: World) -> Mapping[str, str]:
    """The pages of Alice's class."""
    return whole_pages(world, "Alice", ("teacher", "owner"))


def lit(page: str) -> list[str]:
    """The addresses of the tabs that are lit."""
    header = page.split("</header>")[0]
    return re.findall(r'class="tab[^"]*"[^>]* href="([^"]*)"[^>]* aria-current="page"', header)


def ways_back(page: str) -> list[str]:
    return re.findall(r'<nav class="way-back"[^>]*><a href="([^"]*)"', page)


def test_every_page_of_a_class_lights_its_one_tab(world: World, pages: Mapping[str, str]) -> None:
    class_id = world.targets["Alice's"]["class_id"]
    for name, page in pages.items():
        assert lit(page) == [reverse(f"classrooms:{tab_of(name)}", args=[class_id])], name


def test_every_page_that_is_no_tab_has_one_way_back_that_ends_at_its_lit_tab(
    alice: Client, pages: Mapping[str, str]
) -> None:
    for name, page in pages.items():
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


def test_a_childs_name_leads_to_the_child(world: World, pages: Mapping[str, str]) -> None:
    class_id = world.targets["Alice's"]["class_id"]
    children = {child.name: child for child in Child.objects.filter(school_class=class_id)}
    seen = set()
    for name, page in pages.items():
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


def test_a_name_that_stands_alone_is_not_translated(world: World, pages: Mapping[str, str]) -> None:
    names = {*Child.objects.values_list("name", flat=True)}
    names |= {*SchoolClass.objects.values_list("name", flat=True)}
    others = whole_pages(world, "Alice", ("adult",))
    of_a_child = whole_pages(world, "Dora", ("child", "game", "door"))
    found = {
        name: alone
        for name, text in {**pages, **others, **of_a_child}.items()
        if (alone := names & {*Texts(text).translated})
    }
    assert found == {}
