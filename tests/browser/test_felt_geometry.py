"""On the table nothing that is only a mark lies over what is to be read or tapped."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from classrooms.models import Child
from tests.browser.at_home import let_in
from tests.browser.conftest import SIZES
from tests.browser.test_layout import HAND, TABLE, choose, open_staged
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLES: Final = (
    TABLE,
    ("5-10-15", "18-20-22", "20-30-40-50"),
    ("2-4-6-8-10-12-14-16-18-20", "40-42-44", "24-26-28"),
    ("10-20-30-40-50", "2-4-6", "14-16-18", "24-26-28", "5-15-25-35-45"),
)
NUMBERS: Final = """() => [...document.querySelectorAll("#table .table-card.new")].map((card) => {
    const own = card.getBoundingClientRect(), style = getComputedStyle(card, "::after");
    const sides = ["left", "top", "width", "height"];
    const [x, y, wide, high] = sides.map((side) => parseFloat(style[side]));
    const dot = { left: own.left + x, right: own.left + x + wide,
        top: own.top + y, bottom: own.top + y + high };
    const text = document.createRange();
    text.selectNodeContents(card.querySelector("b"));
    const scale = own.width / 84;
    const suits = [[10, 8, 15, 15], [59, 93, 15, 15], [9, 26, 66, 64]].map(([x, y, w, h]) => ({
        left: own.left + x * scale, right: own.left + (x + w) * scale,
        top: own.top + y * scale, bottom: own.top + (y + h) * scale }));
    const pips = [...card.querySelectorAll(".pips")].map((one) => one.getBoundingClientRect());
    const covers = [text.getBoundingClientRect(), ...suits, ...pips].filter((part) =>
        Math.min(dot.right, part.right) - Math.max(dot.left, part.left) > .5 &&
        Math.min(dot.bottom, part.bottom) - Math.max(dot.top, part.top) > .5);
    return [card.dataset.card, covers.map(({ left, top }) => [left - own.left, top - own.top])];
})"""
UNDER: Final = """() => {
    const table = document.getElementById("table");
    const shown = (element) => getComputedStyle(element).visibility === "visible";
    const box = (element) => element.getBoundingClientRect();
    const names = [...table.querySelectorAll(".row-name, .row-facts")];
    const tags = names.filter((tag) => box(tag).width);
    const ends = [...table.querySelectorAll(".end")].filter(shown);
    const found = [];
    for (const end of ends)
        for (const tag of tags) {
            const a = box(end), b = box(tag);
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 1 && high > 1)
                found.push([end.dataset.numbers, tag.textContent, wide, high]);
        }
    return [ends.length, found];
}"""


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


@pytest.mark.parametrize("size", SIZES)
def test_the_dot_for_new_covers_nothing(
    pages: Callable[..., Page], dora: Child, size: str, screenshot: Callable[[Page, str], None]
) -> None:
    width, height = SIZES[size]
    page = pages(viewport={"width": width, "height": height})
    let_in(page, dora)
    open_staged(page, dora, HAND, *TABLE)
    page.locator("#table .table-card").evaluate_all(
        "all => all.forEach(e => e.classList.add('new'))"
    )
    screenshot(page, f"new-{size}")
    covered = page.evaluate(NUMBERS)
    assert len(covered) > 10
    assert [(card, parts) for card, parts in covered if parts] == []


@pytest.mark.parametrize("lines", TABLES, ids=lambda lines: str(len(lines)))
@pytest.mark.parametrize("size", SIZES)
def test_no_dashed_place_lies_under_a_tag(
    pages: Callable[..., Page], dora: Child, size: str, lines: tuple[str, ...]
) -> None:
    width, height = SIZES[size]
    page = pages(viewport={"width": width, "height": height})
    let_in(page, dora)
    open_staged(page, dora, "1 30 32 45 46 48 a", *lines)
    seen = 0
    for cards in (("a",), ("30",), ("46",), ("48",)):
        choose(page, *cards)
        count, under = page.evaluate(UNDER)
        assert under == [], cards
        seen += count
        choose(page, *cards)
    assert seen
