"""Faults of a page that an eye or axe-core (https://dequeuniversity.com/rules/axe/) would find."""

from pathlib import Path
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SMALLEST: Final = 44
_WRONG: Final = Path(__file__).with_name("seen.js").read_text(encoding="utf-8")


def visible_faults(page: Page, smallest: int = SMALLEST) -> list[str]:
    """The faults of everything that is visible: controls under 44 px; texts that run off the page,
    are cut off or covered; white space before a comma, full stop or semicolon. Content that is
    scrolled out of sight is ignored."""
    faults: list[str] = page.evaluate(_WRONG, smallest)
    return faults


AXE: Final = str(Axe().axe_script)
RUN: Final = "options => axe.run(document, options).then(found => found.violations)"
"""Only violations leave the browser: everything else that axe-core reports is far more."""


def broken_rules(page: Page, **options: Any) -> list[str]:
    """Each rule that the page breaks, and where. `options` go to `axe.run`."""
    if not page.evaluate("'axe' in window"):
        # Half a megabyte is sent once, and stays for all addresses that this page opens.
        page.add_init_script(AXE)
        page.evaluate(AXE)
    broken = page.evaluate(RUN, {"resultTypes": ["violations"], **options})
    return [
        f"{rule['id']}: {[node['html'][:120] for node in rule['nodes'][:3]]}" for rule in broken
    ]


WATCH: Final = """
window.moved = [];
const name = (element) => element.getAttribute("class") || element.id;
document.addEventListener("animationstart", ({ animationName, target }) => {
  moved.push(`${animationName}: ${name(target)}`);
}, true);
const { animate } = Element.prototype;
Element.prototype.animate = function (...how) {
  moved.push(`flight: ${name(this)}`);
  return animate.apply(this, how);
};
"""
