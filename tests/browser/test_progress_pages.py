"""What a teacher does with progress: sees who needs help, assigns it, opens the very moves."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from classrooms.models import Assignment, SchoolClass
from classrooms.progress.models import Chance
from classrooms.progress.tasks import look_for_dirty
from tests.browser.axe import broken_rules
from tests.browser.conftest import SIZES
from tests.browser.test_teachers_room import signed_in
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_TAPS = 4


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    """Dora and Emil lay nothing of what they could; Fay has not played."""
    school_class = TeachingFactory.create().school_class
    options = {"tables": [2, 3, 4], "offers": False}
    assignment = AssignmentFactory.create(school_class=school_class, options=options)
    for name in ("Dora", "Emil"):
        child = ChildFactory.create(school_class=school_class, name=name)
        hand = begin_with_a_row(child, assignment)
        for _ in range(4):
            hand.play_round(lays=False)
        rows(child, 4, found=0, missed=4, ago=1)
        for _ in range(3):
            answer(child, 6, 8, right=False)
    ChildFactory.create(school_class=school_class, name="Fay")
    look_for_dirty()
    return school_class


def test_who_needs_help_is_found_and_assigned_in_four_taps(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    page, taps = signed_in(pages(), school_class, live_server.url), 0
    page.goto(reverse("classrooms:class", args=[school_class.pk]))
    screenshot(page, "class")

    def tap(what: Locator) -> None:
        nonlocal taps
        what.click()
        taps += 1

    card = page.locator(".need-table").first
    expect(card).to_contain_text("times table")
    who = card.locator("strong").inner_text().split(", ")
    tap(card.get_by_role("link", name="Assign"))
    tap(page.locator(".preset-first").get_by_role("button", name="Assign"))
    expect(page.locator(".messages")).to_be_visible()
    made = Assignment.objects.latest("created_at")
    assert [child.name for child in made.children.all()] == who
    assert not made.everyone
    assert taps <= MOST_TAPS


def test_a_cell_opens_its_moves_and_each_is_one_tap_from_its_replay(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    page = signed_in(pages(), school_class, live_server.url)
    page.goto(reverse("classrooms:class", args=[school_class.pk]))
    page.locator(".map tbody td a").first.click()
    behind = page.locator("#behind")
    expect(behind.locator(".move").first).to_be_visible()
    screenshot(page, "behind")
    behind.get_by_role("link", name="Replay of").first.click()
    expect(page.locator(".scene .table-scroll")).to_be_visible()
    expect(page.locator(".shown-row .card").first).to_be_visible()
    screenshot(page, "replay")


def test_a_replay_is_whole_in_the_window_with_its_words_under_the_table(
    pages: Callable[..., Page], live_server: Any, school_class: SchoolClass
) -> None:
    missed = Chance.objects.filter(outcome="missed").first()
    assert missed
    child = [school_class.pk, missed.child_id]
    page = signed_in(pages(), school_class, live_server.url)
    page.set_viewport_size({"width": 1366, "height": 768})
    replay = reverse("classrooms:replay", args=[*child, missed.game_id, missed.entry])
    page.goto(f"{replay}?row={missed.row}")
    expect(page.locator(".scene-hand .lit").first).to_be_in_viewport(ratio=1)
    page.locator(".replay-steps a").last.click()
    for part in (".scene .felt", ".scene-hand", ".scene-text", ".replay-steps", ".scene-missed"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.locator(".would-lie").count() > 0
    felt, words = (page.locator(part).bounding_box() for part in (".felt", ".scene-text"))
    assert felt
    assert words
    assert words["y"] >= felt["y"] + felt["height"]


def test_no_page_of_progress_breaks_a_rule_or_is_wider_than_the_screen(
    pages: Callable[..., Page], live_server: Any, school_class: SchoolClass
) -> None:
    page = signed_in(pages(), school_class, live_server.url)
    missed = Chance.objects.filter(outcome="missed").first()
    assert missed
    child = [school_class.pk, missed.child_id]
    addresses = [
        reverse("classrooms:class", args=child[:1]) + f"?child={child[1]}&table=2&period=all",
        reverse("classrooms:moves", args=[*child, missed.table]),
        reverse("classrooms:replay", args=[*child, missed.game_id, missed.entry])
        + f"?row={missed.row}",
        reverse("classrooms:progress", args=child),
        reverse("classrooms:papers", args=child[:1]),
        reverse("classrooms:certificates", args=child[:1]),
        reverse("classrooms:fact", args=[school_class.pk, 6, 8]),
        *(reverse("classrooms:talk", args=child[:1]) + f"?step={step}" for step in (1, 3, 4)),
    ]
    found = []
    for address in addresses:
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(address)
            over = page.locator("html").evaluate("e => e.scrollWidth - e.clientWidth")
            if over > 0:
                found.append(f"{address} at {width}: {over} px too wide")
        found += [f"{address}: {rule}" for rule in broken_rules(page)]
    assert found == []
