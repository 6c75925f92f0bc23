"""Every state of every page for children breaks no rule of axe-core, in light and in forced
colours. At both sizes all controls are large enough for a finger, no text is cut off or covered,
and the next thing to do is in sight. `make test` looks at the states of some walks on a phone, and
at every third one with axe-core and on a desktop too."""

import os
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

import pytest
from django.conf import settings
from playwright.sync_api import Page

from classrooms.models import Child
from tests.browser.conftest import SIZES
from tests.browser.seen import broken_rules, visible_faults
from tests.browser.states import WALKS
from tests.counts import PROOF, times

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALL: Final = tuple(code for code, _ in settings.LANGUAGES)
LANGUAGES: Final = ALL if os.environ.get("SCREENSHOTS") else times(("de",), ALL)
"""German has the longest words."""
COLOUR_RULES: Final[dict[str, Any]] = {"runOnly": ["color-contrast"]}
FORCED_COLOUR_RULES: Final = times(COLOUR_RULES, {})
WALKS_OF_LANGUAGES: Final = times(
    (
        "choices",
        "table",
        "pot",
        "together",
        "questions",
        "check_up",
        "story",
        "several",
        "tables_of_class",
    ),
    tuple(WALKS),
)
FORCED_WALKS: Final = times(("choices", "questions", "story"), tuple(WALKS))
"""Forced colours can change little elsewhere. `make proof` checks all rules everywhere."""


def show(page: Page, size: str, forced: Literal["active", "none"]) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(forced_colors=forced, reduced_motion="reduce")


def buttons_out_of_sight(page: Page) -> list[str]:
    """The names of the main buttons that are not on the screen without scrolling."""
    buttons = page.locator("#board .btn-primary:visible").all()
    height = page.evaluate("innerHeight")
    boxes = [(button.inner_text(), button.bounding_box()) for button in buttons]
    return [f"out of sight: {name}" for name, at in boxes if at and at["y"] + at["height"] > height]


def problems_on(page: Page, *, closely: bool, forced: bool) -> Iterator[str]:
    if closely:
        show(page, "desktop", "none")
        yield from broken_rules(page)
    for size in SIZES if closely else ("phone",):
        show(page, size, "none")
        yield from (
            f"{size}: {problem}" for problem in (*visible_faults(page), *buttons_out_of_sight(page))
        )
    if forced and closely:
        show(page, "phone", "active")
        yield from (
            f"forced colours: {problem}" for problem in broken_rules(page, **FORCED_COLOUR_RULES)
        )
        show(page, "phone", "none")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("walk", WALKS_OF_LANGUAGES)
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
    count, wrong = 0, []
    for state in WALKS[walk](page, dora):
        closely = PROOF or count % 3 == 0
        count += 1
        screenshot(page, f"{walk}-{count:02}-{state}-{language}".replace(" ", "-"))
        wrong += [
            f"{state}: {problem}" for problem in problems_on(page, closely=closely, forced=forced)
        ]
    assert count
    assert wrong == [], "\n".join(wrong)
