"""Tables as they are drawn: nothing lies over anything else, and what fits is on the felt."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_home import let_in
from tests.browser.conftest import SIZES
from tests.browser.test_layout import new_game, open_staged
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory
from tests.games.players import play_on

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLES: Final = {
    "a row": ("10-20-30",),
    "upright before": ("42-a=44-46-48", "6-8-10", "10-15-20", "20-25-30-35-40"),
    "two on a phone": ("8-16-24-32", "b=35-42-49"),
    "long and across": ("34-36-b=38-40-42-44", "35-40-45", "6-c=8-10-12"),
}
CROWDED: Final = (
    *("5-10-15-20-25-30", "9-10-11", "24-25-26", "2-4-6-8", "40-42-44", "36-37-38"),
    *("12-14-16-18", "27-28-29", "31-32-33", "45-46-47-48"),
)
_SEEN: Final = """() => {
  const box = (each) => each.getBoundingClientRect().toJSON();
  const boxes = (selector) => [...document.querySelectorAll(`#table ${selector}`)].map(box);
  return { felt: box(document.getElementById("table")), cards: boxes(".table-card"),
    tags: boxes(".row-name") };
}"""


def lies_over(one: dict[str, float], other: dict[str, float]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return across > 1 and down > 1


def is_inside(one: dict[str, float], felt: dict[str, float]) -> bool:
    across = felt["left"] - 1 <= one["left"] and one["right"] <= felt["right"] + 1
    return across and felt["top"] - 1 <= one["top"] and one["bottom"] <= felt["bottom"] + 1


def seen_at(page: Page, size: str) -> dict[str, Any]:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    seen: dict[str, Any] = page.evaluate(_SEEN)
    return seen


def at_the_table(pages: Callable[..., Page], *lines: str) -> Page:
    dora = ChildFactory.create(name="Dora")
    AssignmentFactory.create(school_class=dora.school_class)
    page = pages()
    let_in(page, dora)
    open_staged(page, dora, "1 12 50", *lines)
    return page


@pytest.mark.parametrize("name", TABLES)
def test_on_a_computer_the_whole_table_is_seen(
    pages: Callable[..., Page], screenshot: Callable[[Page, str], None], name: str
) -> None:
    page = at_the_table(pages, *TABLES[name])
    screenshot(page, name)
    for size in SIZES:
        seen = seen_at(page, size)
        boxes = seen["cards"] + seen["tags"]
        assert not any(
            lies_over(one, other) for at, one in enumerate(boxes) for other in boxes[:at]
        )
        if size == "desktop":
            assert all(is_inside(box, seen["felt"]) for box in boxes)


def test_a_crowded_table_is_drawn_smaller_and_can_be_looked_at_closer(
    pages: Callable[..., Page], screenshot: Callable[[Page, str], None]
) -> None:
    page = at_the_table(pages, *CROWDED)
    screenshot(page, "crowded")
    small = seen_at(page, "desktop")
    assert all(is_inside(card, small["felt"]) for card in small["cards"])
    page.locator(".closer").click()
    screenshot(page, "crowded, closer")
    large = seen_at(page, "desktop")
    width = small["cards"][0]["right"] - small["cards"][0]["left"]
    assert large["cards"][0]["right"] - large["cards"][0]["left"] > width + 10
    page.locator("#do-hint").click()
    expect(page.locator(".told-hint")).to_be_visible()
    expect(page.locator("#closer")).to_be_checked()


@pytest.mark.parametrize("size", SIZES)
def test_the_whole_table_and_what_comes_next_are_in_sight_when_a_round_is_over(
    pages: Callable[..., Page], size: str
) -> None:
    """However much was laid, and however much there is to tell."""
    dora = ChildFactory.create(name="Dora")
    AssignmentFactory.create(school_class=dora.school_class)
    page = pages()
    let_in(page, dora)
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    for seed in range(1, times(3, 20)):
        game = new_game(dora, market=3, refill=True, piles=2)
        play_on(game, lambda view: view.to_act is None, dora.player, seed)
        page.goto(f"/games/{game.pk}/")
        seen = seen_at(page, size)
        assert len(seen["cards"]) > 8
        assert all(is_inside(card, seen["felt"]) for card in seen["cards"])
        button = page.locator("#over .btn-primary").bounding_box()
        assert button
        assert button["y"] + button["height"] <= height
        assert page.evaluate("document.documentElement.scrollHeight") <= height
