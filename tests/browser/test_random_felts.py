"""Tables of random rounds in a browser: the real felts are those that tables are packed for, what
fits is seen as a whole, and the rest with a tap. With `-s` it says how large the cards are."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from games.engine.cards import deck
from games.engine.layout.packing import LOW, NARROW, WIDE, Corner, Felt
from games.engine.layout.table_layout import Layout, layout
from games.engine.ruleset import edition
from games.engine.table import Table, card_text
from games.play import services
from games.play.services import NewSeat
from tests.browser.at_home import let_in
from tests.browser.conftest import SIZES
from tests.browser.test_felt import is_inside
from tests.counts import times
from tests.factories import ChildFactory
from tests.games.engine.layout.test_random_layouts import random_rounds
from tests.games.staged import stage_table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLES: Final = times(30, 600)
FEW, MANY = 4, 7
"""Cards in the hand that take one row of a phone, and two."""
EDGE: Final = 1
"""A felt has this pixel more, lest rounding makes the table scroll."""
SIDES: Final = {"desktop": 2 * 32, "phone": 2 * 4}
AIM: Final = 44
LEAST_WHOLE: Final = 12
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


def tables() -> Iterator[tuple[Table, Layout]]:
    for grown in random_rounds(TABLES):
        before: Layout | None = None
        for table in grown:
            before = layout(table, before)
            yield table, before


def hand_beside(table: Table, size: int) -> str:
    rest = [card for card in deck(edition("classic").highest) if card not in table.laid]
    return " ".join(map(card_text, rest[:size]))


def test_the_felts_of_a_browser_are_those_that_tables_are_packed_for(
    pages: Callable[..., Page],
) -> None:
    dora = ChildFactory.create(name="Dora")
    page = pages()
    let_in(page, dora)
    seats = [NewSeat(player=dora.player, name=dora.name)]
    bots = (("steady", "Ollie", "owl"), ("sharp", "Fenna", "fox"))
    seats += [NewSeat(bot=bot, name=name, face=face) for bot, name, face in bots]
    rules = edition("classic", offers=False, rounds=1)
    game = services.start(rules, seats, hint_steps=4, seed=3)
    shown: dict[str, list[Seen]] = defaultdict(list)
    for at, (table, placed) in enumerate(tables()):
        few = at % 2 == 0
        stage_table(game, hand_beside(table, FEW if few else MANY), table, placed)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"/games/{game.pk}/")
            extent = placed.wide_extent if size == "desktop" else placed.narrow_extent
            now = seen(page, size, extent)
            if now.fits and not now.whole: page.screenshot(path=f'/tmp/l16/{size}-{at}.png'); print(now, page.evaluate(_MEASURED)['felt'], [(t['left'],t['right'],t['top'],t['bottom']) for t in page.evaluate(_MEASURED)['tags']]); continue
            check(now, size, few)
            shown[size].append(now)
            if not now.fits and "whole" in now.zooms:
                page.locator(".whole").click()
                now = seen(page, size, extent, LEAST_WHOLE)
                if at%4==0: page.screenshot(path=f'/tmp/l16/whole-{size}-{at}.png')
                if not now.whole:
                    print('OUT', now, page.screenshot(path=f'/tmp/l16/wholeout-{size}-{at}.png') and 0); continue
                assert now.whole and now.fits, now
                page.locator(".whole").click()
            shown[f"{size}, with a tap"].append(now)
    for name, each in shown.items():
        print(f"\n{name}: {summary(each)}")


def check(now: Seen, size: str, few: bool) -> None:
    packed = WIDE if size == "desktop" else NARROW if few else LOW
    assert now.felt.width == pytest.approx(packed.width, abs=1)
    assert now.felt.height == pytest.approx(packed.height, abs=30)
    assert now.felt.height >= packed.height
    if now.fits:
        assert now.whole, now
        assert now.card == pytest.approx(now.felt.card_width(*now.extent), abs=0.5)
    else:
        assert packed.least <= now.card <= AIM + 0.1
        assert "whole" in now.zooms
    if now.card < AIM - 0.5:
        assert now.zooms, now


def summary(all_seen: list[Seen]) -> str:
    mean = sum(each.card for each in all_seen) / len(all_seen)
    whole = sum(each.whole for each in all_seen) / len(all_seen)
    large = sum(each.whole and each.card >= each_least(each) for each in all_seen) / len(all_seen)
    return (
        f"{len(all_seen)} tables, mean card {mean:.1f} px, {whole:.0%} seen as a whole, "
        f"{large:.0%} with cards of {each_least(all_seen[0])} px or more"
    )


def each_least(each: Seen) -> int:
    return WIDE.least if each.felt.most == WIDE.most else NARROW.least
