"""Every HTML page of the site, also one that asks first or needs a query, breaks no rule of
axe-core in a browser, is no wider than the screen, and has no text that is cut off or covered.
`make test` looks at every eighth page, `make proof` at all, in each language, and runs axe-core at
both sizes."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Error, Page, Response

from classrooms.downloads.models import Download
from classrooms.models import Child, SchoolClass, Teaching, User
from classrooms.signin.services import TRIES
from tests.browser.conftest import SIZES
from tests.browser.seen import SMALLEST, broken_rules, visible_faults
from tests.counts import times
from tests.every_page import SEEN_BY, PageRequest, every_page, fill_class
from tests.factories import DownloadFactory, TeachingFactory, WrongTriesFactory
from tests.pages import address
from tests.permission_world import World, make_world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LANGUAGES: Final = times(("en",), tuple(code for code, _ in settings.LANGUAGES))
RULES_AT: Final = times(("desktop",), tuple(SIZES))
ONE_IN: Final = times(8, 1)
"""One of this many pages is checked."""
LONG: Final = "Annabella-Wilhelmina van den Bergh-Smit"
LONG_ADDRESS: Final = "annabella-wilhelmina.van-den-bergh-smit@school.example"
ALWAYS_CHECKED: Final = frozenset(
    {
        "Alice-try_assignment-posted",
        "Alice-close_account",
        "Alice-deal_talk-step",
        "Alice-edit_assignment",
        "Alice-live_table",
        "Alice-merge_child-into",
        "Alice-withdraw_invitation-posted",
        "Bob-leave_class-posted",
        "Bob-leave_school-posted",
        "Ada-school_files",
        "Ada-school_platform",
        "Alice-class_platform",
        "Ada-school_source",
        "Ada-source_connection",
        "Ada-school_changes",
        "Alice-class_changes",
        "Ada-remove_school_teacher-posted",
        "Ada-school_child-posted",
        "nobody-join_school",
        "nobody-reopen_account",
        "Dora-games:page",
    }
)
LEAST_CHECKED: Final = times(10, 95)
SMALLEST_CONTROL: Final = {"desktop": 0, "phone": SMALLEST, "400 %": 0}
SMALL_LINK: Final = re.compile(r"small, .*: a(?!.*\.btn)")
"""Links to other pages for adults are close together."""
PDFS: Final = frozenset({"cards_pdf", "letters_pdf", "class_report", "child_report"})
"""Files that the browser would show in its own page."""
WIDE: Final = """() => [...document.querySelectorAll("body *")]
    .filter((item) => item.getBoundingClientRect().right > innerWidth + 1)
    .map((item) => item.outerHTML.slice(0, 80)).join(" | ")"""
"""The elements that stick out on the right."""
POST: Final = """([url, data]) => {
    const form = document.createElement("form");
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    form.method = "post";
    form.action = url;
    for (const [name, value] of Object.entries({ ...data, csrfmiddlewaretoken: token })) {
        const field = document.createElement("input");
        [field.type, field.name, field.value] = ["hidden", name, value];
        form.append(field);
    }
    document.body.append(form);
    form.submit();
}"""


def add_rare_states(target: Mapping[str, Any]) -> Iterator[PageRequest]:
    """Add long names and rare states to the class. Yield more pages: of a list with errors, of a
    class of last year, and of an empty one."""
    school_class = SchoolClass.objects.get(pk=target["class_id"])
    alice, bob = (school_class.teachers.get(teachings__role=role) for role in Teaching.Role)
    children = school_class.children.exclude(name__in=("Dora", "Emil", "Hugo"))
    Child.objects.filter(pk=children[0].pk).update(name=LONG)
    User.objects.filter(pk=bob.pk).update(email=LONG_ADDRESS)
    for child in children[:2]:
        WrongTriesFactory.create(child=child, count=TRIES)
    for state in Download.State:
        DownloadFactory.create(
            school_class=school_class, state=state, problem="error", asked_by=alice
        )
    empty = TeachingFactory.create(user=alice, school_class__name="6C").school_class
    old = SchoolClass.objects.get(name="4B")
    names = {"names": "Fay\tBakker\nDora\tVisser\n=x\tVos\nFay\tMol"}
    yield PageRequest("Alice", "children", address("classrooms:children", target), names)
    for other_class in (empty, old):
        for name in ("class", "children"):
            yield PageRequest(
                "Alice", name, address(f"classrooms:{name}", {"class_id": other_class.pk})
            )


def each_once(pages: Iterable[PageRequest]) -> Iterator[PageRequest]:
    """Each address once, requested by one of the people who may."""
    addresses = set()
    for request in pages:
        page = (request.url, request.data is None)
        if page not in addresses:
            addresses.add(page)
            yield request


def sign_in_as(page: Page, world: World, who: str, language: str, address: str) -> None:
    """Sign another person in on the browser."""
    cookies = {name: cookie.value for name, cookie in world.clients[who].cookies.items()}
    cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page.context.clear_cookies()
    page.context.add_cookies(
        [{"name": name, "value": value, "url": address} for name, value in cookies.items()]
    )


def open_page(page: Page, request: PageRequest) -> bool:
    """Open the page. False if it is a file, a part of a page, or another address."""
    if request.data is not None:
        page.goto("/account/")
        data = {name: str(value) for name, value in request.data.items()}
        with page.expect_navigation():
            page.evaluate(POST, [request.url, data])
        return True
    if request.name in PDFS:
        return False
    answer: Response | None
    try:
        answer = page.goto(request.url)
    except Error as problem:
        if any(words in problem.message for words in ("Download", "ERR_ABORTED")):
            return False
        raise
    is_here = urlsplit(page.url).path == urlsplit(request.url).path
    return bool(answer and answer.ok and is_here and page.locator("main").count())


SPACED_TEXT: Final = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important } p { margin-bottom: 2em !important }"""
"""WCAG 1.4.12; with 1280 x 1024 at 400 % this is 1.4.10."""
SPACED_FOR: Final = ("children", "class", "assignments", "assign", "cards", "edit_class")
"""The pages for adults that are tried with spaced text. All pages for children and visitors are."""
STYLE: Final = """(text) => {
    const style = new CSSStyleSheet();
    style.replaceSync(text);
    document.adoptedStyleSheets = [style];
}"""


def faults(page: Page, request: PageRequest) -> Iterator[str]:
    page.locator("main details").evaluate_all("all => all.forEach((one) => one.open = true)")
    is_spaced = request.who in ("nobody", "Dora") or request.name in SPACED_FOR
    sizes = SIZES | ({"400 %": (320, 256)} if is_spaced else {})
    for size, (width, height) in sizes.items():
        page.set_viewport_size({"width": width, "height": height})
        if size not in SIZES:
            page.evaluate(STYLE, SPACED_TEXT)
        problems = [
            fault
            for fault in visible_faults(page, SMALLEST_CONTROL[size])
            if not SMALL_LINK.match(fault)
        ]
        if size in RULES_AT:
            problems += broken_rules(page)
        wider = page.evaluate("document.documentElement.scrollWidth") - width
        if wider > 0:
            problems.append(f"{wider} px too wide: {page.evaluate(WIDE)}")
        yield from (f"{size}: {fault}" for fault in problems)


def test_no_page_breaks_a_rule_or_is_wider_than_the_screen(
    page: Page, live_server: Any, screenshot: Callable[[Page, str], None]
) -> None:
    world = make_world()
    target = fill_class(world)
    asked_for = each_once(chain(add_rare_states(target), every_page(target)))
    all_of_them = sorted(asked_for, key=lambda request: request.who)
    assert {request.who for request in all_of_them} >= SEEN_BY.keys()
    problems: list[str] = []
    looked_at: set[str] = set()
    for language in LANGUAGES:
        SchoolClass.objects.update(language=language)
        before = ""
        for request in all_of_them[::ONE_IN]:
            if request.who != before:
                sign_in_as(page, world, request.who, language, live_server.url)
                before = request.who
            if not open_page(page, request):
                continue
            looked_at.add(request.called)
            screenshot(page, f"{request.called.replace(':', '-')}-{language}")
            problems += (
                f"{request.called}, {language}, {fault}" for fault in faults(page, request)
            )
    assert not problems, "\n".join(problems)
    assert looked_at >= times(set(), ALWAYS_CHECKED)
    assert len(looked_at) >= LEAST_CHECKED
