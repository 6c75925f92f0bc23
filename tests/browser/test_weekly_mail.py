"""The weekly mail as it is read: as mail, in its preview, and where its link leads."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.models import Teaching
from classrooms.progress.levels import fold_all_tables
from classrooms.progress.models import ChildDay, TableDay
from classrooms.reports import weekly_mail
from classrooms.reports.weekly_mail import letter_for
from tests.browser.axe import broken_rules
from tests.browser.test_teachers_room import signed_in
from tests.classrooms.reports.weekly_mail.people import wants_mail
from tests.factories import ChildFactory, TeachingFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (600, 360)


@pytest.fixture
def teaching(db: Any) -> Teaching:
    """Dora needs the 7 times table, Emil became secure in the 5, Fay did not play."""
    owned = TeachingFactory.create()
    school_class, today = owned.school_class, owned.school_class.today()
    for name, table, found, missed in (("Dora", 7, 2, 6), ("Emil", 5, 9, 0)):
        child = ChildFactory.create(school_class=school_class, name=name)
        for ago in (2, 1):
            day = today - timedelta(days=ago)
            where: dict[str, Any] = {
                "child": child,
                "school_class": school_class,
                "day": day,
                "last_at": timezone.now() - timedelta(days=ago),
            }
            ChildDay.objects.create(**where, rounds=3, turns=9)
            TableDay.objects.create(**where, table=table, at_once=found, missed=missed)
        fold_all_tables([child.pk])
    ChildFactory.create(school_class=school_class, name="Fay")
    return wants_mail(owned.user, school_class)


def test_the_mail_fits_600_and_360_pixels_and_breaks_no_rule_of_access(
    pages: Callable[..., Page], teaching: Teaching, screenshot: Callable[[Page, str], None]
) -> None:
    letter = letter_for(teaching.school_class, teaching.school_class.today())
    assert letter
    message = weekly_mail.message_of(letter, teaching, teaching.school_class.today())
    for scheme in ("light", "dark"):
        page = pages(color_scheme=scheme)
        page.set_content(str(message.alternatives[0][0]))
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        button = page.get_by_role("link", name=letter.button).bounding_box()
        assert button
        assert button["height"] >= 44
        assert broken_rules(page) == []
        screenshot(page, f"mail-{scheme}")


def test_a_teacher_sees_what_it_looks_like_and_stops_it_in_one_click(
    pages: Callable[..., Page],
    live_server: Any,
    teaching: Teaching,
    screenshot: Callable[[Page, str], None],
) -> None:
    page = signed_in(pages(), teaching.school_class, live_server.url)
    page.goto(reverse("classrooms:weekly_mail", args=[teaching.school_class_id]))
    screenshot(page, "preview")
    assert broken_rules(page) == []
    stranger = pages()
    stranger.goto(reverse("classrooms:stop_weekly_mail", args=[weekly_mail.token_of(teaching)]))
    screenshot(stranger, "stop")
    stranger.get_by_role("button").click()
    expect(stranger.get_by_role("heading", level=1)).to_be_visible()
    screenshot(stranger, "stopped")
    assert broken_rules(stranger) == []
    assert Teaching.objects.get(pk=teaching.pk).mailed_since is None
