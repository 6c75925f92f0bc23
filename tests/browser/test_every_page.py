"""Every HTML page of the site in a browser, also pages that ask first or are behind a query, breaks
no rule of axe-core and is no wider than the screen. `make proof` looks in each language and at both
sizes, `make test` in one."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Error, Page, Response

from classrooms.models import SchoolClass
from tests.browser.axe import broken_rules
from tests.browser.conftest import LANGUAGE, SIZES
from tests.counts import times
from tests.every_page import SEEN_BY, Asked, every_page, much_done
from tests.permission_world import World, make_world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LANGUAGES: Final = times((LANGUAGE,), tuple(code for code, _ in settings.LANGUAGES))
LOOKED_AT: Final = times(("desktop",), tuple(SIZES))
SURELY: Final = frozenset(
    {
        "Alice-assign_try-posted",
        "Alice-close_account",
        "Alice-deal_talk-step",
        "Alice-edit_assignment",
        "Alice-live_table",
        "Alice-merge_child-into",
        "Alice-withdraw_invitation-posted",
        "Bob-leave_class-posted",
        "Bob-leave_school-posted",
        "Ada-school_files",
        "Ada-school_off-posted",
        "Ada-school_child-posted",
        "nobody-join_school",
        "nobody-reopen_account",
        "Dora-games:page",
    }
)
LEAST: Final = 90
PDFS: Final = frozenset({"cards_pdf", "letters_pdf", "class_report", "child_report"})
"""Which the browser would show in a page of its own."""
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


def each_once(target: Mapping[str, Any]) -> Iterator[Asked]:
    """All that is asked for, by one of those who may."""
    known = set()
    for asked in every_page(target):
        page = (asked.url, asked.data is None)
        if page not in known:
            known.add(page)
            yield asked


def become(page: Page, world: World, who: str, language: str, address: str) -> None:
    """The browser is another person's."""
    cookies = {name: each.value for name, each in world.clients[who].cookies.items()}
    cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page.context.clear_cookies()
    page.context.add_cookies(
        [{"name": name, "value": value, "url": address} for name, value in cookies.items()]
    )


def opened(page: Page, asked: Asked) -> bool:
    """Opens it; False for what is no page but a file, a part of one, or another address."""
    if asked.data is not None:
        page.goto("/account/")
        data = {name: str(value) for name, value in asked.data.items()}
        with page.expect_navigation():
            page.evaluate(POST, [asked.url, data])
        return True
    if asked.name in PDFS:
        return False
    answer: Response | None
    try:
        answer = page.goto(asked.url)
    except Error as problem:
        if any(each in problem.message for each in ("Download", "ERR_ABORTED")):
            return False
        raise
    is_here = urlsplit(page.url).path == urlsplit(asked.url).path
    return bool(answer and answer.ok and is_here and page.locator("main").count())


def faults(page: Page, size: str) -> list[str]:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.locator("main details").evaluate_all("all => all.forEach((one) => one.open = true)")
    found = broken_rules(page)
    wider = page.evaluate("document.documentElement.scrollWidth") - width
    return [*found, *([f"{wider} px too wide"] if wider > 0 else [])]


def test_no_page_breaks_a_rule_or_is_wider_than_the_screen(
    pages: Callable[..., Page], live_server: Any, screenshot: Callable[[Page, str], None]
) -> None:
    world = make_world()
    target = much_done(world)
    all_of_them = sorted(each_once(target), key=lambda asked: asked.who)
    assert {asked.who for asked in all_of_them} >= SEEN_BY.keys()
    page = pages()
    found: dict[str, list[str]] = {}
    looked_at: set[str] = set()
    for language in LANGUAGES:
        SchoolClass.objects.update(language=language)
        before = ""
        for asked in all_of_them:
            if asked.who != before:
                become(page, world, asked.who, language, live_server.url)
                before = asked.who
            if not opened(page, asked):
                continue
            looked_at.add(asked.called)
            screenshot(page, f"{asked.called.replace(':', '-')}-{language}")
            for size in LOOKED_AT:
                found[f"{asked.called}, {language}, {size}"] = faults(page, size)
    assert {page: problems for page, problems in found.items() if problems} == {}
    assert looked_at >= SURELY
    assert len(looked_at) >= LEAST
