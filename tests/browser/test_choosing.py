"""Cards chosen before one is taken, and with jokers: what the page says of them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from tests.browser.at_home import let_in
from tests.browser.test_layout import choose, open_staged
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def page(pages: Callable[[], Page], dora: Child) -> Page:
    opened = pages()
    let_in(opened, dora)
    return opened


def test_a_row_chosen_before_taking_stays_chosen_and_can_then_be_laid(
    page: Page, dora: Child
) -> None:
    open_staged(page, dora, "7 10 15 20 33", phase="draw")
    choose(page, "10", "15", "20")
    expect(page.locator("#chosen .chosen-row")).to_contain_text("First take a card.")
    page.locator("#do-draw-closed").click()
    expect(page.locator("#hand :checked")).to_have_count(3)
    expect(page.locator("#chosen .chosen-row")).not_to_contain_text("First take a card.")
    page.locator("#do-lay").click()
    expect(page.locator(".table-row[data-numbers='10 15 20']")).to_be_attached()
    expect(page.locator("#hand :checked")).to_have_count(0)


@pytest.mark.parametrize(
    ("hand", "cards", "table", "said", "numbers"),
    [
        ("6 10 a 33", ("6", "10", "a"), (), "6, 8 (joker), 10: jumps of 2", "6 8★ 10"),
        ("10 20 a 33", ("10", "20", "a"), (), "10, 20, joker", ""),
        ("4 6 a b 33", ("4", "6", "a", "b"), (), "4, 6, 8 (joker), 10 (joker)", "4 6 8★ 10★"),
        ("45 50 a 33", ("45", "50", "a"), (), "40 (joker), 45, 50: jumps of 5", "40★ 45 50"),
        ("4 13 a 33", ("4", "13", "a"), (), "4, 13, joker", ""),
    ],
)
def test_a_joker_is_shown_where_it_fits(
    page: Page, dora: Child, hand: str, cards: tuple[str, ...], table: Any, said: str, numbers: str
) -> None:
    open_staged(page, dora, hand, *table)
    choose(page, *cards)
    expect(page.locator("#chosen .chosen-text")).to_contain_text(said)
    labels = page.locator("#chosen .number-line text:not(.jump-label)").all_text_contents()
    assert " ".join(labels) == numbers


def test_a_joker_that_is_swapped_goes_to_its_new_place(page: Page, dora: Child) -> None:
    open_staged(page, dora, "20 30 33", "10-15-a=20-25")
    choose(page, "20", "30")
    for name in ("cross", "row"):
        page.locator(
            f"label:has(input[name={name}][value^='{'a=20' if name == 'cross' else '10'}'])"
        ).click()
    said = "10, 15, 20, 25, 30, 35 (joker): jumps of 5"
    expect(page.locator("#chosen .chosen-text")).to_have_text(said)


def test_all_cards_are_let_go_by_one_tap(page: Page, dora: Child) -> None:
    open_staged(page, dora, "7 10 15 20 33")
    choose(page, "10", "15", "33")
    page.locator("#do-lay").click()
    expect(page.locator(".told-refusal")).to_be_visible()
    expect(page.locator("#hand :checked")).to_have_count(3)
    page.locator("#clear").click()
    expect(page.locator("#hand :checked")).to_have_count(0)
    expect(page.locator("#clear")).to_be_hidden()


def numbers(page: Page) -> list[str]:
    boxes = page.locator("#hand input")
    return boxes.evaluate_all("boxes => boxes.map((box) => box.dataset.number || '★')")


def test_sorted_by_table_the_cards_of_each_table_lie_together_and_stay_so(
    page: Page, dora: Child
) -> None:
    open_staged(page, dora, "7 8 12 15 16 25 a")
    page.locator("#sort").click()
    assert numbers(page) == ["8", "12", "16", "15", "25", "7", "★"]
    groups = page.locator("#hand [data-group]").evaluate_all("l => l.map((i) => i.dataset.group)")
    assert groups == ["2", "5"]
    page.reload()
    assert numbers(page) == ["8", "12", "16", "15", "25", "7", "★"]
    page.locator("#sort").click()
    assert numbers(page) == ["7", "8", "12", "15", "16", "25", "★"]
    expect(page.locator("#hand [data-group]")).to_have_count(0)


def test_the_question_which_row_is_meant_takes_the_focus(page: Page, dora: Child) -> None:
    open_staged(page, dora, "10 a 20 50 8 45", "26-28-30")
    choose(page, "10", "a")
    page.locator("input[name=card][value='20']").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("button[name=play]").first).to_be_focused()


def test_help_closes_by_a_tap_beside_it(page: Page, dora: Child) -> None:
    open_staged(page, dora, "7 10 15 20 33")
    page.locator("#help summary").click()
    page.locator("#help h2").first.click()
    expect(page.locator("#to-rules")).to_be_visible()
    page.locator(".felt").click(position={"x": 8, "y": 8})
    expect(page.locator("#to-rules")).to_be_hidden()
