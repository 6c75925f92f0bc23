"""No page of a child's, in no state, breaks a rule of axe-core: in light and in forced colours."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from classrooms.models import Child
from tests.browser.conftest import SIZES
from tests.browser.states import WALKS
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALL_RULES: Final[dict[str, Any]] = {"resultTypes": ["violations"]}
OF_COLOURS: Final = {**ALL_RULES, "runOnly": ["color-contrast", "link-in-text-block"]}
"""What forced colours can change; `make proof` asks all the rules in both."""


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


def violations(page: Page, rules: dict[str, Any]) -> list[str]:
    found = Axe().run(page, options=rules).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {[node['target'] for node in rule['nodes'][:3]]}"
        for rule in found
    ]


@pytest.mark.parametrize("walk", WALKS)
def test_no_state_breaks_a_rule(pages: Callable[..., Page], dora: Child, walk: str) -> None:
    page = pages(reduced_motion="reduce")
    seen, broken = 0, []
    for state in WALKS[walk](page, dora):
        seen += 1
        for colours, size in (("none", "desktop"), ("active", "phone")):
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(forced_colors=colours, reduced_motion="reduce")
            rules = ALL_RULES if colours == "none" else times(OF_COLOURS, ALL_RULES)
            broken += [f"{state}, forced {colours}: {told}" for told in violations(page, rules)]
    assert seen
    assert broken == [], "\n".join(broken)
