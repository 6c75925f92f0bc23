"""What a hint lights up on the page, and what is left of its button."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from games.coach.hints import LAST_STEP
from games.engine.ruleset import edition
from tests.browser.at_home import let_in
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.browser.test_layout import open_staged
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WITH_A_JOKER: Final = ("15-20-25-30-35", "38-40-42", "46-48-50", "2-4-6-c=8")


@pytest.fixture(params=SIZES)
def child(pages: Callable[..., Page], request: pytest.FixtureRequest) -> ChildAtTheTable:
    width, height = SIZES[request.param]
    dora, page = ChildFactory.create(name="Dora"), pages()
    page.set_viewport_size({"width": width, "height": height})
    let_in(page, dora)
    open_staged(page, dora, "8 11 13", *WITH_A_JOKER)
    return ChildAtTheTable(page, edition("simplified"))


def places(page: Page) -> dict[str, Any]:
    buttons = page.locator("#board .action")
    return {button.get_attribute("value") or "": button.bounding_box() for button in buttons.all()}


def test_the_joker_to_swap_lights_up_where_it_can_be_seen(child: ChildAtTheTable) -> None:
    child.press("hint")
    child.press("hint")
    expect(child.page.locator("#told")).to_contain_text("Swap it for the joker")
    lit = child.page.locator(".table-card.lit")
    expect(lit).to_have_attribute("data-card", "c")
    card, table = lit.bounding_box(), child.page.locator("#table").bounding_box()
    assert card is not None
    assert table is not None
    assert table["x"] <= card["x"] <= table["x"] + table["width"] - card["width"]
    assert table["y"] <= card["y"] <= table["y"] + table["height"] - card["height"]


@pytest.mark.parametrize("size", SIZES)
def test_with_nothing_to_lay_the_hint_says_what_to_take_then_what_to_do(
    pages: Callable[..., Page], size: str, screenshot: Callable[[Page, str], None]
) -> None:
    width, height = SIZES[size]
    dora, page = ChildFactory.create(name="Dora"), pages()
    page.set_viewport_size({"width": width, "height": height})
    let_in(page, dora)
    open_staged(page, dora, "1 13", phase="draw", open_card="37")
    child = ChildAtTheTable(page, edition("simplified"))
    child.press("hint")
    expect(page.locator("#told")).to_have_text(
        "No row this time. Take one from the pile: that helps most."
    )
    expect(page.locator("#do-draw-closed .lit")).to_be_visible()
    open_staged(page, dora, "13 20", phase="draw", open_card="40")
    child.press("hint")
    expect(page.locator("#told")).to_have_text(
        "No row this time. Take the open card: it helps you most."
    )
    expect(page.locator("#do-draw-open .lit")).to_be_visible()
    screenshot(page, f"no-row-before-{size}")
    open_staged(page, dora, "1 13 47", phase="play", open_card="37")
    before = places(page)
    child.press("hint")
    expect(page.locator("#told")).to_contain_text("put one card down and see what comes.")
    expect(page.locator(".actions .btn-primary")).to_have_id("do-discard")
    expect(page.locator("#do-lay")).to_have_count(0)
    lay, down = page.locator(".at-lay").bounding_box(), page.locator("#do-discard").bounding_box()
    assert lay == before["lay"]
    assert down == before["discard"]
    screenshot(page, f"no-row-{size}")


def test_after_the_last_step_the_button_is_gone_and_no_other_takes_its_place(
    child: ChildAtTheTable,
) -> None:
    for _ in range(LAST_STEP - 1):
        child.press("hint")
    before = places(child.page)
    child.page.locator("#do-hint").focus()
    child.page.keyboard.press("Enter")
    expect(child.page.locator("#told")).to_contain_text("Here is the row.")
    expect(child.page.locator("#do-hint")).to_be_hidden()
    after = places(child.page)
    assert {move: at["x"] for move, at in after.items() if at} == {
        move: at["x"] for move, at in before.items() if move in after and at
    }
    expect(child.page.locator("#hand input").first).to_be_focused()
