"""Guided rounds in a browser, with every wrong move at every state: the lights lead to the end."""

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from games.coach.guided_lessons import STEPS, lesson_ruleset
from games.engine.cards import Card
from games.engine.ruleset import EDITIONS
from games.engine.table import card_text
from games.play import guided_rounds
from tests.browser.at_home import let_in
from tests.browser.child import ChildAtTheTable
from tests.browser.test_learning import MOST_STEPS, follow_the_lights
from tests.counts import PROOF, times
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Wrong = Callable[[ChildAtTheTable], bool]
"""A wrong move; whether it could be made in this state."""


def other_pile(child: ChildAtTheTable) -> bool:
    lit = child.page.locator("button:has(> .card.lit)")
    if not lit.count():
        return False
    advised = lit.get_attribute("value")
    others = [move for move in ("draw-open", "draw-closed", "knock", "pass") if move != advised]
    for move in others:
        if child.offered(move):
            child.press(move)
            return True
    return False


def wrong_card_down(child: ChildAtTheTable) -> bool:
    if not child.offered("discard"):
        return False
    lit = lit_cards(child)
    wrong = next((card for card in child.hand() if card not in lit), None)
    if wrong is None:
        return False
    child.put_down(wrong)
    return True


def refused_row(child: ChildAtTheTable) -> bool:
    if not child.offered("lay"):
        return False
    rows = {frozenset(laid.card for laid in play.hand) for play in child.plays()}
    numbers = [card for card in child.hand() if card <= child.ruleset.highest]
    none = next((three for three in combinations(numbers, 3) if {*three} not in rows), None)
    return none is not None and is_refused(child, none)


def wrong_place(child: ChildAtTheTable) -> bool:
    rows = child.page.locator("input[name=row]").evaluate_all("e => e.map(i => i.value)")
    if not rows or not child.offered("lay"):
        return False
    fits = {
        (laid.card, str(line))
        for play in child.plays()
        for laid in play.hand
        for line in play.lines
    }
    numbers = [card for card in child.hand() if card <= child.ruleset.highest]
    for card in numbers:
        for row in rows:
            if (card, row) not in fits:
                return is_refused(child, [card], row)
    return False


def take_back(child: ChildAtTheTable) -> bool:
    """Lay what is lit, and take it back."""
    if not child.offered("lay") or child.page.locator(".guided-next#do-lay").count() == 0:
        return False
    follow_the_lights(child)
    if child.is_over() or not child.offered("take-back"):
        return False
    child.press("take-back")
    return True


HARMLESS: Final[tuple[Wrong, ...]] = (refused_row, wrong_place, take_back)
DETOURS: Final[tuple[Wrong, ...]] = (other_pile, wrong_card_down)


def lit_cards(child: ChildAtTheTable) -> set[Card]:
    values = child.page.locator(".lit > input[name=card]").evaluate_all("e => e.map(i => i.value)")
    return {card for card in child.hand() if card_text(card) in values}


def is_refused(child: ChildAtTheTable, cards: Iterable[Card], row: str = "") -> bool:
    """Try these cards, there; the page says why not, and nothing stays chosen."""
    page = child.page
    for card in cards:
        child.tap("card", card_text(card))
    if row:
        child.tap("row", row)
    seen = page.locator("input[name=seen]").input_value()
    child.press_lay()
    expect(page.locator("input[name=seen]")).not_to_have_value(seen)
    expect(page.locator(".told-refusal")).to_be_visible()
    for chosen in page.locator("input:is([name=card], [name=row]):checked").element_handles():
        child.tap(str(chosen.get_attribute("name")), str(chosen.get_attribute("value")))
    return True


@pytest.fixture
def dora() -> Child:
    dora = ChildFactory.create(name="Dora")
    AssignmentFactory.create(school_class=dora.school_class)
    return dora


@pytest.fixture
def page(pages: Callable[[], Page], dora: Child) -> Page:
    opened = pages()
    let_in(opened, dora)
    return opened


def begin(page: Page, dora: Child, edition: str, step: int) -> ChildAtTheTable:
    game = guided_rounds.begin(dora.player, dora.name, edition, step)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#board")).to_be_visible()
    # As if it had opened: what is no play then is refused before, too.
    return ChildAtTheTable(page, lesson_ruleset(edition, step), opened=True)


def is_done(child: ChildAtTheTable, step: int) -> None:
    for _ in range(MOST_STEPS):
        if child.is_over():
            break
        follow_the_lights(child)
    expect(child.page.locator("#over-name")).to_have_text(f"Step {step} of {STEPS}: done!")


@pytest.mark.parametrize("edition", times(("simplified",), tuple(EDITIONS)))
@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_what_changes_nothing_can_be_tried_at_every_state(
    page: Page, dora: Child, step: int, edition: str
) -> None:
    """A row or a place that is refused, and a row taken back; then the lights lead on."""
    child = begin(page, dora, edition, step)
    made = dict.fromkeys(HARMLESS, 0)
    for _ in range(MOST_STEPS):
        if child.is_over():
            break
        for wrong in HARMLESS:
            made[wrong] += wrong(child)
            if child.is_over():
                break
        else:
            follow_the_lights(child)
    expect(page.locator("#over-name")).to_have_text(f"Step {step} of {STEPS}: done!")
    assert made[refused_row]
    assert made[take_back]
    assert made[wrong_place] or step == 1


@pytest.mark.parametrize("edition", times(("simplified",), tuple(EDITIONS)))
@pytest.mark.parametrize("step", range(1, STEPS + 1))
@pytest.mark.parametrize("wrong", DETOURS, ids=lambda wrong: wrong.__name__)
def test_after_a_wrong_move_the_lights_lead_to_the_end(
    page: Page, dora: Child, wrong: Wrong, step: int, edition: str
) -> None:
    """At the first state in which it can be made; in `make proof` at every one."""
    found = 0
    for state in range(MOST_STEPS):
        child = begin(page, dora, edition, step)
        for _ in range(state):
            if not child.is_over():
                follow_the_lights(child)
        if child.is_over():
            break
        if wrong(child):
            found += 1
            is_done(child, step)
            if not PROOF:
                break
    assert found or (wrong is other_pile and EDITIONS[edition].with_pot)
