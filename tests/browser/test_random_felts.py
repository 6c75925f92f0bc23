"""Tables of random rounds in a browser: the real felts have the sizes that tables are packed for,
what fits is seen as a whole, and the rest with a tap. With `-s` it says how large the cards are."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from games.engine.cards import deck
from games.engine.layout.packing import LOW, NARROW, WIDE, Corner, Felt
from games.engine.layout.table_layout import Layout, layout
from games.engine.ruleset import edition
from games.engine.table import Table, card_text
from games.models import Game
from games.play import services
from games.play.services import NewSeat
from tests.browser.at_home import let_in
from tests.browser.conftest import SIZES
from tests.browser.test_felt import is_inside
from tests.counts import times
from tests.factories import ChildFactory
from tests.games.engine.test_random_layouts import random_rounds
from tests.games.staged import stage_table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLES: Final = times(8, 300)
FEW, MANY = 4, 7
"""Cards in the hand that take one row of a phone, and two."""
EDGE: Final = 1
"""A felt has this pixel more, lest rounding makes the table scroll."""
MORE: Final = 25
"""How much higher than packed for a felt may be: a computer's is lower beside a large hand."""
SIDES: Final = {"desktop": 2 * 32, "phone": 2 * 4}
AIM: Final = 44
SMALL: Final = 36
LEAST_WHOLE: Final = 8
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
    """What a browser shows of a table."""

    felt: Felt
    extent: Corner
    card: float
    whole: bool
    zooms: list[str]

    @property
    def fits(self) -> bool:
        return self.felt.is_wide_enough_for(*self.extent)


def seen(page: Page, size: str, extent: Corner, least: int | None = None) -> Seen:
    """`least`: how wide cards must be to be shown as a whole, where it is not as on the felt."""
    found: dict[str, Any] = page.evaluate(_MEASURED)
    packed = WIDE if size == "desktop" else NARROW
    room = {"width": found["width"] - EDGE - SIDES[size], "height": found["height"] - EDGE}
    parts = found["cards"] + found["tags"]
    card = found["cards"][0]
    return Seen(
        replace(packed, **room, least=least or packed.least),
        extent,
        card["right"] - card["left"],
        all(is_inside(part, found["felt"]) for part in parts),
        found["zooms"],
    )


def tables(most: int = 600) -> Iterator[tuple[Table, Layout]]:
    for grown in random_rounds(most):
        before: Layout | None = None
        for table in grown:
            before = layout(table, before)
            yield table, before


def opened(pages: Callable[..., Page], **how: Any) -> tuple[Page, Game]:
    """A page and a game at its table: a child and two others, whose scores and words take room."""
    dora = ChildFactory.create(name="Dora")
    page = pages(**how)
    let_in(page, dora)
    bots = (("steady", "Ollie", "owl"), ("sharp", "Fenna", "fox"))
    seats = [NewSeat(player=dora.player, name=dora.name)]
    seats += [NewSeat(bot=bot, name=name, face=face) for bot, name, face in bots]
    rules = edition("classic", offers=False, rounds=1)
    return page, services.start(rules, seats, hint_steps=4, seed=3)


def show(page: Page, game: Game, size: str, placed: Layout, table: Table, cards: int = FEW) -> None:
    rest = [card for card in deck(game.ruleset.highest) if card not in table.laid]
    stage_table(game, " ".join(map(card_text, rest[:cards])), table, placed)
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/games/{game.pk}/")


def extent_on(size: str, placed: Layout) -> Corner:
    return placed.wide_extent if size == "desktop" else placed.narrow_extent


def test_the_felts_of_a_browser_are_those_that_tables_are_packed_for(
    pages: Callable[..., Page],
) -> None:
    page, game = opened(pages)
    shown: dict[str, list[Seen]] = defaultdict(list)
    for at, (table, placed) in enumerate(tables(TABLES)):
        cards = MANY if at % 2 else FEW
        for size in SIZES:
            show(page, game, size, placed, table, cards)
            now = seen(page, size, extent_on(size, placed))
            check(now, size, cards)
            shown[size].append(now)
            if not now.fits:
                page.locator(".whole").click()
                now = seen(page, size, extent_on(size, placed), LEAST_WHOLE)
                assert now.whole, now
                assert now.fits, now
            shown[f"{size}, with a tap"].append(now)
    for name, each in shown.items():
        print(f"\n{name}: {summary(each)}")


def small_table(size: str, fits: bool) -> tuple[Table, Layout]:
    """The first table that fits with cards too small for a finger, or that does not fit."""
    felt = WIDE if size == "desktop" else NARROW
    for table, placed in tables():
        width = felt.card_width(*extent_on(size, placed))
        if felt.least <= width < SMALL - 3 if fits else width < felt.least:
            return table, placed
    raise AssertionError(size)


@pytest.mark.parametrize("size", SIZES)
def test_a_tap_on_a_small_card_looks_closer_there_and_chooses_nothing(
    pages: Callable[..., Page], size: str
) -> None:
    page, game = opened(pages)
    table, placed = small_table(size, fits=True)
    show(page, game, size, placed, table)
    card = page.locator("#table .table-card").last
    card.click()
    expect(page.locator("#closer")).to_be_checked()
    expect(page.locator("#table :checked")).to_have_count(0)
    expect(card).to_be_in_viewport(ratio=1)
    assert seen(page, size, extent_on(size, placed)).card >= AIM
    card.click()
    expect(page.locator("#table :checked")).to_have_count(1)


@pytest.mark.parametrize("size", SIZES)
def test_from_the_whole_table_a_tap_leads_to_a_row(pages: Callable[..., Page], size: str) -> None:
    page, game = opened(pages)
    table, placed = small_table(size, fits=False)
    show(page, game, size, placed, table)
    page.locator(".whole").click()
    expect(page.locator("#hand")).not_to_be_visible()
    tag = page.locator("#table .row-tag").last
    tag.click()
    expect(page.locator("#whole")).not_to_be_checked()
    expect(page.locator("#hand")).to_be_visible()
    expect(tag).to_be_in_viewport()
    expect(page.locator("#table :checked")).to_have_count(0)
    assert seen(page, size, extent_on(size, placed)).card >= SMALL


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("size", SIZES)
def test_the_whole_table_and_back_by_keyboard(
    pages: Callable[..., Page], size: str, script: bool
) -> None:
    page, game = opened(pages, java_script_enabled=script)
    table, placed = small_table(size, fits=False)
    show(page, game, size, placed, table)
    whole = page.locator("#whole")
    whole.focus()
    page.keyboard.press("Space")
    expect(page.locator(".when-whole")).to_be_visible()
    expect(page.locator("#hand")).not_to_be_visible()
    expect(whole).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#hand")).to_be_visible()
    page.locator("#table .table-card input").first.focus()
    page.keyboard.press("Space")
    expect(page.locator("#table .table-card input").first).to_be_checked()


@pytest.mark.parametrize("size", SIZES)
def test_the_table_is_shown_larger_at_the_same_place(pages: Callable[..., Page], size: str) -> None:
    page, game = opened(pages)
    table, placed = far_table(size)
    show(page, game, size, placed, table, MANY)
    small = seen(page, size, extent_on(size, placed))
    assert small.whole
    assert small.card < AIM
    before = page.locator("#hand").bounding_box()
    page.locator(".closer").click()
    large = seen(page, size, extent_on(size, placed))
    assert large.card == large.felt.most
    assert page.locator("#hand").bounding_box() == before
    page.locator(".closer").click()
    assert seen(page, size, extent_on(size, placed)) == small


def far_table(size: str) -> tuple[Table, Layout]:
    """The first table that has the button *Larger*."""
    felt = WIDE if size == "desktop" else LOW
    for table, placed in tables():
        if felt.least <= felt.card_width(*extent_on(size, placed)) < AIM:
            return table, placed
    raise AssertionError(size)


def check(now: Seen, size: str, cards: int) -> None:
    packed = WIDE if size == "desktop" else NARROW if cards == FEW else LOW
    assert now.felt.width == pytest.approx(packed.width, abs=1)
    assert packed.height <= now.felt.height <= packed.height + MORE
    if now.fits:
        assert now.whole, now
        assert now.card == pytest.approx(now.felt.card_width(*now.extent), abs=0.5)
    else:
        assert packed.least <= now.card <= AIM + 0.1
        assert "whole" in now.zooms
    if now.card < AIM - 0.5:
        assert now.zooms, now


def summary(all_seen: list[Seen]) -> str:
    count = len(all_seen)
    mean = sum(each.card for each in all_seen) / count
    whole = [each for each in all_seen if each.whole]
    least = WIDE.least if all_seen[0].felt.most == WIDE.most else NARROW.least
    large = sum(each.card >= least for each in whole) / count
    return (
        f"{count} tables, mean card {mean:.1f} px, {len(whole) / count:.0%} seen as a whole, "
        f"{large:.0%} with cards of at least {least} px"
    )
