"""Signing in: on a computer that many children use, one after the other, and by typing a name."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Request, Route, expect

from classrooms.models import Child, ChildSession
from classrooms.signin.sessions import IDLE_SESSION_ENDS
from tests.browser.at_home import sit_down, tap_pictures
from tests.browser.states import qr_of
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MAY_STAY: Final = {"csrftoken", "device", "class_language"}
"""The token of forms, the random number of the device and the class's language: none of them
identifies anybody."""


@pytest.fixture
def dora(db: Any) -> Child:
    dora = ChildFactory.create(name="Dora")
    AssignmentFactory.create(school_class=dora.school_class)
    return dora


class Taps:
    """A finger that counts its taps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def __call__(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.count += 1


def taps_to_first_row(page: Page) -> int:
    """The number of taps from the child's own page to their first row."""
    tap = Taps(page)
    expect(page).to_have_url(re.compile("/me/$"))
    tap("main .btn-primary")
    tap("#do-lay")
    expect(page.locator(".table-row")).to_have_count(1)
    return tap.count


def test_the_first_row_takes_three_taps_after_a_qr_code(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages(has_touch=True)
    page.goto(qr_of(dora))
    page.locator("main button[type=submit]").click()
    assert 1 + taps_to_first_row(page) == 3


def test_the_childs_name_is_large_and_not_me_leads_away(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    expect(page.locator(".who-name")).to_have_text("Dora")
    page.goto("/me/")
    name = page.get_by_role("heading", name="Dora")
    size = name.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 32
    page.locator(".not-me summary").click()
    page.get_by_role("button", name="Sign Dora out").click()
    expect(page).to_have_url(re.compile(f"/play/{dora.school_class.code}/$"))


def test_tab_stops_at_each_name(page: Page, dora: Child) -> None:
    ChildFactory.create(name="Emil", school_class=dora.school_class)
    page.goto(f"/play/{dora.school_class.code}/")
    page.get_by_role("button", name="Dora").or_(page.get_by_role("link", name="Dora")).focus()
    page.keyboard.press("Tab")
    expect(page.locator(".names :focus")).to_contain_text("Emil")


def test_after_signing_out_back_shows_nothing_and_nothing_stays(page: Page, dora: Child) -> None:
    game = sit_down(page, dora)
    page.locator("#sort").click()
    page.locator("#help summary").click()
    page.get_by_role("button", name="Sign Dora out").click()
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()
    page.go_back()
    expect(page.locator("#board")).to_have_count(0)
    expect(page).not_to_have_url(re.compile(str(game.pk)))
    assert {cookie["name"] for cookie in page.context.cookies()} <= MAY_STAY
    storage = page.evaluate(
        "async () => [localStorage.length, sessionStorage.length,"
        " (await caches.keys()).length, (await indexedDB.databases()).length]"
    )
    assert storage == [0, 0, 0, 0]


# An idle page


@pytest.fixture
def idle_page(pages: Callable[..., Page], dora: Child) -> Page:
    page = pages()
    page.clock.install()
    # The site answers this before it looks at the child's session (`nmbrs_edu.wsgi`).
    page.route("**/me/pause/**", lambda route: route.fulfill(body=""))
    sit_down(page, dora)
    return page


def idle(page: Page, minutes: int) -> None:
    for session in ChildSession.objects.all():
        session.seen_at -= timedelta(minutes=minutes)
        session.save()
    page.clock.fast_forward(minutes * 60_000)
    page.clock.run_for(6000)


def test_the_page_asks_before_signing_an_idle_child_out(idle_page: Page) -> None:
    dialog = idle_page.get_by_role("dialog", name="Dora, are you still there?")
    idle(idle_page, 17)
    expect(dialog).to_be_hidden()
    idle(idle_page, 2)
    expect(dialog).to_be_visible()
    with idle_page.expect_response("**/me/here/"):
        dialog.get_by_role("button", name="I am here").click()
    idle(idle_page, 17)
    expect(dialog).to_be_hidden()
    expect(idle_page.locator("#board")).to_be_visible()


def test_an_idle_page_is_gone_after_twenty_minutes(idle_page: Page, dora: Child) -> None:
    assert timedelta(minutes=20) == IDLE_SESSION_ENDS
    idle(idle_page, 19)
    idle(idle_page, 2)
    expect(idle_page).to_have_url(re.compile(f"/play/{dora.school_class.code}/$"))
    expect(idle_page.locator("main")).to_contain_text("You were away for a while")
    idle_page.go_back()
    expect(idle_page.locator("#board")).to_have_count(0)


def test_an_idle_page_is_reloaded_once_even_if_it_polls_on_a_slow_network(
    idle_page: Page, dora: Child
) -> None:
    """A second reload would no longer know the child's class."""
    routes: list[Route] = []
    reloads: list[str] = []
    idle_page.route("**/me/here/", lambda route: routes.append(route))
    idle(idle_page, 21)
    # Playwright may learn of a request only after the clock has run.
    for _ in range(20):
        idle_page.clock.run_for(6000)
        if len(routes) >= 2:
            break

    def note(request: Request) -> None:
        if request.is_navigation_request():
            reloads.append(request.url)

    idle_page.on("request", note)
    assert len(routes) >= 2
    game = idle_page.url
    for route in routes:
        route.continue_()
    expect(idle_page).to_have_url(re.compile(f"/play/{dora.school_class.code}/$"))
    assert reloads.count(game) == 1


def test_a_child_chooses_a_language_in_the_game(page: Page, dora: Child) -> None:
    game = sit_down(page, dora)
    page.locator("#help summary").click()
    page.get_by_role("button", name="Svenska").click()
    expect(page).to_have_url(re.compile(str(game.pk)))
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    dora.refresh_from_db()
    assert dora.language == "sv"
    page.locator("#help summary").click()
    page.locator("#help form[action*='leave'] button").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


Pages = Callable[..., Page]


@pytest.fixture
def unnamed_child() -> Child:
    """A child whose name no page shows before they have signed in."""
    school_class = TeachingFactory.create(school_class__names_shown="never").school_class
    return ChildFactory.create(school_class=school_class, name="Dora")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_child_signs_in_on_a_phone_by_typing_their_name(
    pages: Pages, unnamed_child: Child, script: bool
) -> None:
    page = pages("phone", java_script_enabled=script)
    page.goto("/")
    page.locator("input[name=code]").fill(unnamed_child.school_class.code.lower())
    page.keyboard.press("Enter")
    name = page.locator("input[name=name]")
    expect(name).to_be_focused()
    assert "Dora" not in page.locator("body").inner_text()
    box = name.bounding_box()
    assert box["height"] >= 56
    name.fill("dorra")
    page.keyboard.press("Enter")
    tap_pictures(page, unnamed_child)
    expect(page.locator(".messages .notice")).to_be_visible()
    page.locator(".pictures-head a").click()
    expect(name).to_be_focused()
    name.fill("DORA")
    page.keyboard.press("Enter")
    tap_pictures(page, unnamed_child)
    expect(page).to_have_url(page.url.partition("/play/")[0].removesuffix("/me/") + "/me/")
