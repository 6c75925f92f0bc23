"""One deal for the class: the teacher starts it, Dora plays along, the board shows it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from classrooms.assignments.choice import PRESETS
from classrooms.lesson import one_deal
from classrooms.models import Assignment, Child, SchoolClass
from games.models import Action
from tests.browser.at_home import let_in
from tests.browser.axe import broken_rules
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.browser.test_teachers_room import signed_in
from tests.classrooms.lesson.deals import DealHand
from tests.factories import ChildFactory, TeachingFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WAIT_FOR_POLL = 10_000


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    school_class = TeachingFactory.create().school_class
    for name in ("Dora", "Emil", "Annabella-Wilhelmina van den Bergh-Smit"):
        ChildFactory.create(school_class=school_class, name=name)
    return school_class


def faults(page: Page) -> list[str]:
    """The rules of axe-core that the page breaks, and how far it is wider than the screen."""
    found = []
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{size}: {rule}" for rule in broken_rules(page)]
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found += [f"{size}: {wider} px too wide"] if wider > 0 else []
    page.set_viewport_size({"width": SIZES["desktop"][0], "height": SIZES["desktop"][1]})
    return found


def test_the_teacher_starts_a_deal_a_child_plays_it_and_the_class_talks_about_it(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    teacher = signed_in(pages(), school_class, live_server.url)
    teacher.goto(f"/classes/{school_class.pk}/")
    teacher.get_by_role("link", name="One deal").click()
    assert faults(teacher) == []
    teacher.get_by_role("button", name="Start").nth(1).click()
    expect(teacher.locator(".deal-waiting strong")).to_have_text("3")
    deal = Assignment.objects.get()
    dora, emil, _ = Child.objects.order_by("created_at")

    child = pages()
    let_in(child, dora)
    child.goto("/me/")
    screenshot(child, "deal-me")
    child.get_by_role("button", name="Play together").click()
    ChildAtTheTable(child, deal.ruleset).press("draw-closed")
    playing = teacher.locator(".deal-playing strong")
    expect(playing).to_have_text("1", timeout=WAIT_FOR_POLL)

    DealHand(emil, deal, 3, 0.6).play_out()
    expect(teacher.locator(".deal-finished strong")).to_have_text("1", timeout=WAIT_FOR_POLL)
    assert faults(teacher) == []
    screenshot(teacher, "deal-board")
    DealHand(dora, deal, 4, 0.6).play_out()
    button = teacher.get_by_role("button", name="Close and discuss")
    expect(button).to_have_class("btn btn-primary btn-large", timeout=WAIT_FOR_POLL)
    button.click()
    expect(teacher.get_by_text("Both children had these cards.")).to_be_visible()
    assert faults(teacher) == []
    screenshot(teacher, "deal-cards")
    teacher.get_by_role("link", name="Show what we found").click()
    expect(teacher.get_by_text("of the 2 who could lay it").first).to_be_visible()
    assert faults(teacher) == []
    screenshot(teacher, "deal-found")


def test_a_child_that_is_offline_for_a_minute_loses_nothing_and_the_board_says_what_is_true(
    pages: Callable[..., Page], live_server: Any, school_class: SchoolClass
) -> None:
    deal = one_deal.start(school_class, PRESETS["next"].choice)
    dora, emil, _ = Child.objects.order_by("created_at")
    teacher = signed_in(pages(), school_class, live_server.url)
    teacher.goto(f"/classes/{school_class.pk}/deals/{deal.pk}/")
    child = pages()
    let_in(child, dora)
    child.goto("/me/")
    child.clock.install()
    child.get_by_role("button", name="Play together").click()
    expect(child.locator("#do-draw-closed")).to_be_visible()
    game = deal.attempts.get().game_id
    log = Action.objects.filter(game=game)
    before = log.count()

    child.context.set_offline(True)
    child.locator("#do-draw-closed").click()
    again = child.get_by_role("button", name="Try again")
    while not again.is_visible():
        child.clock.run_for(1000)
    child.clock.run_for(60_000)
    DealHand(emil, deal, 3, 0.6).play_out()
    expect(teacher.locator(".deal-finished strong")).to_have_text("1", timeout=WAIT_FOR_POLL)
    expect(teacher.locator(".deal-playing strong")).to_have_text("1")
    assert log.count() == before

    child.context.set_offline(False)
    child.evaluate("dispatchEvent(new Event('online'))")
    expect(child.locator("#do-lay")).to_be_visible()
    assert log.count() == before + 1
    DealHand(dora, deal, 4, 0.6).play_out()
    expect(teacher.locator(".deal-finished strong")).to_have_text("2", timeout=WAIT_FOR_POLL)
    decks = Action.objects.filter(kind="deal").values_list("text", flat=True)
    assert len(set(decks)) == 1
