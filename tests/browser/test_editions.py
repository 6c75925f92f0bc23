"""A child plays a round of each edition, using only the page."""

from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Page

from classrooms.models import Child
from games.engine.ruleset import EDITIONS
from games.models import Game
from games.play import starting
from tests.browser.at_home import seats_of, sign_in_at_door
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.browser.seen import visible_faults

pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.django_db(transaction=True)]

MOST_MOVES: Final = 150


@dataclass(frozen=True)
class Round:
    edition: str
    seed: int  # a deal in which the child has all of these to do
    does: tuple[str, ...]
    never: tuple[str, ...] = ()  # what never occurs


PILES: Final = ("draw-open", "pass", "laid", "crossed", "discard")
POT: Final = ("knock", "pass", "laid", "crossed", "discard")
NO_PILES: Final = ("draw-closed", "draw-open", "claim", "end")
ROUNDS: Final = (
    Round("classic", 1, (*PILES, "claim", "draw-closed"), ("knock", "end")),
    Round("advanced", 1, (*PILES, "draw-closed"), ("knock", "end")),
    Round("simplified", 10, (*PILES, "claim"), ("knock", "end")),
    Round("simplified-2010", 1, (*PILES, "claim", "end"), ("knock",)),
    Round("blocks", 1, POT, NO_PILES),
    Round("blocks-simple", 1, ("knock", "laid", "added", "crossed", "discard"), NO_PILES),
)


def game_of(dora: Child, played: Round) -> Game:
    seats = seats_of(dora, "beginner", "beginner")
    return starting.start(EDITIONS[played.edition], seats, hint_steps=4, seed=played.seed)


def phase(child: ChildAtTheTable) -> str:
    """The phase that the page shows."""
    for move in ("claim", "knock", "draw-closed", "lay"):
        if child.offered(move):
            return move
    return "over"


def cards_in_sight(page: Page) -> int:
    """The number of the table's cards that a phone shows when the page is opened."""
    width, height = SIZES["phone"]
    page.set_viewport_size({"width": width, "height": height})
    page.reload()
    count: int = page.locator("#table").evaluate(
        "table => { const box = table.getBoundingClientRect();"
        " return [...table.querySelectorAll('.table-card')].filter(card => {"
        " const own = card.getBoundingClientRect();"
        " return own.right > box.left && own.left < box.right"
        " && own.bottom > box.top && own.top < box.bottom; }).length; }"
    )
    return count


@pytest.mark.parametrize("played", ROUNDS, ids=lambda played: played.edition)
def test_a_child_plays_a_round_of_every_edition(page: Page, dora: Child, played: Round) -> None:
    sign_in_at_door(page, dora)
    page.goto(f"/games/{game_of(dora, played).pk}/")
    child = ChildAtTheTable(page, EDITIONS[played.edition])
    kinds: set[str] = set()
    for _ in range(MOST_MOVES):
        name = phase(child) + ("-later" if child.opened else "")
        if name not in kinds:
            kinds.add(name)
            for width, height in SIZES.values():
                page.set_viewport_size({"width": width, "height": height})
                assert visible_faults(page) == [], name
        if child.is_over():
            break
        child.next_move()
    assert page.locator("#over-name").inner_text()
    assert all(child.did.get(move) for move in played.does), child.did
    assert not any(child.did.get(move) for move in played.never), child.did
    assert cards_in_sight(page) > 0
