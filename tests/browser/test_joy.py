"""Joy at the browser: a hand is dealt, points fly; a match ends with a garden and can be played
again."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Attempt, Child, SchoolClass
from tests.browser.at_home import (
    RULESET,
    SHORT,
    let_in,
    lost_match_with_a_round_won,
    play_to_the_end,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.test_layout import TABLE, choose, open_staged
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def page(pages: Callable[[], Page]) -> Page:
    return pages()


MOVEMENT: Final = "flower => getComputedStyle(flower).animationName"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_match_ends_with_a_garden_that_grows_where_things_may_move(
    page: Page, dora: Child, motion: str
) -> None:
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    sit_down(page, dora, SHORT)
    play_to_the_end(ChildAtTheTable(page, RULESET))
    expect(page.locator(".garden svg[role=img][aria-label]")).to_be_visible()
    moves = "grow" if motion == "no-preference" else "none"
    assert page.locator(".flower").first.evaluate(MOVEMENT) == moves


def test_nothing_grows_in_a_quiet_class(page: Page, dora: Child) -> None:
    page.emulate_media(reduced_motion="no-preference")
    SchoolClass.objects.update(quiet=True)
    sit_down(page, dora, SHORT)
    play_to_the_end(ChildAtTheTable(page, RULESET))
    assert page.locator(".flower").first.evaluate(MOVEMENT) == "none"


def test_a_row_nearly_found_is_one_tap_away(page: Page, dora: Child) -> None:
    sit_down(page, dora, SHORT)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    while not child.is_over():
        if child.offered("draw-closed"):
            child.press("draw-closed")
        child.put_down(child.hand()[0])
    expect(page.locator(".nearly .missed")).to_be_hidden()
    page.locator(".nearly summary").click()
    expect(page.locator(".nearly .missed")).to_be_visible()


def test_play_again_begins_one_more_match(page: Page, dora: Child) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    game = sit_down(page, dora, SHORT)
    Attempt.objects.create(assignment=assignment, child=dora, game=game)
    play_to_the_end(ChildAtTheTable(page, RULESET))
    page.locator("#to-again").click()
    expect(page.locator("#do-draw-closed")).to_be_visible()
    assert str(game.pk) not in page.url


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_round_won_is_cheered_in_a_lost_match(page: Page, dora: Child, motion: str) -> None:
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    game = lost_match_with_a_round_won(dora)
    let_in(page, dora)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#over")).to_contain_text("You won the round!")
    expect(page.locator("#over h2")).to_have_text("Ollie won the game")


WATCH_JOY: Final = """() => {
  window.seen = [];
  addEventListener("animationstart", ({ animationName: name }) => seen.push(name));
  new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
    if (node.className === "points") seen.push(node.textContent);
  }))).observe(document.getElementById("board"), { childList: true });
}"""


LANDED: Final = "Promise.allSettled(document.getAnimations().map(({ finished }) => finished))"


def lay_the_row(page: Page, dora: Child) -> list[str]:
    """Lay three cards of different colours, and say what moved then."""
    let_in(page, dora)
    open_staged(page, dora, "12 35 40 45 50", *TABLE[:1])
    page.evaluate(WATCH_JOY)
    choose(page, "35", "40", "45")
    page.locator("#do-lay").click()
    expect(page.locator("#table[data-laid='35 40 45']")).to_be_attached()
    page.evaluate(LANDED)
    expect(page.locator(".points")).to_have_count(0)
    seen: list[str] = page.evaluate("seen")
    return seen


def test_the_points_of_a_row_fly_and_the_row_glows_once(page: Page, dora: Child) -> None:
    page.emulate_media(reduced_motion="no-preference")
    seen = lay_the_row(page, dora)
    earned = page.locator("#table").get_attribute("data-earned")
    assert seen.count(f"+{earned}") == 1
    assert seen.count("glow") == 1
    expect(page.locator(".glows")).to_have_count(0)


@pytest.mark.parametrize("quiet", [False, True])
def test_nothing_flies_where_nothing_may_move(page: Page, dora: Child, quiet: bool) -> None:
    page.emulate_media(reduced_motion="no-preference" if quiet else "reduce")
    SchoolClass.objects.update(quiet=quiet)
    assert lay_the_row(page, dora) == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_row_that_counts_double_is_praised_in_words(page: Page, dora: Child, motion: str) -> None:
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    lay_the_row(page, dora)
    for place in (".praise", "#live"):
        expect(page.locator(place)).to_contain_text("All colours different: double!")


def test_the_hand_is_dealt_once(page: Page, dora: Child) -> None:
    page.emulate_media(reduced_motion="no-preference")
    sit_down(page, dora, SHORT)
    expect(page.locator(".dealt")).to_have_count(0)
    page.evaluate(WATCH_JOY)
    page.locator("#sort").click()
    page.evaluate(LANDED)
    assert "deal" not in page.evaluate("seen")


HEAR: Final = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) {
  heard.push(this.frequency.value);
  return start.call(this, at);
};
"""


def test_sounds_are_heard_once_a_child_has_turned_them_on(page: Page, dora: Child) -> None:
    page.add_init_script(HEAR)
    let_in(page, dora)
    open_staged(page, dora, "12 35 40 45 50", *TABLE[:1], phase="draw")
    page.keyboard.press("?")
    page.locator("#sounds").click()
    expect(page.locator("script[src*=sounds]")).to_be_attached()
    page.locator("#do-draw-closed").click()
    expect(page.locator("#hand input")).to_have_count(6)
    assert page.evaluate("heard.length") == 1
    choose(page, "35", "40", "45")
    page.locator("#do-lay").click()
    expect(page.locator("#table[data-laid]")).to_be_attached()
    assert page.evaluate("heard.length") == 4


def test_without_the_childs_wish_nothing_is_heard(page: Page, dora: Child) -> None:
    page.add_init_script(HEAR)
    lay_the_row(page, dora)
    assert page.evaluate("heard") == []
