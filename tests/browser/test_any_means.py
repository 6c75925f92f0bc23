"""A whole round by keyboard only, with JavaScript off, and in browsers without newer features. The
features are removed from a new browser: scripts do not find them, and style rules that name them
are dropped."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from classrooms.models import Child
from tests.browser.at_home import (
    RULESET,
    SHORT,
    choose_cards,
    counted_acts,
    let_in,
    logged_acts,
    open_new_game,
    open_staged,
    play_a_round,
    play_to_the_end,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.counts import times
from tests.factories import AssignmentFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FARTHEST: Final = 25
"""The most presses of Tab from one place of a page to any other. A hand or a table is one stop."""
_WAY: Final = """(e) => [
  Boolean(document.activeElement.compareDocumentPosition(e) & 2),
  Boolean(e.closest("[data-arrows]")?.contains(document.activeElement)),
]"""


class ChildAtTheKeyboard(ChildAtTheTable):
    """A child who uses only the keyboard."""

    def press(self, move: str) -> None:
        version = self.page.locator("input[name=seen]").input_value()
        self.go_to(f"#do-{move}")
        self.page.keyboard.press("Enter")
        expect(self.page.locator("input[name=seen]")).not_to_have_value(version)
        self.did[move] = self.did.get(move, 0) + 1
        self.check_focus()

    def tap(self, name: str, value: str) -> None:
        self.go_to(f"input[name={name}][value='{value}']")
        self.page.keyboard.press("Space")

    def press_lay(self) -> None:
        self.go_to("#do-lay")
        self.page.keyboard.press("Enter")

    def answer(self, choice: str) -> None:
        self.go_to(f"button[name=play][value='{choice}']")
        self.page.keyboard.press("Enter")

    def go_to(self, selector: str) -> None:
        """Tab to the group of the element, forwards or backwards, and use the arrows there, until
        the element visibly has the focus."""
        tabs = 0
        while not self.page.locator(f"{selector}:focus-visible").count():
            back, beside = self.page.locator(selector).first.evaluate(_WAY)
            if beside:
                self.page.keyboard.press("ArrowLeft" if back else "ArrowRight")
                continue
            assert tabs < FARTHEST, f"{selector} cannot be reached"
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
            tabs += 1

    def check_focus(self) -> None:
        """Check that an element still has the focus after a part of the page was replaced."""
        expect(self.page.locator("#board :focus")).to_have_count(1)


def test_a_whole_round_by_keyboard_only(page: Page, dora: Child) -> None:
    game = sit_down(page, dora)
    child = ChildAtTheKeyboard(page, RULESET)
    play_to_the_end(child)
    expect(page.locator("#over :focus")).to_have_count(1)
    assert logged_acts(game) == counted_acts(child)
    assert sum(counted_acts(child).values()) == SHORT.actions
    assert child.did["laid"] >= 1
    assert child.did["added"] >= 1


def test_a_whole_round_with_javascript_off(pages: Callable[..., Page], dora: Child) -> None:
    page = pages(java_script_enabled=False)
    play_a_round(page, dora)
    expect(page.locator("#over-name")).to_be_visible()


def test_without_javascript_a_card_opens_places_and_a_row_facts(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages(java_script_enabled=False)
    open_staged(page, dora, "1 12 30 40", "15-20-25")
    places, facts = page.locator(".end").first, page.locator(".row-facts").first
    expect(places).to_be_hidden()
    page.locator("#hand .card").first.click()
    expect(places).to_be_visible()
    expect(facts).to_be_hidden()
    page.locator(".row-tag").first.click()
    expect(facts).to_be_visible()


def test_without_javascript_it_asks_about_a_row_across_an_unchosen_card(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages(java_script_enabled=False)
    open_staged(page, dora, "8 12 33", "10-20-30", "15-25-35")
    for card in ("8", "12"):
        page.locator(f"#hand label:has([value='{card}'])").click()
    page.locator("#do-lay").click()
    expect(page.locator(".choice-play")).to_contain_text("across 10")
    expect(page.locator("[id='row-8-10-12']")).to_have_count(0)
    page.locator(".choice-play").click()
    expect(page.locator("[id='row-8-10-12']")).to_be_attached()


def test_the_help_shows_what_can_be_done_now(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    page.locator("#help summary").click()
    expect(page.locator(".help-take")).to_be_visible()
    expect(page.locator(".help-lay")).to_be_hidden()
    page.locator("#help summary").click()
    ChildAtTheTable(page, RULESET).press("draw-closed")
    page.locator("#help summary").click()
    expect(page.locator(".help-lay")).to_be_visible()
    expect(page.locator(".help-down")).to_be_visible()
    expect(page.locator(".help-take")).to_be_hidden()
    expect(page.locator(".help-swap")).to_be_hidden()


def test_arrows_go_from_card_to_card_and_space_chooses(page: Page, dora: Child) -> None:
    sit_down(page, dora)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    cards = page.locator("#hand input")
    cards.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("Space")
    expect(cards.nth(1)).to_be_checked()


def test_after_a_hint_the_arrows_go_through_the_hand(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages()
    open_staged(page, dora, "1 12 30 40", "10-15-20")
    page.locator("#do-hint").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".told-hint")).to_be_visible()
    expect(page.locator("#do-hint")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    expect(page.locator("#hand :checked")).to_have_value("40")


@pytest.mark.parametrize("size", SIZES)
def test_the_question_about_a_joker_is_beside_the_hand_and_has_the_focus(
    pages: Callable[..., Page], dora: Child, settings: Any, size: str
) -> None:
    settings.PUT_DOWN_PAUSE_MS = 600_000
    page = pages(size)
    open_staged(page, dora, "1 12 a", "10-20-30")
    choose_cards(page, "a")
    page.locator("#do-discard").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#undo-discard")).to_be_focused()
    boxes = [page.locator(part).bounding_box() for part in (".hand-panel", "#held")]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    page.keyboard.press("Enter")
    expect(page.locator("#held")).to_be_hidden()
    expect(page.locator("#hand input")).to_have_count(3)
    expect(page.locator("#do-discard")).to_be_focused()


RING: Final = "pile => getComputedStyle(pile, '::after').borderTopColor"
NO_RING: Final = "rgba(0, 0, 0, 0)"


def test_arrows_go_through_all_cards_that_can_be_taken(page: Page, dora: Child) -> None:
    open_new_game(page, dora, market=4, refill=True, piles=3)
    piles = page.locator(".pile-now")
    expect(piles.nth(0)).to_be_focused()
    for key, number in (("ArrowRight", 1), ("ArrowDown", 3), ("End", 5), ("Home", 0)):
        page.keyboard.press(key)
        expect(piles.nth(number)).to_be_focused()


def test_a_focus_that_a_script_sets_shows_a_ring_only_for_the_keyboard(
    page: Page, dora: Child
) -> None:
    sit_down(page, dora)
    pile = page.locator("#do-draw-closed")
    expect(pile).to_be_focused()
    assert pile.evaluate(RING) == NO_RING
    ChildAtTheTable(page, RULESET).press("draw-closed")
    card = page.locator("#hand label").first
    expect(card.locator("input")).to_be_focused()
    expect(card).to_have_css("outline-color", NO_RING)
    page.keyboard.press("ArrowRight")
    second = page.locator("#hand label").nth(1)
    expect(second).not_to_have_css("outline-color", NO_RING)


@pytest.mark.parametrize("size", SIZES)
def test_the_tab_key_follows_what_a_child_sees_and_does(
    pages: Callable[..., Page], dora: Child, size: str
) -> None:
    """It goes from the hand to the place, then through the buttons in reading order."""
    page = pages(size)
    open_staged(page, dora, "1 40 50 7", "10-20-30", "2-4-6-8")
    choose_cards(page, "40")
    page.locator(".fits-here .end:visible").click()
    expect(page.locator("#do-take-back")).to_be_enabled()
    page.locator("input[name=card][value='50']").focus()
    page.keyboard.press("Space")
    expect(page.locator(".fits-here")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator(".fits-here input")).to_be_focused()
    boxes = []
    for button in ("lay", "discard", "hint", "take-back"):
        page.keyboard.press("Tab")
        expect(page.locator(f"#do-{button}")).to_be_focused()
        box = page.locator(f"#do-{button}").bounding_box()
        boxes.append((round(box["y"]), box["x"]))
    assert boxes == sorted(boxes)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_enter_on_an_open_card_takes_no_card(
    pages: Callable[..., Page], dora: Child, scripts: bool
) -> None:
    page = pages(java_script_enabled=scripts)
    game = sit_down(page, dora)
    before = game.entries.count()
    card = page.locator("#hand input").first
    card.focus()
    if scripts:
        page.keyboard.press("Enter")
        expect(card).to_be_checked()
    else:
        with page.expect_navigation():
            page.keyboard.press("Enter")
    expect(page.locator("#do-draw-closed")).to_be_visible()
    assert game.entries.count() == before


def test_enter_on_a_chosen_card_lays_the_row(page: Page, dora: Child) -> None:
    open_staged(page, dora, "1 10 15 20")
    page.locator("#hand input").nth(1).focus()
    for key in ("Enter", "ArrowRight", "Enter", "ArrowRight", "Enter", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("input[name=row][value='10-15-20']")).to_be_attached()


@pytest.mark.parametrize("key", ["", "Tab"], ids=["on the card", "on the lit place"])
@pytest.mark.parametrize(
    ("cards", "row"), [(("30",), "5-10-15-20-25-30"), (("18", "22"), "18-20-22")]
)
def test_enter_lays_chosen_cards_where_they_fit(
    page: Page, dora: Child, key: str, cards: Sequence[str], row: str
) -> None:
    open_staged(page, dora, "1 18 22 30", "5-10-15-20-25")
    for card in cards:
        page.locator(f"input[name=card][value='{card}']").focus()
        page.keyboard.press("Space")
    expect(page.locator(".fits-here, .takes-number")).to_have_count(1)
    if key:
        page.keyboard.press(key)
        expect(page.locator(".fits-here input, .takes-number input")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"input[name=row][value='{row}']")).to_be_attached()


MISSING_FEATURES: Final = {
    "a signal with a time": "delete AbortSignal.timeout; delete AbortSignal.any",
    "counting from the end": (
        "delete Array.prototype.at; delete Array.prototype.findLast;"
        "delete Array.prototype.toSorted; delete String.prototype.at"
    ),
    "new ways to change the page": (
        "delete Element.prototype.checkVisibility; delete Element.prototype.moveBefore;"
        "delete Element.prototype.toggleAttribute"
    ),
    "audio": "delete window.AudioContext",
    "asking to submit": "delete HTMLFormElement.prototype.requestSubmit",
    "what submitted": (
        "delete SubmitEvent.prototype.submitter;"
        "const Whole = FormData;"
        "FormData = class extends Whole { constructor(form) { super(form); } }"
    ),
    "asking and what submitted": (
        "delete HTMLFormElement.prototype.requestSubmit; delete SubmitEvent.prototype.submitter"
    ),
    "dialogs": (
        "delete HTMLDialogElement.prototype.showModal; delete HTMLDialogElement.prototype.close"
    ),
    "copies, names, sizes, watchers": (
        "delete window.structuredClone; delete Crypto.prototype.randomUUID;"
        "delete window.ResizeObserver; delete window.IntersectionObserver;"
        "delete window.requestIdleCallback; delete Object.hasOwn; delete Promise.withResolvers"
    ),
    "a word when the voices are there": (
        "Object.defineProperty(speechSynthesis, 'addEventListener', { value: undefined })"
    ),
    "voices": "speechSynthesis.getVoices = () => undefined",
    "transitions and a voice": (
        "delete Document.prototype.startViewTransition; delete window.navigation;"
        "delete window.speechSynthesis; delete Element.prototype.getAnimations"
    ),
}
LINKED_FEATURES: Final = (
    "asking to submit", "what submitted", "dialogs", "a word when the voices are there", "voices"
)  # fmt: skip
"""Features that replace or need another feature, so each is removed alone."""
REMOVALS: Final = times(
    {
        "the rest": "; ".join(
            text for what, text in MISSING_FEATURES.items() if what not in LINKED_FEATURES
        )
    },
    MISSING_FEATURES,
)
STYLES: Final = (":has(", "& ", "@container")
SCRIPTS: Final = times(("page|game",), ("htmx", "page", "game"))


@pytest.mark.parametrize("what", REMOVALS)
def test_a_round_without_newer_features(page: Page, dora: Child, what: str) -> None:
    Child.objects.update(sounds=True)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.add_init_script(REMOVALS[what])
    play_a_round(page, dora)
    assert faults == []


def drop_rules(page: Page, lacking: str) -> None:
    """Drop the style rules that name this feature."""

    def change(route: Route) -> None:
        text = route.fetch().text().replace(lacking, "!" + lacking)
        route.fulfill(body=text, content_type="text/css")

    page.route("**/*.css", change)


def test_it_shows_the_focus_in_a_round_that_a_key_opens(page: Page, dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    let_in(page, dora)
    page.goto("/me/")
    page.locator("main .btn-primary").first.press("Enter")
    card = page.locator("#hand label.card:has(input:focus)")
    expect(card).not_to_have_css("outline-color", "rgba(0, 0, 0, 0)")


@pytest.mark.proof
@pytest.mark.parametrize("lacking", STYLES)
def test_a_round_without_newer_styles(page: Page, dora: Child, lacking: str) -> None:
    drop_rules(page, lacking)
    play_a_round(page, dora)


@pytest.mark.proof
def test_a_chosen_card_is_visible_without_has(page: Page, dora: Child) -> None:
    drop_rules(page, ":has(")
    sit_down(page, dora)
    ChildAtTheTable(page, RULESET).press("draw-closed")
    card = page.locator("label.card").first
    card.click()
    expect(card.locator(".frame")).to_have_css("outline-style", "solid")


@pytest.mark.parametrize("what", SCRIPTS)
def test_a_round_without_scripts_although_javascript_is_on(
    page: Page, dora: Child, what: str
) -> None:
    body = "class A { %no }"
    page.route(
        re.compile(rf"/({what})(\.min)?(\.\w+)?\.js"), lambda route: route.fulfill(body=body)
    )
    play_a_round(page, dora)
