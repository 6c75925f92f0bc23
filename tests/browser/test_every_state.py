"""Every state of every page of a child's breaks no rule of axe-core, in light and in forced
colours; and on a phone of 360 pixels all that can be tapped is large enough for a finger, and no
text is cut off or lies under something else."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from django.conf import settings
from playwright.sync_api import Page

from classrooms.models import Child
from tests.browser.axe import broken_rules
from tests.browser.conftest import SIZES
from tests.browser.states import WALKS
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALL: Final = tuple(code for code, _ in settings.LANGUAGES)
LANGUAGES: Final = ALL if os.environ.get("SCREENSHOTS") else times(("de",), ALL)
"""German has the longest words."""
OF_COLOURS: Final[dict[str, Any]] = {"runOnly": ["color-contrast"]}
FORCED_RULES: Final = times(OF_COLOURS, {})
FORCED_WALKS: Final = times(("choices", "questions", "story"), tuple(WALKS))
"""What forced colours can change, where most of it is; `make proof` asks all rules everywhere."""
LOOK: Final = Path(__file__).with_name("sizes.js").read_text(encoding="utf-8")


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


def show(page: Page, size: str, forced: Literal["active", "none"]) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(forced_colors=forced, reduced_motion="reduce")


def wrong_with(page: Page, *, forced: bool) -> Iterator[str]:
    show(page, "desktop", "none")
    yield from broken_rules(page)
    show(page, "phone", "none")
    yield from page.evaluate(LOOK)
    if forced:
        show(page, "phone", "active")
        yield from (f"forced colours: {problem}" for problem in broken_rules(page, **FORCED_RULES))
        show(page, "phone", "none")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("walk", WALKS)
def test_every_state_can_be_read_and_used_by_all(
    pages: Callable[..., Page],
    dora: Child,
    screenshot: Callable[[Page, str], None],
    walk: str,
    language: str,
) -> None:
    dora.school_class.language = language
    dora.school_class.save()
    page = pages(locale=language)
    forced = walk in FORCED_WALKS
    seen, wrong = 0, []
    for state in WALKS[walk](page, dora):
        seen += 1
        screenshot(page, f"{walk}-{seen:02}-{state}-{language}".replace(" ", "-"))
        wrong += [f"{state}: {problem}" for problem in wrong_with(page, forced=forced)]
    assert seen
    assert wrong == [], "\n".join(wrong)
