"""The page of a class on the screen of a school laptop: what needs doing, and a dozen lines of the
map, for a large class and a small one, on the first day and after a year."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Final

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.models import Child, SchoolClass
from classrooms.progress.levels import fold_all_tables
from classrooms.progress.models import ChildDay, GameEvidence, TableDay
from tests.browser.axe import broken_rules
from tests.browser.conftest import SIZES
from tests.browser.seen import wrong
from tests.browser.test_teachers_room import signed_in
from tests.classrooms.progress.answering import rows
from tests.counts import times
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    GroupFactory,
    TeachingFactory,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES: Final = (
    "Anna", "Ben", "Chloé", "Daan", "Dora", "Elif", "Emil", "Fay", "Finn", "Gül", "Hugo", "Isa",
    "Jip", "Kim", "Lena", "Mila", "Noor", "Ole", "Pim", "Quinten", "Rosa", "Sam", "Tess", "Umut",
    "Vera", "Wout", "Xenia", "Yara", "Zeb", "Annabella-Wilhelmina van den Bergh-Smit",
)  # fmt: skip
TABLES: Final = range(2, 11)
LINES: Final = 12
WEEKS: Final = 40
LANGUAGES: Final = times(("en",), tuple(code for code, _ in settings.LANGUAGES))
LONG: Final = ("nl", "de")
WIDTHS: Final = ((1366, 768), (1920, 1080))


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    return new_class("5B")


def new_class(name: str) -> SchoolClass:
    school_class = TeachingFactory.create(school_class__name=name).school_class
    AssignmentFactory.create(school_class=school_class, options={"tables": [2, 3, 4, 5, 6, 10]})
    return school_class


def of(school_class: SchoolClass, n: int) -> Sequence[Child]:
    return [ChildFactory.create(school_class=school_class, name=name) for name in NAMES[:n]]


def play(children: Sequence[Child], ago: Sequence[int]) -> None:
    """Rows of each child on these days, of all but a few tables."""
    days, played = [], []
    for number, child in enumerate(children):
        for back in ago:
            at = {
                "child": child,
                "school_class": child.school_class,
                "day": child.school_class.today() - timedelta(days=back),
                "last_at": timezone.now() - timedelta(days=back),
            }
            played.append(ChildDay(**at, turns=20, rounds=2))
            days += [
                TableDay(
                    **at,
                    table=table,
                    at_once=(number * table + 3 * back) % (12 - table),
                    missed=(number + table) % 7,
                )
                for table in TABLES
                if (number + table) % 4
            ]
    TableDay.objects.bulk_create(days)
    ChildDay.objects.bulk_create(played)
    fold_all_tables([child.pk for child in children])


def opened(page: Page, school_class: SchoolClass, address: str) -> Page:
    page.context.clear_cookies()
    signed_in(page, school_class, address)
    width, height = SIZES["desktop"]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(reverse("classrooms:class", args=[school_class.pk]))
    return page


def speak(page: Page, language: str, address: str) -> None:
    name = settings.LANGUAGE_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": language, "url": address}])
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)


def faults(page: Page, lines: int) -> list[str]:
    """What is out of sight of the first needs, the legend, and this many lines of the map."""
    found: list[str] = page.evaluate(
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
    return found


def test_a_class_of_thirty_is_seen_with_its_needs_twelve_lines_and_the_legend(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    children = of(school_class, 30)
    play(children, (20, 9, 2))
    GroupFactory.create(school_class=school_class, name="Robins", children=children[:5])
    attempt = AttemptFactory.create(child=children[0], assignment=school_class.assignments.get())
    GameEvidence.objects.create(game=attempt.game, upto_entry=0, upto_at=timezone.now())
    page = opened(pages(), school_class, live_server.url)
    screenshot(page, "class-of-thirty")
    assert page.locator(".class-grid > .needs > .need").count() == 3
    for language in ("nl", "de", "sv", "en"):
        speak(page, language, live_server.url)
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
    behind.press("Escape")
    expect(last.locator("a[aria-current]")).to_be_focused()
    page.reload()
    assert behind.locator(".map-figure").inner_text() == figure

    page.locator(".drop summary").press("Enter")
    page.locator("#map").get_by_role("link", name="Robins", exact=True).press("Enter")
    expect(page.locator("#map tbody tr")).to_have_count(5)
    expect(page.locator("#map tfoot th")).to_have_text("Robins")
    page.get_by_role("link", name="Assign to Robins").press("Enter")
    expect(page.locator("main")).to_contain_text("Robins")


def test_no_class_is_too_small_or_too_old_for_its_page(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    first_day, one_played, four, after_a_year = map(new_class, ("4A", "4B", "4C", "4D"))
    of(first_day, 28)
    play(of(one_played, 28)[:1], (2,))
    play(of(four, 4), (9, 2))
    play(of(after_a_year, 28), range(3, 7 * WEEKS, 7))
    page = pages()
    lines = ((one_played, LINES), (four, 4), (after_a_year, LINES))
    for language in LANGUAGES:
        for each, wanted in lines:
            opened(page, each, live_server.url)
            speak(page, language, live_server.url)
            screenshot(page, f"class-{each.name}-{language}")
            assert faults(page, wanted) == [], (each.name, language)
            assert broken_rules(page) == []
        opened(page, first_day, live_server.url)
        speak(page, language, live_server.url)
        screenshot(page, f"class-first-day-{language}")
        expect(page.locator("#map")).to_have_count(0)
        expect(page.locator("main .empty").first).to_contain_text("28")
        cards = page.locator(f"main a[href$='/classes/{first_day.pk}/cards/']")
        for part in (page.locator("main .empty p").first, cards):
            expect(part).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), language
        assert broken_rules(page) == []


def test_a_wide_screen_is_used_and_no_text_is_cut_off(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    play(of(school_class, 28), (20, 9, 2))
    page = opened(pages(), school_class, live_server.url)
    for language in LONG:
        speak(page, language, live_server.url)
        for width, height in WIDTHS:
            page.set_viewport_size({"width": width, "height": height})
            cut = [
                fault
                for fault in wrong(page, smallest=0)
                if "cut off" in fault or "off the" in fault
            ]
            assert [fault for fault in cut if NAMES[-1] not in fault] == [], (language, width)
            grid = page.locator(".class-grid").bounding_box()
            table = page.locator(".class-map .map").bounding_box()
            panel = page.locator(".map-panel").bounding_box()
            assert grid
            assert table
            assert panel
            assert grid["width"] >= 0.95 * width - 40, (language, width)
            assert table["width"] >= 0.95 * panel["width"] - 40, (language, width)
    screenshot(page, "class-wide")


def test_a_cell_without_rows_of_late_is_hatched_where_its_table_needs_refreshing(
    pages: Callable[..., Page], live_server: Any, school_class: SchoolClass
) -> None:
    children = of(school_class, 4)
    play(children, (2,))
    TableDay.objects.filter(child=children[0], table=5).delete()
    for ago in (80, 78):
        rows(children[0], 5, found=5, ago=ago)
    rows(children[0], 5, found=0, missed=8, ago=40)
    page = opened(pages(), school_class, live_server.url)
    empty = page.locator(".class-map td.refreshing .none").first
    expect(empty).to_be_visible()
    drawn = empty.evaluate("(one) => getComputedStyle(one).backgroundImage")
    assert "repeating-linear-gradient" in drawn


def test_on_a_phone_the_map_scrolls_beside_its_names_and_a_finger_keeps_its_room(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    play(of(school_class, 28), (9, 2))
    page = pages(has_touch=True, is_mobile=True)
    opened(page, school_class, live_server.url)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert [fault for fault in wrong(page) if "legend" not in fault] == []
    last = page.locator("#map tbody tr").last
    page.locator(".class-map").evaluate(
        "(map) => { map.scrollIntoView(); map.scrollTo(map.scrollWidth, map.scrollHeight); }"
    )
    for heading in (page.locator("#map thead .sort").nth(-2), last.locator("th a")):
        expect(heading).to_be_in_viewport(ratio=0.9)
    last.locator("td a").last.tap()
    expect(page.locator("#behind")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == SIZES["phone"][0]
