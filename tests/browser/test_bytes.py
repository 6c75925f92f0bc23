"""What goes over the wire, held as a budget: a school's network is slow and shared.

Pages are measured as they come; scripts and styles, which the tests' server sends as they are,
as they come from a school's server: compressed once, when they are collected.
"""

import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Response, expect

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from nmbrs_edu.static import small
from tests.browser.at_home import LONGER, RULESET, play_to_the_end, sit_down
from tests.browser.child import ChildAtTheTable
from tests.factories import AssignmentFactory, ChildFactory
from tests.servers import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KB: Final = 1000
SCRIPTS_AND_STYLES: Final = 55 * KB
OWN_SCRIPTS: Final = 15 * KB
FIRST_VISIT: Final = 110 * KB
A_MOVE: Final = 8 * KB


@pytest.fixture
def dora(db: Any) -> Child:
    return ChildFactory.create(name="Dora")


def wire_size(response: Response) -> int:
    sizes = response.request.sizes()
    _, is_static, path = response.url.partition(settings.STATIC_URL)
    if not is_static:
        return sizes["responseBodySize"] + sizes["responseHeadersSize"]
    file = finders.find(path)
    assert isinstance(file, str), path
    return compressed(Path(file), path) + sizes["responseHeadersSize"]


def compressed(file: Path, name: str) -> int:
    return len(gzip.compress(small(name, file.read_text()).encode(), 9))


def kind_of(url: str) -> str:
    if url.endswith(".css"):
        return "styles"
    if url.endswith(".js"):
        return "vendor's scripts" if "/vendor/" in url else "own scripts"
    return "rest"


def test_the_first_visit_from_the_code_to_the_game(pages: Callable[..., Page], dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class)
    page = pages()
    answers: dict[str, Response] = {}

    def keep(answer: Response) -> None:
        answers.setdefault(answer.url, answer)

    page.on("response", keep)
    page.goto("/")
    page.locator("input[name=code]").fill(dora.school_class.code)
    page.locator("main button[type=submit]").first.click()
    page.get_by_role("link", name="Dora", exact=True).click()
    for picture in decrypt_pictures(dora.pictures_encrypted):
        page.locator(f"button[name=picture][value={picture}]").click()
    page.locator("main .btn-primary").first.click()
    expect(page.locator("#board")).to_be_visible()
    page.wait_for_load_state("networkidle")

    sizes: Counter[str] = Counter()
    for url, answer in answers.items():
        if answer.status < 300:
            sizes[kind_of(url)] += wire_size(answer)
    assert sizes["own scripts"] > 0
    assert sizes["styles"] > 0
    assert sizes["own scripts"] <= OWN_SCRIPTS
    assert sizes.total() - sizes["rest"] <= SCRIPTS_AND_STYLES
    assert sizes.total() <= FIRST_VISIT


def test_all_of_our_own_scripts_together_are_small() -> None:
    scripts = (ROOT / "static" / "js").glob("*.js")
    sizes = [compressed(script, script.name) for script in scripts]
    assert len(sizes) >= 3
    assert sum(sizes) <= OWN_SCRIPTS


def test_no_answer_to_a_move_is_long(pages: Callable[..., Page], dora: Child) -> None:
    page = pages()
    answers: list[Response] = []
    page.on("response", lambda r: answers.append(r) if r.url.endswith("/act") else None)
    sit_down(page, dora, LONGER)
    play_to_the_end(ChildAtTheTable(page, RULESET))
    assert len(answers) >= LONGER.actions
    assert {answer.headers.get("content-encoding") for answer in answers} == {"gzip"}
    most = max(wire_size(answer) for answer in answers)
    assert most <= A_MOVE
