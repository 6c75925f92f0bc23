"""Cards can be dragged, by mouse and by finger. A drop does what taps would have done."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from classrooms.models import Child
from tests.browser.at_home import CROWDED, HAND, TABLE, choose_cards, let_in, open_staged
from tests.browser.conftest import SIZES
from tests.browser.finger import Finger, Mouse, Point, middle
from tests.counts import times

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WAYS: Final = ("mouse", "finger")
LYING: Final = (*TABLE[:2], "6-8-10-12")
SELECTED: Final = "String(getSelection())"


@pytest.fixture(params=times(("finger",), WAYS))
def hand(request: pytest.FixtureRequest, pages: Callable[..., Page], dora: Child) -> Mouse | Finger:
    """A mouse at a school's computer, a finger on a phone."""
    mouse = request.param == "mouse"
    width, height = SIZES["desktop" if mouse else "phone"]
    page = pages(viewport={"width": width, "height": height}, has_touch=not mouse)
    let_in(page, dora)
    return Mouse(page) if mouse else Finger(page)


@pytest.fixture
def at_the_table(hand: Mouse | Finger, dora: Child) -> tuple[Page, Mouse | Finger]:
    open_staged(hand.page, dora, HAND + " 30", *LYING)
    return hand.page, hand


def card(page: Page, value: str) -> Locator:
    return page.locator(f"#hand label:has(input[value='{value}'])")


def table_card(page: Page, number: str) -> Point:
    """The place of this card on the table, scrolled into sight."""
    card = page.locator(f"#table label:has([id='table-{number}'])")
    card.scroll_into_view_if_needed()
    return middle(card)


def free_place(page: Page) -> Point:
    box = page.locator("#table").bounding_box()
    return box["x"] + 9, box["y"] + 9


@pytest.mark.parametrize("hand", WAYS, indirect=True)
def test_a_card_dropped_near_a_place_is_laid(at_the_table: tuple[Page, Mouse | Finger]) -> None:
    page, hand = at_the_table
    place = page.locator(".end[for='row-5-10-15-20-25']").last
    place.evaluate("end => end.scrollIntoView({ block: 'center', inline: 'center' })")
    x, y = middle(place)

    def snapped() -> None:
        expect(place).to_contain_class("snap")
        ghost, end = page.locator(".dragged").bounding_box(), place.bounding_box()
        assert abs(ghost["x"] - end["x"]) <= 1

    hand.drag(middle(card(page, "30")), (x + 12, y + 12), snapped)
    expect(page.locator("[id='row-5-10-15-20-25-30']")).to_be_attached()
    expect(page.locator(".dragged")).to_have_count(0)


def test_a_tap_three_pixels_beside_a_place_means_it(page: Page, dora: Child) -> None:
    open_staged(page, dora, "1 12 30 40", *LYING)
    choose_cards(page, "30")
    place = page.locator(".end[for='row-5-10-15-20-25']").last
    box = place.bounding_box()
    page.mouse.click(box["x"] + box["width"] + 3, box["y"] + box["height"] / 2)
    expect(page.locator("[id='row-5-10-15-20-25-30']")).to_be_attached()


@pytest.mark.parametrize(("cards", "number"), [("1 12 a", "30"), ("1 4 a", "10")])
def test_a_joker_dropped_on_a_place_is_laid_there(
    hand: Mouse | Finger, dora: Child, cards: str, number: str
) -> None:
    page = hand.page
    open_staged(page, dora, cards, "15-20-25")
    place = page.locator(f".end[data-numbers='{number}']")
    hand.drag(middle(card(page, "a")), middle(place))
    expect(page.locator(f"[data-number='{number}'][value='a={number}']")).to_be_attached()


def test_a_wrong_card_dropped_on_a_place_does_not_fit_there(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    page, hand = at_the_table
    hand.drag(middle(card(page, "1")), middle(page.locator(".end[data-numbers='30']")))
    expect(page.locator("#chosen")).to_contain_text("1 does not fit here.")
    expect(page.locator("#growing")).to_have_count(0)


SCROLLED: Final = "() => table.scrollLeft > 0 || table.scrollTop > 0"


@pytest.mark.proof
def test_a_card_held_at_the_edge_scrolls_the_table(pages: Callable[..., Page], dora: Child) -> None:
    page = pages("phone", has_touch=True)
    open_staged(page, dora, HAND, *CROWDED)
    page.locator("#table").evaluate("table => table.scrollTo(0, 0)")
    room = page.locator("#table").bounding_box()
    corner = (room["x"] + room["width"] - 9, room["y"] + room["height"] - 9)

    def the_rest_comes() -> None:
        page.wait_for_function(SCROLLED)

    Finger(page).drag(middle(card(page, "12")), corner, the_rest_comes)


@pytest.mark.parametrize("pile", times(["#do-draw-open"], ["#do-draw-closed", "#do-draw-open"]))
def test_a_card_is_taken_by_dragging_it_off_its_pile(
    pages: Callable[..., Page], dora: Child, pile: str
) -> None:
    for how in (Mouse, Finger):
        page = pages("phone", has_touch=True)
        open_staged(page, dora, HAND, phase="draw")

        def check_dragged(page: Page = page) -> None:
            expect(page.locator(".dragged")).to_have_count(1)
            expect(page.locator("#hand input")).to_have_count(6)

        how(page).drag(
            middle(page.locator(pile)), middle(page.locator(".hand-card").first), check_dragged
        )
        expect(page.locator("#hand input")).to_have_count(7)
        expect(page.locator(".dragged, #hand :checked")).to_have_count(0)


def test_only_the_places_that_the_dragged_card_fits_are_open(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    page, hand = at_the_table
    open_places = page.locator(".end.open")
    hand.drag(
        middle(card(page, "12")),
        free_place(page),
        lambda: expect(open_places).to_have_count(0),
    )
    hand.drag(
        middle(card(page, "30")),
        free_place(page),
        lambda: expect(open_places).to_have_count(1),
    )


def test_cards_dropped_on_the_table_become_a_row_to_lay(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    page, hand = at_the_table
    for count, value in enumerate(("45", "35", "40"), start=1):
        expect(page.locator("#board.fits")).to_have_count(0)
        hand.drag(middle(card(page, value)), free_place(page))
        expect(page.locator("#growing .card")).to_have_count(count)
        expect(page.locator("#hand :checked")).to_have_count(count)
    expect(page.locator("#growing b")).to_have_text(["35", "40", "45"])
    expect(page.locator("#board.fits")).to_be_attached()
    page.mouse.click(*free_place(page))
    expect(page.locator("[id='row-35-40-45']")).to_be_attached()
    expect(page.locator("#growing")).to_have_count(0)


def test_dragging_chosen_cards_that_make_a_row_lays_it(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    page, hand = at_the_table
    choose_cards(page, "35", "40", "45")
    hand.drag(
        middle(card(page, "40")),
        free_place(page),
        lambda: expect(page.locator(".dragged")).to_have_count(3),
    )
    expect(page.locator("[id='row-35-40-45']")).to_be_attached()


def test_a_card_dropped_on_the_piles_is_discarded(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    page, hand = at_the_table
    hand.drag(middle(card(page, "1")), middle(page.locator(".piles .card").last))
    expect(page.locator("#do-draw-closed")).to_be_visible()
    expect(card(page, "1")).to_have_count(0)


def test_a_card_on_the_piles_can_be_undone_for_a_moment(
    hand: Mouse | Finger, dora: Child, settings: Any
) -> None:
    settings.PUT_DOWN_PAUSE_MS = 600_000
    page = hand.page
    open_staged(page, dora, HAND, *LYING)
    hand.drag(middle(card(page, "1")), middle(page.locator(".piles .card").last))
    expect(page.locator("#held")).to_be_visible()
    expect(page.locator(".dragged")).to_be_visible()
    x, y = middle(card(page, "35"))
    hand.drag((x, y), free_place(page))
    expect(page.locator(".dragged")).to_have_count(1)
    expect(page.locator("#hand :checked")).to_have_value("1")
    if isinstance(hand, Finger):
        page.locator("#undo-discard").tap()
    else:
        page.locator("#undo-discard").click()
    expect(page.locator(".dragged, .lifted")).to_have_count(0)
    expect(page.locator("#hand input")).to_have_count(len(HAND.split()))


def test_the_page_asks_before_a_joker_is_put_down(
    hand: Mouse | Finger, dora: Child, settings: Any
) -> None:
    settings.PUT_DOWN_PAUSE_MS = 1
    page = hand.page
    open_staged(page, dora, "1 12 a", *LYING)
    for answer in ("#undo-discard", "#sure"):
        hand.drag(middle(card(page, "a")), middle(page.locator(".piles .card").last))
        expect(page.locator(answer)).to_be_visible()
        page.wait_for_timeout(500)
        expect(page.locator("#hand input")).to_have_count(3)
        page.locator(answer).click()
        expect(page.locator("#hand :checked")).to_have_count(0)
    expect(page.locator("#do-draw-closed")).to_be_visible()
    expect(card(page, "a")).to_have_count(0)


def test_a_card_dropped_elsewhere_or_escaped_goes_home(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    """No text is selected and nothing scrolls. Escape is tested with a finger too, because a tablet
    may have a keyboard."""
    page, hand = at_the_table
    version = page.locator("input[name=seen]").input_value()
    hand.drag(
        middle(card(page, "30")),
        middle(page.locator(".players")),
        lambda: expect(page.locator(".dragged")).to_be_visible(),
    )
    expect(page.locator(".dragged, .lifted, #hand :checked")).to_have_count(0)
    assert page.evaluate(SELECTED) == ""
    assert page.evaluate("scrollY") == 0
    hand.drag(
        middle(card(page, "1")),
        middle(page.locator(".piles .card").last),
        lambda: page.keyboard.press("Escape"),
    )
    expect(page.locator(".dragged, .lifted, #hand :checked")).to_have_count(0)
    expect(card(page, "1")).to_be_visible()
    assert page.locator("input[name=seen]").input_value() == version


def test_a_card_dropped_on_a_card_is_chosen_with_it(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    page, hand = at_the_table
    hand.drag(middle(card(page, "30")), table_card(page, "12"))
    expect(page.locator("#table :checked")).to_have_count(1)
    expect(page.locator("#hand :checked")).to_have_count(1)
    expect(page.locator(".dragged, .lifted")).to_have_count(0)


def test_a_card_that_the_server_refuses_goes_back_to_the_hand(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    page, hand = at_the_table
    choose_cards(page, "35", "40", "45")
    page.locator("#hand input[value='45']").evaluate("box => { box.value = '44'; }")
    hand.drag(middle(card(page, "40")), free_place(page))
    expect(page.locator("#told")).to_be_visible()
    expect(page.locator("#hand input")).to_have_count(len(HAND.split()) + 1)
    expect(page.locator(".dragged, .lifted")).to_have_count(0)


def test_a_refused_tapped_row_goes_back_to_the_hand(
    at_the_table: tuple[Page, Mouse | Finger],
) -> None:
    """The page shows the cards as laid at once, and takes them back when the server refuses
    them."""
    page, hand = at_the_table
    choose_cards(page, "35", "40", "45")
    page.locator("#hand input[value='45']").evaluate("box => { box.value = '44'; }")
    routes: list[Route] = []
    page.route("**/act", lambda route: routes.append(route))
    with page.expect_request("**/act"):
        if isinstance(hand, Finger):
            page.touchscreen.tap(*free_place(page))
        else:
            page.mouse.click(*free_place(page))
    expect(page.locator("#hand .card.going")).to_have_count(3)
    (route,) = routes
    route.continue_()
    expect(page.locator(".told-refusal")).to_be_visible()
    expect(page.locator(".card.going, .sent")).to_have_count(0)
    expect(page.locator("#hand input")).to_have_count(len(HAND.split()) + 1)
    expect(page.locator("[id='row-35-40-45']")).to_have_count(0)


WITH_A_JOKER: Final = ("2-4-6-c=8", "18-20-22")


@pytest.fixture
def beside_a_joker(hand: Mouse | Finger, dora: Child) -> tuple[Page, Mouse | Finger]:
    """A hand with the 8 that the joker on the table stands for, and two cards of a row."""
    open_staged(hand.page, dora, "1 8 12 35 45", *WITH_A_JOKER)
    return hand.page, hand


def test_a_number_dropped_on_its_joker_is_swapped(
    beside_a_joker: tuple[Page, Mouse | Finger],
) -> None:
    page, hand = beside_a_joker
    choose_cards(page, "35", "45")
    hand.drag(middle(card(page, "8")), table_card(page, "c=8"))
    expect(page.locator("[id='row-35-c=40-45']")).to_be_attached()
    expect(page.locator("[id='row-2-4-6-8']")).to_be_attached()


LONG: Final = "1 3 7 11 12 13 17 19 23 29 30 31 37 41"
NEVER: Final = "() => { window.setTimeout = () => 0; }"
IS_HELD: Final = "([x, y]) => document.elementFromPoint(x, y).closest('.card').matches('.held')"


@pytest.mark.parametrize("is_held", [True, False], ids=["held", "not held"])
def test_a_card_of_a_long_hand_is_dragged_after_holding_it(
    pages: Callable[..., Page], dora: Child, is_held: bool
) -> None:
    """Until then, a finger that moves up or down scrolls the hand."""
    page = pages("phone", has_touch=True)
    open_staged(page, dora, LONG, *LYING)
    start = middle(card(page, "30"))

    def wait_until_held() -> None:
        if is_held:
            page.wait_for_function(IS_HELD, arg=list(start))

    if not is_held:
        page.evaluate(NEVER)

    def move_over_card() -> None:
        expect(page.locator(".dragged")).to_have_count(int(is_held))
        finger.move(table_card(page, "15"))

    finger = Finger(page)
    finger.drag(start, table_card(page, "15"), move_over_card, wait_until_held)
    added = page.locator("[id='row-5-10-15-20-25-30']")
    expect(added).to_have_count(int(is_held))
