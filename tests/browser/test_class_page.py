"""The class page shows the first needs and twelve lines of the map on the screen of a school
laptop, for a large class and a small one, on the first day and after a year. And the number of
clicks and filled fields that a teacher's main jobs take from there."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.models import Chance, GameEvidence
from classrooms.progress.tasks import look_for_dirty
from tests.browser.at_school import NAMES, CountingTeacher, new_children, new_class, play, signed_in
from tests.browser.conftest import SIZES
from tests.browser.seen import visible_faults
from tests.classrooms.people import url_of
from tests.classrooms.progress.playing import begin_with_a_row
from tests.counts import times
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    GroupFactory,
    TeachingFactory,
    UserFactory,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LINES: Final = 12
WEEKS: Final = 40
LANGUAGES: Final = times(("en",), tuple(code for code, _ in settings.LANGUAGES))
LONG: Final = ("nl", "de")
SCREEN_SIZES: Final = ((1366, 768), (1920, 1080))
SCREENS_FIRST: Final = 2
"""The screens of a phone on which a teacher finds the first needs."""


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    return new_class("5B")


def open_class_page(page: Page, school_class: SchoolClass) -> Page:
    page.context.clear_cookies()
    signed_in(page, school_class)
    width, height = SIZES["desktop"]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(url_of("class", school_class))
    return page


def speak(page: Page, language: str) -> None:
    name = settings.LANGUAGE_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": language, "url": page.url}])
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)


def faults(page: Page, lines: int) -> list[str]:
    """Those of the first needs, the legend and this many lines of the map that are out of sight."""
    lines_cut: list[str] = page.evaluate(
        """(lines) => {
            const bottom = (one) => one.getBoundingClientRect().bottom;
            const map = document.querySelector(".class-map");
            const all = [...map.querySelectorAll("tbody tr")];
            const whole = all.filter((one) => bottom(one) <= innerHeight);
            const faults = [...document.querySelectorAll(".class-grid > .needs > *, .legend")]
                .filter((one) => bottom(one) > innerHeight)
                .map((one) => one.textContent.trim().slice(0, 40));
            if (whole.length < lines) faults.push(`${whole.length} lines of the map`);
            if (map.scrollWidth > map.clientWidth) faults.push("columns of the map");
            if (document.documentElement.scrollWidth > innerWidth) faults.push("the page");
            return faults;
        }""",
        lines,
    )
    return lines_cut


def test_the_class_page_of_thirty_children_fits_in_each_language(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    SchoolClass.objects.update(code="MMMMWWWW")  # the widest
    children = new_children(school_class, 30)
    play(children, (20, 9, 2))
    GroupFactory.create(school_class=school_class, name="Robins", children=children[:5])
    attempt = AttemptFactory.create(child=children[0], assignment=school_class.assignments.get())
    GameEvidence.objects.create(game=attempt.game, upto_entry=0, upto_at=timezone.now())
    page = open_class_page(pages(), school_class)
    assert page.locator(".class-grid > .needs > .need").count() == 3
    for language in ("nl", "de", "sv", "en"):
        speak(page, language)
        assert faults(page, LINES) == [], language

    last = page.locator("#map tbody tr").last
    last.locator("a").last.focus()
    for heading in (page.locator("#map thead .sort").nth(2), last.locator("th a")):
        expect(heading).to_be_in_viewport(ratio=1)

    last.locator("a").last.press("Enter")
    behind = page.locator("#behind")
    expect(behind).to_be_focused()
    expect(behind.locator("h3")).to_contain_text(NAMES[-2])
    expect(last.locator("a[aria-current]")).to_be_in_viewport(ratio=1)
    expect(behind.locator(".map-figure")).to_be_in_viewport(ratio=1)
    figure = behind.locator(".map-figure").inner_text()
    page.reload()
    assert behind.locator(".map-figure").inner_text() == figure
    page.keyboard.press("Tab")
    behind.press("Escape")
    expect(behind).to_have_count(0)
    expect(last.locator("a").last).to_be_focused()

    page.locator(".drop summary").press("Enter")
    page.locator("#map").get_by_role("link", name="Robins", exact=True).press("Enter")
    expect(page.locator("#map tbody tr")).to_have_count(5)
    expect(page.locator("#map tfoot th")).to_have_text("Robins")
    page.get_by_role("link", name="Assign to Robins").press("Enter")
    expect(page.locator("main")).to_contain_text("Robins")


@pytest.mark.proof
def test_small_and_old_classes_have_a_page_that_fits(page: Page, school_class: SchoolClass) -> None:
    first_day, one_played, four, after_a_year = map(new_class, ("4A", "4B", "4C", "4D"))
    new_children(first_day, 28)
    play(new_children(one_played, 28)[:1], (2,))
    play(new_children(four, 4), (9, 2))
    play(new_children(after_a_year, 28), range(3, 7 * WEEKS, 7))
    lines = ((one_played, LINES), (four, 4), (after_a_year, LINES))
    for language in LANGUAGES:
        for shown_class, wanted in lines:
            open_class_page(page, shown_class)
            speak(page, language)
            assert faults(page, wanted) == [], (shown_class.name, language)
        open_class_page(page, first_day)
        speak(page, language)
        expect(page.locator("#map")).to_have_count(0)
        expect(page.locator("main .empty").first).to_contain_text("28")
        cards = page.locator(f"main a[href$='/classes/{first_day.pk}/cards/']")
        for part in (page.locator("main .empty p").first, cards):
            expect(part).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), language


@pytest.mark.proof
def test_a_wide_screen_is_used_and_no_text_is_cut_off(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    play(new_children(school_class, 28), (20, 9, 2))
    page = open_class_page(pages(), school_class)
    for language in LONG:
        speak(page, language)
        for width, height in SCREEN_SIZES:
            page.set_viewport_size({"width": width, "height": height})
            cut = [
                fault
                for fault in visible_faults(page, smallest=0)
                if "cut off" in fault or "off the" in fault
            ]
            assert [fault for fault in cut if NAMES[-1] not in fault] == [], (language, width)
            grid = page.locator(".class-grid").bounding_box()
            table = page.locator(".class-map .map").bounding_box()
            panel = page.locator(".map-panel").bounding_box()
            assert grid["width"] >= 0.95 * width - 40, (language, width)
            assert table["width"] >= 0.95 * panel["width"] - 40, (language, width)


def test_on_a_phone_four_tables_stand_beside_the_names_and_the_map_scrolls(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    play(new_children(school_class, 28), (9, 2))
    page = pages(has_touch=True, is_mobile=True)
    open_class_page(page, school_class)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert [fault for fault in visible_faults(page) if "legend" not in fault] == []
    width, height = SIZES["phone"]
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator(".class-map")).to_be_hidden()
    lowest = page.locator("#map").evaluate("(map) => map.getBoundingClientRect().bottom")
    assert lowest + page.evaluate("scrollY") <= SCREENS_FIRST * height
    page.locator("#map .unfold").tap()
    for language in LANGUAGES:
        speak(page, language)
        page.locator(".class-map").evaluate("(map) => map.scrollIntoView()")
        expect(page.locator("#map thead th").nth(4)).to_be_in_viewport(ratio=0.9)
    last = page.locator("#map tbody tr").last
    page.locator(".class-map").evaluate(
        "(map) => { map.scrollIntoView(); map.scrollTo(map.scrollWidth, map.scrollHeight); }"
    )
    for heading in (page.locator("#map thead .sort").nth(-2), last.locator("th a")):
        expect(heading).to_be_in_viewport(ratio=0.9)
    last.locator("td a").last.tap()
    expect(page.locator("#behind")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == SIZES["phone"][0]


PLACES: Final = """() => [...document.querySelectorAll(
        ".needs, .notes, #map, #map tbody tr, #facts, .given")]
    .map((part) => JSON.stringify(part.getBoundingClientRect()))"""


def test_opening_a_number_moves_nothing_and_shows_its_rows_whole(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    children = new_children(school_class, 30)
    play(children, (20, 9, 2))
    begin_with_a_row(children[5], school_class.assignments.get()).play_round(lays=False)
    look_for_dirty()
    table = Chance.objects.filter(outcome="missed", table__gt=0).values_list("table", flat=True)[0]
    page = open_class_page(pages(), school_class)
    places = page.evaluate(PLACES)
    cell = page.locator(f"#map td a[href*='child={children[5].pk}&table={table}&']")
    cell.click()
    behind = page.locator("#behind")
    expect(behind.locator(".shown-row .card").first).to_be_visible()
    assert page.evaluate(PLACES) == places
    assert page.evaluate("scrollY") == 0
    expect(cell).to_be_in_viewport(ratio=1)
    assert behind.evaluate("(panel) => panel.scrollHeight <= panel.clientHeight")
    behind.get_by_role("link", name="Close").click()
    expect(behind).to_have_count(0)
    expect(page.get_by_role("link", name="Everyone’s next step")).to_be_visible()
    assert page.evaluate(PLACES) == places


def test_the_settings_of_each_child_fit_the_screen(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    new_children(school_class, 3)
    page = open_class_page(pages(), school_class)
    page.goto(url_of("child_settings", school_class))
    for language in LANGUAGES:
        speak(page, language)
        columns = page.locator(".table-scroll")
        assert columns.evaluate("(all) => all.scrollWidth <= all.clientWidth"), language


@pytest.fixture
def class_that_missed_a_row(db: Any) -> SchoolClass:
    """Dora lays none of their possible rows."""
    school_class = TeachingFactory.create().school_class
    options = {"tables": [2, 3, 4], "offers": False}
    assignment = AssignmentFactory.create(school_class=school_class, options=options)
    dora = ChildFactory.create(school_class=school_class, name="Dora")
    begin_with_a_row(dora, assignment).play_round(lays=False)
    look_for_dirty()
    return school_class


def test_a_replay_fits_the_window_with_its_words(
    pages: Callable[..., Page], class_that_missed_a_row: SchoolClass
) -> None:
    missed = Chance.objects.filter(outcome="missed").first()
    child = [class_that_missed_a_row.pk, missed.child_id]
    page = signed_in(pages(), class_that_missed_a_row)
    page.set_viewport_size({"width": 1366, "height": 768})
    replay = reverse("classrooms:replay", args=[*child, missed.game_id, missed.entry])
    page.goto(f"{replay}?row={missed.row}")
    expect(page.locator(".scene-hand .drawn-tag").first).to_be_in_viewport(ratio=1)
    for part in (".scene .felt", ".scene-hand", ".scene-text", ".replay-steps", ".scene-missed"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.locator(".would-lie").count() > 0
    felt, words = (page.locator(part).bounding_box() for part in (".felt", ".scene-text"))
    assert words["y"] >= felt["y"] + felt["height"]


EMPTY_ACCOUNT_TO_ASSIGNED: Final = 8
CELL_TO_REPLAY: Final = 1


@pytest.fixture
def class_with_needs(db: Any) -> SchoolClass:
    """A class with needs and a group."""
    school_class = new_class("5B")
    children = new_children(school_class, 12)
    play(children, (9, 2))
    GroupFactory.create(school_class=school_class, name="Robins", children=children[2:5])
    return school_class


@pytest.fixture
def teacher(pages: Callable[..., Page], class_with_needs: SchoolClass) -> CountingTeacher:
    """A teacher whose class page is open."""
    page = signed_in(pages(), class_with_needs)
    page.goto(url_of("class", class_with_needs))
    return CountingTeacher(page)


@pytest.mark.proof
def test_from_an_empty_account_to_an_assigned_class(pages: Callable[..., Page]) -> None:
    empty = TeachingFactory.create(user=UserFactory.create()).school_class
    page = signed_in(pages(), empty)
    empty.delete()
    page.goto(reverse("classrooms:classes"))
    teacher = CountingTeacher(page)
    teacher.click(teacher.next)
    teacher.fill("name", "5B")
    teacher.click(teacher.next)
    teacher.fill("names", "\n".join(NAMES))
    teacher.click(teacher.next)
    assert not Assignment.objects.exists()
    teacher.click(page.locator(".preset-first").get_by_role("button", name="Assign"))
    expect(page.locator(".notice-success")).to_be_visible()
    assert Child.objects.count() == 30
    assert Assignment.objects.get().is_for_everyone
    assert teacher.interactions <= EMPTY_ACCOUNT_TO_ASSIGNED


def test_from_a_cell_of_the_map_to_the_replay_of_its_newest_row(
    pages: Callable[..., Page], class_that_missed_a_row: SchoolClass
) -> None:
    page = signed_in(pages(), class_that_missed_a_row)
    page.goto(url_of("class", class_that_missed_a_row))
    teacher = CountingTeacher(page)
    teacher.click(page.locator(".map tbody td a").first)
    row = page.locator("#behind .shown-row")
    for card in (row.locator(".card").first, row.locator(".card").last):
        expect(card).to_be_in_viewport(ratio=1)
    newest = page.locator("#behind .move").first
    expect(newest).to_have_class("move move-missed")
    assert row.locator(".missed-own").count() > 0
    assert teacher.interactions <= CELL_TO_REPLAY
    page.reload()
    expect(page.locator("#behind .shown-row")).to_be_visible()
    page.locator("#behind").get_by_role("link", name="Replay of").first.click()
    expect(page.locator(".scene .table-scroll").first).to_be_visible()
    expect(page.locator(".shown-row .card").first).to_be_visible()
