"""A teacher in a browser: from nothing to printed cards, passkeys, children, downloads, the log."""

import re
from collections.abc import Callable
from threading import Event
from typing import Any, Final

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from playwright.sync_api import Page, expect

from classrooms.classes import services as classes
from classrooms.downloads.models import Download
from classrooms.models import Child, SchoolClass
from tests.browser.at_school import NAMES, CountingTeacher, signed_in
from tests.factories import PASSWORD, ChildFactory, DownloadFactory, TeachingFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_INTERACTIONS: Final = 20


@pytest.mark.proof
def test_a_new_teacher_has_cards_within_twenty_interactions(page: Page) -> None:
    page.goto("/")
    teacher = CountingTeacher(page)
    teacher.click(page.get_by_role("link", name="I am a teacher"))
    teacher.click(page.get_by_role("link", name="New here? Create an account"))
    teacher.fill("email", "alice@school.example")
    teacher.fill("password1", "seven times eight")
    teacher.click(teacher.next)

    teacher.click(teacher.next)
    teacher.fill("name", "5B")
    teacher.click(teacher.next)
    teacher.fill("names", "\n".join(NAMES))
    teacher.click(teacher.next)
    teacher.click(teacher.next)

    expect(page).to_have_url(re.compile("/cards/$"))
    expect(page.locator(".login-card")).to_have_count(30)
    page.emulate_media(media="print")
    expect(page.locator(".login-card", has_text="Chloé")).to_be_visible()
    assert Child.objects.count() == 30
    assert teacher.interactions <= MOST_INTERACTIONS


def plug_in_key(page: Page) -> None:
    """A security key whose button is always pressed."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
            }
        },
    )


def ending(end: str) -> re.Pattern[str]:
    return re.compile(re.escape(end) + "$")


def test_a_form_sent_twice_at_once_is_carried_out_once(
    pages: Callable[[], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed_again = Event()
    create = classes.create_classes

    def make_slowly(*given: Any) -> None:
        pressed_again.wait()
        create(*given)

    monkeypatch.setattr(classes, "create_classes", make_slowly)
    page = signed_in(pages(), TeachingFactory.create(school_class__name="5B").school_class)
    page.goto(reverse("classrooms:new_class"))
    page.get_by_label("Class name").fill("4A")
    with page.expect_request(re.compile("/classes/new/$")):
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    pressed_again.set()
    expect(page).to_have_url(re.compile("/children/$"))
    assert sorted(SchoolClass.objects.values_list("name", flat=True)) == ["4A", "5B"]


def test_a_passkey_is_added_and_then_signs_in_alone(page: Page) -> None:
    alice = UserFactory.create(email="alice@example.org")
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    plug_in_key(page)

    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(alice.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form:has(input[name=login]) button[type=submit]").click()
    page.goto("/accounts/two-steps/webauthn/add/")
    page.locator("#passkey-button").click()
    expect(page).to_have_url(ending("/two-steps/recovery-codes/"))

    page.locator(".top form button[type=submit]").click()
    expect(page).to_have_url(ending("/"))
    page.goto("/accounts/login/")
    page.locator("#passkey-button").click()
    expect(page).to_have_url(ending("/classes/"))
    assert errors == []


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    return ChildFactory.create(
        name="Dora", school_class=TeachingFactory.create().school_class
    ).school_class


def test_a_child_is_renamed_in_place_removed_and_brought_back(
    page: Page, school_class: SchoolClass
) -> None:
    signed_in(page, school_class)
    page.goto(reverse("classrooms:children", args=[school_class.pk]))
    page.get_by_role("link", name="Rename Dora").click()
    field = page.get_by_label("Another name for Dora")
    expect(field).to_be_focused()
    field.fill("Dora K.")
    field.press("Enter")
    expect(page.get_by_role("link", name="Dora K.", exact=True)).to_be_visible()
    page.get_by_role("link", name="Dora K.", exact=True).click()
    page.get_by_role("button", name="Remove Dora K.").click()
    expect(page.get_by_role("link", name="Dora K.", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name="Dora K.", exact=True)).to_be_visible()


def test_a_download_becomes_ready_without_a_reload(page: Page, school_class: SchoolClass) -> None:
    made = DownloadFactory.create(school_class=school_class, state="working", done=1, total=4)
    signed_in(page, school_class)
    page.goto(reverse("classrooms:downloads", args=[school_class.pk]))
    expect(page.get_by_text("In progress: 25%")).to_be_visible()
    page.get_by_role("button", name="Cancel").focus()
    Download.objects.update(done=3)
    expect(page.get_by_text("In progress: 75%")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    Download.objects.update(state="ready", content=b"the file", size=8)
    expect(page.locator("#live")).to_have_text("All downloads are ready.")
    with page.expect_download() as fetched:
        page.locator(f"#fetch-{made.pk}").click()
    assert fetched.value.path().read_bytes() == b"the file"
