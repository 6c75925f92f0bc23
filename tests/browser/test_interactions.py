"""How many clicks and filled fields the main jobs of a teacher take."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from classrooms.models import Assignment, Child, SchoolClass
from tests.browser.test_class_page_look import new_class, of, play
from tests.browser.test_four_minutes import THIRTY, Counter
from tests.browser.test_progress_pages import school_class
from tests.browser.test_teachers_room import signed_in
from tests.factories import GroupFactory, TeachingFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EMPTY_ACCOUNT_TO_ASSIGNED: Final = 8
GROUP_ASSIGNED: Final = 2
CELL_TO_REPLAY: Final = 1
DEAL_STARTED: Final = 3
CLASS_IN_ITS_NEW_YEAR: Final = 4

__all__ = ("school_class",)


@pytest.fixture
def played(db: Any) -> SchoolClass:
    """A class with needs and a group."""
    found = new_class("5B")
    children = of(found, 12)
    play(children, (9, 2))
    GroupFactory.create(school_class=found, name="Robins", children=children[2:5])
    return found


@pytest.fixture
def teacher(pages: Callable[..., Page], live_server: Any, played: SchoolClass) -> Counter:
    """Their class page lies open."""
    page = signed_in(pages(), played, live_server.url)
    page.goto(reverse("classrooms:class", args=[played.pk]))
    return Counter(page)


def test_from_an_empty_account_to_an_assigned_class(
    pages: Callable[..., Page], live_server: Any
) -> None:
    empty = TeachingFactory.create(user=UserFactory.create()).school_class
    page = signed_in(pages(), empty, live_server.url)
    empty.delete()
    page.goto(reverse("classrooms:classes"))
    teacher = Counter(page)
    teacher.click(teacher.next)
    teacher.fill("name", "5B")
    teacher.click(teacher.next)
    teacher.fill("names", "\n".join(THIRTY))
    teacher.click(teacher.next)
    assert not Assignment.objects.exists()
    teacher.click(page.locator(".preset-first").get_by_role("button", name="Assign"))
    expect(page.locator(".notice-success")).to_be_visible()
    assert Child.objects.count() == 30
    assert Assignment.objects.get().everyone
    assert teacher.interactions <= EMPTY_ACCOUNT_TO_ASSIGNED


def test_from_the_class_page_a_need_is_assigned_to_those_who_have_it(teacher: Counter) -> None:
    need = teacher.page.locator(".need").first
    names = need.locator("strong").inner_text().split(", ")
    teacher.click(need.get_by_role("link", name="Assign"))
    teacher.click(teacher.next)
    expect(teacher.page.locator(".notice-success")).to_be_visible()
    given = Assignment.objects.latest("created_at")
    assert [child.name for child in given.children.all()][: len(names)] == names
    assert teacher.interactions <= GROUP_ASSIGNED


def test_from_the_class_page_a_game_is_assigned_to_a_named_group(teacher: Counter) -> None:
    teacher.click(teacher.page.locator(".notes").get_by_role("link", name="Robins", exact=True))
    teacher.click(teacher.next)
    expect(teacher.page.locator(".notice-success")).to_contain_text("Robins")
    given = Assignment.objects.latest("created_at")
    assert [group.name for group in given.groups.all()] == ["Robins"]
    assert teacher.interactions <= GROUP_ASSIGNED


def test_from_a_cell_of_the_map_to_the_replay_of_its_newest_row(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    page = signed_in(pages(), school_class, live_server.url)
    page.goto(reverse("classrooms:class", args=[school_class.pk]))
    teacher = Counter(page)
    teacher.click(page.locator(".map tbody td a").first)
    scene = page.locator("#behind .scene")
    expect(scene.locator(".scene-hand .card").first).to_be_in_viewport()
    expect(scene.locator(".scene-text")).to_be_visible()
    newest = page.locator("#behind .move").first
    expect(newest).to_have_class("move move-missed move-shown")
    screenshot(page, "cell-replay")
    lit = scene.locator(".scene-hand .lit").count() + scene.locator(".would-lie").count()
    assert lit > 0
    assert teacher.interactions <= CELL_TO_REPLAY
    page.reload()
    expect(page.locator("#behind .scene")).to_be_visible()


def test_from_the_class_page_one_deal_is_started(teacher: Counter) -> None:
    teacher.click(teacher.page.get_by_role("link", name="One deal"))
    teacher.click(teacher.next)
    expect(teacher.page.locator("#deal")).to_be_visible()
    assert Assignment.objects.latest("created_at").is_one_deal
    assert teacher.interactions <= DEAL_STARTED


def test_from_the_class_page_the_class_begins_its_new_year(
    teacher: Counter, played: SchoolClass
) -> None:
    page = teacher.page
    teacher.click(page.get_by_role("link", name="Settings"))
    teacher.click(page.get_by_role("link", name="End of year"))
    expect(page.get_by_label("Name in the new year")).to_have_value("6B")
    teacher.click(page.get_by_role("button", name="Start the new year"))
    expect(page.locator("h1")).to_have_text("6B")
    played.refresh_from_db()
    assert (played.name, played.children.count()) == ("6B", 12)
    assert teacher.interactions <= CLASS_IN_ITS_NEW_YEAR
