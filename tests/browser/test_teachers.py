"""A teacher in a browser: from nothing to printed cards, passkeys, children, downloads, the log."""

import re
from collections.abc import Callable
from threading import Event
from typing import Any, Final

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from classrooms.assignments.choice import more_rows
from classrooms.classes import services as classes
from classrooms.downloads.models import Download
from classrooms.models import Assignment, Child, SchoolClass
from games.engine.cards import card_text, is_joker
from games.engine.ruleset import EDITIONS, edition
from games.play import log
from tests.browser.at_home import sign_in_at_door
from tests.browser.at_school import NAMES, CountingTeacher, signed_in
from tests.browser.child import ChildAtTheTable
from tests.classrooms.people import confirmed, url_of
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

    def make_slowly(*of_download: Any) -> None:
        pressed_again.wait()
        create(*of_download)

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
    alice = confirmed(UserFactory.create(email="alice@example.org"))
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


def test_a_child_is_renamed_removed_and_brought_back(page: Page, school_class: SchoolClass) -> None:
    signed_in(page, school_class)
    page.goto(url_of("children", school_class))
    page.get_by_role("link", name="Change Dora").click()
    field = page.get_by_label("Name", exact=True)
    field.fill("Dora K.")
    field.press("Enter")
    page.get_by_role("button", name="Remove Dora K.").click()
    expect(page.get_by_role("link", name="Dora K.", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name="Dora K.", exact=True)).to_be_visible()


def test_the_button_to_move_is_in_sight_once_a_child_is_ticked(
    page: Page, school_class: SchoolClass
) -> None:
    ChildFactory.create_batch(20, school_class=school_class)
    TeachingFactory.create(user=school_class.teachings.get().user)
    signed_in(page, school_class)
    page.goto(url_of("children", school_class))
    button = page.get_by_role("button", name="See who will move")
    expect(button).not_to_be_in_viewport()
    page.get_by_label("Tick Dora").check()
    expect(button).to_be_in_viewport(ratio=1)


def test_a_download_becomes_ready_without_a_reload(page: Page, school_class: SchoolClass) -> None:
    download = DownloadFactory.create(school_class=school_class, state="working", done=1, total=4)
    signed_in(page, school_class)
    page.goto(url_of("downloads", school_class))
    expect(page.get_by_text("In progress: 25%")).to_be_visible()
    page.get_by_role("button", name="Cancel").focus()
    Download.objects.update(done=3)
    expect(page.get_by_text("In progress: 75%")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    Download.objects.update(state="ready", content=b"the file", size=8)
    expect(page.locator("#live")).to_have_text("All downloads are ready.")
    with page.expect_download() as fetched:
        page.locator(f"#fetch-{download.pk}").click()
    assert fetched.value.path().read_bytes() == b"the file"


SEED = 147
"""The seed of a deal in which an attentive child finds a row at once, and
later rows to add to and to cross."""
SECONDS_FOR_THE_WORKER = 120
RULESET = edition("simplified", tables=(2, 5, 10), offers=False, rounds=3)


def sign_up(page: Page) -> None:
    page.goto("/accounts/signup/")
    page.locator("input[name=email]").fill("alice@school.example")
    page.locator("input[name=password1]").fill("seven times eight")
    page.locator("main button[type=submit]").click()
    expect(page).to_have_url(ending("/classes/"))


def make_class(page: Page) -> None:
    page.goto("/classes/new/")
    page.locator("input[name=name]").fill("5B")
    page.locator("select[name=language]").select_option("en")
    page.locator("main button[type=submit]").click()
    page.locator("textarea[name=names]").fill("Dora\nEmil\nFay")
    page.locator("main form:has(textarea) button[type=submit]").click()
    expect(page).to_have_url(ending("/assignments/new/"))


def assign(page: Page) -> None:
    page.locator(".preset-first .btn-primary").click()
    expect(page).to_have_url(ending("/cards/"))
    expect(page.locator(".login-card")).to_have_count(3)


def class_address(page: Page) -> str:
    head, _, rest = page.url.partition("/classes/")
    return f"{head}/classes/{rest.split('/')[0]}/"


def test_a_teacher_assigns_a_child_plays_and_the_result_is_shown(
    pages: Callable[[], Page], worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "randbits", lambda bits: SEED)
    teacher, child_page = pages(), pages()
    sign_up(teacher)
    make_class(teacher)
    assign(teacher)

    assigned = Assignment.objects.get()  # As printed; `SEED` gives the deal for that.
    added = more_rows(EDITIONS["simplified"], 2)
    printed = {name: of for name, of in assigned.options.items() if name not in added}
    Assignment.objects.update(options=printed)
    dora = Child.objects.select_related("school_class").get(name="Dora")
    SchoolClass.objects.update(names_shown="always")  # at any hour
    sign_in_at_door(child_page, dora)
    child_page.get_by_role("button", name="I can already play").click()
    child = ChildAtTheTable(child_page, RULESET)

    child.press("draw-closed")
    for _ in range(4):
        child.press("hint")
    expect(child_page.locator("#told")).to_contain_text("times table")
    refused = [card for card in child.hand() if not is_joker(card)][:3]
    for card in refused:
        child.tap("card", card_text(card))
    child.press("lay")
    child_page.reload()
    while not child.is_over() and (plays := child.plays()):
        child.lay(plays[0])
    if not child.is_over():
        child.put_down(child.hand()[0])
    while not child.is_over():
        child.play_turn()
    assert child.did["hint"] == 4
    assert child.did["laid"] >= 1
    assert child.did["added"] >= 1
    assert child.did["crossed"] >= 1
    assert child.did["discard"] >= 1

    row = teacher.locator("table.map tr", has_text="Dora")
    links = row.locator("td").get_by_role("link")
    for _ in range(SECONDS_FOR_THE_WORKER):
        teacher.goto(class_address(teacher))
        if links.count():
            break
        teacher.wait_for_timeout(1000)
    links.first.click()
    expect(teacher.locator(".moves li").first).to_be_visible()
