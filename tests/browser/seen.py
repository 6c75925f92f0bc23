"""What an eye would find wrong with a page: too small to tap, cut off, or covered."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Page

SMALLEST: Final = 44
_WRONG: Final = Path(__file__).with_name("seen.js").read_text(encoding="utf-8")


def wrong(page: Page, smallest: int = SMALLEST) -> list[str]:
    """Controls under 44 px, and texts that run off the page, are cut off or lie under something
    else, of what can be seen now. What is scrolled away in a part that scrolls is not looked at."""
    found: list[str] = page.evaluate(_WRONG, smallest)
    return found
