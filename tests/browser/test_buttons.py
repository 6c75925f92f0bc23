"""Each button keeps its place and its meaning; a slip of the finger does nothing, and putting a
card down can be undone for a moment."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from games.models import Action, Game
from tests.browser.at_home import RULESET, sit_down
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG: Final = 600_000
"""A pause that no test outlives."""
TRIES: Final = 50
PLACES = """[...document.querySelectorAll(".actions .action, .answers .action, .pile")].map((e) => {
    const {x, y, width, height} = e.getBoundingClientRect();
    const name = e.className.match(/at-[a-z-]+/)?.[0] ?? e.id;
    return [name, Math.round(x), Math.round(y), Math.round(width), Math.round(height)];
}).filter(([name]) => name)"""


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


def places(page: Page) -> dict[str, tuple[int, ...]]:
    """Where each action is that the page shows, by its name."""
    found: dict[str, tuple[int, ...]] = {name: tuple(at) for name, *at in page.evaluate(PLACES)}
    assert found
    return found


def overlap(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    x, y, width, height = one
    left, top, wide, high = other
    return x < left + wide and left < x + width and y < top + high and top < y + height


@pytest.mark.parametrize("size", SIZES)
def test_no_action_ever_lies_where_another_one_was(
    pages: Callable[..., Page], dora: Child, size: str
) -> None:
    width, height = SIZES[size]
    page = pages(viewport={"width": width, "height": height}, reduced_motion="reduce")
    sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    seen = [places(page)]
    child.press("draw-closed")
    seen.append(places(page))
    page.locator("#hand label").first.click()
    seen.append(places(page))
    page.locator("#hand label").first.click()
    child.lay(child.plays()[0])
    seen.append(places(page))
    child.put_down(child.hand()[0])
    seen.append(places(page))
    for before, after in pairwise(seen):
        moved = [
            (one, other)
            for one in before
            for other in after
            if one != other and overlap(before[one], after[other])
        ]
        assert moved == []


def test_one_chosen_card_does_not_change_the_big_button(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages()
    sit_down(page, dora)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    page.locator("#hand label").first.click()
    expect(page.locator(".actions .btn-primary")).to_have_text("Lay this row")


def test_a_second_tap_at_once_does_nothing(
    pages: Callable[..., Page], dora: Child, settings: Any
) -> None:
    settings.SECOND_TAP_MS = LONG
    page = pages()
    game = sit_down(page, dora)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    page.locator("#do-lay").click()
    page.locator("#do-hint").click()
    page.locator("#hand label").first.click()
    expect(page.locator("#hand :checked")).to_have_count(1)
    expect(page.locator(".told-refusal")).to_have_count(0)
    assert last_action(game) == "draw closed"


def last_action(game: Game) -> str:
    return Action.objects.filter(game=game, seat=0).latest("number").text


@pytest.mark.parametrize("means", ["mouse", "keyboard"])
def test_putting_down_can_be_undone(
    pages: Callable[..., Page], dora: Child, settings: Any, means: str
) -> None:
    settings.PUT_DOWN_PAUSE_MS = LONG
    page = pages()
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    hand = child.hand()
    child.tap("card", str(hand[0]))
    page.locator("#do-discard").click()
    expect(page.locator("#held")).to_contain_text(f"{hand[0]} goes down.")
    expect(page.locator("#live")).to_have_text(f"{hand[0]} goes down.")
    undo = page.locator("#undo-discard")
    expect(undo).to_be_focused()
    if means == "mouse":
        undo.click()
    else:
        page.keyboard.press("Enter")
    expect(page.locator("#held")).to_be_hidden()
    expect(page.locator("#do-discard")).to_be_focused()
    assert child.hand() == hand
    assert last_action(game) == "draw closed"


def test_a_card_that_is_not_taken_up_again_goes_down_by_itself(
    pages: Callable[..., Page], dora: Child, settings: Any
) -> None:
    settings.PUT_DOWN_PAUSE_MS = 50
    page = pages()
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    card = child.hand()[0]
    child.put_down(card)
    assert last_action(game) == f"discard {card}"


def test_who_leaves_the_page_has_put_the_card_down(
    pages: Callable[..., Page], dora: Child, settings: Any
) -> None:
    settings.PUT_DOWN_PAUSE_MS = LONG
    page = pages()
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    card = child.hand()[0]
    child.tap("card", str(card))
    page.locator("#do-discard").click()
    expect(page.locator("#held")).to_be_visible()
    page.goto("/me/")
    for _ in range(TRIES):  # The browser sends it after the page is gone.
        page.goto(f"/games/{game.pk}/")
        if page.locator("#do-draw-closed").count():
            break
    expect(page.locator("#do-draw-closed")).to_be_visible()
    assert last_action(game) == f"discard {card}"
