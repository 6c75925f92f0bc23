"""The text of the weekly mail."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from classrooms.models import Child, SchoolClass
from classrooms.progress.levels import fold_all_tables
from classrooms.progress.models import ChildDay, TableDay
from classrooms.reports.weekly_mail import Letter, letter_for, moment_of, paragraphs, week_due
from tests.classrooms.reports.weekly_mail.people import FRIDAY, due_at, played
from tests.factories import ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
QUERIES = 14


def text_of(school_class: SchoolClass) -> str:
    letter = letter_for(school_class, FRIDAY)
    assert letter
    return "\n".join(paragraphs(letter))


def sections_of(letter: Letter | None) -> dict[str, list[str]]:
    assert letter
    return {section.title: list(section.lines) for section in letter.sections}


def test_it_says_how_many_played_what_was_found_and_who_needs_which_table(
    week: None, school_class: SchoolClass
) -> None:
    letter = letter_for(school_class, FRIDAY)
    assert letter
    assert letter.subject == "5B: this week on nmbrs"
    assert letter.days == "14 November to 20 November 2026"
    assert sections_of(letter) == {
        "This week": [
            "1 of 2 children have played.",
            "They finished 2 rounds.",
            "1 child has never played.",
            "They found 2 of 8 possible rows without help.",
        ],
        "Most useful now": [
            "7 times table: 1 child – found 2 of 8 possible rows without help, last 7 days.",
        ],
    }


def test_what_went_well_is_what_became_secure_this_week(
    week: None, emil: Child, school_class: SchoolClass
) -> None:
    for table, weeks_ago in ((5, 0), (2, 3)):
        for ago in (2, 1):
            day = FRIDAY - timedelta(days=ago, weeks=weeks_ago)
            TableDay.objects.create(
                child=emil, school_class=school_class, table=table, day=day, at_once=9,
                last_at=due_at(school_class) - timedelta(days=ago, weeks=weeks_ago),
            )  # fmt: skip
    fold_all_tables([emil.pk])
    well = sections_of(letter_for(school_class, FRIDAY))["What went well"]
    assert well == ["5 times table: 1 child now finds most rows."]


def test_who_has_not_played_for_a_week_is_counted_apart_from_who_never_played(
    week: None, school_class: SchoolClass
) -> None:
    for ago in (8, 20):
        played(ChildFactory.create(school_class=school_class), FRIDAY - timedelta(days=ago))
    assert sections_of(letter_for(school_class, FRIDAY))["This week"][2:4] == [
        "2 children have not played for a week.",
        "1 child has never played.",
    ]


def test_who_is_stuck_is_counted(dora: Child, now: datetime, school_class: SchoolClass) -> None:
    for day in range(5):
        played(dora, FRIDAY - timedelta(days=day), found=0)
    assert (
        "7 times table: 1 child is stuck."
        in sections_of(letter_for(school_class, FRIDAY))["Most useful now"]
    )


def test_no_child_is_named_in_it_and_the_class_page_is_one_click_away(
    week: None, school_class: SchoolClass
) -> None:
    text = text_of(school_class)
    assert "Dora" not in text
    assert "Emil" not in text
    assert f"http://localhost:8000/classes/{school_class.pk}/?period=week" in text


def test_a_week_without_play_is_a_short_mail_and_the_next_ones_are_none(
    dora: Child, now: datetime, school_class: SchoolClass
) -> None:
    played(dora, FRIDAY - timedelta(days=7))
    assert sections_of(letter_for(school_class, FRIDAY))["This week"] == ["Nobody played."]
    assert letter_for(school_class, FRIDAY + timedelta(days=7)) is None


def test_there_is_no_mail_about_nobody(school_class: SchoolClass, now: datetime) -> None:
    assert letter_for(school_class, FRIDAY) is None


def test_what_was_played_before_or_after_the_week_is_not_of_the_week(
    dora: Child, now: datetime, school_class: SchoolClass
) -> None:
    played(dora)
    for ago in (7, 8):
        ChildDay.objects.create(
            child=dora,
            school_class=school_class,
            day=FRIDAY - timedelta(days=ago),
            rounds=5,
            last_at=now - timedelta(days=ago),
        )
    assert "They finished 2 rounds." in text_of(school_class)


def test_thirty_children_are_as_few_queries_as_one(week: None, school_class: SchoolClass) -> None:
    for _ in range(28):
        played(ChildFactory.create(school_class=school_class))
    with CaptureQueriesContext(
        connection,
    ) as counted:
        letter_for(school_class, FRIDAY)
    assert len(counted) <= QUERIES


# By the clock of the class:


ZONES = ("Europe/Amsterdam", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("Europe/Amsterdam", "2026-11-20T14:00"),
        ("America/New_York", "2026-11-20T20:00"),
        ("Pacific/Auckland", "2026-11-20T02:00"),
        ("Asia/Kathmandu", "2026-11-20T09:15"),
    ],
)
def test_it_is_due_on_friday_at_three_by_the_clock_of_the_class(zone: str, moment: str) -> None:
    at = utc(moment)
    assert week_due(at, zone) == FRIDAY
    assert week_due(at - timedelta(seconds=1), zone) is None


@pytest.mark.parametrize(
    ("zone", "friday", "moment"),
    [
        ("Europe/Amsterdam", date(2026, 3, 27), "2026-03-27T14:00"),
        ("Europe/Amsterdam", date(2026, 4, 3), "2026-04-03T13:00"),
        ("America/New_York", date(2026, 10, 30), "2026-10-30T19:00"),
        ("America/New_York", date(2026, 11, 6), "2026-11-06T20:00"),
        ("Pacific/Auckland", date(2026, 9, 25), "2026-09-25T03:00"),
        ("Pacific/Auckland", date(2026, 10, 2), "2026-10-02T02:00"),
        ("America/Santiago", date(2026, 9, 4), "2026-09-04T19:00"),
        ("America/Santiago", date(2026, 9, 11), "2026-09-11T18:00"),
        ("Africa/Cairo", date(2026, 4, 24), "2026-04-24T12:00"),  # at midnight of that day
        ("Europe/Amsterdam", date(2028, 3, 3), "2028-03-03T14:00"),  # after 29 February
    ],
)
def test_it_is_three_before_and_after_clocks_are_changed(
    zone: str, friday: date, moment: str
) -> None:
    assert week_due(utc(moment), zone) == friday
    assert week_due(utc(moment) - timedelta(minutes=1), zone) is None


@pytest.mark.parametrize("zone", ZONES)
def test_each_week_of_a_year_is_due_once_and_for_two_days(zone: str) -> None:
    start = utc("2026-01-01T00:00")
    found: dict[date, int] = {}
    for quarter in range(4 * 24 * 7 * 52):
        week = week_due(start + timedelta(minutes=15 * quarter), zone)
        if week:
            found[week] = found.get(week, 0) + 1
    assert len(found) == 52
    assert all(week.isoweekday() == 5 for week in found)
    assert set(found.values()) == {4 * 48 + 1}


def test_it_is_left_out_after_two_days() -> None:
    at = moment_of(FRIDAY, "Europe/Amsterdam")
    assert week_due(at + timedelta(hours=48), "Europe/Amsterdam") == FRIDAY
    assert week_due(at + timedelta(hours=48, seconds=1), "Europe/Amsterdam") is None


def test_day_and_hour_are_settings(settings: LazySettings) -> None:
    settings.WEEKLY_MAIL_DAY, settings.WEEKLY_MAIL_HOUR = 1, 7
    assert week_due(utc("2026-11-23T06:00"), "Europe/Amsterdam") == date(2026, 11, 23)
    assert week_due(utc("2026-11-23T05:59"), "Europe/Amsterdam") is None
