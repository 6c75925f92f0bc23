"""The page draws the number line of the chosen cards, and the server the number line of a hint:
they are the same picture."""

import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import combinations
from typing import Final

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page

from games.screen.pictures.number_line import number_line
from tests.browser.at_home import let_in
from tests.browser.test_layout import open_staged
from tests.factories import ChildFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HAND: Final = (1, 2, 8, 9, 17, 18, 33, 50)
"""Near and far, and some whose places on the line are halves."""
CHOOSE: Final = """async rows => {
    const lines = [];
    for (const row of rows) {
        const boxes = document.querySelectorAll("#hand input");
        for (const box of boxes) box.checked = row.includes(+box.value);
        boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        lines.push(document.querySelector("#chosen svg").outerHTML);
    }
    return lines;
}"""
"""The page first paints what is chosen, then what it makes."""


def drawn(svg: str) -> list[tuple[str, list[tuple[str, str]], str]]:
    """All that is in a picture, in any order."""
    root = ET.fromstring(svg)
    return sorted((e.tag, sorted(e.items()), (e.text or "").strip()) for e in root.iter())


def test_the_page_and_the_server_draw_the_same_line(pages: Callable[..., Page]) -> None:
    dora, page = ChildFactory.create(name="Dora"), pages()
    let_in(page, dora)
    open_staged(page, dora, " ".join(map(str, HAND)))
    rows = [row for n in range(2, len(HAND) + 1) for row in combinations(HAND, n)]
    by_the_page = page.evaluate(CHOOSE, rows)
    close = set()
    for row, svg in zip(rows, by_the_page, strict=True):
        line = number_line(row)
        assert line is not None
        assert drawn(svg) == drawn(render_to_string("games/_number_line.html", {"line": line})), row
        close.add(line.close)
    assert close == {True, False}
