"""A whole round by keyboard alone, and a whole round with JavaScript off."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from tests.browser.at_home import (
    RULESET,
    SHORT,
    done_at,
    done_in,
    let_in,
    play_to_the_end,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.test_layout import open_staged
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FARTHEST: Final = 90
"""How many presses of Tab from anywhere to anywhere, at most."""
CARD_NAME: Final = re.compile(r"^([0-9]+|joker), (red|green|blue|orange)")


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


class ChildAtTheKeyboard(ChildAtTheTable):
    """Presses keys, and touches nothing else."""

    def press(self, move: str) -> None:
        seen = self.page.locator("input[name=seen]").input_value()
        self.go_to(f"#do-{move}")
        self.page.keyboard.press("Enter")
        expect(self.page.locator("input[name=seen]")).not_to_have_value(seen)
        self.did[move] = self.did.get(move, 0) + 1
        self.is_somewhere()

    def tap(self, name: str, value: str) -> None:
        self.go_to(f"input[name={name}][value='{value}']")
        self.page.keyboard.press("Space")

    def press_lay(self) -> None:
        self.go_to("#do-lay")
        self.page.keyboard.press("Enter")

    def answer(self, choice: str) -> None:
        self.go_to(f"button[name=play][value='{choice}']")
        self.page.keyboard.press("Enter")

    def go_to(self, selector: str) -> None:
        """Tab on, or back where that is the way, until it has the focus; it must be seen to."""
        back = self.page.locator(selector).first.evaluate(
            "e => !!(document.activeElement.compareDocumentPosition(e) & 2)"
        )
        for _ in range(FARTHEST):
            if self.page.locator(f"{selector}:focus-visible").count():
                return
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"{selector} cannot be reached")

    def is_somewhere(self) -> None:
        """The focus was not lost with what was swapped."""
        expect(self.page.locator("#board :focus")).to_have_count(1)


def test_a_whole_round_by_keyboard_alone(pages: Callable[..., Page], dora: Child) -> None:
    page = pages()
    game = sit_down(page, dora)
    child = ChildAtTheKeyboard(page, RULESET)
    play_to_the_end(child)
    expect(page.locator("#over :focus")).to_have_count(1)
    assert done_in(game) == done_at(child)
    assert sum(done_at(child).values()) == SHORT.actions
    assert child.did["laid"] >= 1
    assert child.did["added"] >= 1


def test_a_whole_round_with_javascript_off(pages: Callable[..., Page], dora: Child) -> None:
    page = pages(java_script_enabled=False)
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    play_to_the_end(child)
    assert done_in(game) == done_at(child)
    assert sum(done_at(child).values()) == SHORT.actions
    expect(page.locator("#over-name")).to_be_visible()


def test_with_javascript_off_a_chosen_card_opens_the_places_and_a_chosen_row_its_facts(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages(java_script_enabled=False)
    let_in(page, dora)
    open_staged(page, dora, "1 12 30 40", "15-20-25")
    places, facts = page.locator(".end").first, page.locator(".row-facts").first
    expect(places).to_be_hidden()
    page.locator("#hand .card").first.click()
    expect(places).to_be_visible()
    expect(facts).to_be_hidden()
    page.locator(".row-tag").first.click()
    expect(facts).to_be_visible()


def test_the_keys_are_explained_where_one_asks(pages: Callable[..., Page], dora: Child) -> None:
    page = pages()
    sit_down(page, dora)
    help_panel = page.locator(".help-panel")
    expect(help_panel).to_be_hidden()
    page.keyboard.press("?")
    expect(help_panel).to_be_visible()
    expect(help_panel.locator("kbd").first).to_have_text("Tab")
    page.keyboard.press("Escape")
    expect(help_panel).to_be_hidden()
    page.locator("#help summary").click()
    expect(help_panel).to_be_visible()


def test_the_help_shows_what_can_be_done_now(
    pages: Callable[..., Page], dora: Child, screenshot: Callable[[Page, str], None]
) -> None:
    page = pages()
    sit_down(page, dora)
    page.locator("#help summary").click()
    expect(page.locator(".help-take")).to_be_visible()
    expect(page.locator(".help-lay")).to_be_hidden()
    page.locator("#help summary").click()
    ChildAtTheTable(page, RULESET).press("draw-closed")
    page.locator("#help summary").click()
    expect(page.locator(".help-lay")).to_be_visible()
    expect(page.locator(".help-down")).to_be_visible()
    expect(page.locator(".help-take")).to_be_hidden()
    expect(page.locator(".help-swap")).to_be_hidden()
    screenshot(page, "help-now")


def test_keys_are_named_only_where_there_is_a_keyboard(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages(has_touch=True, is_mobile=True)
    sit_down(page, dora)
    page.locator("#help summary").tap()
    expect(page.locator("#to-rules")).to_be_visible()
    expect(page.locator(".for-keys")).to_be_hidden()


def test_arrows_go_from_card_to_card_and_space_chooses(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages()
    sit_down(page, dora)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    cards = page.locator("#hand input")
    cards.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("Space")
    expect(cards.nth(1)).to_be_checked()


def test_the_table_is_a_list_of_rows_and_the_hand_has_full_names(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages()
    sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    expect(page.get_by_role("checkbox", name=CARD_NAME)).to_have_count(len(child.hand()))
    child.lay(child.plays()[0])
    rows = page.get_by_role("list", name="Rows on the table").get_by_role("listitem")
    expect(rows).to_have_count(1)
    expect(rows.get_by_role("checkbox", name="times table")).to_have_count(1)
    expect(page.locator("[aria-live]")).to_have_count(1)
