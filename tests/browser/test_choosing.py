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
