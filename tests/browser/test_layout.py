"""A full table in every state of the game, on a phone and at a school's computer: what can be
tapped is large enough, and no text is cut off or lies under another."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from classrooms.models import Child
from games.coach.hints import LAST_STEP
from games.engine.ruleset import edition
from games.models import Game
from games.play import services
from games.play.services import NewSeat
from tests.browser.at_home import let_in
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.browser.seen import wrong
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory
from tests.games.players import play_out
from tests.games.staged import stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LANGUAGES: Final = times(("nl",), tuple(code for code, _ in settings.LANGUAGES))
TABLE: Final = ("5-10-15-20-25", "18-20-22", "26-28-30", "2-4-6-c=8")
HAND: Final = "1 12 35 40 45 50"


def new_game(child: Child, **options: Any) -> Game:
    rules: dict[str, Any] = {"tables": (2, 5, 10), "offers": False, "rounds": 3, **options}
    bots = (("steady", "Ollie", "owl"), ("sharp", "Fenna", "fox"))
    seats = [NewSeat(player=child.player, name=child.name)]
    seats += [NewSeat(bot=bot, name=name, face=face) for bot, name, face in bots]
    return services.start(edition("simplified", **rules), seats, hint_steps=6, seed=3)


def out_of_sight(page: Page) -> list[str]:
    """The one thing to do next has to be on the screen without scrolling."""
    buttons = page.locator("#board .btn-primary:visible").all()
    height = page.evaluate("innerHeight")
    boxes = [(button.inner_text(), button.bounding_box()) for button in buttons]
    return [f"out of sight: {name}" for name, at in boxes if at and at["y"] + at["height"] > height]


DRAWN: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
"""A tapped card is painted first; what it makes comes after the next frame."""


def choose(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f"label:has(input[name=card][value='{card}'])").click()
    page.evaluate(DRAWN)


def open_staged(page: Page, child: Child, hand: str, *lines: str, **how: Any) -> None:
    game = new_game(child, offers=how.get("phase") == "offer")
    stage(game, hand, *lines, **({"open_card": "37"} | how))
    page.goto(f"/games/{game.pk}/")


def states(page: Page, child: Child) -> Iterator[str]:
    """Bring the page into each of its states."""
    page.goto("/me/")
    yield "what there is to play"
    page.goto(f"/games/{new_game(child).pk}/")
    yield "an empty table"
    open_staged(page, child, "1 12 35 40 50", *TABLE, phase="draw")
    yield "take"
    open_staged(page, child, "1 12 35 40 50", *TABLE, phase="offer")
    yield "an offer"
    open_staged(page, child, HAND, *TABLE)
    choose(page, "35", "40", "45")
    yield "lay, cards chosen"
    page.locator(".row-tag").first.click()
    yield "lay, a row tapped"
    open_staged(page, child, HAND, *TABLE)
    finger = ChildAtTheTable(page, edition("simplified"))
    for step in range(1, LAST_STEP + 1):
        finger.press("hint")
        yield f"hint {step}"
    choose(page, "1", "12", "35")
    page.locator("#do-lay").click()
    expect(page.locator(".told-refusal")).to_be_visible()
    yield "a row that is none"
    open_staged(page, child, "10 a 20 50 8 45", "26-28-30")
    choose(page, "10", "a", "20")
    page.locator("#do-lay").click()
    expect(page.locator(".choices-panel")).to_be_visible()
    yield "a choice of plays"
    open_staged(page, child, HAND, *TABLE)
    choose(page, "1")
    page.locator("#do-discard").click()
    expect(page.locator("#do-draw-closed")).to_be_visible()
    yield "what the others did"
    for rounds in (3, 1):
        game = new_game(child, rounds=rounds)
        play_out(game, child.player)
        page.goto(f"/games/{game.pk}/")
        yield "the game over" if rounds == 1 else "a round over"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_can_be_tapped_and_read(pages: Callable[..., Page], language: str) -> None:
    dora = ChildFactory.create(name="Dora", school_class__language=language)
    AssignmentFactory.create(school_class=dora.school_class)
    page = pages(viewport={"width": 360, "height": 740})
    let_in(page, dora)
    problems = {}
    for state in states(page, dora):
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            problems[f"{state}, {size}"] = wrong(page) + out_of_sight(page)
        phone = SIZES["phone"]
        page.set_viewport_size({"width": phone[0], "height": phone[1]})
    assert {state: found for state, found in problems.items() if found} == {}
