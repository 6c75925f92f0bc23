"""A child's taps on the table, and the words of the page: an open place takes cards, cards glide,
the others' turns come step by step in few words, and the next thing to do is read aloud."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, groupby
from random import Random
from typing import Any, Final

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import Page, expect

from classrooms.models import Child
from games.engine.actions import Deal
from games.engine.ruleset import edition
from games.models import Game
from games.screen import words
from tests.browser.at_home import HAND, RULESET, TABLE, choose_cards, open_staged, sit_down
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.counts import times
from tests.games.players import sentence_about
from tests.games.rounds import Match, random_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COUNT_GLIDING = "document.getAnimations().filter((moving) => !moving.animationName).length"
BACKGROUND = "(shown) => getComputedStyle(shown).backgroundColor"
STEPS = """Array.from(document.querySelectorAll(".said-step"),
    (step) => parseFloat(getComputedStyle(step).animationDelay))"""

RECORD_FIGURES = """document.addEventListener("htmx:after:swap", () => {
    window.counted = [];
    const figure = (player) => [player.querySelector(".score").firstChild.data,
        player.querySelector(".back-count").textContent].join(",");
    const look = () => {
        const now = [...document.querySelectorAll(".player")].map(figure).join(" ");
        if (now !== counted.at(-1)) counted.push(now);
    };
    look();
    new MutationObserver(look).observe(document.getElementById("board"),
        { subtree: true, childList: true, characterData: true });
}, { once: true })"""
"""Record the figures of all players as they change after the next move."""


def at_the_table(pages: Callable[..., Page], dora: Child, **options: Any) -> Page:
    page = pages(**options)
    open_staged(page, dora, HAND + " 30", *TABLE[:2], "6-8-10-12")
    return page


def discard(page: Page, card: str) -> None:
    choose_cards(page, card)
    page.locator("#do-discard").click()
    expect(page.locator("#do-draw-closed")).to_be_visible()


def test_a_tap_on_an_open_place_lays_the_chosen_card_there(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = at_the_table(pages, dora)
    places = page.locator(".end[for='row-5-10-15-20-25']")
    choose_cards(page, "35")
    expect(page.locator(".end:visible")).to_have_count(0)
    choose_cards(page, "35", "30")
    expect(places.first).to_be_visible()
    places.last.click()
    expect(page.locator("[id='row-5-10-15-20-25-30']")).to_be_attached()
    expect(page.locator("#hand input")).to_have_count(len(HAND.split()))


def test_no_play_that_a_tap_could_mean_is_forced(page: Page, dora: Child) -> None:
    open_staged(page, dora, "10 a 20 50 8 45", "26-28-30")
    choose_cards(page, "10", "a", "20")
    page.locator("#do-lay").click()
    page.locator(".choices-panel a").click()
    expect(page.locator("#do-lay")).to_be_visible()
    expect(page.locator(".choices-panel")).to_have_count(0)
    expect(page.locator("#hand input")).to_have_count(6)


@pytest.mark.parametrize("size", SIZES)
def test_words_about_cards_go_with_the_next_choice(
    pages: Callable[..., Page], dora: Child, size: str
) -> None:
    page = pages(size)
    open_staged(page, dora, "10 a 20 50 8 45", "26-28-30")
    choose_cards(page, "10", "20")
    page.locator("#do-discard").click()
    expect(page.locator("#told")).to_be_visible()
    choose_cards(page, "20")
    expect(page.locator("#told")).to_be_hidden()
    choose_cards(page, "20", "a")
    page.locator("#do-lay").click()
    expect(page.locator(".choices-panel")).to_be_visible()
    expect(page.locator("#chosen")).to_be_hidden()
    page.locator("#table label:has(input[value='26'])").click()
    expect(page.locator(".choices-panel")).to_have_count(0)
    expect(page.locator("#do-lay")).to_be_visible()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cards_glide_unless_motion_is_unwanted(
    pages: Callable[..., Page], dora: Child, motion: str
) -> None:
    page = at_the_table(pages, dora, reduced_motion=motion)
    page.evaluate(
        f"""document.addEventListener("htmx:after:swap", () => {{
            document.title = String({COUNT_GLIDING});
        }})"""
    )
    choose_cards(page, "35", "40", "45")
    page.locator("#do-lay").click()
    expect(page.locator("[id='row-35-40-45']")).to_be_attached()
    expect(page).to_have_title("0" if motion == "reduce" else re.compile("^[1-9]"))
    expect(page.locator(".ghost")).to_have_count(0)


def test_the_others_turns_come_one_by_one_or_all_at_once(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = at_the_table(pages, dora, reduced_motion="no-preference")
    discard(page, "1")
    delays = page.evaluate(STEPS)
    assert len(delays) >= 2
    assert delays == sorted(delays)
    assert len(set(delays)) == len(delays)
    page.locator("#help summary").click()
    page.locator("button[name=speed][value=at-once]").click()
    expect(page.locator("html.speed-at-once")).to_be_attached()
    assert set(page.evaluate(STEPS)) == {0}


@pytest.mark.parametrize("motion", times(["no-preference"], ["no-preference", "reduce"]))
def test_points_and_cards_of_a_bot_change_with_its_words(
    pages: Callable[..., Page], dora: Child, motion: str
) -> None:
    page = at_the_table(pages, dora, reduced_motion=motion)
    page.evaluate(RECORD_FIGURES)
    discard(page, "1")
    figures = page.locator("[data-figures]").get_attribute("data-figures")
    assert figures is not None
    of_seats = [
        " ".join(f"{score},{count}" for score, count in step["players"])
        for step in json.loads(figures)
    ]
    steps = [step for step, _ in groupby(of_seats)]
    assert len(steps) > 1
    steps = steps[-1:] if motion == "reduce" else steps
    page.wait_for_function("(steps) => counted.length >= steps", arg=len(steps))
    assert page.evaluate("counted") == steps


def test_a_row_chosen_before_the_draw_stays_chosen(page: Page, dora: Child) -> None:
    open_staged(page, dora, "7 10 15 20 33", phase="draw")
    choose_cards(page, "10", "15", "20")
    expect(page.locator("#chosen .chosen-row")).to_contain_text("First take a card.")
    page.locator("#do-draw-closed").click()
    expect(page.locator("#hand :checked")).to_have_count(3)
    expect(page.locator("#chosen .chosen-row")).not_to_contain_text("First take a card.")
    page.locator("#do-lay").click()
    expect(page.locator(".table-row[data-numbers='10 15 20']")).to_be_attached()
    expect(page.locator("#hand :checked")).to_have_count(0)


@pytest.mark.parametrize("riddle", [0, 2])
def test_a_single_card_shows_its_place_except_in_a_riddle(
    page: Page, dora: Child, riddle: int
) -> None:
    open_staged(page, dora, "20 25 33", "5-10-15")
    Game.objects.update(has_one_turn=bool(riddle), riddle_cards=riddle)
    page.reload()
    place = page.locator(".end[data-numbers='20']")
    choose_cards(page, "20")
    expect(place).to_be_visible(visible=not riddle)
    choose_cards(page, "25")
    expect(place).to_be_visible()


@pytest.mark.parametrize(
    ("hand", "cards", "table", "words", "numbers"),
    [
        ("6 10 a 33", ("6", "10", "a"), (), "6, 8 (joker), 10: jumps of 2", "6 8★ 10"),
        ("10 20 a 33", ("10", "20", "a"), (), "10, 20, joker", ""),
        ("4 6 a b 33", ("4", "6", "a", "b"), (), "4, 6, 8 (joker), 10 (joker)", "4 6 8★ 10★"),
        ("45 50 a 33", ("45", "50", "a"), (), "40 (joker), 45, 50: jumps of 5", "40★ 45 50"),
        ("4 13 a 33", ("4", "13", "a"), (), "4, 13, joker", ""),
    ],
)
def test_a_joker_is_shown_where_it_fits(
    page: Page, dora: Child, hand: str, cards: tuple[str, ...], table: Any, words: str, numbers: str
) -> None:
    open_staged(page, dora, hand, *table)
    choose_cards(page, *cards)
    expect(page.locator("#chosen .chosen-text")).to_contain_text(words)
    labels = page.locator("#chosen .number-line text:not(.jump-label)").all_text_contents()
    assert " ".join(labels) == numbers


def test_a_swap_that_fits_on_the_table_is_announced(page: Page, dora: Child) -> None:
    open_staged(page, dora, "8 13 33", "2-4-6-c=8")
    lay = page.locator("#do-lay")
    pale = lay.evaluate(BACKGROUND)
    choose_cards(page, "8")
    page.locator("label:has(input[value='c=8'])").click()
    expect(page.locator("#chosen")).to_contain_text("The joker fits on the table")
    expect(lay).to_have_text("Swap the joker")
    expect(lay).not_to_have_css("background-color", pale)
    lay.click()
    expect(page.locator("[id='row-2-4-6-8-c=10']")).to_be_attached()


def test_a_row_across_a_card_that_is_not_chosen_is_announced(page: Page, dora: Child) -> None:
    open_staged(page, dora, "8 12 33", "10-20-30", "15-25-35")
    lay = page.locator("#do-lay")
    pale = lay.evaluate(BACKGROUND)
    choose_cards(page, "8", "33")
    expect(lay).to_have_text("Lay this row")
    panel = page.locator(".hand-panel").bounding_box()
    choose_cards(page, "33", "12")
    expect(lay).to_have_text("8 – 10 – 12 across the 10")
    assert page.locator(".hand-panel").bounding_box() == panel
    expect(lay).not_to_have_css("background-color", pale)
    expect(page.locator(".takes-number")).to_have_attribute("data-card", "10")
    lay.click()
    expect(page.locator("[id='row-8-10-12']")).to_be_attached()


def test_a_joker_whose_number_is_chosen_is_never_named_as_a_row(page: Page, dora: Child) -> None:
    open_staged(page, dora, "12 14 30 33", "28-c=30-32")
    choose_cards(page, "12", "14", "30")
    expect(page.locator("#do-lay")).to_have_text("Swap the joker")
    expect(page.locator(".takes-number")).to_have_count(1)
    page.locator("#do-lay").click()
    expect(page.locator("[id='row-12-14-c=16'], .choice-play")).not_to_have_count(0)


def test_a_card_of_a_row_stands_for_the_row_that_the_choice_extends(
    page: Page, dora: Child
) -> None:
    open_staged(page, dora, "8 16 18 33", "2-4-6", "10-12-14", "38-40-42")
    lay = page.locator("#do-lay")
    pale = lay.evaluate(BACKGROUND)

    def tap(*cards: int) -> None:
        for card in cards:
            page.locator(f".table-card:has(input[value='{card}'])").click()

    choose_cards(page, "16", "18")
    tap(40)
    expect(page.locator("#chosen")).to_contain_text("No row yet.")
    expect(lay).to_have_css("background-color", pale)
    tap(40, 12)
    expect(page.locator("#chosen")).to_contain_text("10, 12, 14, 16, 18: jumps of 2")
    expect(lay).to_have_text("Add to this row")
    expect(lay).not_to_have_css("background-color", pale)
    lay.click()
    expect(page.locator("[id='row-10-12-14-16-18']")).to_be_attached()
    choose_cards(page, "8")
    tap(4, 14)
    expect(lay).to_have_text("Join these rows")
    lay.click()
    expect(page.locator("[id='row-2-4-6-8-10-12-14-16-18']")).to_be_attached()


def test_a_place_for_the_chosen_card_is_stronger_than_putting_it_down(
    page: Page, dora: Child
) -> None:
    open_staged(page, dora, "13 30 33", "10-15-20-25")
    down = page.locator("#do-discard")
    pale = down.evaluate(BACKGROUND)
    choose_cards(page, "30")
    expect(page.locator("#do-lay")).to_have_text("Add to this row")
    expect(down).to_have_css("background-color", pale)
    choose_cards(page, "30", "13")
    expect(page.locator("#do-lay")).to_have_text("Lay this row")
    expect(down).not_to_have_css("background-color", pale)


@pytest.mark.parametrize(
    ("hand", "chosen_cards", "table", "words"),
    [
        ("6 8 16 33", ("6", "8", "16"), "10-12-14", "Add to this row"),
        ("6 13 33", ("6",), "4-c=6-8", "Swap the joker"),
    ],
)
def test_the_main_button_is_loud_if_a_tap_on_it_lays_a_row(
    page: Page, dora: Child, hand: str, chosen_cards: tuple[str, ...], table: str, words: str
) -> None:
    open_staged(page, dora, hand, table)
    lay, down = page.locator("#do-lay"), page.locator("#do-discard")
    pale = [button.evaluate(BACKGROUND) for button in (lay, down)]
    choose_cards(page, *chosen_cards)
    expect(lay).to_have_text(words)
    expect(lay).not_to_have_css("background-color", pale[0])
    expect(down).to_have_css("background-color", pale[1])
    expect(page.locator("#chosen")).not_to_contain_text("No row yet.")
    lay.click()
    expect(page.locator(".choice-play, #do-take-back:not([aria-disabled])")).not_to_have_count(0)


def test_two_cards_of_one_row_make_no_row_across(page: Page, dora: Child) -> None:
    open_staged(page, dora, "5 13 33 a", "10-20-30")
    lay = page.locator("#do-lay")
    pale = lay.evaluate(BACKGROUND)
    choose_cards(page, "5", "a")
    for card in (10, 20):
        page.locator(f".table-card:has(input[value='{card}'])").click()
    expect(page.locator("#table :checked")).to_have_count(2)
    expect(lay).to_have_text("Cross a row")
    expect(lay).to_have_css("background-color", pale)


def test_a_number_that_shares_no_row_with_a_tapped_one_does_not_fit_there(
    page: Page, dora: Child
) -> None:
    open_staged(page, dora, "13 33 43", "2-4-6-8")
    choose_cards(page, "43")
    page.locator(".table-card:has(input[value='8'])").click()
    expect(page.locator("#chosen")).to_contain_text("43 does not fit here.")
    expect(page.locator("#do-lay")).to_have_text("Lay this row")


def test_a_number_that_two_jokers_stand_for_is_swapped(page: Page, dora: Child) -> None:
    open_staged(page, dora, "8 13 33", "2-4-6-c=8", "a=8-10-12")
    choose_cards(page, "8")
    expect(page.locator("#do-lay")).to_have_text("Swap the joker")


def test_a_swap_that_fits_nowhere_asks_for_more_cards(page: Page, dora: Child) -> None:
    open_staged(page, dora, "5 13 33", "a=5-10-15-20-25-30-35-40-45-50")
    choose_cards(page, "5")
    page.locator("label:has(input[value='a=5'])").click()
    expect(page.locator("#chosen")).to_contain_text("Now choose cards")


def test_a_hint_keeps_the_name_of_the_card_to_discard(page: Page, dora: Child) -> None:
    open_staged(page, dora, "1 17 33")
    choose_cards(page, "17")
    page.locator("#do-hint").click()
    expect(page.locator(".told-hint")).to_be_visible()
    expect(page.locator("#do-lay")).to_have_count(0)
    expect(page.locator("#hand :checked")).to_have_value("17")
    expect(page.locator("#do-discard")).to_have_text("Put 17 down")


def test_one_tap_unchooses_all_cards(page: Page, dora: Child) -> None:
    open_staged(page, dora, "7 10 15 20 33")
    choose_cards(page, "10", "15", "33")
    page.locator("#do-lay").click()
    expect(page.locator(".told-refusal")).to_be_visible()
    expect(page.locator("#hand :checked")).to_have_count(3)
    page.locator("#clear").click()
    expect(page.locator("#hand :checked")).to_have_count(0)
    expect(page.locator("#clear")).to_be_hidden()
    page.set_viewport_size({"width": SIZES["phone"][0], "height": SIZES["phone"][1]})
    choose_cards(page, "10", "15")
    page.locator("#clear").click()
    expect(page.locator("#hand :checked")).to_have_count(0)


def numbers(page: Page) -> list[str]:
    boxes = page.locator("#hand input")
    return boxes.evaluate_all("boxes => boxes.map((box) => box.dataset.number || '★')")


def test_with_the_last_card_of_the_hand_the_choice_on_the_table_goes(
    page: Page, dora: Child
) -> None:
    open_staged(page, dora, "5 12 37", "10-20-30")
    choose_cards(page, "5", "12")
    page.locator(".table-card:has([data-number='20'])").click()
    choose_cards(page, "5")
    expect(page.locator("#table :checked")).to_have_count(1)
    choose_cards(page, "12")
    expect(page.locator("#table :checked")).to_have_count(0)


def test_a_hand_stays_sorted_by_table(page: Page, dora: Child) -> None:
    open_staged(page, dora, "7 8 12 15 16 25 a")
    page.locator("#sort").click()
    assert numbers(page) == ["8", "12", "16", "15", "25", "7", "★"]
    groups = page.locator("#hand [data-group]").evaluate_all("l => l.map((i) => i.dataset.group)")
    assert groups == ["2 times table?", "5 times table?"]
    page.reload()
    assert numbers(page) == ["8", "12", "16", "15", "25", "7", "★"]
    page.locator("#sort").click()
    assert numbers(page) == ["7", "8", "12", "15", "16", "25", "★"]
    expect(page.locator("#hand [data-group]")).to_have_count(0)


def test_the_question_which_row_is_meant_takes_the_focus(page: Page, dora: Child) -> None:
    open_staged(page, dora, "10 a 20 50 8 45", "26-28-30")
    choose_cards(page, "10", "a")
    page.locator("input[name=card][value='20']").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("button[name=play]").first).to_be_focused()


SAY: Final = """(bubble) => {
  for (const old of bubble.querySelectorAll(".said-step")) old.remove();
  bubble.classList.add("fresh");
  for (const at of [1, 2, 3]) {
    const step = document.createElement("span");
    step.className = `said-step s${at}`;
    step.textContent = "I put the 30 where a joker was. I made a row across 30: 5 times table. ";
    bubble.append(step);
  }
}"""
SEEN_WHOLE: Final = """(box) => {
  const last = [...box.querySelectorAll(".said-step")].at(-1).getBoundingClientRect();
  const above = box.querySelector(".player").getBoundingClientRect();
  return last.height && last.top >= above.bottom - 1
    && last.bottom <= box.getBoundingClientRect().bottom;
}"""


def test_on_a_phone_a_tap_opens_all_that_a_bot_has_said_and_moves_nothing(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone", reduced_motion="no-preference")
    sit_down(page, dora)
    ChildAtTheTable(page, RULESET).play_turn()
    bubble = page.locator(".bubble").first
    bubble.evaluate(SAY)
    before = page.locator(".felt").bounding_box()
    begins = "bubble => bubble.scrollLeft === 0 && bubble.parentElement.scrollTop === 0"
    assert bubble.evaluate(begins)
    bubble.click()
    assert page.locator(".felt").bounding_box() == before
    page.wait_for_function(SEEN_WHOLE, arg=page.locator(".players").element_handle())


def test_on_a_phone_a_long_text_leaves_the_table_its_size_until_a_tap(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("phone")
    sit_down(page, dora)
    before = page.locator(".felt").bounding_box()
    text = page.locator(".to-do")
    text.evaluate("text => { text.textContent = 'The joker is 28 now. '.repeat(8); }")
    is_cut = "text => text.scrollHeight > text.clientHeight + 1"
    assert text.evaluate(is_cut)
    assert page.locator(".felt").bounding_box() == before
    text.click()
    assert not text.evaluate(is_cut)
    assert page.locator(".felt").bounding_box() == before


LANGUAGES: Final = [code for code, _ in settings.LANGUAGES]
MATCHES: Final = times(5, 200)
MOST_WORDS: Final = 12
MOST_LINES: Final = 2
LINES: Final = """(sentences) => {
    const bubble = document.querySelector(".bubble");
    const said = bubble.querySelector(".said-step");
    const high = parseFloat(getComputedStyle(bubble).lineHeight);
    const who = bubble.querySelector(".bubble-who");
    bubble.replaceChildren(who, said);
    return sentences.map((sentence) => {
        said.textContent = sentence;
        const range = document.createRange();
        range.selectNodeContents(bubble);
        return Math.round(range.getBoundingClientRect().height / high);
    });
}"""


@cache
def matches() -> list[Match]:
    return [random_match(seed) for seed in Random(5).sample(range(10**6), MATCHES)]


def sentences() -> Iterator[str]:
    """The sentences of some matches, and the longest possible ones."""
    for before, _, action in chain.from_iterable(match.moments for match in matches()):
        if action is not None and not isinstance(action, Deal):
            yield from re.split(r"(?<=[.!]) ", sentence_about(before, action))
    for colours in ("same", "different"):
        yield words.doubling_text({"points": 36, "colours": colours})
    yield words.earned_text({"points": 36, "laid": list(range(10))}, edition("classic"))
    yield words.swap_text({"swapped": [88, 96, 100]})
    yield words.swap_text({"last": True})


def test_a_sentence_about_the_others_has_at_most_two_lines(page: Page, dora: Child) -> None:
    open_staged(page, dora, HAND)
    choose_cards(page, "1")
    page.locator("#do-discard").click()
    expect(page.locator("#do-draw-closed")).to_be_visible()
    expect(page.locator(".bubble").first).to_be_visible()
    for language in LANGUAGES:
        with translation.override(language):
            texts = sorted({sentence for sentence in sentences() if sentence})
        assert len(texts) > 100
        assert [text for text in texts if len(text.split()) > MOST_WORDS] == []
        page.evaluate("language => { document.documentElement.lang = language; }", language)
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            lines = page.evaluate(LINES, texts)
            assert min(lines) >= 1
            long = [text for text, count in zip(texts, lines, strict=True) if count > MOST_LINES]
            assert long == [], (language, width)


OWN_VOICE: Final = {"lang": "en-GB", "localService": True}
ONLINE_VOICE: Final = {"lang": "en-US", "localService": False}
FOREIGN_VOICE: Final = {"lang": "sv-SE", "localService": True}


def with_voices(page: Page, *voices: dict[str, Any]) -> None:
    """Give the page these voices, and record texts instead of speaking them."""
    page.add_init_script(
        "window.said = [];"
        "window.SpeechSynthesisUtterance = function (text) { this.text = text; };"
        f"speechSynthesis.getVoices = () => {json.dumps(voices)};"
        "speechSynthesis.speak = (one) => window.said.push([one.text, one.voice.lang]);"
    )


def spoken_texts(page: Page) -> list[list[str]]:
    texts: list[list[str]] = page.evaluate("window.said")
    return texts


@pytest.mark.parametrize("voices", [(), (ONLINE_VOICE, FOREIGN_VOICE)], ids=["none", "not its own"])
def test_without_a_voice_there_is_no_button(
    page: Page, dora: Child, voices: tuple[dict[str, Any], ...]
) -> None:
    with_voices(page, *voices)
    sit_down(page, dora)
    expect(page.locator("[data-read]").first).to_be_attached()
    for button in page.locator("[data-read]").all():
        expect(button).to_be_hidden()


def test_the_next_thing_to_do_and_a_hint_are_read_aloud(page: Page, dora: Child) -> None:
    with_voices(page, ONLINE_VOICE, OWN_VOICE)
    sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    child.press("hint")
    hint = page.locator("#told p").first.inner_text()
    page.get_by_role("button", name="Read to me").click()
    texts = spoken_texts(page)
    assert hint in " ".join(text for text, _ in texts)
    assert {lang for _, lang in texts} == {"en-GB"}


def test_a_page_is_read_with_the_names_of_buttons(page: Page, dora: Child) -> None:
    with_voices(page, OWN_VOICE)
    page.goto(f"/play/{dora.school_class.code}/")
    page.get_by_role("button", name="Read this page to me").click()
    assert [text for text, _ in spoken_texts(page)][:2] == ["Who are you?", "Dora"]
