"""Nothing on the page jumps while a round is played."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from tests.browser.at_home import (
    HAND,
    LONGER,
    RULESET,
    TABLE,
    choose_cards,
    let_in,
    open_staged,
    play_to_the_end,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST: Final = 0.02
HELD: Final = [".felt", ".hand-panel", "#hand", ".actions"]
WATCH: Final = """window.shifts = [];
new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
        shifts.push([value, sources.map(({ node }) => node?.className || node?.id || "?")]);
    }
}).observe({ type: "layout-shift", buffered: true });"""
"""Records every shift with the shifted elements, even after a tap."""
AFTER_TWO_PICTURES: Final = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done(shifts)));
})"""
EDGES: Final = """(parts) => Object.fromEntries(parts.map((part) => {
    const { top, bottom } = document.querySelector(part).getBoundingClientRect();
    return [part, [top, bottom]];
}))"""

DRAWN: Final = """() => {
    window.drawn = [];
    document.addEventListener("htmx:before:swap", () => {
        const old = document.getElementById("table");
        const look = () => {
            const now = document.getElementById("table");
            if (now === old) { requestAnimationFrame(look); return; }
            drawn.push(!document.querySelector(".ghost"));
        };
        requestAnimationFrame(look);
    }, { once: true });
}"""
"""Records whether the first picture of the new board shows its cards at rest."""


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_a_whole_round_shifts_almost_nothing(
    pages: Callable[..., Page], dora: Child, size: str
) -> None:
    page = pages(size, reduced_motion="no-preference")
    page.add_init_script(WATCH)
    sit_down(page, dora, LONGER)
    play_to_the_end(ChildAtTheTable(page, RULESET))
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) <= MOST, shifts


@pytest.mark.proof
def test_the_page_is_first_drawn_as_a_whole_on_a_slow_computer(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone")
    page.add_init_script(WATCH)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 10})
    sit_down(page, dora, LONGER)
    expect(page.locator("#hand")).to_be_visible()
    assert page.evaluate(AFTER_TWO_PICTURES) == []


def open_table(page: Page, dora: Child, hand: str, **how: Any) -> Iterator[None]:
    """Open a table with this hand, at both sizes."""
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        open_staged(page, dora, hand, *TABLE[:2], **how)
        yield


def test_nothing_moves_when_cards_are_chosen(pages: Callable[..., Page], dora: Child) -> None:
    page = pages()
    let_in(page, dora)
    for hand in ("4 12 35 40 45", "1 4 12 35 40 45 50"):
        for _ in open_table(page, dora, hand):
            before = page.evaluate(EDGES, HELD)
            for card in ("4", "35", "40", "45"):
                choose_cards(page, card)
                for part, edges in page.evaluate(EDGES, HELD).items():
                    assert edges == pytest.approx(before[part], abs=2), (part, hand)


def test_the_hand_keeps_its_place_when_a_card_is_taken(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages()
    let_in(page, dora)
    for hand in ("4 12 35 40", "4 12 35 40 45", "1 4 12 35 40 45"):
        for _ in open_table(page, dora, hand, phase="draw"):
            before = page.evaluate(EDGES, ["#hand"])["#hand"]
            page.locator("#do-draw-closed").click()
            expect(page.locator("#hand input")).to_have_count(len(hand.split()) + 1)
            after = page.evaluate(EDGES, ["#hand"])["#hand"]
            assert after == pytest.approx(before, abs=2), hand


def test_no_old_state_is_drawn_between_two_boards(pages: Callable[..., Page], dora: Child) -> None:
    """A card that has landed is not seen in the hand again, not even for one frame."""
    page = pages(reduced_motion="no-preference")
    let_in(page, dora)
    open_staged(page, dora, HAND, *TABLE[:2])
    page.evaluate(DRAWN)
    choose_cards(page, "35", "40", "45")
    page.locator("#do-lay").click()
    expect(page.locator("[id='row-35-40-45']")).to_be_attached()
    expect(page.locator(".ghost")).to_have_count(0)
    assert page.evaluate("drawn") == [False]
