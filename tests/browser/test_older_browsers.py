"""A round in a browser that lacks what newer ones have. Taken away from a new one, for it is the
same to a page; of styles, whatever names the feature is not read."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from classrooms.models import Child
from tests.browser.at_home import RULESET, SHORT, done_at, done_in, play_to_the_end, sit_down
from tests.browser.child import ChildAtTheTable
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LACKED: Final = {
    "a signal with a time": "delete AbortSignal.timeout; delete AbortSignal.any",
    "counting from the end": (
        "delete Array.prototype.at; delete Array.prototype.findLast;"
        "delete Array.prototype.toSorted; delete String.prototype.at"
    ),
    "new ways to change the page": (
        "delete Element.prototype.replaceChildren; delete Element.prototype.checkVisibility;"
        "delete Element.prototype.moveBefore; delete Element.prototype.toggleAttribute"
    ),
    "asking to submit": "delete HTMLFormElement.prototype.requestSubmit",
    "what submitted": (
        "delete SubmitEvent.prototype.submitter;"
        "const Whole = FormData;"
        "FormData = class extends Whole { constructor(form) { super(form); } }"
    ),
    "asking and what submitted": (
        "delete HTMLFormElement.prototype.requestSubmit; delete SubmitEvent.prototype.submitter"
    ),
    "dialogs": (
        "delete HTMLDialogElement.prototype.showModal; delete HTMLDialogElement.prototype.close"
    ),
    "copies, names, sizes, watchers": (
        "delete window.structuredClone; delete Crypto.prototype.randomUUID;"
        "delete window.ResizeObserver; delete window.IntersectionObserver;"
        "delete window.requestIdleCallback; delete Object.hasOwn; delete Promise.withResolvers"
    ),
    "transitions and a voice": (
        "delete Document.prototype.startViewTransition; delete window.navigation;"
        "delete window.speechSynthesis; delete Element.prototype.getAnimations"
    ),
}
STYLES: Final = {":has": ":has(", "nested rules": "& ", "containers": "@container"}


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


def play_a_round(page: Page, dora: Child) -> None:
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    play_to_the_end(child)
    assert done_in(game) == done_at(child)
    assert sum(done_at(child).values()) == SHORT.actions


@pytest.mark.parametrize("what", LACKED)
def test_a_round_without(pages: Callable[..., Page], dora: Child, what: str) -> None:
    page = pages()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.add_init_script(LACKED[what])
    play_a_round(page, dora)
    assert faults == []


@pytest.mark.parametrize("what", STYLES)
def test_a_round_where_styles_lack(pages: Callable[..., Page], dora: Child, what: str) -> None:
    page = pages()

    def unread(route: Route) -> None:
        text = route.fetch().text()
        route.fulfill(body=text.replace(STYLES[what], "!" + STYLES[what]), content_type="text/css")

    page.route("**/*.css", unread)
    play_a_round(page, dora)


def test_a_chosen_card_is_seen_where_styles_lack_has(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages()

    def unread(route: Route) -> None:
        text = route.fetch().text().replace(":has(", ":lacks(")
        route.fulfill(body=text, content_type="text/css")

    page.route("**/*.css", unread)
    sit_down(page, dora)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    card = page.locator("label.card").first
    card.click()
    expect(card.locator(".frame")).to_have_css("outline-style", "solid")


@pytest.mark.parametrize("what", ["htmx", "page", "at-once", "game"])
def test_a_round_where_a_script_cannot_run(
    pages: Callable[..., Page], dora: Child, what: str
) -> None:
    page = pages()
    body = "class A { %no }"
    page.route(re.compile(rf"/{what}(\.min)?(\.\w+)?\.js"), lambda route: route.fulfill(body=body))
    play_a_round(page, dora)
