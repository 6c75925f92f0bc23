"""The lesson on the screens of a classroom: all tiles of a class in sight, on a laptop and on the
big screen, and a child's table one tap away."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.assignments import services
from classrooms.models import SchoolClass
from classrooms.progress.tasks import look_for_dirty
from games.models import Action, Game
from tests.browser.test_class_page_look import NAMES, new_class, of
from tests.browser.test_teachers_room import signed_in
from tests.classrooms.progress.playing import begin_with_a_row

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREENS: Final = ((1366, 768), (1920, 1080))


@pytest.fixture
def lesson(db: Any) -> SchoolClass:
    """Thirty children; most play, some are stuck, pause or have not come."""
    school_class = new_class("5B")
    assignment = school_class.assignments.get()
    for number, child in enumerate(of(school_class, len(NAMES))[:26]):
        game = services.go_on_or_start(child, assignment)
        if number % 9 == 1:
            for entry in range(3):
                Action.objects.create(
                    game=game, number=game.version + entry + 1, kind="refused", seat=0
                )
        if number % 7 == 2:
            ago = timezone.now() - timedelta(minutes=4)
            Game.objects.filter(pk=game.pk).update(moved_at=ago)
    return school_class


def test_thirty_tiles_are_in_sight_at_once(
    pages: Callable[..., Page], live_server: Any, lesson: SchoolClass
) -> None:
    page = signed_in(pages(), lesson, live_server.url)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(reverse("classrooms:live", args=[lesson.pk]))
        expect(page.locator(".live-child")).to_have_count(len(NAMES))
        lowest = page.evaluate(
            "Math.max(...[...document.querySelectorAll('.live-child')]"
            ".map(tile => tile.getBoundingClientRect().bottom))"
        )
        assert lowest <= height
    assert Axe().run(page).violations_count == 0
    page.get_by_role("link", name="Ben", exact=True).click()
    expect(page.locator(".scene-hand .card").first).to_be_visible()
    assert page.locator("form button[name=move]").count() == 0


def test_the_discussion_fits_the_big_screen_with_goal_and_code_beside_it(
    pages: Callable[..., Page], live_server: Any
) -> None:
    school_class = new_class("5B")
    child = of(school_class, 1)[0]
    school_class.assignments.update(options={"tables": [2, 3, 4], "offers": False})
    begin_with_a_row(child, school_class.assignments.get()).play_round(lays=False)
    look_for_dirty()
    page = signed_in(pages(), school_class, live_server.url)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(reverse("classrooms:talk", args=[school_class.pk]) + "?step=3&screen=big")
    for part in (".reveal-text", ".scene-hand .card >> nth=-1", ".door-code", ".door-qr svg"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator(".tabs")).to_have_count(0)
    assert Axe().run(page).violations_count == 0
    page.goto(reverse("classrooms:live", args=[school_class.pk]) + "?screen=big")
    for part in (".goal-text", ".door-code", ".door-qr svg"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
