"""The log of a class and of an account, as they are read at both sizes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from classrooms.audit import Page as Looked
from classrooms.audit import What, audit, log_view
from classrooms.classes import teachers
from classrooms.models import SchoolClass, Teaching
from classrooms.roster import services
from classrooms.signin import cards
from tests.browser.axe import broken_rules
from tests.browser.conftest import SIZES
from tests.browser.test_teachers_room import signed_in
from tests.factories import TeachingFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    """Much has happened in it: a look at each page, new pictures, a colleague with a long name."""
    owned = TeachingFactory.create()
    found, alice = owned.school_class, owned.user
    dora, *_others = services.add_children(found, ["Dora", "Emil", "Fay"], alice)
    log_view(alice, *Looked, school_class=found, child=dora)
    cards.renew_pictures(list(found.children.all()), alice)
    audit(alice, What.EXPORTED, school_class=found, file="class-tables")
    invitation = teachers.invite(found, "bob@example.org", Teaching.Role.CO_TEACHER, alice)
    bob = UserFactory.create(email="annabella-wilhelmina.van-den-bergh-smit@school.example")
    assert teachers.accept(invitation, bob)
    teachers.hand_over(found, bob, alice)
    teachers.hand_over(found, alice, bob)
    teachers.remove(found, bob.pk, alice)
    services.remove(dora, alice)
    return found


def fits(page: Page, address: str) -> None:
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert broken_rules(page) == []


def test_the_log_of_a_class_is_read_and_narrowed_at_both_sizes(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    page = signed_in(pages(), school_class, live_server.url)
    fits(page, reverse("classrooms:who_looked", args=[school_class.pk]))
    screenshot(page, "who-did-what")
    page.get_by_role("link", name="Teachers", exact=True).click()
    expect(page.get_by_text("accepted the invitation")).to_be_visible()
    expect(page.get_by_text("new pictures")).to_have_count(0)


def test_the_log_of_an_account_is_found_from_its_page(
    pages: Callable[..., Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    page = signed_in(pages(), school_class, live_server.url)
    page.goto(reverse("classrooms:account"))
    screenshot(page, "account")
    page.get_by_role("link", name="See the list").click()
    expect(page.get_by_role("heading", name="Sign-ins and changes to your account")).to_be_visible()
    fits(page, reverse("classrooms:account_log"))
    screenshot(page, "account-log")
