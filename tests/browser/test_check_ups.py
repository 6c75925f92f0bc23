"""A whole check-up in a browser: answered by keyboard, interrupted and continued, and timed; and
the teacher's pages about check-ups."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.checkups import services as checkups
from classrooms.checkups.models import CheckUp, CheckUpAnswer
from classrooms.models import Child, SchoolClass, User
from games.coach.questions.check_up_questions import LIMIT_MS, PAUSE_MS, QUESTIONS
from tests.browser.at_home import let_in
from tests.browser.conftest import SIZES
from tests.browser.seen import visible_faults
from tests.classrooms.checkups.answering import check_up_of_child, take
from tests.factories import (
    PASSWORD,
    AssignmentFactory,
    CheckUpFactory,
    ChildFactory,
    TeachingFactory,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def alice() -> User:
    return TeachingFactory.create().user


@pytest.fixture
def dora(alice: User) -> Child:
    return ChildFactory.create(school_class=alice.classes.get(), name="Dora")


def answer_by_keyboard(page: Page, child: Child, number: int) -> None:
    expect(page.locator(".check-said")).to_have_text(f"Question {number + 1} of {QUESTIONS}")
    first, second = check_up_of_child(child).questions[number]
    expect(page.locator(".check-question [aria-hidden]")).to_have_text(f"{first} × {second} = ?")
    expect(page.locator("#answer")).to_be_focused()
    page.keyboard.type(str(first * second))
    page.keyboard.press("Enter")


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_a_check_up_is_answered_by_keyboard(
    size: str, pages: Callable[..., Page], dora: Child
) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    CheckUpFactory.create(school_class=dora.school_class, tables=range(2, 11))
    page = pages(size)
    let_in(page, dora)
    page.goto("/me/")
    page.get_by_role("link", name="Start:").focus()
    page.keyboard.press("Enter")
    page.locator("#do-begin").focus()
    page.keyboard.press("Enter")
    for number in range(QUESTIONS):
        if number == 12:
            expect(page.locator(".check-said")).to_have_text("Question 13 of 25")
            assert visible_faults(page) == []
            page.locator("#stop").focus()
            page.keyboard.press("Enter")
            expect(page.get_by_text("12 of 25 done")).to_be_visible()
            page.get_by_role("link", name="Go on").focus()
            page.keyboard.press("Enter")
            page.locator("#do-begin").focus()
            page.keyboard.press("Enter")
            expect(page.locator(".check-said")).to_have_text("Question 13 of 25")
            page.reload()
        answer_by_keyboard(page, dora, number)
    expect(page.locator("#to-list")).to_be_focused()
    assert CheckUpAnswer.objects.filter(right=True).count() == QUESTIONS
    page.keyboard.press("Enter")
    expect(page.locator(".check-up-to-do")).to_have_count(0)


def test_with_a_time_limit_the_next_question_comes_by_itself(
    page: Page, dora: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only the test moves the page's clock, but the server's runs on: it must accept late answers.
    monkeypatch.setattr("games.coach.questions.check_up_questions.NETWORK_MS", 3_600_000)
    CheckUpFactory.create(school_class=dora.school_class, timed=True)
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    let_in(page, dora)
    page.goto("/me/")
    page.get_by_role("link", name="Start:").click()
    page.clock.pause_at(timezone.now() + timedelta(days=1))
    page.locator("#do-begin").click()
    expect(page.locator(".check-said")).to_have_text("Question 1 of 25")
    expect(page.locator("#answer")).to_be_hidden()
    place = page.locator("#answer").bounding_box()

    after_the_pause(page)
    assert page.locator("#answer").bounding_box() == place
    assert bar(page) == {"duration": LIMIT_MS, "easing": "steps(6)", "left": 67}
    first, second = check_up_of_child(dora).questions[0]
    page.keyboard.type(f" {first * second}w")  # Typed, and sent when the time is over.
    expect(page.locator("#answer")).to_have_value(str(first * second))
    page.clock.run_for(LIMIT_MS)
    expect(page.locator(".check-said")).to_have_text("Question 2 of 25")

    page.emulate_media(reduced_motion="reduce")
    after_the_pause(page)
    assert bar(page) == {"duration": LIMIT_MS, "easing": "steps(6)", "left": 67}
    page.locator("#do-answer").click()  # no number: not an answer yet
    expect(page.locator("#answer")).to_be_focused()
    page.locator("#answer").evaluate("field => field.value = '4w'")
    page.clock.run_for(LIMIT_MS)
    expect(page.locator(".check-said")).to_have_text("Question 3 of 25")

    after_the_pause(page)
    page.clock.run_for(1_000)
    answer_by_keyboard(page, dora, 2)
    expect(page.locator(".check-said")).to_have_text("Question 4 of 25")
    answers = [
        (answer.right, answer.answer is None, answer.ms) for answer in CheckUpAnswer.objects.all()
    ]
    assert answers == [(True, False, LIMIT_MS), (False, True, LIMIT_MS), (True, False, 1_000)]


def bar(page: Page) -> dict[str, object]:
    """The timing of the bar, and the percentage that is left after a third of the time."""
    state: dict[str, object] = page.locator("#time").evaluate(
        """bar => {
            const [one] = bar.getAnimations();
            const { duration, easing } = one.effect.getTiming();
            one.finish();
            if (bar.getBoundingClientRect().width) throw new Error("the bar stays");
            one.currentTime = duration / 3;
            const left = bar.getBoundingClientRect().width / bar.parentElement.clientWidth;
            return { duration, easing, left: Math.round(100 * left) };
        }"""
    )
    return state


def after_the_pause(page: Page) -> None:
    page.wait_for_load_state()
    page.clock.run_for(PAUSE_MS)
    expect(page.locator("#answer")).to_be_focused()


def test_the_teacher_gives_a_check_up_and_sees_the_growth(
    page: Page, alice: User, dora: Child
) -> None:
    school_class = alice.classes.get()
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(alice.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").first.click()
    page.goto(f"/classes/{school_class.pk}/check-ups/")
    page.get_by_role("link", name="Give a check-up").click()
    page.get_by_role("radio", name="Start of the year").check()
    page.get_by_role("button", name="Give it to the class").click()
    expect(page.get_by_role("heading", name="Start of the year")).to_be_visible()
    fill(school_class, dora)
    page.reload()
    expect(page.get_by_role("cell", name="grown").first).to_be_visible()
    page.get_by_role("link", name="Middle of the year").first.click()
    expect(page.get_by_role("heading", name="Facts that not everyone knew")).to_be_visible()
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def fill(school_class: SchoolClass, dora: Child) -> None:
    """Three terms of a small class."""
    names = ("Emil", "Fay", "Gus", "Hugo", "Ida", "Jan", "Maximilian Alexander")
    children = [dora, *(ChildFactory.create(school_class=school_class, name=n) for n in names)]
    start = CheckUp.objects.get()
    middle, end = (
        CheckUpFactory.create(school_class=school_class, tables=start.tables, term=term)
        for term in ("middle", "end")
    )
    for number, child in enumerate(children):
        take(child, start, wrong=20 - number)
        if number != 3:
            take(child, middle, wrong=9 - number % 4)
    checkups.begin(children[3], middle, has_script=False)
    take(dora, end, wrong=1)
