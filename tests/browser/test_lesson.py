"""The lesson on the screens of a classroom, a laptop and the big screen: all tiles of a class are
visible, a child's table is one tap away, and the class plays one deal."""

import re
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, Final

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.assignments import services as assignments
from classrooms.assignments.playing import continue_or_start
from classrooms.assignments.presets import PRESETS
from classrooms.lesson import hands, one_deal
from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.tasks import look_for_dirty
from games.models import Entry, Game
from tests.browser.at_home import let_in
from tests.browser.at_school import NAMES, new_children, new_class, signed_in
from tests.browser.child import ChildAtTheTable
from tests.browser.seen import broken_rules
from tests.classrooms.lesson.deals import DealHand
from tests.classrooms.people import url_of
from tests.classrooms.progress.playing import Hand, begin_with_a_row
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCREENS: Final = ((1366, 768), (1920, 1080))
READABLE: Final = 64
"""The least width in pixels of a card that is read from eight metres away."""
LOWEST: Final = """() => Math.max(...[...document.querySelectorAll(".live-child")]
    .map((tile) => tile.getBoundingClientRect().bottom))"""
WIDTHS: Final = "(cards) => cards.map((card) => card.getBoundingClientRect().width)"


@pytest.fixture
def lesson(db: Any) -> SchoolClass:
    """Thirty children. Most play, some are stuck, pause or have not come."""
    school_class = new_class("5B")
    school_class.assignments.update(options={"tables": [2, 3, 4, 5, 6, 10], "offers": False})
    assignment = school_class.assignments.get()
    for number, child in enumerate(new_children(school_class, len(NAMES))[:26]):
        game = continue_or_start(child, assignment)
        if number % 9 == 1:
            hand = Hand(game.attempts.get())
            hand.draw()
            for _ in range(3):
                hand.try_wrongly()
        if number % 7 == 2:
            ago = timezone.now() - timedelta(minutes=4)
            Game.objects.filter(pk=game.pk).update(moved_at=ago)
    return school_class


def test_thirty_tiles_are_in_sight_at_once(pages: Callable[..., Page], lesson: SchoolClass) -> None:
    page = signed_in(pages(), lesson)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(reverse("classrooms:live", args=[lesson.pk]))
        expect(page.locator(".live-child")).to_have_count(26)
        expect(page.locator(".live-aways a")).to_have_count(len(NAMES) - 26)
        assert page.evaluate(LOWEST) <= height
        cut = page.evaluate(
            "[...document.querySelectorAll('.live-name, .live-aways a')]"
            ".filter(element => element.getBoundingClientRect().right >"
            " element.closest('li').getBoundingClientRect().right + 1)"
            ".map(element => element.textContent)"
        )
        assert cut == []
    assert broken_rules(page) == []
    page.get_by_role("link", name="Ben", exact=True).click()
    expect(page.locator(".scene-hand .card").first).to_be_visible()
    assert page.locator("form button[name=move]").count() == 0


LONG_NAMES: Final = [
    f"{first}ommerwilm{last}"
    for first in "BMW"
    for last in (
        "aa",
        "en",
        "er",
        "id",
        "is",
        "ke",
        "na",
        "oo",
        "us",
        "wy",
    )
]
NOT_WHOLE: Final = """() => {
    const parts = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()];
    };
    const within = (part, of) => part.left >= of.left - 1 && part.right <= of.right + 1;
    const names = [...document.querySelectorAll(".live-name, .live-aways a")];
    return names.filter((one) => {
        const lines = new Set(parts(one).map((part) => Math.round(part.top)));
        const tile = one.closest("li").getBoundingClientRect();
        return lines.size !== 1 || !parts(one).every((part) => within(part, tile));
    }).map((one) => one.textContent.trim());
}"""


@pytest.mark.parametrize("language", ["en", "nl", "de", "sv"])
def test_thirty_names_of_twelve_letters_are_complete_on_a_laptop(
    pages: Callable[..., Page], lesson: SchoolClass, language: str
) -> None:
    """Each name is on one line within its tile, also for children who are stuck, pause or do not
    play. If all play, all their tiles are in sight."""
    children = list(lesson.children.all())
    for child, name in zip(children, LONG_NAMES, strict=True):
        child.name = name
        child.save()
    page = signed_in(pages(locale=language), lesson)
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(reverse("classrooms:live", args=[lesson.pk]))
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".live-name, .live-aways a")).to_have_count(len(LONG_NAMES))
    assert page.evaluate(NOT_WHOLE) == []
    for child in children:
        continue_or_start(child, lesson.assignments.get())
    page.reload()
    expect(page.locator(".live-child")).to_have_count(len(LONG_NAMES))
    assert page.evaluate(LOWEST) <= 768


def test_a_class_that_looks_at_a_hand_can_be_paused(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    hands.show_next_hand(school_class, [3], None)
    teacher = signed_in(pages("desktop"), school_class)
    teacher.goto(url_of("live", school_class))
    expect(teacher.get_by_text("screens show one hand now")).to_be_visible()
    teacher.get_by_role("button", name="Eyes on me").click()
    expect(teacher.get_by_role("button", name="Let them go on")).to_be_visible()
    expect(teacher.get_by_role("button", name="Eyes on me")).to_be_hidden()


def test_the_teacher_pauses_and_resumes_all_screens(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    """A child's chosen cards stay chosen. A child who arrives meanwhile or has no JavaScript reads
    the same text."""
    dora, emil, annabella = Child.objects.order_by("created_at")
    assignment = AssignmentFactory.create(
        school_class=school_class, options={"tables": [2, 3, 4], "offers": False}
    )
    game = begin_with_a_row(dora, assignment).attempt.game_id
    playing, at_home = pages("phone"), pages("phone")
    plain = pages("phone", java_script_enabled=False)
    for page, child in zip((playing, at_home, plain), (dora, emil, annabella), strict=True):
        let_in(page, child)
        page.goto("/me/")
    playing.goto(f"/games/{game}/")
    at_table = ChildAtTheTable(playing, assignment.ruleset)
    at_table.press("draw-closed")
    card = playing.locator("#hand input[name=card]").first
    card.check(force=True)
    teacher = signed_in(pages("desktop"), school_class)
    teacher.goto(url_of("live", school_class))
    teacher.get_by_role("button", name="Eyes on me").click()
    expect(teacher.get_by_text("All screens of the class are paused")).to_be_visible()
    notice = "Look up: your teacher has something to say."
    for page in (playing, at_home):
        expect(page.get_by_text(notice)).to_be_visible()
    playing.keyboard.press("Escape")
    playing.keyboard.press("Escape")
    expect(playing.get_by_text(notice)).to_be_visible()
    plain.reload()
    expect(plain.get_by_text(notice)).to_be_visible()
    assert [broken_rules(page) for page in (teacher, playing)] == [[], []]
    at_home.reload()
    expect(at_home.get_by_text(notice)).to_be_visible()
    teacher.get_by_role("button", name="Let them go on").click()
    expect(teacher.get_by_text("All screens of the class are paused")).to_have_count(0)
    for page in (playing, at_home):
        expect(page.get_by_text(notice)).to_be_hidden()
    expect(card).to_be_checked()
    expect(at_home.get_by_role("heading", name="Hello Emil")).to_be_visible()
    plain.get_by_role("link", name="Look again").click()
    expect(plain.get_by_role("heading", name="Hello Annabella")).to_be_visible()
    at_table.press("discard")


READ_BY_ALL: Final = (
    ".reveal p",
    ".row-name",
    ".pile-name",
    ".door p",
)
"""Texts that a child in the last row should read. Texts for the teacher may be smaller."""
LEAST_TEXT: Final = 28 / 1920
"""The least size of a text, of the width of the screen: a projector shows any screen as wide."""
LEAST_CARD: Final = 64
TOO_SMALL: Final = """([texts, text, card]) => {
    const shown = (query) => [...document.querySelectorAll(query)]
        .filter((one) => one.checkVisibility());
    const wide = (one) => one.getBoundingClientRect().width;
    const size = (one) => parseFloat(getComputedStyle(one).fontSize);
    const told = (one) => `${one.className} ${one.textContent.trim().slice(0, 40)}`;
    const small = shown(texts).filter((one) => one.textContent.trim() && size(one) < text);
    const cards = shown(".scene .card, .row-shown .card").filter((one) => wide(one) < card - 0.5);
    return [...small.map((one) => `${told(one)}: ${size(one)} px`),
        ...cards.map((one) => `${told(one)}: ${wide(one)} px wide`)];
}"""


IS_CUT: Final = """([columns, lines]) => {
    const grid = document.querySelector(".table-grid"), felt = grid.closest(".table-scroll");
    grid.style.setProperty("--half-columns-before", columns);
    grid.style.setProperty("--half-rows-before", lines);
    return [felt.scrollHeight > felt.clientHeight, felt.scrollWidth > felt.clientWidth];
}"""
"""Whether a table of this many half columns and lines is cut off."""


def discussed_deal(school_class: SchoolClass) -> Assignment:
    """A deal that some children have finished."""
    deal = one_deal.start(school_class, PRESETS["first"].choice)
    for number, child in enumerate(new_children(school_class, 4)):
        DealHand(child, deal, number, 0.6).play_out()
    assignments.end(deal)
    return deal


@pytest.mark.proof
def test_a_discussion_can_be_read_from_the_last_row_at_every_step(
    pages: Callable[..., Page],
) -> None:
    school_class = new_class("5B")
    deal = discussed_deal(school_class)
    child = school_class.children.all()[0]
    easy = AssignmentFactory.create(
        school_class=school_class, options={"tables": [2, 3, 4], "offers": False}
    )
    begin_with_a_row(child, easy).play_round(lays=False)
    look_for_dirty()
    page = signed_in(pages(), school_class)
    talk = url_of("talk", school_class)
    of_deal = url_of("deal_talk", school_class, deal.pk)
    addresses = {f"talk-{step}": f"{talk}?screen=big&step={step}" for step in range(1, 5)}
    addresses |= {f"deal-talk-{step}": f"{of_deal}?step={step}" for step in (1, 2)}
    sizes = {}
    for name, address in addresses.items():
        page.goto(address)
        expect(page.locator(".scene-hand .card >> nth=0")).to_be_visible()
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            limits = [", ".join(READ_BY_ALL), int(LEAST_TEXT * width), LEAST_CARD]
            sizes[f"{name} at {width}"] = page.evaluate(TOO_SMALL, limits)
            expect(page.locator(".reveal-text")).to_be_in_viewport(ratio=1)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                sizes[f"{name} at {width}"].append("wider than the screen")
    assert {name: small for name, small in sizes.items() if small} == {}


@pytest.mark.proof
def test_the_discussion_fits_the_big_screen(pages: Callable[..., Page]) -> None:
    school_class = new_class("5B")
    child = new_children(school_class, 1)[0]
    school_class.assignments.update(options={"tables": [2, 3, 4], "offers": False})
    begin_with_a_row(child, school_class.assignments.get()).play_round(lays=False)
    look_for_dirty()
    page = signed_in(pages(), school_class)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(url_of("talk", school_class) + "?step=3&screen=big")
    for part in (".reveal-text", ".scene-hand .card >> nth=-1"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator(".tabs")).to_have_count(0)
    assert broken_rules(page) == []
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for step in range(1, 5):
            page.goto(f"{page.url.split('?')[0]}?step={step}&screen=big")
            expect(page.locator(".scene-hand .card >> nth=-1")).to_be_in_viewport(ratio=1)
            assert page.evaluate(IS_CUT, (40, 30)) == [False, False]
            if step == 3:
                parts = (".reveal", ".reveal-text", ".number-line")
                whole, *within = [page.locator(part).bounding_box() for part in parts]
                assert whole
                assert all(box and box["width"] > whole["width"] / 2 for box in within)
    page.goto(url_of("live", school_class) + "?screen=big")
    for part in (".goal-text", ".door-code", ".door-qr svg"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    school_class = TeachingFactory.create().school_class
    for name in ("Dora", "Emil", "Annabella-Wilhelmina van den Bergh-Smit"):
        ChildFactory.create(school_class=school_class, name=name)
    return school_class


@pytest.mark.proof
def test_a_deal_is_started_played_and_discussed(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    teacher = signed_in(pages(), school_class)
    teacher.goto(f"/classes/{school_class.pk}/")
    teacher.get_by_role("link", name="One round for everybody").click()
    teacher.get_by_role("button", name="Start").nth(1).click()
    expect(teacher.locator(".deal-waiting strong")).to_have_text("3")
    deal = Assignment.objects.get()
    dora, emil, _ = Child.objects.order_by("created_at")

    child = pages()
    let_in(child, dora)
    child.goto("/me/")
    child.get_by_role("button", name="Play and compare").click()
    ChildAtTheTable(child, deal.ruleset).press("draw-closed")
    playing = teacher.locator(".deal-playing strong")
    expect(playing).to_have_text("1")

    DealHand(emil, deal, 3, 0.6).play_out()
    expect(teacher.locator(".deal-finished strong")).to_have_text("1")
    DealHand(dora, deal, 4, 0.6).play_out()
    button = teacher.get_by_role("button", name="Close and discuss")
    expect(button).to_have_class("btn btn-primary btn-large")
    button.click()
    expect(teacher.get_by_text("Which rows can you see?")).to_be_visible()
    teacher.get_by_role("link", name="Show what we found").click()
    expect(teacher.get_by_text("of the 2 who could lay it").first).to_be_visible()


@pytest.mark.proof
def test_a_child_offline_for_a_minute_loses_nothing(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    deal = one_deal.start(school_class, PRESETS["next"].choice)
    dora, emil, _ = Child.objects.order_by("created_at")
    teacher = signed_in(pages(), school_class)
    teacher.goto(f"/classes/{school_class.pk}/deals/{deal.pk}/")
    child = pages()
    let_in(child, dora)
    child.goto("/me/")
    child.clock.install()
    child.get_by_role("button", name="Play and compare").click()
    expect(child.locator("#do-draw-closed")).to_be_visible()
    game = deal.attempts.get().game_id
    log = Entry.objects.filter(game=game)
    before = log.count()

    child.context.set_offline(True)
    child.locator("#do-draw-closed").click()
    again = child.get_by_role("button", name="Try again")
    while not again.is_visible():
        child.clock.run_for(1000)
    child.clock.run_for(60_000)
    DealHand(emil, deal, 3, 0.6).play_out()
    expect(teacher.locator(".deal-finished strong")).to_have_text("1")
    expect(teacher.locator(".deal-playing strong")).to_have_text("1")
    assert log.count() == before

    child.context.set_offline(False)
    child.evaluate("dispatchEvent(new Event('online'))")
    expect(child.locator("#do-lay")).to_be_visible()
    assert log.count() == before + 1
    DealHand(dora, deal, 4, 0.6).play_out()
    expect(teacher.locator(".deal-finished strong")).to_have_text("2")
    decks = Entry.objects.filter(kind="deal").values_list("text", flat=True)
    assert len(set(decks)) == 1


def test_a_class_looks_at_one_hand_together(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    """Two taps start the hand, and laid rows are counted on the big screen. A child who was offline
    comes back to the hand that is shown then. At the end everyone returns to their page, at home or
    in the middle of a game."""
    dora, emil, _ = Child.objects.order_by("created_at")
    children = [pages("phone"), pages("phone")]
    game = begin_with_a_row(emil, AssignmentFactory.create(school_class=school_class)).attempt.game
    Child.objects.filter(pk=emil.pk).update(last_game=game)
    own = ("/me/", reverse("games:page", args=[game.pk]))
    for page, child, at in zip(children, (dora, emil), own, strict=True):
        let_in(page, child)
        page.goto(at)
    teacher = signed_in(pages("desktop"), school_class)
    teacher.goto(f"/classes/{school_class.pk}/")
    teacher.get_by_role("link", name="One hand for everybody").click()
    assert broken_rules(teacher) == []
    teacher.get_by_role("button", name="Start").click()
    count = teacher.locator(".look-found strong")
    expect(count).to_have_text("0")
    for page in children:
        expect(page).to_have_url(re.compile("/games/"))
        expect(page).not_to_have_url(re.compile(own[1]))
        expect(page.locator("#do-lay")).to_be_visible()
    first = [page.locator("#play").get_attribute("action") or "" for page in children]
    hand = Assignment.all_objects.get(one_turn__isnull=False)
    at_table = ChildAtTheTable(children[0], hand.ruleset, opened=True)
    assert [broken_rules(page) for page in (teacher, children[0])] == [[], []]
    at_table.lay(at_table.plays()[0])
    expect(count).to_have_text("1")
    for width, height in SCREENS:
        teacher.set_viewport_size({"width": width, "height": height})
        for part in (".look-found", "button[value=show]", ".scene-hand .card >> nth=-1"):
            expect(teacher.locator(part)).to_be_in_viewport(ratio=1)

    children[1].context.set_offline(True)
    Game.objects.update(created_at=timezone.now() - hands.TIME_TO_LOOK)
    teacher.get_by_role("button", name="Show all rows").click()
    expect(teacher.locator(".found-row").first).to_contain_text("1 found it")
    assert broken_rules(teacher) == []
    expect(children[0].get_by_role("heading", name="You laid 1 row.")).to_be_visible()
    teacher.get_by_role("button", name="Next hand").click()
    expect(count).to_have_text("0")
    children[1].context.set_offline(False)
    for page, before in zip(children, first, strict=True):
        expect(page.locator("#play")).not_to_have_attribute("action", before)
        expect(page.locator("#do-lay")).to_be_visible()
    teacher.get_by_role("button", name="End").click()
    for page, at in zip(children, own, strict=True):
        expect(page).to_have_url(re.compile(f"{at}$"))


def test_a_hand_beside_a_table_has_large_cards_on_the_big_screen(
    pages: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, school_class: SchoolClass
) -> None:
    """They can be read from the last row of the class. When the rows are shown, the hand and the
    button stay where they are."""
    monkeypatch.setattr(hands, "FIRST_CONTINUED_HAND", 1)
    monkeypatch.setattr(hands, "randbits", Random(1).getrandbits)
    teacher = signed_in(pages("desktop"), school_class)
    address = url_of("hand", school_class)
    places: dict[tuple[int, ...], tuple[Any, float]] = {}
    for tables in ([2, 5, 10], [3, 4], [7, 8]):
        school_class.refresh_from_db()
        now = hands.current_hand(school_class)
        hands.show_next_hand(school_class, tables, now.pk if now else None)
        for press in ("Show all rows", "Next hand"):
            for width, height in SCREENS:
                teacher.set_viewport_size({"width": width, "height": height})
                teacher.goto(address)
                table, hand = (
                    teacher.locator(part).evaluate_all(WIDTHS)
                    for part in (".table-card", ".scene-hand .card")
                )
                assert min(table + hand) >= READABLE, (tables, press, width)
                assert min(hand) > max(table) - 1, "the hand is what all look at"
                button = teacher.get_by_role("button", name=press)
                first_card = teacher.locator(".scene-hand .card").first.bounding_box()
                button_top = button.evaluate("(button) => button.getBoundingClientRect().top")
                place = places.setdefault((width, *tables), (first_card, button_top))
                assert place == (first_card, button_top)
                for part in (".table-card", ".scene-hand .card"):
                    for card in teacher.locator(part).all():
                        expect(card).to_be_in_viewport(ratio=1)
                expect(button).to_be_in_viewport(ratio=1)
            if press == "Show all rows":
                teacher.get_by_role("button", name=press).click()
                expect(teacher.locator(".found-row").first).to_be_visible()
