"""The form of an assignment shows what its rules mean, with JavaScript and without."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from classrooms.models import Assignment, SchoolClass
from tests.browser.conftest import SIZES
from tests.classrooms.people import client_of
from tests.factories import ChildFactory, TeachingFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    school_class = TeachingFactory.create().school_class
    ChildFactory.create(school_class=school_class, name="Dora")
    return school_class


def open_form(page: Page, school_class: SchoolClass, address: str) -> None:
    session = client_of(school_class.teachers.get()).cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}]
    )
    page.goto(reverse("classrooms:assign_detail", args=[school_class.pk]))


def test_the_samples_follow_the_choice_and_what_is_wrong_is_said(
    pages: Callable[[], Page], live_server: Any, school_class: SchoolClass
) -> None:
    page = pages()
    open_form(page, school_class, live_server.url)
    samples, tables = page.locator("#samples"), page.locator("input[name=tables][value='5']")
    expect(samples.locator(".sample-yes").first).to_contain_text("6, 8, 10")
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


def test_without_javascript_a_button_shows_them_and_nothing_is_assigned_yet(
    browser: Browser, live_server: Any, school_class: SchoolClass
) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    open_form(page, school_class, live_server.url)
    page.locator("input[name=rows][value=one]").check()
    page.locator("button[name=look]").click()
    expect(page.locator("#samples .sample-yes").nth(1)).to_contain_text("11, 16, 21")
    expect(page.locator("input[name=rows][value=one]")).to_be_checked()
    assert not Assignment.objects.exists()
    page.locator("main button.btn-primary").click()
    expect(page).to_have_url(re.compile("/cards/$"))
    assert Assignment.objects.get().ruleset.counts_back_to == (1,)
    context.close()
