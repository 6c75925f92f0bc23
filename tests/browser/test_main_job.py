"""The whole job through the pages alone: a teacher assigns, a child plays, the teacher reads."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from classrooms.assignments.choice import more_rows
from classrooms.models import Assignment, Child, SchoolClass
from games.engine.cards import card_text, is_joker
from games.engine.ruleset import EDITIONS, edition
from games.play import log
from tests.browser.at_home import tap_pictures
from tests.browser.child import ChildAtTheTable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEED = 147
"""The seed of a deal in which an attentive child finds a row of the 10 times table at once, and
later rows to add to and to cross."""
SECONDS_FOR_THE_WORKER = 120
RULESET = edition("simplified", tables=(2, 5, 10), offers=False, rounds=3)


def sign_up(page: Page) -> None:
    page.goto("/accounts/signup/")
    page.locator("input[name=email]").fill("alice@school.example")
    page.locator("input[name=password1]").fill("seven times eight")
    page.locator("main button[type=submit]").click()
    expect(page).to_have_url(ending("/classes/"))


def ending(end: str) -> re.Pattern[str]:
    return re.compile(re.escape(end) + "$")


def make_class(page: Page) -> None:
    page.goto("/classes/new/")
    page.locator("input[name=name]").fill("5B")
    page.locator("select[name=language]").select_option("en")
    page.locator("main button[type=submit]").click()
    page.locator("textarea[name=names]").fill("Dora\nEmil\nFay")
    page.locator("main form:has(textarea) button[type=submit]").click()
    expect(page).to_have_url(ending("/assignments/new/"))


def assign(page: Page) -> None:
    page.locator(".preset-first .btn-primary").click()
    expect(page).to_have_url(ending("/cards/"))
    expect(page.locator(".login-card")).to_have_count(3)


def class_address(page: Page) -> str:
    head, _, rest = page.url.partition("/classes/")
    return f"{head}/classes/{rest.split('/')[0]}/"


def sign_in_as_child(page: Page, child: Child) -> None:
    SchoolClass.objects.update(names_shown="always")  # at any hour
    page.goto("/")
    page.locator("input[name=code]").fill(child.school_class.code.lower())
    page.locator("main button[type=submit]").first.click()
    page.get_by_role("link", name=child.name, exact=True).click()
    tap_pictures(page, child)
    expect(page).to_have_url(ending("/me/"))


def test_a_teacher_assigns_a_child_plays_and_the_result_is_shown(
    pages: Callable[[], Page],
    worker: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log, "randbits", lambda bits: SEED)
    teacher, child_page = pages(), pages()
    sign_up(teacher)
    make_class(teacher)
    assign(teacher)

    assigned = Assignment.objects.get()  # As printed; `SEED` gives the deal for that.
    added = more_rows(EDITIONS["simplified"], 2)
    printed = {name: of for name, of in assigned.options.items() if name not in added}
    Assignment.objects.update(options=printed)
    dora = Child.objects.select_related("school_class").get(name="Dora")
    sign_in_as_child(child_page, dora)
    child_page.get_by_role("button", name="I can already play").click()
    child = ChildAtTheTable(child_page, RULESET)

    child.press("draw-closed")
    for _ in range(4):
        child.press("hint")
    expect(child_page.locator("#told")).to_contain_text("10 times table")
    refused = [card for card in child.hand() if not is_joker(card)][:3]
    for card in refused:
        child.tap("card", card_text(card))
    child.press("lay")
    child_page.reload()
    while not child.is_over() and (plays := child.plays()):
        child.lay(plays[0])
    if not child.is_over():
        child.put_down(child.hand()[0])
    while not child.is_over():
        child.play_turn()
    assert child.did["hint"] == 4
    assert child.did["laid"] >= 1
    assert child.did["added"] >= 1
    assert child.did["crossed"] >= 1
    assert child.did["discard"] >= 1

    row = teacher.locator("table.map tr", has_text="Dora")
    counted = row.locator("td").get_by_role("link")
    for _ in range(SECONDS_FOR_THE_WORKER):
        teacher.goto(class_address(teacher))
        if counted.count():
            break
        teacher.wait_for_timeout(1000)
    counted.first.click()
    expect(teacher.locator(".moves li").first).to_be_visible()
