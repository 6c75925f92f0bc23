"""A child at home types its name; the teacher says where it need not."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child, SchoolClass, User
from tests.browser.conftest import SIZES
from tests.browser.seen import wrong
from tests.classrooms.people import client_of
from tests.factories import ChildFactory, TeachingFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Pages = Callable[..., Page]
Keep = Callable[[Page, str], None]


@pytest.fixture
def dora() -> Child:
    school_class = TeachingFactory.create(school_class__names_shown="never").school_class
    return ChildFactory.create(school_class=school_class, name="Dora")


@pytest.fixture
def alice(dora: Child) -> User:
    return dora.school_class.teachings.get().user


def size(name: str) -> dict[str, Any]:
    width, height = SIZES[name]
    return {"viewport": {"width": width, "height": height}}


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_child_gets_in_on_a_phone_by_typing_its_name(
    pages: Pages, screenshot: Keep, dora: Child, script: bool
) -> None:
    page = pages(java_script_enabled=script, **size("phone"))
    page.goto("/")
    page.locator("input[name=code]").fill(dora.school_class.code.lower())
    page.keyboard.press("Enter")
    name = page.locator("input[name=name]")
    expect(name).to_be_focused()
    assert "Dora" not in page.content()
    screenshot(page, "typed-name")
    box = name.bounding_box()
    assert box
    assert box["height"] >= 56
    name.fill("dorra")
    page.keyboard.press("Enter")
    for picture in decrypt_pictures(dora.pictures_encrypted):
        page.locator(f"button[name=picture][value={picture}]").click()
    expect(page.locator(".messages .notice")).to_be_visible()
    screenshot(page, "typed-name-wrong")
    page.locator(".pictures-head a").click()
    expect(name).to_be_focused()
    name.fill("DORA")
    page.keyboard.press("Enter")
    for picture in decrypt_pictures(dora.pictures_encrypted):
        page.locator(f"button[name=picture][value={picture}]").click()
    expect(page).to_have_url(page.url.partition("/play/")[0].removesuffix("/me/") + "/me/")


@pytest.mark.parametrize("at", SIZES)
def test_a_teacher_sets_who_sees_the_names(
    pages: Pages, screenshot: Keep, dora: Child, alice: User, at: str
) -> None:
    page = pages(**size(at))
    page.goto("/healthz")
    session = client_of(alice).cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": page.url}]
    )
    networks = ["198.41.0.4/32", "2a00:1450:4001:81b::/64"]
    SchoolClass.objects.update(names_shown="at school", networks=networks)
    page.goto(f"/classes/{dora.school_class_id}/edit/#names")
    expect(page.locator("#names")).to_be_in_viewport()
    screenshot(page, f"who-sees-names-{at}")
    page.locator(".school-network").first.scroll_into_view_if_needed()
    screenshot(page, f"networks-{at}")
    # The links of the page that are among words are smaller than what is tapped elsewhere.
    assert [what for what in wrong(page) if not what.startswith("a. is")] == []
    page.locator("#names input[value=always]").check()
    page.locator("#names button[value=save]").click()
    expect(page.locator(".messages .notice")).to_be_visible()
    assert SchoolClass.objects.get().names_shown == "always"
