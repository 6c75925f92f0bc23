"""Browsers of the tests' own, and pictures of what they show."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

LANGUAGE: Final = os.environ.get("BROWSER_LANGUAGE", "en")
SIZES: Final = {"desktop": (1366, 768), "phone": (360, 740)}


@pytest.fixture
def screenshot() -> Callable[[Page, str], None]:
    """Keeps a picture of the page at both sizes where SCREENSHOTS names a folder."""
    folder = os.environ.get("SCREENSHOTS")

    def keep(page: Page, name: str) -> None:
        if not folder:
            return
        before = page.viewport_size
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=Path(folder) / f"{name}-{size}.png", animations="disabled")
        if before:
            page.set_viewport_size(before)

    return keep


@pytest.fixture
def pages(browser: Browser, live_server: Any) -> Iterator[Callable[..., Page]]:
    """A new page in a browser of its own, where nothing moves unless asked for; whatever it asks
    from elsewhere fails the test."""
    contexts = []
    foreign: list[str] = []

    def opened(**options: Any) -> Page:
        still: Any = {"locale": LANGUAGE, "reduced_motion": "reduce"}
        context = browser.new_context(base_url=live_server.url, **(still | options))
        contexts.append(context)
        page = context.new_page()
        page.on(
            "request",
            lambda r: None if r.url.startswith(live_server.url) else foreign.append(r.url),
        )
        return page

    yield opened
    for context in contexts:
        context.close()
    assert foreign == []
