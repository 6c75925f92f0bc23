"""Short questions, hints and guided rounds in a browser. In a guided round the lights lead to the
end after any wrong move: `make test` tries wrong moves in the second step of one edition, `make
proof` in all steps and editions."""

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from classrooms.questions.models import Check, Typed
from games.coach.guided_rounds import STEPS, guided_ruleset
from games.coach.hints import LAST_STEP
from games.engine.cards import Card, card_text
from games.engine.ruleset import EDITIONS, edition
from games.engine.text.notation import parse_play
from games.play import starting
from tests.browser.at_home import (
    MOST_STEPS,
    RULESET,
    WITH_A_JOKER,
    choose_cards,
    follow_the_lights,
    game_of,
    let_in,
    open_staged,
    tap_pictures,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.classrooms.questions.rounds import round_played, sitting_with
from tests.counts import PROOF, times
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TURNS = (("15 20 25", 43), ("30 to 15-20-25", 37))
"""The turns of the first step: the row and the discard to which the coach leads."""


@pytest.fixture
def page(pages: Callable[[], Page], dora: Child) -> Page:
    """A browser in which Dora is signed in."""
    opened = pages()
    let_in(opened, dora)
    return opened


def test_the_keys_of_short_questions_keep_their_place(page: Page, dora: Child) -> None:
    questions = [("typing", (9,)), ("typing", (58,)), ("fact", (6, 5)), ("table", (12, 16, 20))]
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assignment = AssignmentFactory.create(school_class=dora.school_class)
        attempt = round_played(dora, assignment)
        sitting_with(attempt, *questions)
        page.goto(f"/me/checks/{attempt.game_id}/")
        tops = []
        for (_, numbers), answer in zip(questions, (9, 58, 30, 4), strict=True):
            expect(page.locator("#check h1")).to_contain_text(str(numbers[0]))
            tops.append(page.locator("#keypad").evaluate("key => key.getBoundingClientRect().top"))
            page.locator("#answer").fill(str(answer))
            page.locator("#do-answer").click()
        assert max(tops) - min(tops) < 1, (name, tops)


def test_quick_questions_are_answered_by_keyboard(page: Page, dora: Child) -> None:
    attempt = round_played(dora, AssignmentFactory.create(school_class=dora.school_class))
    sitting_with(attempt, ("typing", (36,)), ("fact", (6, 7)), ("table", (12, 16, 20)))
    page.goto(f"/games/{attempt.game_id}/")
    page.locator("#to-questions").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#check h1")).to_contain_text("36")
    expect(page.locator("#keypad")).to_be_visible()
    page.wait_for_timeout(200)
    page.keyboard.type("36", delay=60)
    page.keyboard.press("Enter")
    expect(page.locator("#check h1")).to_contain_text("6 × 7")
    page.wait_for_timeout(200)
    page.keyboard.type("41", delay=60)
    page.keyboard.press("Enter")
    expect(page.locator("#go-on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#check h1")).to_contain_text("12, 16 and 20")
    page.wait_for_timeout(200)
    page.locator(".key", has_text="4").click()
    page.locator("#do-answer").click()
    expect(page.locator("#do-next-round")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#do-draw-closed")).to_be_visible()
    assert Typed.objects.get().ms < 600_000
    fact, table = Check.objects.all()
    assert (fact.right, table.right) == (False, True)
    assert fact.ms is not None
    assert fact.net_ms is not None
    assert table.ms is not None


@pytest.mark.parametrize("typed", times(["٣٦"], ["٣٦", "۳۶", "３６", "३६"]))
def test_a_number_can_be_typed_in_the_digits_of_any_keyboard(
    page: Page, dora: Child, typed: str
) -> None:
    attempt = round_played(dora, AssignmentFactory.create(school_class=dora.school_class))
    sitting_with(attempt, ("typing", (36,)))
    page.goto(f"/games/{attempt.game_id}/")
    page.locator("#to-questions").click()
    expect(page.locator("#answer")).to_be_focused()
    page.keyboard.type(f"{typed}.")
    expect(page.locator("#answer")).to_have_value(typed)
    page.keyboard.press("Enter")
    expect(page.locator("#do-next-round")).to_be_visible()


def test_the_next_hint_waits_until_this_one_is_read(
    page: Page, dora: Child, settings: object
) -> None:
    settings.HINT_WAIT_SECONDS = 600  # type: ignore[attr-defined]
    game = game_of(dora)
    page.clock.install()
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
    settings.HINT_WAIT_SECONDS = 0  # type: ignore[attr-defined]
    page.clock.run_for(601_000)
    expect(hint).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).not_to_have_text(message)


def test_following_the_guide_leads_to_the_next_step(page: Page, dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    page.goto("/me/")
    page.locator(".assigned-first .btn").click()
    child = ChildAtTheTable(page, guided_ruleset("simplified"))
    for turn, (text, spare) in enumerate(TURNS):
        if turn:
            expect(page.locator("#do-draw-closed .card.lit")).to_be_visible()
            child.press("draw-closed")
        play = parse_play(text, child.ruleset)
        for card in play.hand:
            lit = page.locator(f".lit input[value='{card_text(card.card)}']")
            assert lit.count() or child.is_chosen("card", card_text(card.card))
        child.lay(play)
        expect(page.locator(f".hand-card.lit input[value='{spare}']")).to_be_attached()
        child.put_down(spare)
    expect(page.locator("#over-name")).to_have_text("Step 1 of 3: done!")
    page.locator("#to-again").click()
    expect(page.locator("#round")).to_have_text("Step 2 of 3")
    assert not dora.attempts.exists()


def test_a_card_of_the_coach_replaces_one_that_makes_no_row_with_it(
    page: Page, dora: Child
) -> None:
    child = begin(page, dora, "simplified", 1)
    child.lay(parse_play(TURNS[0][0], child.ruleset))
    child.put_down(TURNS[0][1])
    child.press("draw-closed")
    choose_cards(page, str(TURNS[1][1]), "30")
    expect(page.locator("#hand :checked")).to_have_count(1)
    expect(page.locator("#hand .lit :checked")).to_have_count(1)
    expect(page.locator(".guided-place")).to_be_visible()


def test_a_card_too_many_takes_the_light_off_the_button_that_lays(page: Page, dora: Child) -> None:
    begin(page, dora, "simplified", 1)
    lay = page.locator("#do-lay")
    for style in ("solid", "none", "solid"):
        expect(lay).to_have_css("outline-style", style)
        choose_cards(page, "37")


MOST_TAPS: Final = 6
"""After "Go on", which sends the code."""


def test_the_first_row_takes_seven_taps_after_the_code(
    pages: Callable[..., Page], dora: Child
) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    page = pages("phone")
    page.goto(f"/play/{dora.school_class.code}/")
    page.evaluate("sessionStorage.taps = 0")
    page.context.add_init_script(
        "addEventListener('pointerdown', () => { sessionStorage.taps++; })"
    )
    page.reload()
    page.get_by_role("link", name="Dora", exact=True).click()
    tap_pictures(page, dora)
    page.locator(".assigned-first .btn").click()
    child = ChildAtTheTable(page, guided_ruleset("simplified"))
    while not page.locator(".table-row").count():
        follow_the_lights(child)
    assert page.evaluate("+sessionStorage.taps") <= MOST_TAPS


@pytest.mark.proof
def test_the_lights_lead_to_a_game_that_counts(page: Page, dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    game = starting.start_guided_game(dora.player, dora.name, "simplified", STEPS)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, guided_ruleset("simplified", STEPS))
    for _ in range(MOST_STEPS):
        if child.is_over():
            break
        follow_the_lights(child)
    expect(page.locator("#over-name")).to_have_text("Step 3 of 3: done!")
    page.locator("#to-again").click()
    expect(page.locator("#round")).not_to_contain_text("Step")
    assert dora.attempts.exists()


@pytest.fixture(params=times(("phone",), tuple(SIZES)))
def child(pages: Callable[..., Page], request: pytest.FixtureRequest) -> ChildAtTheTable:
    width, height = SIZES[request.param]
    dora, page = ChildFactory.create(name="Dora"), pages()
    page.set_viewport_size({"width": width, "height": height})
    open_staged(page, dora, "8 11 13", *WITH_A_JOKER)
    return ChildAtTheTable(page, edition("simplified"))


def places(page: Page) -> dict[str, Any]:
    buttons = page.locator("#board .action")
    return {button.get_attribute("value") or "": button.bounding_box() for button in buttons.all()}


def test_the_joker_to_swap_lights_up_where_it_is_visible(child: ChildAtTheTable) -> None:
    child.press("hint")
    child.press("hint")
    expect(child.page.locator("#told")).to_contain_text("Swap it for the joker")
    lit = child.page.locator(".table-card.lit")
    expect(lit).to_have_attribute("data-card", "c")
    card, table = lit.bounding_box(), child.page.locator("#table").bounding_box()
    assert table["x"] <= card["x"] <= table["x"] + table["width"] - card["width"]
    assert table["y"] <= card["y"] <= table["y"] + table["height"] - card["height"]


@pytest.mark.parametrize("size", times(("phone",), tuple(SIZES)))
def test_a_hint_without_a_row_says_which_pile_to_take_from(
    pages: Callable[..., Page], size: str
) -> None:
    width, height = SIZES[size]
    dora, page = ChildFactory.create(name="Dora"), pages()
    page.set_viewport_size({"width": width, "height": height})
    open_staged(page, dora, "1 13", phase="draw", open_card="37")
    child = ChildAtTheTable(page, edition("simplified"))
    child.press("hint")
    expect(page.locator("#told")).to_have_text(
        "No row this time. Take one from the pile: that helps most."
    )
    expect(page.locator("#do-draw-closed .lit")).to_be_visible()
    open_staged(page, dora, "13 20", phase="draw", open_card="40")
    child.press("hint")
    expect(page.locator("#told")).to_have_text("No row this time. Take the 40: it helps you most.")
    expect(page.locator("#do-draw-open .lit")).to_be_visible()
    open_staged(page, dora, "1 13 47", phase="play", open_card="37")
    before = places(page)
    child.press("hint")
    expect(page.locator("#told")).to_contain_text("put one down and see what comes.")
    expect(page.locator(".actions .btn-primary")).to_have_id("do-discard")
    expect(page.locator("#do-lay")).to_have_count(0)
    lay, down = page.locator(".at-lay").bounding_box(), page.locator("#do-discard").bounding_box()
    assert lay == before["lay"]
    assert down == before["discard"]


def test_the_last_step_leaves_the_focus_on_its_button(child: ChildAtTheTable) -> None:
    for _ in range(LAST_STEP - 1):
        child.press("hint")
    before = places(child.page)
    child.page.locator("#do-hint").focus()
    child.page.keyboard.press("Enter")
    expect(child.page.locator("#told")).to_contain_text("Here is the row.")
    expect(child.page.locator("#do-hint")).to_have_attribute("aria-disabled", "true")
    after = places(child.page)
    assert {move: at["x"] for move, at in after.items() if at} == {
        move: at["x"] for move, at in before.items() if move in after and at
    }
    expect(child.page.locator("#do-hint")).to_be_focused()


Wrong = Callable[[ChildAtTheTable], bool]
"""Makes a wrong move, and returns whether it was possible in this state."""


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
    rows = {frozenset(card for card, _ in play.hand) for play in child.plays()}
    numbers = [card for card in child.hand() if card <= child.ruleset.highest]
    none = next((three for three in combinations(numbers, 3) if {*three} not in rows), None)
    return none is not None and is_refused(child, none)


def wrong_place(child: ChildAtTheTable) -> bool:
    rows = child.page.locator("input[name=row]").evaluate_all("e => e.map(i => i.value)")
    if not rows or not child.offered("lay"):
        return False
    fits = {
        (card, str(line)) for play in child.plays() for card, _ in play.hand for line in play.lines
    }
    numbers = [card for card in child.hand() if card <= child.ruleset.highest]
    for card in numbers:
        for row in rows:
            if (card, row) not in fits:
                return is_refused(child, [card], row)
    return False


def take_back(child: ChildAtTheTable) -> bool:
    """Lay the lit cards, and take them back."""
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
    """Try these cards there. The page says why not, and nothing stays chosen."""
    page = child.page
    for card in cards:
        child.tap("card", card_text(card))
    if row:
        child.tap("row", row)
    version = page.locator("input[name=seen]").input_value()
    child.press_lay()
    expect(page.locator("input[name=seen]")).not_to_have_value(version)
    expect(page.locator(".told-refusal")).to_be_visible()
    for chosen in page.locator("input:is([name=card], [name=row]):checked").element_handles():
        child.tap(str(chosen.get_attribute("name")), str(chosen.get_attribute("value")))
    return True


def begin(page: Page, dora: Child, edition: str, step: int) -> ChildAtTheTable:
    AssignmentFactory.create(school_class=dora.school_class)
    game = starting.start_guided_game(dora.player, dora.name, edition, step)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#board")).to_be_visible()
    # As if the seat had opened: cards that are no play then are no play before, either.
    return ChildAtTheTable(page, guided_ruleset(edition, step), opened=True)


def check_step_is_done(child: ChildAtTheTable, step: int) -> None:
    for _ in range(MOST_STEPS):
        if child.is_over():
            break
        follow_the_lights(child)
    expect(child.page.locator("#over-name")).to_have_text(f"Step {step} of {STEPS}: done!")


@pytest.mark.proof
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_a_mistake_that_changes_nothing_can_be_made_in_every_state(
    page: Page, dora: Child, step: int, edition: str
) -> None:
    """The mistakes are a refused row, a refused place and a row taken back. After each, the
    highlights still show what to do next."""
    child = begin(page, dora, edition, step)
    counts = dict.fromkeys(HARMLESS, 0)
    for _ in range(MOST_STEPS):
        if child.is_over():
            break
        for wrong in HARMLESS:
            counts[wrong] += wrong(child)
            if child.is_over():
                break
        else:
            follow_the_lights(child)
    expect(page.locator("#over-name")).to_have_text(f"Step {step} of {STEPS}: done!")
    assert counts[refused_row]
    assert counts[take_back]
    assert counts[wrong_place] or step == 1


@pytest.mark.parametrize("edition", times(("simplified",), tuple(EDITIONS)))
@pytest.mark.parametrize("step", times((2,), tuple(range(1, STEPS + 1))))
@pytest.mark.parametrize("wrong", times(DETOURS[:1], DETOURS), ids=lambda wrong: wrong.__name__)
def test_after_a_wrong_move_the_lights_lead_to_the_end(
    page: Page, dora: Child, wrong: Wrong, step: int, edition: str
) -> None:
    """The move is made in the first state that allows it, in `make proof` in every such state."""
    count = 0
    for state in range(MOST_STEPS):
        child = begin(page, dora, edition, step)
        for _ in range(state):
            if not child.is_over():
                follow_the_lights(child)
        if child.is_over():
            break
        if wrong(child):
            count += 1
            check_step_is_done(child, step)
            if not PROOF:
                break
    assert count or (wrong is other_pile and EDITIONS[edition].has_pot)
