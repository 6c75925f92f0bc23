"""Drawn tables: nothing overlaps; the felt has the size for which tables are packed; a table that
fits is shown whole, and a tap shows the rest of a larger one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from games.engine.cards import card_text, deck
from games.engine.layout.packing import NARROW, WIDE, Corner, FeltSize
from games.engine.layout.table_layout import Layout, layout
from games.engine.ruleset import edition
from games.engine.table import Table
from games.models import Game
from games.play import starting
from tests.browser.at_home import (
    CROWDED,
    DRAWN,
    RULESET,
    TABLE,
    choose_cards,
    let_in,
    new_game,
    open_new_game,
    open_staged,
    seats_of,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory
from tests.games.engine.layouts import random_rounds
from tests.games.players import play_on
from tests.games.staged import stage, stage_table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLES: Final = {
    "a row": ("10-20-30",),
    "upright before": ("42-a=44-46-48", "6-8-10", "10-15-20", "20-25-30-35-40"),
    "two on a phone": ("8-16-24-32", "b=35-42-49"),
    "long and across": ("34-36-b=38-40-42-44", "35-40-45", "6-c=8-10-12"),
}
BOXES_OF: Final = "all => all.map(box => box.getBoundingClientRect().toJSON())"
_SEEN: Final = """() => {
  const box = (each) => each.getBoundingClientRect().toJSON();
  const boxes = (selector) => [...document.querySelectorAll(`#table ${selector}`)].map(box);
  return { felt: box(document.getElementById("table")), cards: boxes(".table-card"),
    tags: boxes(".row-name") };
}"""


def lies_over(box: dict[str, float], other: dict[str, float]) -> bool:
    across = min(box["right"], other["right"]) - max(box["left"], other["left"])
    down = min(box["bottom"], other["bottom"]) - max(box["top"], other["top"])
    return across > 1 and down > 1


def is_inside(box: dict[str, float], felt: dict[str, float]) -> bool:
    across = felt["left"] - 1 <= box["left"] and box["right"] <= felt["right"] + 1
    return across and felt["top"] - 1 <= box["top"] and box["bottom"] <= felt["bottom"] + 1


def seen_at(page: Page, size: str) -> dict[str, Any]:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    boxes: dict[str, Any] = page.evaluate(_SEEN)
    return boxes


def test_on_a_computer_the_whole_table_is_visible(page: Page, dora: Child) -> None:
    for name, lines in TABLES.items():
        open_staged(page, dora, "1 12 50", *lines)
        for size in SIZES:
            in_view = seen_at(page, size)
            boxes = in_view["cards"] + in_view["tags"]
            assert not any(
                lies_over(box, other) for at, box in enumerate(boxes) for other in boxes[:at]
            ), name
            if size == "desktop":
                assert all(is_inside(box, in_view["felt"]) for box in boxes), name


def test_a_crowded_table_is_smaller_and_can_be_enlarged(page: Page, dora: Child) -> None:
    open_staged(page, dora, "1 12 50", *CROWDED, "3-17-31")
    small = seen_at(page, "desktop")
    assert all(is_inside(card, small["felt"]) for card in small["cards"])
    page.locator(".closer").click()
    large = seen_at(page, "desktop")
    width = small["cards"][0]["right"] - small["cards"][0]["left"]
    assert large["cards"][0]["right"] - large["cards"][0]["left"] > width + 10
    page.locator("#do-hint").click()
    expect(page.locator(".told-hint")).to_be_visible()
    expect(page.locator("#closer")).to_be_checked()


HALVED: Final = """text => {
  const end = text.getBoundingClientRect().bottom - 20;
  const parts = [...text.querySelectorAll("h2, p, tr, li")];
  const boxes = parts.map((part) => part.getBoundingClientRect());
  return text.matches(".goes-on") && boxes.some((box) => box.top < end - 1 && box.bottom > end + 1);
}"""
"""Whether the lower edge of a text that scrolls cuts one of its parts."""


def test_the_end_of_a_round_shows_table_and_next_button(page: Page, dora: Child) -> None:
    """They are visible however many cards lie on the table and however long the texts are."""
    AssignmentFactory.create(school_class=dora.school_class)
    let_in(page, dora)
    for seed in range(1, times(3, 20)):
        game = new_game(dora, market=3, refill=True, piles=2)
        play_on(game, lambda view: view.to_act is None, dora.player, seed)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"/games/{game.pk}/")
            boxes = seen_at(page, size)
            assert len(boxes["cards"]) > 8
            assert all(is_inside(card, boxes["felt"]) for card in boxes["cards"])
            button = page.locator("#over .btn-primary").bounding_box()
            assert button["y"] + button["height"] <= height
            for part in (".over h2", ".over-scores tbody td", ".over-best"):
                expect(page.locator(part).first).to_be_in_viewport(ratio=1)
            assert not page.locator(".over-text").evaluate(HALVED)
            assert page.evaluate("document.documentElement.scrollHeight") <= height


def test_on_a_phone_the_table_keeps_nearly_half_of_the_screen(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone")
    let_in(page, dora)
    game = new_game(dora, market=4, refill=True, piles=3)
    play_on(game, lambda v: v.may_act and v.phase == "play" and v.turns[0] >= 3, dora.player, 2)
    page.goto(f"/games/{game.pk}/")
    page.locator("#hand label.card").first.click()
    felt = page.locator(".felt").bounding_box()
    assert felt["height"] >= 0.45 * SIZES["phone"][1]


@pytest.mark.parametrize("size", SIZES)
def test_words_mark_all_cards_that_can_be_taken_or_none_and_cover_none(
    pages: Callable[..., Page], dora: Child, size: str
) -> None:
    page = pages(size)
    open_new_game(page, dora, market=4, refill=True, piles=3)
    piles = page.locator(".pile-now")
    expect(piles).to_have_count(6)
    words = page.locator(".pile-name:visible").evaluate_all(BOXES_OF)
    cards = page.locator(".pile-now .card").evaluate_all(BOXES_OF)
    assert len(words) == 6 or (size == "phone" and not words)
    assert not any(lies_over(word, card) for word in words for card in cards)


_FLIES: Final = """() => [...document.querySelectorAll(".taken")].map((card) => {
  const place = card.parentElement.getBoundingClientRect();
  const goal = document.querySelector(`[data-card="${card.dataset.to}"]`);
  const to = goal.getBoundingClientRect();
  const [flight] = card.getAnimations();
  flight.pause();
  flight.currentTime = 0;
  const from = card.getBoundingClientRect(), shown = getComputedStyle(card).opacity;
  flight.currentTime = flight.effect.getComputedTiming().endTime - .01;
  const at = card.getBoundingClientRect();
  flight.finish();
  return { lies: from.left >= place.left && from.bottom <= place.bottom, shown,
    off: [at.left - to.left, at.top - to.top],
    gone: getComputedStyle(card).opacity };
})"""


def test_on_a_tablet_on_its_side_all_cards_to_take_are_visible(page: Page, dora: Child) -> None:
    page.set_viewport_size({"width": 1024, "height": 700})
    open_new_game(page, dora, market=4, refill=True, piles=3)
    felt, *piles = page.locator(".felt, .pile").evaluate_all(BOXES_OF)
    assert len(piles) == 6
    assert all(is_inside(pile, felt) for pile in piles)


def test_eight_cards_are_large_on_a_small_computer(page: Page, dora: Child) -> None:
    page.set_viewport_size({"width": 1180, "height": 820})
    open_staged(page, dora, "1 8 15 22 29 36 43 50", "2-4-6")
    assert page.locator("#hand .card").first.bounding_box()["width"] >= 64
    page.locator("#hand label.card").nth(2).click()
    expect(page.locator("#do-discard")).to_be_in_viewport(ratio=1)


def test_on_a_tablet_on_its_side_a_full_hand_moves_nothing(page: Page, dora: Child) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    boxes = []
    for hand in ("1 12 50 4", "1 8 15 22 29 36 43", "1 8 15 22 29 36 43 46 48 50"):
        open_staged(page, dora, hand, "2-4-6")
        parts = page.locator(".hand-panel, #do-lay, #do-discard").evaluate_all(BOXES_OF)
        boxes.append([(part["top"], part["left"]) for part in parts])
        assert page.locator("#hand .card").first.bounding_box()["width"] >= 44
    assert boxes[0] == boxes[1] == boxes[2]


@pytest.mark.parametrize("size", SIZES)
def test_each_turn_says_its_next_step(pages: Callable[..., Page], dora: Child, size: str) -> None:
    page = pages(size)
    for phase, text in (("draw", "Take a card."), ("play", "Lay a row, or put one down.")):
        open_staged(page, dora, "1 12 50", "2-4-6", phase=phase)
        expect(page.locator(".to-do")).to_have_text(text)
        expect(page.locator(".to-do .short")).to_be_in_viewport(ratio=1)


def test_a_chosen_card_leaves_the_steps_of_the_turn_in_sight(page: Page, dora: Child) -> None:
    open_staged(page, dora, "1 12 50 3 4 5 6", "10-20-30")
    choose_cards(page, "5")
    steps = page.locator(".strip").bounding_box()
    expect(page.locator("#hand .card:has(:checked)")).to_have_css(
        "transform", "matrix(1, 0, 0, 1, 0, -4)"
    )
    card = page.locator("#hand .card:has(:checked)").bounding_box()
    ring = 7
    assert steps["y"] + steps["height"] <= card["y"] - ring


def test_a_card_that_a_bot_takes_flies_from_the_market(page: Page, dora: Child) -> None:
    let_in(page, dora)
    page.emulate_media(reduced_motion="no-preference")
    slowly = page.context.new_cdp_session(page)
    slowly.send("Animation.enable")
    game = new_game(dora, market=3, refill=True, piles=2)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, game.ruleset)
    for _ in range(6):
        child.press("draw-closed")
        child.tap("card", card_text(child.hand()[0]))
        slowly.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
        child.press("discard")
        if flown := page.evaluate(_FLIES):
            break
        slowly.send("Animation.setPlaybackRate", {"playbackRate": 1})
    for card in flown:
        assert card["lies"]
        assert (card["shown"], card["gone"]) == ("1", "0")
        assert max(map(abs, card["off"])) < 2


WITH_PLACES: Final = (
    TABLE,
    ("5-10-15", "18-20-22", "20-30-40-50"),
    ("2-4-6-8-10-12-14-16-18-20", "40-42-44", "24-26-28"),
    ("10-20-30-40-50", "2-4-6", "14-16-18", "24-26-28", "5-15-25-35-45"),
)
UNDER: Final = """() => {
    const table = document.getElementById("table");
    const shown = (element) => getComputedStyle(element).visibility === "visible";
    const box = (element) => element.getBoundingClientRect();
    const names = [...table.querySelectorAll(".row-name, .row-facts")];
    const tags = names.filter((tag) => box(tag).width && shown(tag));
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
HIDDEN: Final = """() => [...document.querySelectorAll("#table .table-card")].flatMap((card) => {
    const { x, y, width, height } = card.getBoundingClientRect();
    const found = document.elementFromPoint(x + width / 2, y + height / 2);
    return found?.closest(".table-rows") ? [card.dataset.card] : [];
})"""

BOXES: Final = """() => [".row-facts", ":is(.table-card, .row-name)",
    ".touched :is(.bar, .row-name)"].map((selector) =>
    [...document.querySelectorAll(`#table ${selector}`)]
        .filter((each) => each.offsetWidth && getComputedStyle(each).visibility === "visible")
        .map((each) => each.getBoundingClientRect().toJSON()))"""


OFF_EDGE: Final = 4
NEAR_ROW: Final = 40


def gap(box: dict[str, float], other: dict[str, float]) -> float:
    across = max(box["left"], other["left"]) - min(box["right"], other["right"])
    down = max(box["top"], other["top"]) - min(box["bottom"], other["bottom"])
    return max(0, across, down)


@pytest.mark.parametrize("size", SIZES)
def test_the_facts_of_a_row_are_near_it_and_hide_neither_cards_nor_names(
    pages: Callable[..., Page], dora: Child, size: str
) -> None:
    page = pages(size)
    count = 0
    for lines in WITH_PLACES:
        open_staged(page, dora, "1 30 32 45 46 48 a", *lines)
        for row in page.locator("input[name=row]").all():
            before = page.evaluate(HIDDEN)
            row.evaluate("box => box.click()")
            page.evaluate(DRAWN)
            assert page.evaluate(HIDDEN) == before
            facts, others, row_of_facts = page.evaluate(BOXES)
            assert not any(lies_over(fact, other) for fact in facts for other in others)
            felt = page.locator("#table").bounding_box()
            for fact in facts:
                assert fact["left"] > felt["x"] + OFF_EDGE
                assert fact["right"] < felt["x"] + felt["width"] - OFF_EDGE
                assert min(gap(fact, part) for part in row_of_facts) < NEAR_ROW
            count += len(facts)
            row.evaluate("box => box.click()")
    assert count


@pytest.mark.proof
def test_no_dashed_place_lies_under_a_tag(page: Page, dora: Child) -> None:
    for lines in WITH_PLACES:
        open_staged(page, dora, "1 30 32 45 46 48 a", *lines)
        places = 0
        for cards in (("a",), ("30",), ("46",), ("48",)):
            choose_cards(page, *cards)
            for width, height in SIZES.values():
                page.set_viewport_size({"width": width, "height": height})
                count, under = page.evaluate(UNDER)
                assert under == [], (cards, lines, width)
                places += count
            choose_cards(page, *cards)
        assert places


RANDOM_TABLES: Final = times(1, 300)
FEW, MANY = 4, 8
"""Numbers of cards in the hand that take one row of a phone, and two."""
TEXT_LINE_PX: Final = 24
"""The height of a line of text on a phone."""
EDGE: Final = 1
"""A felt is one pixel larger, so that rounding does not make the table scroll."""
SIDES: Final = {"desktop": 2 * 32, "phone": 2 * 4}
AIM: Final = 44
SMALL: Final = NARROW.least_width
READABLE: Final = 30
_MEASURED: Final = """() => {
  const table = document.getElementById("table"), style = getComputedStyle(table);
  const room = (side, first, second) => side - parseFloat(style[first]) - parseFloat(style[second]);
  const box = (each) => each.getBoundingClientRect().toJSON();
  const boxes = (selector) => [...table.querySelectorAll(selector)].map(box);
  const zooms = [...document.querySelectorAll(".zoom")].filter((each) => each.checkVisibility());
  return { width: room(table.clientWidth, "paddingLeft", "paddingRight"),
    height: room(table.clientHeight, "paddingTop", "paddingBottom"), felt: box(table),
    cards: boxes(".table-card"), tags: boxes(".row-name"),
    zooms: zooms.map((each) => each.querySelector("input").id) };
}"""


@dataclass
class Seen:
    """The part of a table that a browser shows."""

    felt: FeltSize
    extent: Corner
    card: float
    whole: bool
    zooms: list[str]


def measure(page: Page, size: str, extent: Corner) -> Seen:
    boxes: dict[str, Any] = page.evaluate(_MEASURED)
    packed = WIDE if size == "desktop" else NARROW
    room = {"width": boxes["width"] - EDGE - SIDES[size], "height": boxes["height"] - EDGE}
    parts = boxes["cards"] + boxes["tags"]
    card = boxes["cards"][0]
    return Seen(
        replace(packed, **room),
        extent,
        card["right"] - card["left"],
        all(is_inside(part, boxes["felt"]) for part in parts),
        boxes["zooms"],
    )


def tables(most: int = 600) -> Iterator[tuple[Table, Layout]]:
    for grown in random_rounds(most):
        before: Layout | None = None
        for table in grown:
            before = layout(table, before)
            yield table, before


def open_game(pages: Callable[..., Page], **how: Any) -> tuple[Page, Game]:
    """A page and the game that it shows: a child and two others, whose scores and words take
    space."""
    dora = ChildFactory.create(name="Dora")
    page = pages(**how)
    let_in(page, dora)
    rules = edition("classic", offers=False, rounds=1)
    return page, starting.start(rules, seats_of(dora, "steady", "sharp"), hint_steps=4, seed=3)


def show(page: Page, game: Game, size: str, placed: Layout, table: Table, cards: int = FEW) -> None:
    rest = [card for card in deck(game.ruleset.highest) if card not in table.laid_cards]
    stage_table(game, " ".join(map(card_text, rest[:cards])), table, placed)
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/games/{game.pk}/")


def extent_on(size: str, placed: Layout) -> Corner:
    return placed.wide_extent if size == "desktop" else placed.narrow_extent


def test_tables_are_packed_for_the_felts_of_browsers(pages: Callable[..., Page]) -> None:
    page, game = open_game(pages)
    for at, (table, placed) in enumerate(tables(RANDOM_TABLES)):
        cards = MANY if at % 2 else FEW
        for size in SIZES:
            show(page, game, size, placed, table, cards)
            now = measure(page, size, extent_on(size, placed))
            check(now, size, cards)


def first_table(size: str, at_least: float, below: float) -> tuple[Table, Layout]:
    """The first table that fits with cards of such a width."""
    felt = WIDE if size == "desktop" else NARROW
    for table, placed in tables():
        if at_least <= felt.card_width(*extent_on(size, placed)) < below:
            return table, placed
    raise AssertionError(size)


@pytest.mark.parametrize("size", times(("phone",), tuple(SIZES)))
def test_unreadable_cards_are_enlarged_and_a_tap_on_them_looks_closer(
    pages: Callable[..., Page], size: str
) -> None:
    page, game = open_game(pages, has_touch=True)
    table, placed = first_table(size, 0, SMALL - 3)
    show(page, game, size, placed, table)
    expect(page.locator("#closer")).to_be_checked()
    assert measure(page, size, extent_on(size, placed)).card == READABLE
    page.locator(".closer").click()
    small = measure(page, size, extent_on(size, placed))
    assert small.whole
    assert small.card < SMALL
    card = page.locator("#table .table-card").last
    card.tap()
    expect(page.locator("#closer")).to_be_checked()
    expect(page.locator("#table :checked")).to_have_count(0)
    expect(card).to_be_in_viewport(ratio=1)
    assert measure(page, size, extent_on(size, placed)).card == READABLE
    card.tap()
    expect(page.locator("#table :checked")).to_have_count(1)
    page.locator(".closer").click()
    expect(page.locator("#closer")).not_to_be_checked()
    page.locator("#do-hint").click()
    expect(page.locator(".told-hint")).to_be_visible()
    expect(page.locator("#closer")).to_be_checked()


@pytest.mark.parametrize("size", times(("phone",), tuple(SIZES)))
def test_the_table_is_shown_larger_at_the_same_place(pages: Callable[..., Page], size: str) -> None:
    page, game = open_game(pages)
    table, placed = first_table(size, SMALL, AIM - 3)
    show(page, game, size, placed, table, MANY)
    small = measure(page, size, extent_on(size, placed))
    assert small.whole
    assert small.card < AIM
    before = page.locator("#hand").bounding_box()
    card = page.locator(".table-card").last
    card.evaluate("card => card.classList.add('new')")
    page.locator(".closer").click()
    large = measure(page, size, extent_on(size, placed))
    assert large.card > small.card + 10
    expect(card).to_be_in_viewport(ratio=0.9)
    assert page.locator("#hand").bounding_box() == before
    page.locator(".closer").click()
    assert measure(page, size, extent_on(size, placed)) == small


def check(now: Seen, size: str, cards: int) -> None:
    packed = WIDE if size == "desktop" else NARROW
    assert now.felt.width >= packed.width - 1
    assert cards == MANY or now.felt.height >= packed.height - 1
    fits = round(now.felt.card_width(*now.extent)) >= SMALL
    assert now.whole or not fits, now
    width = now.felt.card_width(*now.extent) if fits else READABLE
    assert now.card == pytest.approx(width, abs=0.5)
    if now.card < AIM - 0.5 and cards == FEW:
        assert now.zooms, now


def test_on_a_phone_the_way_to_a_larger_table_covers_nothing(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone")
    let_in(page, dora)
    game = new_game(dora, market=4)
    stage(game, "1 12 50", *CROWDED, open_card="8")
    page.goto(f"/games/{game.pk}/")
    way = page.locator(".closer")
    boxes = [way.bounding_box()]
    boxes += [page.locator(part).bounding_box() for part in ("#table", ".piles", ".players")]
    way_box, *others = [
        {
            "left": b["x"],
            "top": b["y"],
            "right": b["x"] + b["width"],
            "bottom": b["y"] + b["height"],
        }
        for b in boxes
        if b
    ]
    assert len(others) == 3
    assert not any(lies_over(way_box, other) for other in others)


def test_a_row_of_another_player_comes_into_sight_with_its_name(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone", reduced_motion="no-preference")
    open_staged(page, dora, "1 12 50", *CROWDED)
    card = page.locator("#table .table-card:has(input[data-number='19'])")
    name = page.locator("#table .table-row[data-numbers='7 13 19'] .row-name")
    for edge in (0, 9999):
        card.evaluate("each => each.classList.remove('new', 's1')")
        page.evaluate("to => document.getElementById('table').scrollTo(to, to)", edge)
        card.evaluate("each => each.classList.add('new', 's1')")
        expect(card).to_be_in_viewport(ratio=0.99)
        expect(name).to_be_in_viewport(ratio=0.99)


def test_a_card_is_sought_where_it_lands_and_not_where_it_glides(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone", reduced_motion="no-preference")
    open_staged(page, dora, "1 12 50", *CROWDED)
    card = page.locator("#table .table-card:has(input[data-number='19'])")
    card.evaluate("""(each) => {
      each.classList.remove("new", "s1");
      document.getElementById("table").scrollTo(9999, 9999);
      each.animate([{ translate: "-3000px -3000px" }, {}], 600000);
      each.addEventListener("animationstart", () => requestAnimationFrame(() => {
        for (const flight of each.getAnimations()) flight.finish();
      }));
      each.classList.add("new", "s1");
    }""")
    expect(card).to_be_in_viewport(ratio=0.99)


def test_a_place_for_the_chosen_cards_comes_into_sight(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages(viewport={"width": 640, "height": 360})
    lines = ("5-10-15-20-25-30-35-40-b=45", "6-8-10-12-14", "18-20-22", "28-30-32-34-36-38")
    open_staged(page, dora, "2 4 16 17 41 a", *lines)
    first_card = page.locator("#table .table-card:has([data-number='6'])")
    page.evaluate("document.getElementById('table').scrollTo(0, 9999)")
    expect(first_card).not_to_be_in_viewport()
    choose_cards(page, "2", "4")
    expect(page.locator(".end:not(.no-fit):visible").first).to_be_in_viewport(ratio=0.99)
    expect(first_card).to_be_in_viewport(ratio=0.99)


def test_on_a_phone_a_hint_takes_the_place_of_what_was_said(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone")
    open_staged(page, dora, "17 29 46 49 50", "16-20-24-28", "32-36-40-44")
    before = page.locator(".felt").bounding_box()
    page.locator("#do-hint").click()
    expect(page.locator(".told-hint")).to_be_visible()
    expect(page.locator(".players .bubble").first).to_be_hidden()
    after = page.locator(".felt").bounding_box()
    assert before
    assert after
    assert after["height"] > before["height"] - TEXT_LINE_PX


def test_a_long_message_leaves_the_piles_whole(page: Page, dora: Child) -> None:
    open_new_game(page, dora, market=4, refill=True, piles=3)
    page.evaluate("document.getElementById('told').innerHTML = 'One long message. '.repeat(24)")
    felt, *piles = page.locator(".felt, .pile").evaluate_all(BOXES_OF)
    assert felt["height"] < 360
    assert len(piles) == 6
    assert all(is_inside(pile, felt) for pile in piles)


def test_an_empty_piece_of_the_table_is_never_all_that_is_seen(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone")
    lines = ("-".join(map(str, range(2, 28, 2))), "-".join(map(str, range(26, 41))))
    open_staged(page, dora, "1 13 47", *lines, phase="draw")
    assert sees_a_card(page)
    corners = ((0, 0), (9999, 0), (0, 9999), (9999, 9999))
    scroll = "corner => document.getElementById('table').scrollTo(...corner)"
    for corner in corners:
        page.evaluate(scroll, corner)
        if not sees_a_card(page):
            break
    assert not sees_a_card(page)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    assert sees_a_card(page)


def sees_a_card(page: Page) -> bool:
    boxes = seen_at(page, "phone")
    middles = [
        ((card["left"] + card["right"]) / 2, (card["top"] + card["bottom"]) / 2)
        for card in boxes["cards"]
    ]
    points = [{"left": x, "right": x, "top": y, "bottom": y} for x, y in middles]
    return any(is_inside(point, boxes["felt"]) for point in points)


def test_on_a_phone_a_place_beside_a_long_row_is_whole_and_moves_nothing(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone")
    let_in(page, dora)
    for row, number in (("2-4-6-8-10-12-14-16-18", "20"), ("4-6-8-10-12-14-16-18-20", "2")):
        game = new_game(dora, market=4, refill=True, piles=2)
        stage(game, f"{number} 1 35", row, open_card="37")
        page.goto(f"/games/{game.pk}/")
        card = page.locator("#hand label", has=page.locator(f"[data-number='{number}']"))
        card.click()
        page.evaluate(DRAWN)
        place = page.locator(".end:not(.no-fit)")
        part = place.evaluate("""place => {
          const drawn = getComputedStyle(place, "::before"), box = place.getBoundingClientRect();
          const felt = document.getElementById("table").getBoundingClientRect();
          return { drawn: parseFloat(drawn.width), box, felt };
        }""")
        assert part["drawn"] >= 16
        assert part["box"]["right"] - part["box"]["left"] >= 44
        assert is_inside(part["box"], part["felt"])
        place.click()
        table_card = page.locator(f"#table .table-card:has([data-number='{number}'])")
        expect(table_card).to_be_in_viewport(ratio=0.99)
        assert is_inside(table_card.evaluate("each => each.getBoundingClientRect()"), part["felt"])


@pytest.mark.parametrize("size", SIZES)
def test_the_name_of_a_row_makes_way_for_a_place(
    pages: Callable[..., Page], dora: Child, size: str
) -> None:
    page = pages(size)
    open_staged(page, dora, "18 2 10", "20-25-30-35-40-45", "20-22-24")
    name = page.locator(".table-row[data-numbers^='20 25'] .row-name")
    expect(name).to_be_visible()
    choose_cards(page, "18")
    expect(name).to_be_hidden()
    page.locator(".table-row[data-numbers^='20 22'] .end:visible").first.click()
    expect(page.locator("[id='row-18-20-22-24']")).to_be_attached()
    expect(name).to_be_visible()
