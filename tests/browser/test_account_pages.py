"""The pages about signing in (adults' and the children's teacher's) and a school's pages break no
rule of axe-core, are no wider than a phone, and have no target that is too small."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from playwright.sync_api import Page

from classrooms.models import Membership, School, SchoolClass
from classrooms.signin.services import TRIES
from tests.browser.axe import broken_rules
from tests.factories import (
    PASSWORD,
    ChildFactory,
    TeachingFactory,
    UserFactory,
    WrongTriesFactory,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OF_ACCOUNTS = (
    "classrooms:account",
    "classrooms:account_log",
    "classrooms:display_name",
    "classrooms:close_account",
    "account_email",
    "account_change_password",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "usersessions_list",
)
OF_CLASSES = ("class", "signing_in", "cards", "letters")
OF_SCHOOLS = ("school_class", "school_child", "school_erase")
TOO_SMALL = """() => [...document.querySelectorAll("main .btn, main button, .top a, .top button")]
    .map((item) => item.getBoundingClientRect())
    .filter((box) => box.width && (box.height < 43.5 || box.width < 43.5)).length"""


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    alice = UserFactory.create(email="alice@example.org")
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    school_class = TeachingFactory.create(user=alice).school_class
    for name in ("Dora", "Annabella-Wilhelmina van den Bergh-Smit"):
        WrongTriesFactory.create(
            child=ChildFactory.create(name=name, school_class=school_class), count=TRIES
        )
    school = School.objects.create(name="The Oak")
    Membership.objects.create(school=school, user=alice, role=Membership.Role.ADMIN)
    bob = UserFactory.create(email="annabella-wilhelmina.van-den-bergh-smit@school.example")
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    Membership.objects.create(school=school, user=bob)
    return school_class


def walk(page: Page, school_class: SchoolClass) -> Iterator[str]:
    """Each page in turn, by its name."""
    page.goto(reverse("account_login"))
    yield "account_login"
    page.locator("input[name=login]").fill("alice@example.org")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form:has(input[name=login]) button[type=submit]").click()
    page.goto(reverse("account_reauthenticate"))
    yield "account_reauthenticate"
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    for name in OF_ACCOUNTS:
        page.goto(reverse(name))
        yield name
    for name in OF_CLASSES:
        page.goto(reverse(f"classrooms:{name}", args=[school_class.pk]))
        yield name
    school = School.objects.get()
    page.goto(reverse("classrooms:school", args=[school.pk]))
    yield "school"
    for name in OF_SCHOOLS:
        page.goto(reverse(f"classrooms:{name}", args=[school.pk, school_class.pk]))
        yield name


def test_no_page_breaks_a_rule(pages: Callable[[], Page], school_class: SchoolClass) -> None:
    page = pages()
    broken = []
    for name in walk(page, school_class):
        page.set_viewport_size({"width": 360, "height": 740})
        broken += [f"{name}: {rule}" for rule in broken_rules(page)]
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            broken.append(f"{name}: wider than a phone")
        if page.evaluate(TOO_SMALL):
            broken.append(f"{name}: a target is too small")
    assert broken == []
