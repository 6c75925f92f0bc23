"""Each whole page is short and needs few queries. On a page of a class one tab is lit, a page that
is not a tab has one way back, a child's name leads to the child, and names stay as they are when a
browser translates the page."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any, Final, NamedTuple

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.models import Child, SchoolClass
from classrooms.ui.page_tree import PAGE_ABOVE, PAGES_BESIDE, TABS, tab_of
from tests import full_class
from tests.classrooms.people import client_of, client_of_child, text_on
from tests.clock import at
from tests.counts import PROOF, queries_of_page, times
from tests.every_page import PageRequest, add_busy_children, every_page, fill_class, is_page
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, TeachingFactory
from tests.pages import PAGES, URLS
from tests.permission_world import World, make_world
from tests.plugins.faster import rows_of_a_module

pytestmark = pytest.mark.django_db

MOST_QUERIES: Final = 15
MOST_BYTES: Final = 500_000
ALWAYS_WALKED: Final = frozenset(
    {
        "Alice-class-child",
        "Alice-merge_child-into",
        "Alice-replay-row",
        "Alice-deal_talk",
        "Alice-try_assignment-posted",
        "Alice-hand_over-posted",
        "Ada-school_child-posted",
        "Dora-games:page",
    }
)
"""Pages that the walk must include."""
MOST_STEPS: Final = 3
LEAD_TO_A_CHILD = ("progress", "child", "live_table")
"""Pages of one child, each with a link to their progress."""
TAGS_WITHOUT_CHILDREN: Final = frozenset(
    {"h1", "h2", "label", "legend", "option", "button", "summary", "title", "bdi"}
)
"""Elements in which a name needs no link: headings, forms, buttons, tags, and printed parts."""
SINGLE: Final = ("input", "br", "img", "hr", "wbr")
"""Elements without an end tag."""


class Shown(NamedTuple):
    """The answer to a request: the page if it is one, and its queries and bytes."""

    asked: PageRequest
    html: bool
    page: str
    queries: int
    size: int


@pytest.fixture(scope="module")
def walked_pages(
    django_db_setup: None, django_db_blocker: Any
) -> Iterator[tuple[World, Sequence[Shown]]]:
    """All pages of a class in which much has been done; in `make proof`, of a full class."""
    # The clock stands still, because a session is saved again after a minute, which may pass on a
    # slow computer.
    with rows_of_a_module(django_db_blocker), at(datetime.now(UTC)):
        world = make_world()
        target = fill_class(world)
        if PROOF:
            school_class = SchoolClass.objects.get(pk=target["class_id"])
            full_class.fill(school_class, Child.objects.get(pk=target["child_id"]))
        yield world, [request_page(world, request) for request in every_page(target)]


def request_page(world: World, request: PageRequest) -> Shown:
    """The page, also after a post and a redirect. The changes of the request are undone."""
    client = world.clients[request.who]
    with transaction.atomic():
        with CaptureQueriesContext(connection) as captured:
            answer: Any = (
                client.get(request.url)
                if request.data is None
                else client.post(request.url, request.data)
            )
        if request.data is not None and answer.status_code == 302:
            with CaptureQueriesContext(connection) as captured:
                answer = client.get(answer.url)
        transaction.set_rollback(True)
    html = answer.headers["content-type"].startswith("text/html")
    page = text_on(answer) if is_page(answer) else ""
    return Shown(request, html, page, len(captured), len(answer.content) if html else 0)


@pytest.fixture
def world(db: None, walked_pages: tuple[World, Sequence[Shown]]) -> World:
    return walked_pages[0]


@pytest.fixture
def alice(world: World) -> Client:
    return world.clients["Alice"]


@pytest.fixture(scope="module")
def plain_pages(walked_pages: tuple[World, Sequence[Shown]]) -> Mapping[tuple[str, str], str]:
    """Each page that an address shows by itself, by viewer and name. The class's pages for the big
    screen are left out: they have no tabs."""
    return {
        (page.asked.who, page.asked.name): page.page
        for page in walked_pages[1]
        if page.page
        and page.asked.data is None
        and "?" not in page.asked.url
        and 'class="big-screen"' not in page.page
    }


@pytest.fixture(scope="module")
def pages(plain_pages: Mapping[tuple[str, str], str]) -> Mapping[str, str]:
    """The pages of Alice's class."""
    of_a_class = {name for name, page in PAGES.items() if page.kind in ("teacher", "owner")}
    return {
        name: page
        for (who, name), page in plain_pages.items()
        if who == "Alice" and f"classrooms:{name}" in of_a_class
    }


def test_no_page_is_long_or_needs_many_queries(walked_pages: tuple[World, Sequence[Shown]]) -> None:
    sizes = {page.asked.called: page.size for page in walked_pages[1] if page.html}
    queries = {page.asked.called: page.queries for page in walked_pages[1] if page.html}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    assert {name: count for name, count in queries.items() if count > MOST_QUERIES} == {}
    longest = min(sizes["Alice-children"], sizes["Alice-cards"], sizes["Alice-child_groups"])
    assert longest > times(0, 100_000)
    walked = {page.asked.called for page in walked_pages[1] if page.page}
    assert len(walked) > 90
    assert walked >= ALWAYS_WALKED


def test_more_children_cost_no_queries(walked_pages: tuple[World, Sequence[Shown]]) -> None:
    world, walked = walked_pages
    school_class = SchoolClass.objects.get(pk=world.targets["Alice's"]["class_id"])
    add_busy_children(school_class, only_new=True)
    grown = {
        page.asked.called: (page.queries, more)
        for page in walked
        if page.html and (more := request_page(world, page.asked).queries) > page.queries
    }
    assert grown == {}


def lit_tabs(page: str) -> list[str]:
    header = page.split("</header>")[0]
    return re.findall(r'class="tab[^"]*"[^>]* href="([^"]*)"[^>]* aria-current="page"', header)


def ways_back(page: str) -> list[str]:
    return re.findall(r'<nav class="way-back"[^>]*><a href="([^"]*)"', page)


def test_every_page_of_a_class_lights_its_one_tab(world: World, pages: Mapping[str, str]) -> None:
    class_id = world.targets["Alice's"]["class_id"]
    for name, page in pages.items():
        assert lit_tabs(page) == [reverse(f"classrooms:{tab_of(name)}", args=[class_id])], name


def test_a_page_that_is_not_a_tab_has_one_way_back(alice: Client, pages: Mapping[str, str]) -> None:
    addresses = dict[str, str]()
    for name, page in pages.items():
        assert len(ways_back(page)) == (name not in {*TABS, *PAGES_BESIDE}), name
        shown_page = page
        for _ in range(MOST_STEPS):
            if above := ways_back(shown_page):
                if above[0] not in addresses:
                    answer = alice.get(above[0])
                    assert answer.status_code == 200, f"{name}: {above}"
                    addresses[above[0]] = text_on(answer)
                shown_page = addresses[above[0]]
                assert lit_tabs(shown_page) == lit_tabs(page), f"{name}: {above}"
        assert ways_back(shown_page) == [], name


def test_a_page_of_no_class_leads_back_to_the_classes(alice: Client) -> None:
    page = text_on(alice.get(reverse("classrooms:new_class")))
    assert ways_back(page) == lit_tabs(page) == [reverse("classrooms:classes")]


def test_ways_back_lead_to_pages_and_end_at_a_tab() -> None:
    for name, above in PAGE_ABOVE.items():
        assert f"classrooms:{name}" in URLS
        assert f"classrooms:{above}" in URLS
        assert tab_of(name) in TABS


class Mentions(HTMLParser):
    """A parser that collects the texts that are only a child's name, each with the elements around
    it."""

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self.names = names
        self.around: list[tuple[str, str]] = []
        self.found: list[tuple[str, list[tuple[str, str]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in SINGLE:
            own = dict(attrs)
            is_act = {"btn", "tag", "visually-hidden"} & set((own.get("class") or "").split())
            self.around.append(("button" if is_act else tag, own.get("href") or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag not in SINGLE:
            self.around.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Part of a drawing: it has no content."""

    def handle_data(self, data: str) -> None:
        named = {word for word in re.split(r"[,·]", data) if word.strip() in self.names}
        self.found += [(name.strip(), list(self.around)) for name in named]


def test_a_childs_name_leads_to_the_child(world: World, pages: Mapping[str, str]) -> None:
    class_id = world.targets["Alice's"]["class_id"]
    children = {child.name: child for child in Child.objects.filter(school_class=class_id)}
    names = set()
    for name, page in pages.items():
        mentions = Mentions(set(children))
        mentions.feed(page.split("<main")[1].split("</main>")[0])
        for child, around in mentions.found:
            if TAGS_WITHOUT_CHILDREN & {tag for tag, _href in around}:
                continue
            args = [class_id, children[child].pk]
            own = tuple(reverse(f"classrooms:{to}", args=args) for to in LEAD_TO_A_CHILD)
            links = [href for tag, href in around if tag == "a"]
            assert any(href.startswith(own) for href in links), f"{child} on {name}: {links}"
            names.add(name)
    assert {"assignments", "live", "check_up", "child_settings"} <= names


def test_a_childs_settings_and_progress_link_to_each_other(world: World, alice: Client) -> None:
    target = world.targets["Alice's"]
    to = {
        name: reverse(f"classrooms:{name}", args=[target["class_id"], target["child_id"]])
        for name in ("progress", "child")
    }
    for here, there in (("progress", "child"), ("child", "progress")):
        assert f'href="{to[there]}"' in text_on(alice.get(to[here]))


AS_TEXT = ("title", "option", "script", "style")
"""Elements whose text a browser translates as a whole, or not at all."""


class Texts(HTMLParser):
    """A parser that collects the visible texts of a page that may be translated."""

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
        """Part of a drawing: it has no content."""

    def handle_data(self, data: str) -> None:
        if not self.kept[-1]:
            self.translated += [part.strip() for part in re.split("[,·]", data)]


def test_a_name_that_stands_alone_is_not_translated(
    world: World, plain_pages: Mapping[tuple[str, str], str]
) -> None:
    names = {*Child.objects.values_list("name", flat=True)}
    names |= {*SchoolClass.objects.values_list("name", flat=True)}
    translated = {
        name: alone
        for name, text in plain_pages.items()
        if (alone := names & {*Texts(text).translated})
    }
    assert translated == {}


def test_more_classes_cost_no_queries() -> None:
    alice = TeachingFactory.create().user
    client, url = client_of(alice), reverse("classrooms:classes")
    few = queries_of_page(client, url)
    for _ in range(3):
        add_busy_children(TeachingFactory.create(user=alice).school_class)
    assert queries_of_page(client, url) == few <= MOST_QUERIES


def test_more_to_play_costs_no_queries() -> None:
    dora = ChildFactory.create(name="Dora")
    client, url = client_of_child(dora), reverse("classrooms:me")

    def play_another() -> None:
        assignment = AssignmentFactory.create(school_class=dora.school_class)
        AttemptFactory.create(child=dora, assignment=assignment)

    play_another()
    few = queries_of_page(client, url)
    for _ in range(3):
        play_another()
    assert queries_of_page(client, url) == few <= 10
