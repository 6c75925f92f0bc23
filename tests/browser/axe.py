"""What axe-core finds wrong with a page: https://dequeuniversity.com/rules/axe/."""

from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RUN: Final = "options => axe.run(document, options).then(found => found.violations)"
"""Only what is broken leaves the browser: all else that axe-core reports is far more."""


def broken_rules(page: Page, **options: Any) -> list[str]:
    """Each rule that the page breaks, and where. `options` go to `axe.run`."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    broken = page.evaluate(RUN, {"resultTypes": ["violations"], **options})
    return [
        f"{rule['id']}: {[node['html'][:120] for node in rule['nodes'][:3]]}" for rule in broken
    ]
