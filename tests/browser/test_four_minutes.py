"""From nothing to cards ready to print for a class of thirty, counted and timed."""

import re
from collections.abc import Callable
from time import monotonic
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from classrooms.models import Child

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_INTERACTIONS: Final = 20
MOST_SECONDS: Final = 4 * 60
THIRTY: Final = (
    "Anna", "Ben", "Chloé", "Daan", "Elif", "Finn", "Gül", "Hugo", "Isa", "Jürgen", "Kim", "Lena",
    "Mila", "Noor", "Ole", "Pim", "Quinten", "Rosa", "Sam", "Tess", "Umut", "Vera", "Wout", "Xenia",
    "Yara", "Zoë", "Åsa", "Björn", "Céline", "Dora",
)  # fmt: skip


class Counter:
    """A teacher whose every click and every filled field counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.interactions = 0
        self.began = monotonic()

    def click(self, what: Locator) -> None:
        self.interactions += 1
        what.click()

    def fill(self, name: str, text: str) -> None:
        self.interactions += 1
        self.page.locator(f"main [name={name}]").fill(text)

    @property
    def next(self) -> Locator:
        """The one clear next thing on the page."""
        return self.page.locator("main .btn-primary").first


def test_a_new_teacher_has_cards_for_thirty_children_within_twenty_interactions(
    pages: Callable[[], Page], record_property: Callable[[str, Any], None]
) -> None:
    page = pages()
    page.goto("/")
    teacher = Counter(page)
    teacher.click(page.get_by_role("link", name="I am a teacher"))
    teacher.click(page.get_by_role("link", name="New here? Create an account"))
    teacher.fill("email", "alice@school.example")
    teacher.fill("password1", "seven times eight")
    teacher.click(teacher.next)

    teacher.click(teacher.next)
    teacher.fill("name", "5B")
    teacher.click(teacher.next)
    teacher.fill("names", "\n".join(THIRTY))
    teacher.click(teacher.next)
    teacher.click(teacher.next)

    expect(page).to_have_url(re.compile("/cards/$"))
    expect(page.locator(".login-card")).to_have_count(30)
    page.emulate_media(media="print")
    expect(page.locator(".login-card", has_text="Åsa")).to_be_visible()
    seconds = monotonic() - teacher.began
    record_property("interactions", teacher.interactions)
    record_property("seconds", round(seconds, 1))
    print(f"{teacher.interactions} interactions, {seconds:.1f} s")
    assert Child.objects.count() == 30
    assert teacher.interactions <= MOST_INTERACTIONS
    assert seconds < MOST_SECONDS
