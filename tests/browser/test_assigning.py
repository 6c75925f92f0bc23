"""A teacher assigns a game: by taps, by keyboard, with JavaScript and without."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Response, expect

from classrooms.models import Assignment, Child, SchoolClass
from games.engine.text.record import EntryKind
from games.models import Entry, Game
from tests.browser.at_school import signed_in
from tests.browser.conftest import SIZES
from tests.classrooms.people import url_of
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    GroupFactory,
    TeachingFactory,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def own_class(db: Any) -> SchoolClass:
    own_class = TeachingFactory.create().school_class
    ChildFactory.create(school_class=own_class, name="Dora")
    return own_class


def open_form(page: Page, own_class: SchoolClass) -> None:
    signed_in(page, own_class)
    page.goto(url_of("assign_detail", own_class))


def test_the_samples_follow_the_choice_and_errors_are_shown(
    page: Page, own_class: SchoolClass
) -> None:
    open_form(page, own_class)
    samples, tables = page.locator("#samples"), page.locator("input[name=tables][value='5']")
    expect(samples.locator(".sample-yes").first).to_contain_text("6, 8, 10")
    page.get_by_text("More games").press("Enter")
    for name, value in (("edition", "advanced"), ("rows", "zero-or-one")):
        page.locator(f"input[name={name}][value={value}]").check()
    expect(samples.locator(".sample-yes").nth(1)).to_contain_text("11, 16, 21")
    expect(samples.locator(".sample-no").first).to_contain_text("14, 20, 26")
    expect(tables).to_be_hidden()
    expect(page.locator("#live")).not_to_be_empty()

    page.locator("input[name=edition][value=blocks]").check()
    page.locator("input[name=rounds][value=target]").check()
    expect(samples.locator(".errors")).to_have_count(1)
    expect(samples.locator(".sample")).to_have_count(0)
    page.locator("input[name=rounds][value='2']").check()
    expect(samples.locator(".sample").first).to_be_visible()
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("main button.btn-primary").click()
    expect(page).to_have_url(re.compile("/cards/$"))
    ruleset = Assignment.objects.get().ruleset
    assert (ruleset.edition, ruleset.counts_back_to, ruleset.rounds) == ("blocks", (0, 1), 2)


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    """A class with an example of everything that the pages show."""
    school_class = TeachingFactory.create().school_class
    names = ("Dora", "Emil", "Annabella-Wilhelmina van den Bergh-Smit")
    dora, emil, anna = (ChildFactory.create(school_class=school_class, name=n) for n in names)
    group = GroupFactory.create(school_class=school_class, name="Robins", children=[emil])
    first = AssignmentFactory.create(school_class=school_class)
    narrow = AssignmentFactory.create(school_class=school_class, is_for_everyone=False)
    narrow.groups.add(group)
    game = AttemptFactory.create(child=dora, assignment=first).game
    make_refused_moves(game)
    finished = AttemptFactory.create(child=emil, assignment=first).game
    Game.objects.filter(pk=finished.pk).update(finished_at=timezone.now())
    paused = AttemptFactory.create(child=anna, assignment=first).game
    Game.objects.filter(pk=paused.pk).update(moved_at=timezone.now() - timedelta(minutes=3))
    return school_class


def is_unchanged(response: Response) -> bool:
    return response.url.endswith("/live/part/") and response.status == 304


def make_refused_moves(game: Game) -> None:
    """Make three moves in a row that are refused."""
    for number in range(game.version + 1, game.version + 4):
        Entry.objects.create(game=game, number=number, kind=EntryKind.REFUSED, seat=0)
    Game.objects.filter(pk=game.pk).update(version=game.version + 3)


def test_three_taps_on_the_class_page_assign_a_game(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    page = signed_in(pages(), school_class)
    page.goto(url_of("class", school_class))
    before = Assignment.objects.count()
    page.get_by_role("link", name="Assignments", exact=True).click()
    page.get_by_role("link", name="Assign a game").click()
    page.get_by_role("button", name="Assign", description="Hard tables: 6, 7, 8, 9").click()
    expect(page.locator(".notice-success")).to_contain_text("2, 6, 7, 8 and 9 times tables")
    assert Assignment.objects.count() == before + 1


def test_a_game_is_assigned_and_undone_by_keyboard(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    page = signed_in(pages(), school_class)
    page.goto(url_of("assign", school_class))
    before = Assignment.objects.count()

    def go_to(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.locator(f"{selector}:focus").count():
                return
        pytest.fail(f"{selector} cannot be reached")

    go_to(".whom summary")
    page.keyboard.press("Enter")
    dora = Child.objects.get(name="Dora")
    go_to(f"input[name=children][value='{dora.pk}']")
    page.keyboard.press("Space")
    go_to(".preset-first .btn-primary")
    page.keyboard.press("Enter")
    expect(page.locator(".notice-success")).to_contain_text("Assigned to Dora")
    assert list(Assignment.objects.latest("created_at").children.all()) == [dora]
    go_to(".undo button")
    page.keyboard.press("Enter")
    expect(page.locator(".notice-success")).to_contain_text("No longer assigned to Dora")
    assert Assignment.objects.count() == before


def test_the_lesson_is_reloaded_only_for_news(
    pages: Callable[..., Page], school_class: SchoolClass
) -> None:
    page = signed_in(pages(), school_class)
    page.goto(url_of("live", school_class))
    stuck = page.locator(".live-count.live-stuck strong")
    expect(stuck).to_have_text("1")
    # Not always the first poll: each quarter of an hour gives the page another tag.
    with page.expect_response(is_unchanged, timeout=120_000):
        pass
    expect(stuck).to_have_text("1")
    paused = Game.objects.get(attempt__child__name__startswith="Anna")
    make_refused_moves(paused)
    expect(stuck).to_have_text("2")
