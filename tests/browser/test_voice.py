"""Reading aloud: by a voice of the machine itself, in the language of the page, or not at all."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Child
from tests.browser.at_home import RULESET, sit_down
from tests.browser.child import ChildAtTheTable
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OWN: Final = {"lang": "en-GB", "localService": True}
OF_A_SERVICE: Final = {"lang": "en-US", "localService": False}
FOREIGN: Final = {"lang": "sv-SE", "localService": True}


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


def with_voices(page: Page, *voices: dict[str, Any]) -> None:
    """A machine with these voices that notes what it is to say instead of saying it."""
    page.add_init_script(
        "window.said = [];"
        "window.SpeechSynthesisUtterance = function (text) { this.text = text; };"
        f"speechSynthesis.getVoices = () => {json.dumps(voices)};"
        "speechSynthesis.speak = (one) => window.said.push([one.text, one.voice.lang]);"
    )


def said(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate("window.said")
    return found


@pytest.mark.parametrize("voices", [(), (OF_A_SERVICE, FOREIGN)], ids=["none", "not its own"])
def test_without_a_voice_of_its_own_there_is_no_button(
    pages: Callable[..., Page], dora: Child, voices: tuple[dict[str, Any], ...]
) -> None:
    page = pages()
    with_voices(page, *voices)
    sit_down(page, dora)
    expect(page.locator("[data-read]").first).to_be_attached()
    for button in page.locator("[data-read]").all():
        expect(button).to_be_hidden()


def test_what_is_to_do_and_a_hint_are_read(pages: Callable[..., Page], dora: Child) -> None:
    page = pages()
    with_voices(page, OF_A_SERVICE, OWN)
    sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    child.press("hint")
    shown = page.locator("#told p").first.inner_text()
    page.get_by_role("button", name="Read to me").click()
    texts = said(page)
    assert shown in " ".join(text for text, _ in texts)
    assert {lang for _, lang in texts} == {"en-GB"}


def test_a_whole_page_is_read_with_the_names_of_what_can_be_tapped(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages()
    with_voices(page, OWN)
    page.goto(f"/play/{dora.school_class.code}/")
    page.get_by_role("button", name="Read this page to me").click()
    assert [text for text, _ in said(page)][:2] == ["Who are you?", "Dora"]
