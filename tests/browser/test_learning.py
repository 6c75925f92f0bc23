"""What a child learns from, in a browser: short questions by keyboard, and the guided round."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from classrooms.checks.models import Check, Typed
from classrooms.models import Child
from classrooms.signin.children_only import SESSION_COOKIE
from games.coach.guided_lessons import STEPS, lesson_ruleset
from games.engine.table import card_text
from games.engine.text.notation import parse_play
from games.play import guided_rounds
from tests.browser.at_home import RULESET, game_of
from tests.browser.child import ChildAtTheTable
from tests.classrooms.checks.rounds import round_played, sitting_with
from tests.classrooms.people import client_of_child
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_STEPS = 60
TURNS = (("10 20 30", 43), ("40 to 10-20-30", 37))
"""What the coach of the first step leads to, turn by turn: a row, and the card to put down."""


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def page(pages: Callable[[], Page], dora: Child, live_server: object) -> Page:
    """A browser in which Dora is signed in."""
    opened = pages()
    token = client_of_child(dora).cookies[SESSION_COOKIE].value
    url = str(live_server.url)  # type: ignore[attr-defined]
    opened.context.add_cookies([{"name": SESSION_COOKIE, "value": token, "url": url}])
    return opened


def test_quick_questions_are_answered_by_keyboard_alone_and_timed(
    page: Page, dora: Child, screenshot: Callable[[Page, str], None]
) -> None:
    attempt = round_played(dora, AssignmentFactory.create(school_class=dora.school_class))
    sitting_with(attempt, ("typing", (36,)), ("fact", (6, 7)), ("table", (12, 16, 20)))
    page.goto(f"/games/{attempt.game_id}/")
    screenshot(page, "round-over")
    page.locator("#to-step").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("36")
    expect(page.locator("#keypad")).to_be_visible()
    page.wait_for_timeout(200)
    page.keyboard.type("36", delay=60)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("6 × 7")
    screenshot(page, "check")
    page.wait_for_timeout(200)
    page.keyboard.type("41", delay=60)
    page.keyboard.press("Enter")
    expect(page.locator("#go-on")).to_be_focused()
    screenshot(page, "check-wrong")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("12, 16 and 20")
    page.wait_for_timeout(200)
    page.locator(".key", has_text="4").click()
    page.locator("#do-answer").click()
    expect(page.locator("#do-next-round")).to_be_focused()
    screenshot(page, "check-done")
    page.keyboard.press("Enter")
    expect(page.locator("#do-draw-closed")).to_be_visible()
    assert Typed.objects.get().ms < 10_000
    fact, table = Check.objects.all()
    assert (fact.right, table.right) == (False, True)
    assert fact.ms is not None
    assert fact.net_ms is not None
    assert table.ms is not None


def test_the_next_hint_can_be_asked_for_when_this_one_can_have_been_read(
    page: Page, dora: Child, settings: object
) -> None:
    settings.HINT_WAIT_SECONDS = 1.0  # type: ignore[attr-defined]
    game = game_of(dora)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    child.press("hint")
    hint = page.locator("#do-hint")
    expect(hint).to_have_attribute("aria-disabled", "true")
    message = page.locator("#told").inner_text()
    hint.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_have_text(message)
    expect(hint).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).not_to_have_text(message)


def test_following_the_guide_plays_a_step_to_its_end_and_leads_to_the_next(
    page: Page, dora: Child, screenshot: Callable[[Page, str], None]
) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    page.goto("/me/")
    screenshot(page, "me-first-time")
    page.locator("#learn-simplified").click()
    child = ChildAtTheTable(page, lesson_ruleset("simplified"))
    for text, spare in TURNS:
        expect(page.locator("#do-draw-closed .card.lit")).to_be_visible()
        child.press("draw-closed")
        play = parse_play(text, child.ruleset)
        for laid in play.hand:
            expect(page.locator(f".lit input[value='{card_text(laid.card)}']")).to_be_attached()
        screenshot(page, f"guided-{text[:2].strip()}")
        child.lay(play)
        expect(page.locator(f".hand-card.lit input[value='{spare}']")).to_be_attached()
        child.put_down(spare)
    expect(page.locator("#over-name")).to_have_text("Step 1 of 3: done!")
    screenshot(page, "guided-over")
    page.locator("#to-again").click()
    expect(page.locator("#round")).to_have_text("Step 2 of 3")
    assert not dora.attempts.exists()


def test_wrong_moves_do_not_stop_a_guided_round(
    page: Page, dora: Child, screenshot: Callable[[Page, str], None]
) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    page.goto("/me/")
    page.locator("#learn-simplified").click()
    child = ChildAtTheTable(page, lesson_ruleset("simplified"))
    child.press("draw-open")
    expect(page.locator("#guide")).to_contain_text("That works too")
    for value in ("10", "30", "37"):
        child.tap("card", value)
    page.locator("#do-lay").click()
    expect(page.locator(".told-refusal")).to_be_visible()
    child.tap("card", "30")
    child.tap("card", "37")
    child.press("discard")
    expect(page.locator("#guide")).to_contain_text("The 10 is gone")
    screenshot(page, "guided-10-gone")
    for _ in range(MOST_STEPS):
        if child.is_over():
            break
        follow_the_lights(child)
    expect(page.locator("#over-name")).to_have_text("Step 1 of 3: done!")


def test_the_lights_lead_through_the_last_step_to_a_game_that_counts(
    page: Page, dora: Child, screenshot: Callable[[Page, str], None]
) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    game = guided_rounds.begin(dora.player, dora.name, "simplified", STEPS)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, lesson_ruleset("simplified", STEPS))
    for step in range(MOST_STEPS):
        if child.is_over():
            break
        screenshot(page, f"guided-last-{step}")
        follow_the_lights(child)
    screenshot(page, "guided-last-over")
    expect(page.locator("#over-name")).to_have_text("Step 3 of 3: done!")
    page.locator("#to-again").click()
    expect(page.locator("#round")).not_to_contain_text("Step")
    assert dora.attempts.exists()


def follow_the_lights(child: ChildAtTheTable) -> None:
    """Tap what is lit, then the button or pile that is lit."""
    page = child.page
    pile = page.locator("button:has(> .card.lit)")
    if pile.count():
        child.press(pile.get_attribute("value") or "")
        return
    for box in page.locator(".lit > input").element_handles():
        name, value = box.get_attribute("name"), box.get_attribute("value")
        child.tap(str(name), str(value))
    button = page.locator(".guided-next")
    expect(button).to_have_css("outline-style", "solid")
    seen = page.locator("input[name=seen]").input_value()
    button.click()
    expect(
        page.locator(f"input[name=seen]:not([value='{seen}']), button[name=play]").first
    ).to_be_attached()
    choices = page.locator("button[name=play]")
    if choices.count():
        choices.first.click()
        expect(page.locator("input[name=seen]")).not_to_have_value(seen)
