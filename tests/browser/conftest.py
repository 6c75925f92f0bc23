"""Browsers for the tests, and screenshots of what they show."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import get_ident
from time import sleep
from typing import Any, Final

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse
from playwright.sync_api import Browser, Page, expect

from classrooms.assignments import riddles
from classrooms.lesson import hands
from classrooms.models import Child
from games.play import log, shared_deals
from nmbrs_edu.static import minified
from tests.factories import ChildFactory

# A busy machine may be slow.
expect.set_options(timeout=60_000)
SIZES: Final = {"desktop": (1366, 768), "phone": (360, 740)}


@pytest.fixture(autouse=True)
def _same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed all random deals, so that each run deals the same cards."""
    for module in (riddles, log, shared_deals, hands):
        monkeypatch.setattr(module, "randbits", Random(1).getrandbits)


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_read_once() -> None:
    """Each browser requests a file once and gets it compressed, as on the site."""
    files: dict[str, tuple[bytes, str]] = {}
    serve = StaticFilesHandler.serve

    def serve_again(self: StaticFilesHandler, request: HttpRequest) -> HttpResponse:
        if request.path not in files:
            answer: Any = serve(self, request)
            text, name = b"".join(answer), request.path.removeprefix(settings.STATIC_URL)
            if request.path.endswith((".css", ".js")):
                text = minified(name, text.decode()).encode()
            files[request.path] = text, answer["Content-Type"]
        body, kind = files[request.path]
        lasts = {"Cache-Control": "max-age=3600", "Content-Length": str(len(body))}
        return HttpResponse(body, content_type=kind, headers=lasts)

    StaticFilesHandler.serve = serve_again  # type: ignore[assignment,method-assign]


@pytest.fixture
def dora(db: None) -> Child:
    return ChildFactory.create(name="Dora")


@pytest.fixture
def screenshot() -> Callable[[Page, str], None]:
    """Save a picture of the page at both sizes if SCREENSHOTS names a folder."""
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
    """A new page of this size in its own browser context, without animations unless asked for. A
    request to another server fails the test."""
    contexts = []
    foreign: list[str] = []

    def open_page(size: str = "", **options: Any) -> Page:
        still: Any = {"locale": "en", "reduced_motion": "reduce"}
        if size:
            width, height = SIZES[size]
            still["viewport"] = {"width": width, "height": height}
        context = browser.new_context(base_url=live_server.url, **(still | options))
        contexts.append(context)
        page = context.new_page()
        page.on(
            "request",
            lambda r: None if r.url.startswith(live_server.url) else foreign.append(r.url),
        )
        return page

    with requests_under_way() as under_way:
        yield open_page
        for context in contexts:
            context.close()
        # Otherwise an answer that nobody waits for meets the next test's database.
        while under_way:
            sleep(0.05)
    assert foreign == []


@pytest.fixture
def page(pages: Callable[..., Page]) -> Page:
    return pages()


@contextmanager
def requests_under_way() -> Iterator[set[int]]:
    """The threads that answer a request."""
    threads: set[int] = set()

    def add_thread(**_about: Any) -> None:
        threads.add(get_ident())

    def remove_thread(**_about: Any) -> None:
        threads.discard(get_ident())

    request_started.connect(add_thread)
    request_finished.connect(remove_thread)
    yield threads
    request_started.disconnect(add_thread)
    request_finished.disconnect(remove_thread)
