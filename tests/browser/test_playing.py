"""What the table does under a child's fingers: an open place takes cards, cards glide, and the
others' turns come step by step, as fast as the child likes."""

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from tests.browser.at_home import let_in
from tests.browser.test_layout import HAND, TABLE, choose, open_staged
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOVING = "document.getAnimations().filter((moving) => !moving.animationName).length"
STEPS = """Array.from(document.querySelectorAll(".said-step"),
    (step) => parseFloat(getComputedStyle(step).animationDelay))"""

COUNT = """document.addEventListener("htmx:after:swap", () => {
    window.counted = [];
    const figure = (player) => [player.querySelector(".score").firstChild.data,
        player.querySelector(".back-count").textContent].join(",");
    const look = () => {
        const now = [...document.querySelectorAll(".player")].map(figure).join(" ");
        if (now !== counted.at(-1)) counted.push(now);
    };
    look();
    new MutationObserver(look).observe(document.getElementById("board"),
        { subtree: true, childList: true, characterData: true });
}, { once: true })"""
"""Keeps the figures of all players as they change after the next move."""


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


def at_the_table(pages: Callable[..., Page], dora: Child, **options: Any) -> Page:
    page = pages(**options)
    let_in(page, dora)
    open_staged(page, dora, HAND + " 30", *TABLE[:2], "6-8-10-12")
    return page


def put_down(page: Page, card: str) -> None:
    choose(page, card)
    page.locator("#do-discard").click()
    expect(page.locator("#do-draw-closed")).to_be_visible()


def test_a_tap_on_an_open_place_lays_the_chosen_card_there(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = at_the_table(pages, dora)
    places = page.locator(".end[for='row-5-10-15-20-25']")
    expect(places.first).to_be_hidden()
    choose(page, "30")
    expect(places.first).to_be_visible()
    places.last.click()
    expect(page.locator("[id='row-5-10-15-20-25-30']")).to_be_attached()
    expect(page.locator("#hand input")).to_have_count(len(HAND.split()))


def test_a_place_that_the_chosen_card_does_not_fit_is_not_shown(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = at_the_table(pages, dora)
    choose(page, "35")
    expect(page.locator(".end:visible")).to_have_count(0)
    choose(page, "30")
    expect(page.locator(".end[for='row-5-10-15-20-25']:visible")).to_have_count(1)


def test_without_a_chosen_card_an_open_place_only_lets_go_of_its_row(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = at_the_table(pages, dora)
    seen = page.locator("input[name=seen]").input_value()
    page.locator(".row-tag").first.click()
    page.locator(".end[for='row-5-10-15-20-25']").last.click()
    expect(page.locator(".row-tag :checked")).to_have_count(0)
    assert page.locator("input[name=seen]").input_value() == seen


def test_none_of_the_plays_that_a_tap_could_mean_need_be_made(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages()
    let_in(page, dora)
    open_staged(page, dora, "10 a 20 50 8 45", "26-28-30")
    choose(page, "10", "a", "20")
    page.locator("#do-lay").click()
    page.locator(".choices-panel a").click()
    expect(page.locator("#do-lay")).to_be_visible()
    expect(page.locator(".choices-panel")).to_have_count(0)
    expect(page.locator("#hand input")).to_have_count(6)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cards_glide_unless_motion_is_unwanted(
    pages: Callable[..., Page], dora: Child, motion: str
) -> None:
    page = at_the_table(pages, dora, reduced_motion=motion)
    page.evaluate(
        f"""document.addEventListener("htmx:after:swap", () => {{
            document.title = String({MOVING});
        }})"""
    )
    choose(page, "35", "40", "45")
    page.locator("#do-lay").click()
    expect(page.locator("[id='row-35-40-45']")).to_be_attached()
    expect(page).to_have_title("0" if motion == "reduce" else re.compile("^[1-9]"))
    expect(page.locator(".ghost")).to_have_count(0)


def test_the_others_turns_come_one_after_another_or_all_at_once(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = at_the_table(pages, dora, reduced_motion="no-preference")
    put_down(page, "1")
    delays = page.evaluate(STEPS)
    assert len(delays) >= 2
    assert delays == sorted(delays)
    assert len(set(delays)) == len(delays)
    page.locator("#help summary").click()
    page.locator("button[name=speed][value=at-once]").click()
    expect(page.locator("html.speed-at-once")).to_be_attached()
    assert set(page.evaluate(STEPS)) == {0}


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_points_and_cards_of_a_bot_change_as_it_says_what_it_did(
    pages: Callable[..., Page], dora: Child, motion: str
) -> None:
    page = at_the_table(pages, dora, reduced_motion=motion)
    page.evaluate(COUNT)
    put_down(page, "1")
    figures = page.locator("[data-figures]").get_attribute("data-figures")
    assert figures is not None
    of_seats = [step.rsplit(" ", 2)[0] for step in figures.split(";")]  # Then pile and seat.
    shown = [step for step, _ in groupby(of_seats)]
    assert len(shown) > 1
    shown = shown[-1:] if motion == "reduce" else shown
    page.wait_for_function("(steps) => counted.length >= steps", arg=len(shown))
    assert page.evaluate("counted") == shown
