"""Each button keeps its place and its meaning, a slip of the finger does nothing, and a discard can
be undone for a moment."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from classrooms.assignments import riddles
from classrooms.models import Child
from games.engine.cards import card_text
from games.engine.round import Phase
from games.engine.ruleset import EDITIONS, edition
from games.models import Entry, Game
from games.play import starting
from tests.browser.at_home import (
    DRAWN,
    RULESET,
    choose_cards,
    let_in,
    open_staged,
    seats_of,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.browser.finger import middle
from tests.browser.seen import SMALLEST
from tests.counts import times
from tests.factories import make_riddle
from tests.games.players import play_out
from tests.games.staged import stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG_PAUSE_MS: Final = 600_000
"""A pause longer than any test."""
DELIVERY_TRIES: Final = 50
NEAR_PX: Final = 44
"""A second tap so near to the first, in pixels, was meant for the same place."""
UNDER_THE_HAND: Final = ("at-lay", "at-take-back", "at-hint", "at-discard", "at-end")
PLACES: Final = """[...document.querySelectorAll(
    ".actions .action, .answers .action, .pile, .choice-play, #undo-discard")].map((e) => {
    const {x, y, width, height} = e.getBoundingClientRect();
    const name = e.className.match(/at-[a-z-]+/)?.[0] ?? e.id;
    return [name, e.textContent.trim(), ...[x, y, width, height].map(Math.round)];
}).filter(([name, , , , width]) => name && width)"""
Box = tuple[int, ...]


class Moment(NamedTuple):
    """The actions that the page shows at one moment: the place and the words of each, by its
    name."""

    name: str
    places: dict[str, Box]
    words: dict[str, str]


def moment(page: Page, name: str) -> Moment:
    buttons = page.evaluate(PLACES)
    assert buttons
    return Moment(
        name,
        {action: tuple(at) for action, _, *at in buttons},
        {action: text for action, text, *_ in buttons},
    )


def overlap(box: Box, other: Box) -> bool:
    x, y, width, height = box
    left, top, wide, high = other
    return x < left + wide and left < x + width and y < top + high and top < y + height


def a_turn(page: Page, dora: Child) -> Iterator[str]:
    """A turn from the first card to the last, with a hint, a refusal and a row."""
    sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    yield "take"
    child.press("hint")
    yield "a hint before a card is taken"
    child.press("draw-closed")
    yield "lay"
    child.press("hint")
    yield "a hint"
    first = page.locator("#hand label").first
    first.click()
    yield "a card chosen"
    page.locator("#hand label").nth(1).click()
    page.locator("#hand label").nth(2).click()
    yield "three cards chosen"
    child.press("lay")
    expect(page.locator(".told-refusal")).to_be_visible()
    yield "a refusal"
    page.goto(page.url)
    child.lay(child.plays()[0])
    yield "a row laid"
    page.locator("#table .row-tag").first.click()
    first.click()
    yield "a row of the table chosen"
    page.locator("#table .row-tag").first.click()
    first.click()
    child.put_down(child.hand()[0])
    yield "the next turn"


def question_walk(edition: str, phase: Phase, yes: str) -> Callable[[Page, Child], Iterator[str]]:
    """An offer, or a block to knock for, and what follows each answer."""

    def walk(page: Page, dora: Child) -> Iterator[str]:
        for answer in ("pass", yes):
            open_at(page, dora, edition, "1 7 12", phase)
            yield f"{phase}, before {answer}"
            ChildAtTheTable(page, EDITIONS[edition]).press(answer)
            yield f"after {answer}"

    return walk


def a_turn_with(edition: str, end: str) -> Callable[[Page, Child], Iterator[str]]:
    """A turn of another edition: without piles, or with the button Done."""

    def walk(page: Page, dora: Child) -> Iterator[str]:
        open_at(page, dora, edition, "1 7 13 40 41 42", "play")
        child = ChildAtTheTable(page, EDITIONS[edition])
        yield "lay"
        child.press("hint")
        yield "a hint"
        for card in (40, 41, 42):
            child.tap("card", str(card))
        yield "cards chosen"
        child.press("lay")
        yield "a row laid"
        if end == "discard":
            child.tap("card", "1")
        child.press(end)
        yield "the turn over"

    return walk


def open_at(page: Page, dora: Child, edition: str, hand: str, phase: Phase) -> Game:
    seats = seats_of(dora, "onlooker", "onlooker")
    game = starting.start(EDITIONS[edition], seats, hint_steps=4, seed=3)
    has_pot = EDITIONS[edition].has_pot and phase == "play"
    stage(game, hand, "2-4-6", open_card="" if has_pot else "37", phase=phase)
    let_in(page, dora)
    page.goto(f"/games/{game.pk}/")
    return game


GAMES: Final[dict[str, Callable[[Page, Child], Iterator[str]]]] = {
    "a turn": a_turn,
    "an offer": question_walk("simplified", "offer", "claim"),
    "a knock": question_walk("blocks", "knock", "knock"),
    "a block to take": question_walk("blocks-simple", "knock", "knock"),
    "a turn with Done": a_turn_with("simplified-2010", "end"),
    "a turn with a pot": a_turn_with("blocks", "discard"),
}


@pytest.mark.parametrize("game", times(("a turn", "a turn with a pot"), tuple(GAMES)))
def test_buttons_under_the_hand_keep_place_and_meaning(page: Page, dora: Child, game: str) -> None:
    of_size: dict[str, list[Moment]] = {size: [] for size in SIZES}
    for name in GAMES[game](page, dora):
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            of_size[size].append(moment(page, name))
    words: dict[str, str] = {}
    for moments in of_size.values():
        assert list(replaced_actions(moments)) == []
        where: dict[str, dict[Box, str]] = {}
        for now in moments:
            for action, box in now.places.items():
                if action in UNDER_THE_HAND:
                    where.setdefault(action, {}).setdefault(box, now.name)
                    assert words.setdefault(now.words[action], action) == action
        assert all(now.places for now in moments)
        assert {action: at for action, at in where.items() if len(at) > 1} == {}


def replaced_actions(moments: list[Moment]) -> Iterator[tuple[str, str, str, str]]:
    """The action at a place at one moment, and another action at the same place at the next."""
    for before, after in pairwise(moments):
        for place in before.places:
            for other in after.places:
                if place != other and overlap(before.places[place], after.places[other]):
                    yield before.name, place, after.name, other


@pytest.mark.parametrize("lock", [0, LONG_PAUSE_MS], ids=["no lock", "locked"])
@pytest.mark.parametrize("move", times(["discard"], ["lay", "discard"]))
@pytest.mark.parametrize("size", times(("phone",), tuple(SIZES)))
def test_a_second_tap_at_the_same_place_does_nothing(
    pages: Callable[..., Page], dora: Child, settings: Any, size: str, move: str, lock: int
) -> None:
    """Even long after the first tap, no action replaces another."""
    settings.SECOND_TAP_MS = lock
    page = pages(size, has_touch=True)
    game = open_at(page, dora, "simplified", "1 7 13 40 41 42", "play")
    for card in (40, 41, 42) if move == "lay" else (1,):
        ChildAtTheTable(page, game.ruleset).tap("card", str(card))
    button = page.locator(f"#do-{move}")
    at, field = middle(button), page.locator("input[name=seen]")
    version = field.input_value()
    page.touchscreen.tap(*at)
    expect(field).not_to_have_value(version)
    expect(page.locator(".sent")).to_have_count(0)
    version, log = field.input_value(), last_action(game)
    page.touchscreen.tap(*at)
    if move == "lay" and not lock:
        expect(page.locator(".told-refusal")).to_be_visible()
    expect(page.locator(".sent")).to_have_count(0)
    page.goto(f"/games/{game.pk}/")
    assert field.input_value() == version
    assert last_action(game) == log


@pytest.mark.parametrize("size", times(("phone",), tuple(SIZES)))
def test_a_second_tap_stays_at_the_end_of_the_round(
    pages: Callable[..., Page], dora: Child, settings: Any, size: str
) -> None:
    """There, the main button takes the place of the turn's buttons."""
    page = pages(size, has_touch=True)
    play_out(sit_down(page, dora), dora.player)
    settings.SECOND_TAP_MS = LONG_PAUSE_MS
    page.reload()
    address, actions = page.url, page.locator("#over .action")
    assert actions.count()
    for action in actions.all():
        page.evaluate(A_PRESS, middle(action))
        page.touchscreen.tap(*middle(action))
    expect(page.locator(".sent")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    assert page.url == address


@pytest.mark.parametrize("size", times(("phone",), tuple(SIZES)))
def test_a_question_takes_no_tap_before_it_can_be_read(
    pages: Callable[..., Page], dora: Child, settings: Any, size: str
) -> None:
    settings.SECOND_TAP_MS = LONG_PAUSE_MS
    page = pages(size, has_touch=True)
    open_staged(page, dora, "10 a 20 50 8 45", "26-28-30")
    choose_cards(page, "10", "a", "20")
    page.locator("#do-lay").tap()
    expect(page.locator(".choice-play").first).to_be_visible()
    page.evaluate(A_PRESS, (0, 0))  # The last tap was not near.
    for answer in page.locator(".choices-panel").locator("button, a").all():
        page.touchscreen.tap(*middle(answer))
        expect(page.locator(".sent")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    expect(page.locator(".choice-play").first).to_be_visible()


A_SLOW_ANSWER: Final = """
let now = 1000;
performance.now = () => now;
Object.defineProperty(Event.prototype, "timeStamp", { get: () => now });
addEventListener("htmx:before:swap", () => (now += 10000));
addEventListener("htmx:after:swap", () => (now += 500));
"""
"""Let each answer take ten seconds by this clock. Half a second later the child taps again."""


def test_a_second_tap_after_a_slow_answer_does_not_leave_the_riddle(
    pages: Callable[..., Page], dora: Child, settings: Any
) -> None:
    settings.SECOND_TAP_MS = 400
    page = pages("desktop", has_touch=True)
    page.add_init_script(A_SLOW_ANSWER)
    riddle = make_riddle(dora.school_class)
    game = riddles.continue_or_try(dora, riddle)
    let_in(page, dora)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, riddle.ruleset, opened=True)
    child.lay(min(child.plays(), key=lambda play: len(play.hand)))
    at = middle(page.locator("#do-end"))
    page.touchscreen.tap(*at)
    leave = page.locator("#over a.action")
    box = leave.bounding_box()
    assert box["y"] - at[1] < NEAR_PX
    page.touchscreen.tap(at[0], box["y"] + 1)
    page.wait_for_load_state("networkidle")
    expect(leave).to_be_visible()


A_PRESS: Final = """([clientX, clientY]) => {
    dispatchEvent(new PointerEvent("pointerdown", { clientX, clientY }));
    const button = document.createElement("button");
    button.addEventListener("click", (event) => event.preventDefault());
    button.type = "submit";
    board.append(button);
    button.click();
    button.remove();
}"""
"""The press that ended the round."""


def last_action(game: Game) -> str:
    return Entry.objects.filter(game=game, seat=0).latest("number").text


@pytest.mark.parametrize("means", times(["finger"], ["mouse", "keyboard", "finger"]))
def test_a_discard_can_be_undone(
    pages: Callable[..., Page], dora: Child, settings: Any, means: str
) -> None:
    """A finger on a phone undoes it."""
    settings.PUT_DOWN_PAUSE_MS = LONG_PAUSE_MS
    finger = means == "finger"
    width, height = SIZES["phone" if finger else "desktop"]
    page = pages(viewport={"width": width, "height": height}, has_touch=finger, is_mobile=finger)
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    hand = child.hand()
    press = Locator.tap if finger else Locator.click
    press(page.locator(f"#hand label:has(input[value='{hand[0]}'])"))
    press(page.locator("#do-discard"))
    expect(page.locator("#held")).to_contain_text(f"You put down {hand[0]}.")
    expect(page.locator("#live")).to_have_text(f"You put down {hand[0]}.")
    undo = page.locator("#undo-discard")
    expect(undo).to_be_focused()
    expect(page.locator("#do-lay")).to_be_hidden()
    expect(page.locator(".player-turn.player-you")).to_have_count(0)
    box = undo.bounding_box()
    assert min(box["width"], box["height"]) >= SMALLEST
    assert not finger or box["y"] > height / 2
    if means == "keyboard":
        page.keyboard.press("Enter")
    else:
        press(undo)
    expect(page.locator("#held")).to_be_hidden()
    expect(page.locator("#do-discard")).to_be_focused()
    expect(page.locator(".player-turn.player-you")).to_have_count(1)
    assert child.hand() == hand
    assert last_action(game) == "draw closed"


def test_an_undo_by_a_finger_leaves_the_card_chosen(
    pages: Callable[..., Page], dora: Child, settings: Any
) -> None:
    settings.PUT_DOWN_PAUSE_MS = LONG_PAUSE_MS
    width, height = SIZES["phone"]
    page = pages(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    card, other = child.hand()[:2]
    page.locator("#hand label").first.tap()
    page.locator("#do-discard").tap()
    expect(page.locator("#undo-discard")).to_be_focused()
    page.locator("#undo-discard").tap()
    expect(page.locator("#hand :checked")).to_have_value(card_text(card))
    page.locator("#hand label").first.tap()
    page.locator("#hand label").nth(1).tap()
    page.locator("#do-discard").tap()
    expect(page.locator("#held")).to_contain_text(f"You put down {other}.")
    assert last_action(game) == "draw closed"


def test_a_card_goes_down_unless_it_is_taken_back(page: Page, dora: Child, settings: Any) -> None:
    settings.PUT_DOWN_PAUSE_MS = 50
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    card = child.hand()[0]
    child.put_down(card)
    assert last_action(game) == f"discard {card}"


def test_leaving_the_page_completes_the_discard(page: Page, dora: Child, settings: Any) -> None:
    settings.PUT_DOWN_PAUSE_MS = LONG_PAUSE_MS
    game = sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    card = child.hand()[0]
    child.tap("card", str(card))
    page.locator("#do-discard").click()
    expect(page.locator("#held")).to_be_visible()
    page.goto("/me/")
    for _ in range(DELIVERY_TRIES):  # The browser sends it after the page is gone.
        page.goto(f"/games/{game.pk}/")
        if page.locator("#do-draw-closed").count():
            break
    expect(page.locator("#do-draw-closed")).to_be_visible()
    assert last_action(game) == f"discard {card}"


def test_done_lays_a_chosen_row_or_ends_the_turn(page: Page, dora: Child) -> None:
    let_in(page, dora)
    seats = seats_of(dora, "beginner")
    game = starting.start(edition("simplified-2010"), seats, hint_steps=4, seed=3)
    stage(game, "7 9 15 17 45", "8-12-16")
    page.goto(f"/games/{game.pk}/")
    crossed = page.locator("#table label:has(input[name=cross][data-number='12'])")
    choose_cards(page, "9", "15")
    crossed.click()
    page.locator("#do-end").click()
    expect(page.locator("#table .table-row")).to_have_count(2)
    choose_cards(page, "7", "17")
    crossed.click()
    page.locator("#do-end").click()
    expect(page.locator("#told")).to_contain_text("12 is already in two rows.")
    assert last_action(game) == "already-crossed 7 17 12"
    page.locator("#do-end").click()
    expect(page.locator("#told")).not_to_contain_text("12 is already in two rows.")
    assert last_action(game) == "end"
