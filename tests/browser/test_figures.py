"""A child's figure for a times table is the same wherever a teacher reads it, with its period. The
weekly mail fits the screen as mail and in its preview, and its link stops it."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pypdfium2
import pytest
from playwright.sync_api import Page

from classrooms.models import Child, Teaching
from classrooms.reports import weekly_mail
from classrooms.reports.weekly_letter import weekly_letter
from tests.browser.at_school import signed_in
from tests.browser.seen import broken_rules
from tests.classrooms.people import url_of
from tests.classrooms.progress.answering import play_day, rows
from tests.classrooms.reports.pdf import words
from tests.classrooms.reports.weekly_mail import wants_mail
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLE: Final = 7
WEEK, MONTH, ALL_TIME = "last 7 days", "last 4 weeks", "all time"
FIGURES: Final = {WEEK: "1 of 5", MONTH: "2 of 9", ALL_TIME: "4 of 20"}
"""Dora's rows of the 7 times table, by period. No two are the same."""
FIGURE: Final = r"(\d+ of \d+)"

Read = Iterator[tuple[str, str]]
"""Each figure at a place, after the label of its period."""


@pytest.fixture
def teaching(db: Any) -> Teaching:
    """Alice's class: Dora needs the 7 times table, Emil has only had rows of the 5."""
    owned = TeachingFactory.create(user=UserFactory.create(email="alice@example.org"))
    dora, emil = (
        ChildFactory.create(school_class=owned.school_class, name=name) for name in ("Dora", "Emil")
    )
    AssignmentFactory.create(school_class=owned.school_class, options={"tables": [5, TABLE]})
    for ago, at_once, missed in ((60, 2, 9), (20, 1, 3), (1, 1, 4)):
        rows(dora, TABLE, found=at_once, missed=missed, ago=ago)
        play_day(dora, turns=20, ago=ago)
    for ago in (2, 1):
        rows(emil, 5, found=9, ago=ago)
        play_day(emil, turns=20, ago=ago)
    return wants_mail(owned.user, owned.school_class)


@pytest.mark.proof
def test_a_figure_reads_the_same_everywhere(pages: Callable[..., Page], teaching: Teaching) -> None:
    dora = teaching.school_class.children.get(name="Dora")
    page = signed_in(pages(locale="en"), teaching.school_class)
    figures = {
        "class page": figure_by_period(read_class_page(page, dora)),
        "child's page": figure_by_period(read_childs_page(page, dora)),
        "PDF of the class": figure_by_period(read_class_pdf(page, dora)),
        "PDF of the child": figure_by_period(read_childs_pdf(page, dora)),
        "CSV": figure_by_period(read_csv(page, dora)),
        "mail": figure_by_period(read_mail(page, teaching)),
    }
    page.goto(url_of("progress", dora))
    both = {period: FIGURES[period] for period in (MONTH, ALL_TIME)}
    assert figures == {
        "class page": FIGURES,
        "child's page": both,
        "PDF of the class": FIGURES,
        "PDF of the child": {MONTH: FIGURES[MONTH]},
        "CSV": both,
        "mail": {WEEK: FIGURES[WEEK]},
    }


def figure_by_period(pairs: Read) -> Mapping[str, str]:
    """The figure of each period. Fails if a place shows two different ones."""
    by_period: dict[str, set[str]] = {}
    for period, figure in pairs:
        by_period.setdefault(period, set()).add(figure)
    return {period: " and ".join(sorted(figures)) for period, figures in by_period.items()}


def read_class_page(page: Page, child: Child) -> Read:
    """The cell of the map and the list behind it, who needs what, and who finds fewer than half."""
    for choice in ("week", "month", "all"):
        cell = f"?child={child.pk}&table={TABLE}&period={choice}"
        page.goto(url_of("class", child.school_class) + cell)
        chosen = page.locator(".period[aria-current=true]").inner_text()
        line = page.locator(".map tbody tr").filter(has_text=child.name)
        yield chosen, line.locator("a[aria-current=true]").inner_text()
        yield label_after(page, "#behind .map-figure")
        yield from in_needs(page.locator(".need-table").inner_text())
        notes = " ".join(page.locator(".notes").inner_text().split())
        ((period, figure),) = re.findall(
            rf"Finds fewer than half ({WEEK}|{MONTH}|{ALL_TIME})"
            r" Rows found without help, of all possible rows "
            rf"{TABLE} times table: Dora {FIGURE}",
            notes,
        )
        yield period, figure


def label_after(page: Page, figure: str) -> tuple[str, str]:
    return page.locator(f"{figure} + .soft").inner_text(), page.locator(figure).inner_text()


def in_needs(text: str) -> Read:
    matches = re.findall(rf"found {FIGURE} rows without help, ([a-z0-9 ]+)", text)
    assert matches
    for figure, period in matches:
        yield period.strip(), figure


def read_childs_page(page: Page, child: Child) -> Read:
    page.goto(url_of("progress", child))
    chip = page.locator(".chip").filter(has_text=f"{TABLE} times table")
    label = page.locator("#tables-title .soft").inner_text()
    (figure,) = re.findall(
        rf"times table {FIGURE} [a-z ]+ · last practised ",
        " ".join(chip.inner_text().split()),
    )
    yield label, figure
    chip.click()
    yield label_after(page, ".map-figure")
    page.locator(".period").filter(has_text=ALL_TIME).click()
    page.locator(".period[aria-current=true]").filter(has_text=ALL_TIME).wait_for()
    yield label_after(page, ".map-figure")


def pdf(page: Page, url: str) -> str:
    answer = page.request.get(url)
    assert answer.headers["content-type"] == "application/pdf"
    return words(pypdfium2.PdfDocument(answer.body()))


def read_class_pdf(page: Page, child: Child) -> Read:
    for choice in ("week", "month", "all"):
        url = url_of("class_report", child.school_class) + f"?period={choice}&language=en"
        text = pdf(page, url)
        yield from in_needs(text)
        # The map has a column of the 5 and one of the 7.
        ((period, figure),) = re.findall(
            rf"possible rows · ({WEEK}|{MONTH}|{ALL_TIME}) .*? Dora – {FIGURE} ", text
        )
        yield period, figure


def read_childs_pdf(page: Page, child: Child) -> Read:
    text = pdf(page, f"{url_of('child_report', child)}?language=en")
    ((period, figure),) = re.findall(
        rf"possible rows · ({WEEK}|{MONTH}|{ALL_TIME}) .*?{TABLE} times table {FIGURE} ", text
    )
    yield period, figure


def read_csv(page: Page, child: Child) -> Read:
    answer = page.request.get(url_of("export_class", child.school_class) + "?as=csv")
    lines = csv.DictReader(io.StringIO(answer.body().decode("utf-8-sig"), newline=""))
    (line,) = [line for line in lines if line["Name"] == child.name]
    for heading, value in line.items():
        name, _, period = heading.partition(", ")
        if name == f"{TABLE} times table: found without help":
            chances = line[f"{TABLE} times table: possible rows, {period}"]
            yield period, f"{value} of {chances}"


def read_mail(page: Page, teaching: Teaching) -> Read:
    """The mail itself, and its preview. It names no child, but only Dora needs the table."""
    today = teaching.school_class.today()
    letter = weekly_letter(teaching.school_class, today)
    assert letter
    page.goto(url_of("weekly_mail", teaching.school_class))
    body = str(weekly_mail.message_of(letter, teaching, today).body)
    for text in (body, page.locator(".weekly").inner_text()):
        yield from in_needs(text)


def test_the_mail_fits_600_and_360_pixels(pages: Callable[..., Page], teaching: Teaching) -> None:
    letter = weekly_letter(teaching.school_class, teaching.school_class.today())
    message = weekly_mail.message_of(letter, teaching, teaching.school_class.today())
    for scheme in ("light", "dark"):
        page = pages(color_scheme=scheme)
        page.set_content(str(message.alternatives[0][0]))
        for width in (600, 360):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        button = page.get_by_role("link", name=letter.button).bounding_box()
        assert button["height"] >= 44
        assert broken_rules(page) == []
